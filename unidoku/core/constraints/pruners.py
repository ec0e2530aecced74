"""Pruners: for each constraint, the function that returns which candidates it removes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeAlias, assert_never

from unidoku.core.bits import all_values, single_bits, values_of
from unidoku.core.caching import layout_cache
from unidoku.core.constraints.automaton import Passes, passes_of
from unidoku.core.constraints.connected import pruner_of_region
from unidoku.core.constraints.operations import cells_of
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Region,
    Relation,
    SameValues,
    Sets,
    Sum,
    Table,
    backwards,
    images,
)
from unidoku.support.deadline import check_time_limit

Removals: TypeAlias = list[tuple[int, int]]
"""Cells, each with the candidates that are removed from it."""

Pruner: TypeAlias = Callable[[Sequence[int]], Removals | None]
"""A function from the candidates of all cells to the removals; None for a contradiction."""

MOST_BITS = 1024
"""Sums of a wider range are pruned by bounds only, because each reachable sum takes a bit."""


@layout_cache(maxsize=1024)
def pruner(constraint: Constraint, n: int) -> Pruner:
    """Return the pruner of a constraint, which is made once."""
    check_time_limit()
    match constraint:
        case Relation():
            return _of_relation(constraint)
        case Sets():
            return _of_sets(constraint)
        case Sum(_, weights):
            by_bits = sum(map(abs, weights)) * n <= MOST_BITS
            return _of_reachable_sums(constraint, n) if by_bits else _of_bounds(constraint)
        case Automaton(cells, machine):
            return _of_automaton(cells, passes_of(machine))
        case Table():
            return _of_table(constraint)
        case SameValues():
            return _of_same_values(constraint, n)
        case Region():
            return pruner_of_region(constraint, n)
        case Or(branches):
            runs = [[pruner(part, n) for part in branch] for branch in branches]
            return _of_branches(sorted(set(cells_of(constraint))), runs)
        case _:
            assert_never(constraint)


def prunes_at_once(constraint: Constraint, n: int) -> bool:
    """Return whether a pruner leaves nothing that it would remove if it ran once more."""
    match constraint:
        case Relation(_, pairs):
            return len(pairs) == 1
        case Sum(cells, weights):
            by_bits = sum(map(abs, weights)) * n <= MOST_BITS
            return by_bits and len({*cells}) == len(cells)
        case Automaton(cells) | Table(cells):
            return len({*cells}) == len(cells)
        case _:
            return isinstance(constraint, Sets)


def _of_relation(constraint: Relation) -> Pruner:
    """Return a pruner by which each value needs a partner in the other cell."""
    forth, back = images(constraint.table), images(backwards(constraint.table))
    pairs = constraint.pairs

    def prune(candidates: Sequence[int]) -> Removals | None:
        removals = []
        for a, b in pairs:
            at_a, at_b = candidates[a], candidates[b]
            gone_a, gone_b = at_a & ~back[at_b], at_b & ~forth[at_a]
            if gone_a:
                removals.append((a, gone_a))
            if gone_b:
                removals.append((b, gone_b))
            if gone_a == at_a or gone_b == at_b:
                return None
        return removals

    return prune


def _of_sets(constraint: Sets) -> Pruner:
    """Return a pruner by possible sets: values in none are removed, values in all must occur."""
    cells, masks = constraint.cells, constraint.masks
    fitting: dict[tuple[int, int], tuple[int, ...]] = {}

    def possible(union: int, fixed: int) -> tuple[int, ...]:
        if len(fitting) > _MOST_REMEMBERED:
            fitting.clear()
        subset = tuple([mask for mask in masks if not mask & ~union and not fixed & ~mask])
        fitting[union, fixed] = subset
        return subset

    def prune(candidates: Sequence[int]) -> Removals | None:
        remaining = [candidates[cell] for cell in cells]
        while True:
            union = fixed = 0
            for mask in remaining:
                union |= mask
                if not mask & (mask - 1):
                    if not mask & ~fixed:
                        return None  # empty, or equal to another
                    fixed |= mask
            every, common = 0, -1
            sets = fitting.get((union, fixed))
            for values in possible(union, fixed) if sets is None else sets:
                if all(mask & values for mask in remaining):
                    every |= values
                    common &= values
            if not every:
                return None
            before = remaining
            remaining = [
                mask & every & ~fixed if mask & (mask - 1) else mask & every for mask in remaining
            ]
            if not _all_placed(remaining, common & ~fixed):
                return None
            if remaining == before:
                break
        return [
            (cell, candidates[cell] ^ mask)
            for cell, mask in zip(cells, remaining, strict=True)
            if candidates[cell] != mask
        ]

    return prune


_MOST_REMEMBERED = 1 << 9
"""Number of cached results of a cage's pruner: memory must not grow with the cages seen."""


