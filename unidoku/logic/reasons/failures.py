"""Why a rule fails: what its cells cannot hold any more, as a person says it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from unidoku.core.bits import all_values, bit, is_single, values_of
from unidoku.core.constraints.primitives import Sets, Sum
from unidoku.core.layout import Layout
from unidoku.core.rules.base import cell_names
from unidoku.logic.facts import holds_none_of, holds_one_of, in_runs
from unidoku.logic.matching import smallest_elements
from unidoku.logic.ruled.combinations import possible_sets
from unidoku.logic.ruled.eliminations import sums_of_sets
from unidoku.logic.ruled.single_rule import groups_of_sum
from unidoku.logic.ruled.statement import Statement
from unidoku.support.language import Message, listing, message

_MOST_FACTS = 4
"""The largest number of facts that are told beside a rule."""

_LARGEST = 32
"""The number of cells of a rule up to which cells that did not change are told too."""

_FEW_VALUES = 2
"""The number of values that a cell may hold for these to be told, and not those that are gone."""

_FEW_SETS = 2
"""The number of sets of values that a cage may hold for these to be told."""

_MOST_IN_ALL = 6
"""The largest number of facts of all kinds that are told."""


def failure(
    statement: Statement,
    candidates: Sequence[int],
    candidates_left: Sequence[int],
    assumed: int,
    rule: Message,
) -> str:
    """Return that a rule fails and why: ``this rule fails, as A1 and A2 are not 9``.

    Args:
        statement: the statement of the rule.
        candidates: the candidates of all cells.
        candidates_left: those that an assumption leaves.
        assumed: the cell that it is about.
        rule: what the rule is called, ``this rule``.
    """
    problem = statement.problem
    before, left = problem.candidates_of(candidates), problem.candidates_of(candidates_left)
    if problem.pruned(left) is not None:
        return message("{rule} fails", rule=rule)
    left = fewest_changes(statement, before, left, assumed)
    changes = [*_facts(statement, before, left, assumed)]
    why = _sums(statement, left, assumed) or _sets(statement, before)
    if not (why or changes):
        why = _demand(statement, left, assumed)
    if why:
        facts = [*(changes if len(changes) <= _MOST_FACTS else ()), *why]
    elif len(left) > _LARGEST:
        facts = changes
    else:
        every = _all_facts(statement, before, left, assumed)
        if not (every or changes):
            return message("{rule} fails, whatever its other cells hold", rule=rule)
        facts = every if len(every) <= _MOST_FACTS else changes
    if not 0 < len(facts) <= _MOST_IN_ALL:
        return message("{rule} fails", rule=rule)
    return message("{rule} fails, as {facts}", facts=listing(dict.fromkeys(facts)), rule=rule)


def fewest_changes(
    statement: Statement, before: tuple[int, ...], left: tuple[int, ...], assumed: int
) -> tuple[int, ...]:
    """Return the candidates of a rule that fails, with as few of those that are gone as suffice.

    Values come back one by one to cells without a value of their own.
    """
    cells = statement.problem.cells
    for index in sorted(range(len(cells)), key=lambda index: cells[index] == assumed):
        left = _widened(statement, left, index, [before[index]])
    for index, mask in enumerate(before):
        if not is_single(left[index]):
            left = _widened(statement, left, index, [bit(value) for value in values_of(mask)])
    return left


def _all_facts(
    statement: Statement, before: tuple[int, ...], left: tuple[int, ...], assumed: int
) -> list[str]:
    """Return facts about all cells by which a rule fails, whether they were known before or not."""
    cells = statement.problem.cells
    every = [_everything(statement.layout, cell) for cell in cells]
    for is_settled in (False, True):
        for index, mask in enumerate(left):
            if mask == before[index] and is_single(mask) is is_settled and cells[index] != assumed:
                left = _widened(statement, left, index, [every[index]])
    return [*_facts(statement, every, left, assumed)]


def _everything(layout: Layout, cell: int) -> int:
    """Return all values that a cell may hold on an empty board."""
    meaning = layout.hidden_cells.get(cell)
    return all_values(layout.n if meaning is None else len(meaning.values))


def _widened(
    statement: Statement, left: tuple[int, ...], index: int, masks: Iterable[int]
) -> tuple[int, ...]:
    """Return candidates with further ones in a cell, where the rule fails nevertheless."""
    for mask in masks:
        widened = _with(left, index, left[index] | mask)
        if widened != left and statement.problem.pruned(widened) is None:
            left = widened
    return left


def _with(masks: tuple[int, ...], index: int, mask: int) -> tuple[int, ...]:
    return (*masks[:index], mask, *masks[index + 1 :])


def _facts(
    statement: Statement, before: Sequence[int], left: Sequence[int], assumed: int
) -> Iterator[str]:
    """Yield what cells hold or do not hold, but not the one that is known by the assumption."""
    alike: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for cell, old, new in zip(statement.problem.cells, before, left, strict=True):
        if old != new and cell != assumed:
            alike[old & ~new, new].append(cell)
    for (gone, mask), cells in alike.items():
        yield from _fact(statement.layout, cells, gone, mask)


def _fact(layout: Layout, cells: Sequence[int], gone: int, mask: int) -> Iterator[str]:
    """Yield what is left of cells, or what is gone if that is less."""
    is_left = is_single(mask) or mask.bit_count() <= min(_FEW_VALUES, gone.bit_count())
    values = values_of(mask if is_left else gone)
    if len(cells) == 1 or not layout.hidden_cells.keys().isdisjoint(cells):
        in_words = holds_one_of if is_left else holds_none_of
        yield from (in_words(layout, cell, values) for cell in cells)
    else:
        names = listing(layout.names[cell] for cell in cells)
        text = "{cells} are {value}" if is_left else "{cells} are not {value}"
        yield message(text, cells=names, value=in_runs(layout, values, "or"))


def _demand(statement: Statement, left: tuple[int, ...], assumed: int) -> list[str]:
    """Return what a rule wants of a cell that cannot hold it; nothing if it wants many things."""
    layout, cells = statement.layout, statement.problem.cells
    for index, cell in enumerate(cells):
        if cell == assumed or cell in layout.hidden_cells:
            continue
        wanted = statement.problem.pruned(_with(left, index, all_values(layout.n)))
        if wanted is None and len(cells) == 2:
            return [message("nothing is left for {cell}", cell=layout.names[cell])]
        mask = 0 if wanted is None else wanted[index]
        if 0 < mask.bit_count() <= _FEW_VALUES and not mask & left[index]:
            values = in_runs(layout, values_of(mask), "or")
            return [message("{cell} would be {value}", cell=layout.names[cell], value=values)]
    return []


def _sets(statement: Statement, before: tuple[int, ...]) -> list[str]:
    """Return the few sets of values that a cage may hold by what was known before."""
    match statement.constraints:
        case [Sets() as constraint]:
            sets = possible_sets(constraint, before)
            if 0 < len(sets) <= _FEW_SETS:
                values = sums_of_sets(statement.layout, sets)
                return [message("only {values} is possible", values=values)]
    return []


def _sums(statement: Statement, left: Sequence[int], assumed: int) -> list[str]:
    """Return the bounds of sums that are too small or too large; none of other rules."""
    layout = statement.layout
    constraint, every = _as_sum(statement), statement.problem.cells
    is_hidden = not layout.hidden_cells.keys().isdisjoint(every)
    if is_hidden or constraint is None or {*constraint.cells} != {*every}:
        return []
    mask_of = dict(zip(every, left, strict=True))
    sums = _sides(layout, constraint, [mask_of[cell] for cell in constraint.cells])
    if sums is None:
        return []
    (low, high), (least, most) = sums
    offset = (layout.first_value - 1) * sum(constraint.weights)
    is_small = high - least < constraint.low + offset
    if not is_small and low - most <= constraint.high + offset:
        return []
    plus, minus = (
        [
            c
            for c, weight in zip(constraint.cells, constraint.weights, strict=True)
            if weight == sign
        ]
        for sign in (1, -1)
    )
    if not minus:
        text = "the sum is at most {total}" if is_small else "the sum is at least {total}"
        return [message(text, total=high if is_small else low)]
    texts = []
    for cells, is_upper, total in (
        (plus, is_small, high if is_small else low),
        (minus, not is_small, least if is_small else most),
    ):
        if len(cells) > 1 or not is_single(mask_of[cells[0]]):
            texts.append(_bound(layout, cells, total, is_upper=is_upper))
        elif cells[0] != assumed:
            texts.append(holds_one_of(layout, cells[0], values_of(mask_of[cells[0]])))
    return texts


def _bound(layout: Layout, cells: Sequence[int], total: int, *, is_upper: bool) -> str:
    """Return what some cells sum to at most, or at least."""
    names = cell_names(cells, layout.names)
    if len(cells) == 1:
        text = "{cell} is at most {total}" if is_upper else "{cell} is at least {total}"
        return message(text, cell=names, total=total)
    text = "{cells} sum to at most {total}" if is_upper else "{cells} sum to at least {total}"
    return message(text, cells=names, total=total)


def _sides(
    layout: Layout, constraint: Sum, masks: Sequence[int]
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the smallest and the largest sum of the cells of either sign.

    Cells that see each other take different values; None if they cannot.
    """
    sides = {1: (0, 0), -1: (0, 0)}
    order = range(layout.n)
    for group in groups_of_sum(layout, constraint):
        sets = [masks[position] for position in group]
        low, high = smallest_elements(sets, order), smallest_elements(sets, order[::-1])
        if len(low) < len(sets):
            return None
        offset, weight = layout.first_value * len(group), constraint.weights[group[0]]
        least, most = sides[weight]
        sides[weight] = least + offset + sum(low), most + offset + sum(high)
    return sides[1], sides[-1]


def _as_sum(statement: Statement) -> Sum | None:
    """Return the sum without coefficients that a rule demands; None of other rules.

    Other rules may leave sets of one sum: what is 2 and 3 sums to 5, but nobody thinks of that.
    """
    match statement.constraints:
        case [Sum(_, weights) as constraint] if {*map(abs, weights)} == {1}:
            return constraint
        case [Sets(cells, masks)]:
            totals = {sum(values_of(mask)) for mask in masks}
            offset = (statement.layout.first_value - 1) * len(cells)
            if {total + offset for total in totals} == {getattr(statement.rule, "total", None)}:
                return Sum.of_cells(cells, *totals)
    return None
