"""Chains of strong links on one value: skyscrapers, kites, empty rectangles, and longer ones.

A strong link is a unit whose candidates fall into two groups, each within one line or box, so that
one of the groups holds the value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from unidoku.core.bits import bits_of, set_of
from unidoku.logic.explainer.finding import Finding, Findings
from unidoku.logic.explainer.grid import (
    BOXES,
    UNIT_SETS,
    UNITS,
    UNITS_OF,
    VALUES,
    Grid,
    N,
    common_peers,
)
from unidoku.logic.geometry import union
from unidoku.support.deadline import check_time_limit

_RATINGS = {2: 4.0, 3: 5.4, 4: 5.8}
_MOST_GROUPED = 6
"""The largest number of candidates of a unit in which groups are looked for."""


_THIRDS = tuple(set_of(range(start, start + 3)) for start in range(0, N, 3))
_BOX_COLUMNS = tuple(set_of(range(start, N, 3)) for start in range(3))
_CROSSES = tuple(
    (1 << index, _BOX_COLUMNS[index % 3] & ~(1 << index), _THIRDS[index // 3] & ~(1 << index))
    for index in range(N)
)
"""For each cell of a box itself, the rest of its column, and the rest of its row."""


@dataclass(frozen=True, slots=True)
class _StrongLink:
    """A unit with two groups of cells, one of which holds the value.

    Args:
        unit: the number of the unit.
        variant: the number of the way in which it is read.
        grouped: whether its candidates fall into groups.
        ends: the two groups, as sets of cells.
        seen: the cells that see all cells of each group.
    """

    unit: int
    variant: int
    grouped: bool
    ends: tuple[int, int]
    seen: tuple[int, int]


def _strong_links(grid: Grid, value: int) -> list[_StrongLink]:
    """Return the strong links of a value, in the order of their units."""
    links = []
    for unit, cells in enumerate(UNITS):
        places = grid.places[value][unit]
        count = places.bit_count()
        if not 2 <= count <= _MOST_GROUPED:
            continue
        pairs = _pair(places, unit) if count == 2 else _groups(places, unit in BOXES)
        for variant, pair in enumerate(pairs):
            ends = tuple(sum(1 << cells[index] for index in bits_of(end)) for end in pair)
            seen = tuple(map(common_peers, ends))
            links.append(
                _StrongLink(unit, variant, count > 2, (ends[0], ends[1]), (seen[0], seen[1]))
            )
    return links


def _pair(places: int, unit: int) -> tuple[tuple[int, int], ...]:
    """Return the two places as a link; none in a line of a box, which is a link of that line."""
    first = places & -places
    if unit in BOXES and any(not places & ~line for line in (*_THIRDS, *_BOX_COLUMNS)):
        return ()
    return ((first, places ^ first),)


@lru_cache(maxsize=2 * (1 << N))
def _groups(places: int, in_box: bool) -> tuple[tuple[int, int], ...]:
    """Return the ways to see three to six places of a unit as two groups."""
    if in_box:
        for middle, column, row in _CROSSES:
            if not places & ~(middle | column | row):
                return _cross(places, middle, column & places, row & places)
    if in_box and places.bit_count() < 4:
        return ()
    lines = (_THIRDS, _BOX_COLUMNS) if in_box else (_THIRDS,)
    for parts in lines:
        for empty in reversed(range(3)) if in_box else range(3):
            first, second = (part & places for i, part in enumerate(parts) if i != empty)
            if not places & parts[empty]:
                return _two_lines(places, first, second, in_box)
    return ()


def _cross(places: int, middle: int, column: int, row: int) -> tuple[tuple[int, int], ...]:
    """Return the link of an empty rectangle; its middle belongs to an arm, or to both."""
    if not column or not row:
        return ()
    if row.bit_count() == 1:
        return ((row, column | middle),)
    if column.bit_count() == 1:
        return ((column, row | middle),)
    return ((column | middle & places, row | middle & places),)


def _two_lines(places: int, first: int, second: int, in_box: bool) -> tuple[tuple[int, int], ...]:
    """Return the link between two lines of a box or two thirds of a line."""
    if not first or not second:
        return ()
    if first.bit_count() > 1 and second.bit_count() == 1:
        return ((second, first),)
    ways = ((first, second),)
    low, high = first & -first, second & -second
    is_square = places.bit_count() == 4 and _aligned(low, high)
    if in_box and is_square and _aligned(first ^ low, second ^ high):
        return (*ways, (low | high, places ^ low ^ high))
    return ways


def _aligned(first: int, other: int) -> bool:
    """Return whether two places of a box are in one line."""
    return any(not (first | other) & ~line for line in (*_THIRDS, *_BOX_COLUMNS))


@lru_cache(maxsize=1 << 16)
def _shared(cells: int) -> int:
    """Return a unit, as a set of cells, that contains all of some cells; 0 if there is none.

    A column goes before a row, a row before a box.
    """
    members = bits_of(cells)
    for unit in UNITS_OF[members[0]][2], UNITS_OF[members[0]][1], UNITS_OF[members[0]][0]:
        if not cells & ~UNIT_SETS[unit]:
            return UNIT_SETS[unit]
    return 0


@lru_cache(maxsize=8)
def _orders(size: int) -> dict[tuple[int, ...], int]:
    """Return the rank of each order of the links of a chain, as they are tried.

    The orders are those of an exchange of two elements at a time (Fuchs, quickperm.org).
    """
    order, left = list(range(size)), list(range(size + 1))
    ranks = {tuple(order): 0}
    at = 1
    while at < size:
        left[at] -= 1
        other = left[at] if at % 2 else 0
        order[at], order[other] = order[other], order[at]
        ranks[tuple(order)] = len(ranks)
        at = 1
        while left[at] == 0:
            left[at] = at
            at += 1
    return ranks


@lru_cache(maxsize=1 << 12)
def _shape(kinds: tuple[int, ...]) -> str:
    """Return the smallest name of a chain by the kinds of its units: 0 box, 1 row, 2 column.

    It is the same read backwards, and for rows and columns exchanged.
    """
    text = "".join(map(str, min(kinds, kinds[::-1])))
    if "1" not in text:
        return text.replace("2", "1")
    exchanged = text.translate(str.maketrans("12", "21"))
    return min(text, exchanged, exchanged[::-1])


def _rating(size: int, shape: str, grouped: int) -> float:
    """Return the number of a chain: groups, boxes, and both kinds of lines make it harder."""
    if grouped:
        return _RATINGS[size] + 0.3
    return _RATINGS[size] + 0.1 * (("0" in shape) + ("2" in shape))


_Chain: TypeAlias = tuple[tuple[_StrongLink, ...], tuple[int, ...]]
"""Links in order, and for each the end at which it is entered."""


def _chains(links: list[_StrongLink], candidates: int, size: int) -> Iterator[_Chain]:
    """Yield the chains of some length, each in one of its two directions."""
    following = {
        (i, entry): [
            (j, side)
            for j, link in enumerate(links)
            if not UNIT_SETS[link.unit] & UNIT_SETS[start.unit] & candidates
            for side in (0, 1)
            if _shared(start.ends[1 - entry] | link.ends[side])
        ]
        for i, start in enumerate(links)
        for entry in (0, 1)
    }

    def grow(indices: tuple[int, ...], entries: tuple[int, ...], used: int) -> Iterator[_Chain]:
        if len(indices) == size:
            if links[indices[0]].unit < links[indices[-1]].unit:
                yield tuple(links[i] for i in indices), entries
            return
        for j, side in following[indices[-1], entries[-1]]:
            cells = UNIT_SETS[links[j].unit] & candidates
            if not cells & used:
                yield from grow((*indices, j), (*entries, side), used | cells)

    for i, link in enumerate(links):
        for entry in (0, 1):
            yield from grow((i,), (entry,), UNIT_SETS[link.unit] & candidates)


def strong_link_chains(grid: Grid, size: int) -> Findings:
    """Yield the easiest chain of so many strong links; of those, one with most eliminations."""
    best: tuple[tuple[object, ...], dict[int, int]] | None = None
    for value in VALUES:
        check_time_limit()
        candidates = grid.cells[value]
        for chain in _chains(_strong_links(grid, value), candidates, size):
            gone, count = _eliminated(chain, candidates)
            if not gone:
                continue
            key = _key(chain, value, count)
            if best is None or key < best[0]:
                best = key, dict.fromkeys(bits_of(gone), 1 << value - 1)
    if best is not None:
        rating = best[0][0]
        assert isinstance(rating, float)
        name = f"{size} strong links"
        yield Finding(technique=name, rating=rating, eliminations=best[1])


def _eliminated(chain: _Chain, candidates: int) -> tuple[int, int]:
    """Return the cells that a chain removes its value from, and how often it does.

    If its ends see each other, it is a loop: the cells between any two links are removed.
    """
    links, entries = chain
    first, last = links[0], links[-1]
    free = candidates & ~union(UNIT_SETS[link.unit] for link in links)
    between = first.seen[entries[0]] & last.seen[1 - entries[-1]] & free
    steps = list(pairwise(zip(links, entries, strict=True)))
    if not _shared(first.ends[entries[0]] | last.ends[1 - entries[-1]]):
        if not between:
            return 0, 0
        for (link, entry), (following, side) in steps:
            between &= ~_shared(link.ends[1 - entry] | following.ends[side])
        return between, between.bit_count()
    if entries[0] or first.unit != min(link.unit for link in links):
        return 0, 0
    count = between.bit_count()
    for (link, entry), (following, side) in steps:
        seen = link.seen[1 - entry] & following.seen[side] & free
        count += seen.bit_count()
        between |= seen
    return between, count


def _key(chain: _Chain, value: int, count: int) -> tuple[object, ...]:
    """Return what chains are ordered by: their number, and then the order of their search."""
    links, entries = chain
    size = len(links)
    in_order = sorted(links, key=lambda link: link.unit)
    kinds = tuple(link.unit // N for link in links)
    shape = _shape(kinds)
    grouped = sum(link.grouped for link in links)
    return (
        _rating(size, shape, grouped),
        -count,
        f"{grouped}{shape}",
        sum(1 << link.unit // N * size + at for at, link in enumerate(in_order)),
        value,
        [(link.unit, link.variant) for link in in_order],
        _orders(size)[tuple(in_order.index(link) for link in links)],
        entries,
    )