def _all_placed(masks: list[int], values: int) -> bool:
    """Put each of some values where only one cell may hold it; return whether all have a cell."""
    for value in single_bits(values):
        places = [index for index, mask in enumerate(masks) if mask & value]
        if not places:
            return False
        if len(places) == 1:
            masks[places[0]] = value
    return True


def _of_bounds(constraint: Sum) -> Pruner:
    """Return a pruner by the least and the largest sum of the other cells."""
    terms = list(zip(constraint.cells, constraint.weights, strict=True))
    low, high = constraint.low, constraint.high

    def prune(candidates: Sequence[int]) -> Removals | None:
        ends = []
        least = most = 0
        for cell, weight in terms:
            mask = candidates[cell]
            if not mask:
                return None
            first, last = weight * (mask & -mask).bit_length(), weight * mask.bit_length()
            ends.append((first, last) if weight > 0 else (last, first))
            least += ends[-1][0]
            most += ends[-1][1]
        if least > high or most < low:
            return None
        removals = []
        for (cell, weight), (small, large) in zip(terms, ends, strict=True):
            lowest, highest = low - (most - large), high - (least - small)
            if lowest <= small and large <= highest:
                continue
            gone = 0
            for value in values_of(candidates[cell]):
                if not lowest <= weight * value <= highest:
                    gone |= 1 << value - 1
            if gone == candidates[cell]:
                return None
            removals.append((cell, gone))
        return removals

    return prune


def _of_reachable_sums(constraint: Sum, n: int) -> Pruner:
    """Return a pruner that goes forward and back over all reachable sums: domain consistent.

    A set of sums is an int with one bit for each sum; each cell's terms are offset by its smallest
    term, so that no sum is below 0.
    """
    cells, low, high = constraint.cells, constraint.low, constraint.high
    offsets = [0 if weight > 0 else -weight * n for weight in constraint.weights]
    shifts = [
        [offset + weight * value for value in range(n + 1)]
        for offset, weight in zip(offsets, constraint.weights, strict=True)
    ]
    base = sum(offsets)
    first = max(low + base, 0)
    target = all_values(high + base + 1) & ~all_values(first) if high + base >= first else 0

    def prune(candidates: Sequence[int]) -> Removals | None:
        def after(sums: int, index: int) -> int:
            reached, by, mask = 0, shifts[index], candidates[cells[index]]
            while mask:
                reached |= sums << by[(mask & -mask).bit_length()]
                mask &= mask - 1
            return reached

        forth = list(accumulate(range(len(cells)), after, initial=1))
        back = forth[-1] & target
        if not back:
            return None
        removals = []
        for index in range(len(cells) - 1, -1, -1):
            by, before, mask = shifts[index], forth[index], candidates[cells[index]]
            gone = earlier = 0
            while mask:
                value = mask & -mask
                if sources := back >> by[value.bit_length()] & before:
                    earlier |= sources
                else:
                    gone |= value
                mask ^= value
            if gone:
                removals.append((cells[index], gone))
            back = earlier
        return removals

    return prune


