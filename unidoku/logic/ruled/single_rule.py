"""Deductions from one rule of any kind, without units.

The last open cell of a rule: all others are placed and determine what it may hold.

Relations of two cells (dots, inequality signs, thermometers, whispers): a value of one cell is
removed if no value of the other cell goes with it. Along a line this is done from pair to pair: the
third cell of a thermometer holds at least 3.

Lines read in order (a sandwich, a skyscraper, a nonogram): a value is removed if no arrangement of
the line has it there; if few arrangements are left, the step lists them.

Sums (arrows, little killers): the smallest and the largest sum of the other cells bound each cell.
Cells that see each other differ, so that three of them sum to at least 6.

Groups of cells that hold the same values: what one cannot hold, the other cannot either.
Alternatives: candidates are removed that each of them removes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import TypeAlias

from unidoku.core.bits import mask_of, set_of, values_of
from unidoku.core.caching import by_layout
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Relation,
    SameValues,
    Sum,
    Table,
    backwards,
)
from unidoku.core.layout import Layout
from unidoku.logic.geometry import geometry, union
from unidoku.logic.ruled.clues import clue_in_words, doublers_in_words
from unidoku.logic.ruled.eliminations import (
    Reason,
    arrangements_in_words,
    count_open,
    elimination_steps,
    open_statements,
    steps_of_rule,
)
from unidoku.logic.ruled.local_problem import Remaining
from unidoku.logic.ruled.statement import Statement, statements_of
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.support.language import listing, message

_BOUNDS = 3
"""The largest number of different bounds of the other cells of a sum in a sentence."""


def last_cell(state: State) -> Iterator[Step]:
    """Find rules with one open cell, and the values that the rule allows there."""
    for statement in statements_of(state.layout):
        if count_open(state, statement) == 1:
            yield from steps_of_rule(state, statement)


def marked(state: State) -> Iterator[Step]:
    """Find rules that restrict a single cell, whatever other cells hold."""
    for statement in _of_single_cells(state.layout):
        yield from steps_of_rule(state, statement)


@by_layout()
def _of_single_cells(layout: Layout) -> tuple[Statement, ...]:
    return tuple(each for each in statements_of(layout) if each.is_of_single_cells)


def line_bounds(state: State) -> Iterator[Step]:
    """Find lines along which values rise, and the values left to each of their cells."""
    return _of_relations(state, rising=True)


def related_cells(state: State) -> Iterator[Step]:
    """Find cells joined by relations of one rule, and values without a partner in another cell."""
    return _of_relations(state, rising=False)


def _of_relations(state: State, *, rising: bool) -> Iterator[Step]:
    for statement, remaining in open_statements(state, Relation):
        if all(map(_rises, statement.constraints)) == rising:
            yield from elimination_steps(state, statement.cells, remaining, Reason((statement,)))


def _rises(constraint: Constraint) -> bool:
    """Return whether a constraint states that one value is at least as large as another."""
    return isinstance(constraint, Relation) and (
        _up(constraint.table) != _up(backwards(constraint.table))
    )


def _up(table: tuple[int, ...]) -> bool:
    return not any(mask & ((1 << value) - 1) for value, mask in enumerate(table))


def line_arrangements(state: State) -> Iterator[Step]:
    """Find lines read in order, and values that no arrangement of the line has in a cell."""
    for statement, remaining in open_statements(state, Automaton, Table):
        words, why = arrangements_in_words(statement, state, remaining), ""
        if not words:
            before = statement.problem.candidates_of(state.candidates)
            why = clue_in_words(statement, before, remaining)
        reason = Reason((statement,), words or why, bool(why))
        yield from elimination_steps(state, statement.cells, remaining, reason)


def same_values(state: State) -> Iterator[Step]:
    """Find groups with the same values, and what this removes from one or the other."""
    for statement, remaining in open_statements(state, SameValues):
        yield from elimination_steps(state, statement.cells, remaining, Reason((statement,)))


def either_way(state: State) -> Iterator[Step]:
    """Find alternatives, and values that each possible one of them removes.

    Each alternative is considered separately, without units: this finds less than arrangements do.
    """
    for statement, remaining in open_statements(state, Or):
        yield from elimination_steps(state, statement.cells, remaining, Reason((statement,)))


def sum_bounds(state: State) -> Iterator[Step]:
    """Find sums, and values that are too small or too large given the bounds of the other cells."""
    for statement, constraint, groups, bounded in _sums(state.layout):
        if count_open(state, statement) > 1:
            masks = tuple([state.candidates[cell] for cell in constraint.cells])
            remaining = bounded(masks)
            if remaining == masks:
                continue
            if state.layout.hidden_cells.keys().isdisjoint(constraint.cells):
                words = _bounds_in_words(state, groups, constraint, remaining)
            else:  # these cells are no digits, and their bounds say nothing
                words = doublers_in_words(state, statement, constraint.cells, remaining)
            reason = Reason((statement,), words)
            yield from elimination_steps(state, constraint.cells, remaining, reason)


def sum_arrangements(state: State) -> Iterator[Step]:
    """Find sums, and values with which the other cells cannot reach the total."""
    for statement, remaining in open_statements(state, Sum):
        reason = Reason((statement,), arrangements_in_words(statement, state, remaining))
        yield from elimination_steps(state, statement.cells, remaining, reason)


@by_layout()
def _sums(layout: Layout) -> tuple[tuple[Statement, Sum, _Groups, _Bounded], ...]:
    """Return the statements of sums, each with the groups of its cells and their bounds."""
    sums = []
    for statement in statements_of(layout):
        if isinstance(constraint := statement.constraint, Sum):
            groups = groups_of_sum(layout, constraint)
            bounded = lru_cache(_MOST_REMEMBERED)(partial(_bounded, groups, constraint))
            sums.append((statement, constraint, groups, bounded))
    return tuple(sums)


_Groups: TypeAlias = tuple[tuple[int, ...], ...]
"""The places in a sum, grouped into cells of one weight that all see each other."""

_Bounded: TypeAlias = Callable[[tuple[int, ...]], Remaining]
"""From the candidates of the cells of a sum to those that its bounds leave."""

_MOST_REMEMBERED = 1 << 6
"""The number of results that are cached for a sum: most steps do not touch it."""


def groups_of_sum(layout: Layout, constraint: Sum) -> _Groups:
    """Return the places in a sum, grouped into cells of one weight that all see each other."""
    sees = geometry(layout).sees
    groups: list[list[int]] = []
    for position, cell in enumerate(constraint.cells):
        for group in groups:
            alike = constraint.weights[group[0]] == constraint.weights[position]
            if alike and not set_of(constraint.cells[other] for other in group) & ~sees[cell]:
                group.append(position)
                break
        else:
            groups.append([position])
    return tuple(map(tuple, groups))


def _bounded(groups: _Groups, constraint: Sum, masks: tuple[int, ...]) -> Remaining:
    """Return the candidates that the bounds of the other cells leave to each cell of a sum."""
    if not all(masks):
        return None
    ends = [
        _ends([masks[position] for position in group], constraint.weights[group[0]])
        for group in groups
    ]
    least, most = (sum(end) for end in zip(*ends, strict=True))
    remaining = list(masks)
    for group, (low, high) in zip(groups, ends, strict=True):
        weight = constraint.weights[group[0]]
        for position in group:
            low_beside, high_beside = _ends(
                [masks[other] for other in group if other != position], weight
            )
            smallest = constraint.low - (most - high + high_beside)
            largest = constraint.high - (least - low + low_beside)
            remaining[position] = mask_of(
                v for v in values_of(masks[position]) if smallest <= weight * v <= largest
            )
    return tuple(remaining) if all(remaining) else None


def _bounds_in_words(
    state: State, groups: Sequence[tuple[int, ...]], constraint: Sum, remaining: Remaining
) -> str:
    """Return the bounds of a sum that two sides share, or of all cells of it but one."""
    if remaining is None or constraint.low != constraint.high:
        return ""
    if min(constraint.weights) < 0:
        return _shared_in_words(state, groups, constraint)
    total = constraint.low + (state.layout.first_value - 1) * (len(constraint.cells) - 1)
    cells_of_bound: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for cell, weight, left in zip(constraint.cells, constraint.weights, remaining, strict=True):
        name, gone = state.layout.names[cell], state.candidates[cell] & ~left
        if weight == 1 and gone > left:
            cells_of_bound["least", total - left.bit_length()].append(name)
        if weight == 1 and gone & ((left & -left) - 1):
            cells_of_bound["most", total - (left & -left).bit_length()].append(name)
    if not 0 < len(cells_of_bound) <= _BOUNDS:
        return ""
    every = len(constraint.cells)
    texts = [
        _bound_in_words(names, every, end == "least", bound)
        for (end, bound), names in cells_of_bound.items()
    ]
    return f", {message('as {facts}', facts=listing(texts))}"


def _bound_in_words(names: Sequence[str], every: int, is_least: bool, bound: int) -> str:
    """Return a bound of the other cells of a sum, of which there are so many."""
    if len(names) == every:
        text = (
            "any {count} of them sum to at least {total}"
            if is_least
            else "any {count} of them sum to at most {total}"
        )
        return message(text, count=every - 1, total=bound)
    if len(names) == 1:
        text = (
            "without {cells} the others sum to at least {total}"
            if is_least
            else "without {cells} the others sum to at most {total}"
        )
    else:
        text = (
            "with any one of {cells} left out the others sum to at least {total}"
            if is_least
            else "with any one of {cells} left out the others sum to at most {total}"
        )
    return message(text, cells=listing(names), total=bound)


def _shared_in_words(state: State, groups: Sequence[tuple[int, ...]], constraint: Sum) -> str:
    """Return the bounds of two sides that have the same sum: ``from 3 to 6``."""
    sides = {1: [0, 0], -1: [0, 0]}
    for group in groups:
        weight = constraint.weights[group[0]]
        ends = _ends([state.candidates[constraint.cells[at]] for at in group], abs(weight))
        offset = (state.layout.first_value - 1) * abs(weight) * len(group)
        side = sides[1 if weight > 0 else -1]
        side[:] = [so_far + end + offset for so_far, end in zip(side, ends, strict=True)]
    offset = (state.layout.first_value - 1) * sum(constraint.weights)
    if constraint.low + offset:
        return ""  # they are not equal but differ by a number
    low, high = max(sides[1][0], sides[-1][0]), min(sides[1][1], sides[-1][1])
    if low < high:
        return message("from {low} to {high}", low=low, high=high)
    return message("of {values}", values=low) if low == high else ""


def _ends(masks: Sequence[int], weight: int) -> tuple[int, int]:
    """Return bounds of the sum of different values, one from each set, times a weight."""
    every, size = values_of(union(masks)), len(masks)
    if len(every) < size:
        every = (*every, *every[-1:] * size)  # no values at all: the result does not matter
    low = max(sum(every[:size]), sum((mask & -mask).bit_length() for mask in masks))
    high = min(sum(every[-size:]) if size else 0, sum(mask.bit_length() for mask in masks))
    return (weight * low, weight * high) if weight > 0 else (weight * high, weight * low)
