"""Pruners: for each shape, the function that says which candidates it removes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias, assert_never

from unidoku.core.bits import all_values, values_of
from unidoku.core.shapes import Relation, Sets, Shape, Sum, backwards, images

__all__ = ["Pruner", "Removals", "pruner"]

Removals: TypeAlias = list[tuple[int, int]]
"""Cells, each with candidates that leave it."""

Pruner: TypeAlias = Callable[[Sequence[int]], Removals | None]
"""From the candidates of all cells to what goes; None for a contradiction."""

MOST_BITS = 1024
"""Sums of a wider range are pruned by their bounds only: each sum that can be reached is a bit."""


@lru_cache(maxsize=1024)
def pruner(shape: Shape, n: int) -> Pruner:
    """Return the pruner of a shape, made once."""
    match shape:
        case Relation():
            return _of_relation(shape)
        case Sets():
            return _of_sets(shape)
        case Sum(_, weights):
            by_bits = sum(map(abs, weights)) * n <= MOST_BITS
            return _of_reachable_sums(shape, n) if by_bits else _of_bounds(shape)
        case _:
            assert_never(shape)


def _of_relation(shape: Relation) -> Pruner:
    """Each value needs a partner in the other cell."""
    there, back = images(shape.table), images(backwards(shape.table))
    pairs = shape.pairs

    def prune(candidates: Sequence[int]) -> Removals | None:
        removals = []
        for a, b in pairs:
            at_a, at_b = candidates[a], candidates[b]
            gone_a, gone_b = at_a & ~back[at_b], at_b & ~there[at_a]
            if gone_a:
                removals.append((a, gone_a))
            if gone_b:
                removals.append((b, gone_b))
            if gone_a == at_a or gone_b == at_b:
                return None
        return removals

    return prune


def _of_sets(shape: Sets) -> Pruner:
    """Of the sets that are still possible: values of none go, and of all must be somewhere."""
    cells, masks = shape.cells, shape.masks
    fitting: dict[tuple[int, int], tuple[int, ...]] = {}

    def possible(held: int, fixed: int) -> tuple[int, ...]:
        if len(fitting) > _MOST_REMEMBERED:
            fitting.clear()
        found = tuple([mask for mask in masks if not mask & ~held and not fixed & ~mask])
        fitting[held, fixed] = found
        return found

    def prune(candidates: Sequence[int]) -> Removals | None:
        left = [candidates[cell] for cell in cells]
        while True:
            held = fixed = 0
            for mask in left:
                held |= mask
                if not mask & (mask - 1):
                    if not mask & ~fixed:
                        return None  # empty, or the same as another
                    fixed |= mask
            every, common = 0, -1
            sets = fitting.get((held, fixed))
            for one in possible(held, fixed) if sets is None else sets:
                if all(mask & one for mask in left):
                    every |= one
                    common &= one
            if not every:
                return None
            before = left
            left = [mask & every & ~fixed if mask & (mask - 1) else mask & every for mask in left]
            for value in _single_bits(common & ~fixed):
                places = [place for place, mask in enumerate(left) if mask & value]
                if not places:
                    return None
                if len(places) == 1:
                    left[places[0]] = value
            if left == before:
                break
        return [
            (cell, candidates[cell] ^ mask)
            for cell, mask in zip(cells, left, strict=True)
            if candidates[cell] != mask
        ]

    return prune


_MOST_REMEMBERED = 1 << 9
"""Questions that the pruner of a cage remembers: memory must not grow with the cages seen."""


def _single_bits(mask: int) -> list[int]:
    bits = []
    while mask:
        bits.append(mask & -mask)
        mask &= mask - 1
    return bits


def _of_bounds(shape: Sum) -> Pruner:
    """What the least and the largest sum of the other cells allow."""
    terms = list(zip(shape.cells, shape.weights, strict=True))
    low, high = shape.low, shape.high

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


def _of_reachable_sums(shape: Sum, n: int) -> Pruner:
    """Forth and back over all sums that can be reached: domain consistent.

    A set of sums is an int, one bit a sum; each cell adds its least value's term, so that no
    sum is below 0.
    """
    cells, low, high = shape.cells, shape.low, shape.high
    offsets = [0 if weight > 0 else -weight * n for weight in shape.weights]
    shifts = [
        [offset + weight * value for value in range(n + 1)]
        for offset, weight in zip(offsets, shape.weights, strict=True)
    ]
    base = sum(offsets)
    first = max(low + base, 0)
    target = all_values(high + base + 1) & ~all_values(first) if high + base >= first else 0

    def prune(candidates: Sequence[int]) -> Removals | None:
        def after(sums: int, place: int) -> int:
            reached, by, mask = 0, shifts[place], candidates[cells[place]]
            while mask:
                reached |= sums << by[(mask & -mask).bit_length()]
                mask &= mask - 1
            return reached

        forth = list(accumulate(range(len(cells)), after, initial=1))
        back = forth[-1] & target
        if not back:
            return None
        removals = []
        for place in range(len(cells) - 1, -1, -1):
            by, before, mask = shifts[place], forth[place], candidates[cells[place]]
            gone = earlier = 0
            while mask:
                value = mask & -mask
                if kept := back >> by[value.bit_length()] & before:
                    earlier |= kept
                else:
                    gone |= value
                mask ^= value
            if gone:
                removals.append((cells[place], gone))
            back = earlier
        return removals

    return prune
