"""Connected cells: their neighbours, and the candidates that a region leaves to its cells.

Sets of places, which number the cells of a region from 0, are the bits of an int.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, chain

from unidoku.core.bits import bits_of
from unidoku.core.caching import layout_cache
from unidoku.core.constraints.primitives import Pair, Region


def pairs_in_rows(cells: Sequence[int], columns: int) -> tuple[Pair, ...]:
    """Return the pairs of adjacent cells, where ``columns`` cells make a row.

    >>> pairs_in_rows((4, 5, 6, 7, 8), 2)
    ((4, 5), (4, 6), (5, 7), (6, 7), (6, 8))
    """
    pairs: list[Pair] = []
    for index, cell in enumerate(cells):
        if (index + 1) % columns and index + 1 < len(cells):
            pairs.append((cell, cells[index + 1]))
        if index + columns < len(cells):
            pairs.append((cell, cells[index + columns]))
    return tuple(pairs)


@layout_cache(maxsize=256)
def neighbours_by_index(cells: tuple[int, ...], pairs: tuple[Pair, ...]) -> tuple[int, ...]:
    """Return for each cell, by its place, the set of places of its neighbours."""
    place_of = {cell: index for index, cell in enumerate(cells)}
    neighbours = [0] * len(cells)
    for a, b in pairs:
        neighbours[place_of[a]] |= 1 << place_of[b]
        neighbours[place_of[b]] |= 1 << place_of[a]
    return tuple(neighbours)


@layout_cache(maxsize=64)
def listed_neighbours(cells: tuple[int, ...], pairs: tuple[Pair, ...]) -> tuple[int, ...]:
    """Return neighbours by place in one tuple; before them, where in it those of each cell begin.

    >>> listed_neighbours((4, 5, 6), ((4, 5), (5, 6)))
    (4, 5, 7, 8, 1, 0, 2, 1)
    """
    neighbours = [*map(bits_of, neighbours_by_index(cells, pairs))]
    begins = accumulate(map(len, neighbours), initial=len(cells) + 1)
    return (*begins, *chain.from_iterable(neighbours))


def pruner_of_region(
    constraint: Region, n: int
) -> Callable[[Sequence[int]], list[tuple[int, int]] | None]:
    """Return the pruner of a region; see `unidoku.core.constraints.pruners`."""
    cells, mask, others = constraint.cells, constraint.mask, constraint.others
    neighbours = neighbours_by_index(cells, constraint.pairs)

    def prune(candidates: Sequence[int]) -> list[tuple[int, int]] | None:
        left = {cell: candidates[cell] for cell in (*cells, *others)}
        before: dict[int, int] = {}
        while left != before:
            before = left.copy()
            may = must = 0
            for index, cell in enumerate(cells):
                may |= bool(left[cell] & mask) << index
                must |= (not left[cell] & ~mask) << index
            bounds = _places(constraint, neighbours, may, must)
            if bounds is None:
                return None
            may, must = bounds
            for index, cell in enumerate(cells):
                left[cell] &= ~mask if not may >> index & 1 else mask if must >> index & 1 else -1
            if others and not _differ(constraint, n, left, may, must):
                return None
            if not all(left.values()):
                return None
        return [
            (c, candidates[c] ^ remaining)
            for c, remaining in left.items()
            if candidates[c] != remaining
        ]

    return prune


def _places(
    constraint: Region, neighbours: Sequence[int], may: int, must: int
) -> tuple[int, int] | None:
    """Return the places that may lie in a region and those that must; None if impossible."""
    low, high = constraint.low, constraint.high
    free = high - must.bit_count()
    if free < 0:
        return None
    if must:
        may = _in_reach(must & -must, must, may, neighbours, free)
    elif low > 1:
        parts = _parts(may, neighbours)
        may = sum(part for part in parts if part.bit_count() >= low)
    if must & ~may or may.bit_count() < low:
        return None
    if may.bit_count() == low:
        must = may
    for part in _parts(must, neighbours):
        if part != must or part.bit_count() < low:
            doors = _around(part, neighbours) & may & ~must
            if not doors:
                return None
            if not doors & (doors - 1):  # the parts have changed; they are checked the next time
                return may, must | doors
    return may, must


def _differ(constraint: Region, n: int, remaining: dict[int, int], may: int, must: int) -> bool:
    """Remove values from cells beside those of a region that differ; return whether they can."""
    others, fixed = constraint.others, 0
    for index in bits_of(must):
        values = remaining[others[index]]
        if not values & (values - 1):
            if not values & ~fixed:
                return False
            fixed |= values
    for index in bits_of(may):
        cell, other = constraint.cells[index], others[index]
        if not remaining[other] & ~fixed and not must >> index & 1:
            remaining[cell] &= ~constraint.mask
        elif must >> index & 1 and remaining[other] & (remaining[other] - 1):
            remaining[other] &= ~fixed
    if constraint.low == n:  # each value occurs
        for value in range(n):
            able = [at for at in bits_of(may) if remaining[others[at]] >> value & 1]
            if not able:
                return False
            if len(able) == 1:
                remaining[constraint.cells[able[0]]] &= constraint.mask
                remaining[others[able[0]]] &= 1 << value
    return True


def _around(places: int, neighbours: Sequence[int]) -> int:
    """Return the neighbours of places, some of which may be among them."""
    around = 0
    for index in bits_of(places):
        around |= neighbours[index]
    return around


def reached(seed: int, within: int, neighbours: Sequence[int]) -> int:
    """Return some places and all places that neighbours lead to from there within others."""
    seen = new = seed
    while new:
        new = _around(new, neighbours) & within & ~seen
        seen |= new
    return seen


def _parts(places: int, neighbours: Sequence[int]) -> list[int]:
    """Return the connected parts of places."""
    parts = []
    while places:
        parts.append(reached(places & -places, places, neighbours))
        places &= ~parts[-1]
    return parts


def _in_reach(start: int, must: int, may: int, neighbours: Sequence[int], free: int) -> int:
    """Return the places reached from a start through ``free`` places besides the required ones."""
    seen = reached(start, must, neighbours)
    for _ in range(free):
        new = _around(seen, neighbours) & may & ~seen
        if not new:
            break
        seen = reached(seen | new, must | new, neighbours)
    return seen