def _of_automaton(cells: Sequence[int], passes: Passes) -> Pruner:
    """Return a pruner: forward over reached states, back over those that lead to the end."""
    machine, forth, back = passes.machine, passes.forth, passes.back

    def prune(candidates: Sequence[int]) -> Removals | None:
        reached = [states := machine.starts]
        for cell in cells:
            key = states, candidates[cell]
            known = forth.get(key)
            states = passes.ahead(*key) if known is None else known
            if not states:
                return None
            reached.append(states)
        after = states & machine.accepting
        if not after:
            return None
        removals = []
        for index in range(len(cells) - 1, -1, -1):
            mask = candidates[cells[index]]
            way = reached[index], mask, after
            after, gone = back.get(way) or passes.behind(*way)
            if gone:
                removals.append((cells[index], gone))
        return removals

    return prune


def _of_table(constraint: Table) -> Pruner:
    """Return a pruner by the rows that are left (one bit each) and the values in them."""
    with_value: list[dict[int, int]] = [{} for _ in constraint.cells]
    for number, row in enumerate(constraint.rows):
        for rows_with, value in zip(with_value, row, strict=True):
            rows_with[1 << value - 1] = rows_with.get(1 << value - 1, 0) | 1 << number
    columns = list(zip(constraint.cells, with_value, strict=True))

    def prune(candidates: Sequence[int]) -> Removals | None:
        rows = -1
        for cell, rows_with in columns:
            possible = 0
            for value in single_bits(candidates[cell]):
                possible |= rows_with.get(value, 0)
            rows &= possible
        if not rows:
            return None
        removals = []
        for cell, rows_with in columns:
            gone = 0
            for value in single_bits(candidates[cell]):
                if not rows_with.get(value, 0) & rows:
                    gone |= value
            if gone:
                removals.append((cell, gone))
        return removals

    return prune


def _of_same_values(constraint: SameValues, n: int) -> Pruner:
    """Return a pruner that compares how often each value must and can occur in both lists."""
    lists = (constraint.cells, constraint.others)
    bits = [1 << value for value in range(n)]

    def prune(candidates: Sequence[int]) -> Removals | None:
        remaining = {cell: candidates[cell] for cells in lists for cell in cells}
        for bit in bits:
            may = [[cell for cell in cells if remaining[cell] & bit] for cells in lists]
            must = [[cell for cell in cells if remaining[cell] == bit] for cells in may]
            least, most = max(map(len, must)), min(map(len, may))
            if least > most:
                return None
            for able, sure in zip(may, must, strict=True):
                free = [cell for cell in able if remaining[cell] != bit]
                if len(sure) == most:
                    remaining.update((cell, remaining[cell] & ~bit) for cell in free)
                elif len(able) == least:
                    remaining.update(dict.fromkeys(free, bit))
        if not all(remaining.values()):
            return None
        return [(c, candidates[c] ^ mask) for c, mask in remaining.items() if candidates[c] != mask]

    return prune


def _of_branches(cells: Sequence[int], branches: Sequence[Sequence[Pruner]]) -> Pruner:
    """Return a pruner of the candidates that all possible branches remove."""

    def prune(candidates: Sequence[int]) -> Removals | None:
        remaining = dict.fromkeys(cells, 0)
        for run in branches:
            if (inside := pruned(run, candidates)) is None:
                continue
            lost = 0
            for cell in cells:
                remaining[cell] |= inside[cell]
                lost |= candidates[cell] & ~remaining[cell]
            if not lost:
                return []
        gone = [(cell, candidates[cell] & ~mask) for cell, mask in remaining.items()]
        return [removal for removal in gone if removal[1]] if any(remaining.values()) else None

    return prune


def pruned(run: Sequence[Pruner], candidates: Sequence[int]) -> Sequence[int] | None:
    """Return the candidates after running pruners to a fixpoint; None if they contradict."""
    remaining, before = list(candidates), None
    while remaining != before:
        before = remaining.copy()
        for prune in run:
            removals = prune(remaining)
            if removals is None:
                return None
            for cell, gone in removals:
                remaining[cell] &= ~gone
                if not remaining[cell]:
                    return None
    return remaining
