"""The steps of all techniques on rules: the candidates that are left in some cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from unidoku.core.bits import value_of, values_of
from unidoku.core.caching import by_layout
from unidoku.core.constraints import operations
from unidoku.core.constraints.primitives import Constraint
from unidoku.core.layout import Layout, Unit
from unidoku.logic.ruled.clues import doublers_in_words
from unidoku.logic.ruled.local_problem import LocalProblem, Remaining
from unidoku.logic.ruled.statement import Statement, statements_of
from unidoku.logic.state import State
from unidoku.logic.step import Candidate, Step
from unidoku.support.language import listing, message, quantity, series

_MOST_RULES = 4
"""The largest number of rules quoted in a sentence; further rules are counted."""

_MOST_ARRANGEMENTS = 4
"""The largest number of arrangements in a sentence."""

_MOST_REGIONS = 3
"""The largest number of regions whose known cells are in a sentence."""

_MOST_MARKED = 9
"""The largest number of open cells whose candidates a picture marks as used by a step."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why some candidates of cells are removed.

    Args:
        statements: the statements of rules that it uses.
        words: text in addition to the rules' own words; may be empty.
        known: what is known beside the rules; may be empty.
        is_whole: whether the words say what the rules say, so that these are not quoted.
        units: the units that the reason uses.
        covers: the units along which it removes candidates.
        rating: rating of the step; 0 for the usual rating of its technique.
    """

    statements: Sequence[Statement]
    words: str = ""
    is_whole: bool = False
    units: tuple[Unit, ...] = ()
    covers: tuple[Unit, ...] = ()
    rating: float = 0.0
    known: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the reason in words: ``of 1+3 (the cage A1 A2 sums to 4)``."""
        if self.is_whole and self.words:
            return self.words
        texts = [*dict.fromkeys(statement.words for statement in self.statements)]
        further = len(texts) - _MOST_RULES
        rules = series(texts[:_MOST_RULES])
        if further > 0:
            count = quantity(further, "rule")
            rules = message("{rules}; and {more} more", rules=rules, more=count)
        rules = series([rules, *self.known])
        if not self.words:
            return message("({rules})", rules=rules)
        return f"{self.words} ({rules})" if rules else self.words


def open_statements(
    state: State, *kinds: type[Constraint]
) -> Iterator[tuple[Statement, Remaining]]:
    """Yield statements of some kinds about several open cells, and what they leave.

    Each is considered separately and yielded only if it removes candidates.
    """
    for statement in _statements_of_kinds(state.layout, kinds):
        if count_open(state, statement) > 1:
            candidates = statement.problem.candidates_of(state.candidates)
            remaining = statement.problem.pruned(candidates)
            if remaining != candidates:
                yield statement, remaining


@by_layout(1 << 4)
def _statements_of_kinds(
    layout: Layout, kinds: tuple[type[Constraint], ...]
) -> tuple[Statement, ...]:
    return tuple(each for each in statements_of(layout) if isinstance(each.constraint, kinds))


def steps_of_rule(state: State, statement: Statement) -> Iterator[Step]:
    """Find candidates that a single rule removes, whatever its constraint."""
    candidates = statement.problem.candidates_of(state.candidates)
    remaining = statement.problem.pruned(candidates)
    if remaining != candidates:
        yield from elimination_steps(state, statement.cells, remaining, Reason((statement,)))


def steps_of_single_rules(state: State) -> Iterator[Step]:
    """Find candidates that any single rule removes."""
    for statement in statements_of(state.layout):
        yield from steps_of_rule(state, statement)


def elimination_steps(
    state: State, cells: Sequence[int], remaining: Remaining, reason: Reason
) -> Iterator[Step]:
    """Yield the step to the remaining candidates, if any are removed; place single values.

    If nothing is left, an open cell loses all of its candidates, which is a contradiction.
    """
    open_cells = [(index, cell) for index, cell in enumerate(cells) if state.empty >> cell & 1]
    if remaining is None:
        index = open_cells[0][0] if open_cells else 0
        remaining = tuple(
            [state.candidates[cell] if other != index else 0 for other, cell in enumerate(cells)]
        )
    placements: list[Candidate] = []
    eliminations: list[Candidate] = []
    pattern: list[Candidate] = []
    for index, cell in open_cells:
        before, after = state.candidates[cell], remaining[index] & state.candidates[cell]
        if before != after and (value := value_of(after)):
            placements.append((cell, value))
        else:
            eliminations += [(cell, value) for value in values_of(before & ~after)]
            pattern += [(cell, value) for value in values_of(after)]
    if placements or eliminations:
        yield Step(
            layout=state.layout,
            reason=str(replace(reason, known=regions_in_words(state, cells, remaining))),
            placements=tuple(placements),
            eliminations=tuple(eliminations),
            units=reason.units,
            covers=reason.covers,
            pattern=tuple(pattern) if len(open_cells) <= _MOST_MARKED else (),
            rules=tuple(dict.fromkeys(statement.basis for statement in reason.statements)),
            rating=reason.rating,
        )


def regions_in_words(
    state: State, cells: Sequence[int], remaining: Sequence[int]
) -> tuple[str, ...]:
    """Return which of some cells are known to be in the regions that a step is about.

    Such as ``A2, A3, B3 are already 3 cells of region 2``; of many regions nothing is said.
    """
    hidden = state.layout.hidden_cells
    about = 0
    members: defaultdict[int, list[str]] = defaultdict(list)
    for cell, after in zip(cells, remaining, strict=True):
        if cell not in hidden or hidden[cell].cell is None:
            continue
        before = state.candidates[cell]
        if not state.empty >> cell & 1:
            members[value_of(before)].append(hidden[cell].subject)
        elif before & ~after:
            about |= before & ~after | (after if value_of(after) else 0)
    numbers = [number for number in values_of(about) if number in members]
    if len(numbers) > _MOST_REGIONS:
        return ()
    texts = []
    for number in numbers:
        names = members[number]
        text = "{cells} are already {count} of region {number}"
        if len(names) == 1:
            text = "{cells} is already in region {number}"
        count = quantity(len(names), "cell")
        texts.append(message(text, cells=listing(names), count=count, number=number))
    return tuple(texts)


def count_open(state: State, of: LocalProblem | Statement) -> int:
    """Return the number of cells of a problem or a statement that are not placed."""
    return (of.mask & state.empty).bit_count()


def arrangements_in_words(statement: Statement, state: State, remaining: Remaining) -> str:
    """Return the arrangements of a rule's cells in words; empty if there are many.

    Values are in the order in which the rule reads its cells: ``1 3 9 or 9 3 1``.
    """
    layout = state.layout
    if not layout.hidden_cells.keys().isdisjoint(statement.cells):  # which mean something else
        return doublers_in_words(state, statement, statement.cells, remaining)
    arrangements = (
        statement.problem.arrangements(remaining, _MOST_ARRANGEMENTS) if remaining else []
    )
    if remaining and any(
        {arrangement[index] for arrangement in arrangements} != {*values_of(mask)}
        for index, mask in enumerate(remaining)
    ):
        return ""  # the remaining candidates say more
    order = [
        statement.cells.index(cell)
        for cell in dict.fromkeys(operations.cells_of(statement.constraint))
    ]
    texts = [
        " ".join(layout.shown[arrangement[index]] for index in order)
        for arrangement in arrangements
    ]
    return message("of {values}", values=_joined_by_or(texts)) if texts else ""


def sums_of_sets(layout: Layout, masks: Sequence[int]) -> str:
    """Return sets of values in words, in the order of their values: ``1+3 or 2+5``."""
    sets = sorted([*values_of(mask)] for mask in masks)
    return _joined_by_or("+".join(layout.shown[value] for value in values) for values in sets)


def _joined_by_or(texts: Iterable[str]) -> str:
    return f" {message('or')} ".join(texts)
