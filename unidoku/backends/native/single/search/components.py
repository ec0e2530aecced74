"""Parts of a division: places that are known to be in one region, whether it is known or not.

See `divisions`, whose rows as numbers are passed here. The parts are a forest: each place refers to
an earlier place of its part, and the first place, its root, to itself.
"""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import lowest_bit
from unidoku.backends.native.single.search.rows import DivisionRow
from unidoku.backends.native.single.search.state import Search, first_bits, keep

MANY = -2
"""The mark of a part that may grow into several others."""


def begin_parts(s: Search, d: DivisionRow, roots: int, runs: int, at: int) -> None:
    """Make the parts that are known from the start.

    Places are joined by relations, by the least lengths of runs, and by known regions.
    """
    for index in range(d.size):
        s.work[d.roots + index] = s.data[roots + index]
    for run in range(at, at + 4 * runs, 4):
        length = lowest_bit(s.candidates[s.data[run]]) + 1 + s.data[run + 1]
        places = s.data[run + 3]
        for further in range(places + 1, places + length):
            _unite(s, d, s.data[places], s.data[further])
    for region in range(d.regions):
        s.work[d.heads + region] = -1
    for index in range(d.size):
        mask = s.work[d.masks + index]
        if mask & (mask - 1) == 0:
            head = d.heads + lowest_bit(mask)
            if s.work[head] < 0:
                s.work[head] = index
            else:
                _unite(s, d, s.work[head], index)


def gather(s: Search, d: DivisionRow) -> bool:
    """Note the regions, size and decided values of each part; return whether they are possible."""
    for index in range(d.size):
        root = s.work[d.roots + s.work[d.roots + index]]
        value = s.candidates[s.data[d.value_cells + index]]
        if value & (value - 1):
            value = 0
        if root == index:
            s.work[d.sizes + index] = 1
            s.work[d.values + index] = value
            continue
        s.work[d.roots + index] = root
        if s.work[d.values + root] & value:
            return False
        s.work[d.values + root] |= value
        s.work[d.masks + root] &= s.work[d.masks + index]
        s.work[d.sizes + root] += 1
    return True


def join_known(s: Search, d: DivisionRow) -> int:
    """Join all parts of each known region; return how many were joined, -1 for a contradiction.

    If there are none, parts of unknown region lose the regions that they do not fit into; those
    that have one left are counted instead.
    """
    joined = 0
    for region in range(d.regions):
        s.work[d.heads + region] = -1
    for index in range(d.size):
        mask = s.work[d.masks + index]
        if s.work[d.roots + index] != index or mask & (mask - 1):
            continue
        if mask == 0:
            return -1
        head = d.heads + lowest_bit(mask)
        if s.work[head] < 0:
            s.work[head] = index
        else:
            _unite(s, d, s.work[head], index)
            joined += 1
    if joined:
        return joined
    for index in range(d.size):
        mask = s.work[d.masks + index]
        if s.work[d.roots + index] != index or mask & (mask - 1) == 0:
            continue
        left = mask
        while left:
            head = s.work[d.heads + lowest_bit(left)]
            if head >= 0 and not _fit(s, d, index, head):
                mask ^= left & -left
            left &= left - 1
        if mask == 0 or s.work[d.sizes + index] > d.most:
            return -1
        if mask != s.work[d.masks + index]:
            s.work[d.masks + index] = mask
            joined += mask & (mask - 1) == 0
    for region in range(d.regions):
        head = s.work[d.heads + region]
        if head >= 0 and s.work[d.sizes + head] > d.most:
            return -1
    return joined


def join_only_ways(s: Search, d: DivisionRow) -> int:
    """Join each part of unknown region to the only part that it may grow into, if there is one.

    A part that is smaller than a region has to grow. Returns how many were joined, -1 for a
    contradiction.
    """
    for index in range(d.size):
        s.work[d.ways + index] = -1
    column = 0
    for index in range(d.size):
        root = s.work[d.roots + index]
        if column and index:
            _lead(s, d, s.work[d.roots + index - 1], root)
        if index >= d.columns:
            _lead(s, d, s.work[d.roots + index - d.columns], root)
        column = column + 1 if column + 1 < d.columns else 0
    joined = 0
    for index in range(d.size):
        mask = s.work[d.masks + index]
        if s.work[d.roots + index] == index and mask & (mask - 1):
            way = s.work[d.ways + index]
            if way >= 0:
                _unite(s, d, index, way)
                joined += 1
            elif way == -1 and s.work[d.sizes + index] < d.most:
                return -1
    return joined


def _lead(s: Search, d: DivisionRow, part: int, other: int) -> None:
    """Note that two adjacent parts may grow into each other, if they fit."""
    if part == other or not _fit(s, d, part, other):
        return
    way = s.work[d.ways + part]
    if way != other:
        s.work[d.ways + part] = other if way == -1 else MANY
    way = s.work[d.ways + other]
    if way != part:
        s.work[d.ways + other] = part if way == -1 else MANY


def _fit(s: Search, d: DivisionRow, part: int, other: int) -> bool:
    """Return whether two parts, by their roots, may be in one region."""
    return (
        s.work[d.sizes + part] + s.work[d.sizes + other] <= d.most
        and s.work[d.values + part] & s.work[d.values + other] == 0
        and s.work[d.masks + part] & s.work[d.masks + other] != 0
    )


def begin_region(s: Search, d: DivisionRow) -> int:
    """Give a new region to a part that fits into none of the others; return whether there is one.

    Regions without a part so far are interchangeable: the first of them is given. The largest part
    is chosen, preferably one at the edge.
    """
    begun = 0
    for region in range(d.regions):
        if s.work[d.heads + region] >= 0:
            begun |= 1 << region
    best, chosen = -1, 0
    for index in range(d.size):
        if s.work[d.roots + index] != index or s.work[d.masks + index] & begun:
            continue
        column = index % d.columns
        edge = column == 0 or column == d.columns - 1
        edge = edge or index < d.columns or index + d.columns >= d.size
        size = 2 * s.work[d.sizes + index] + edge
        if s.work[d.masks + index] & (s.work[d.masks + index] - 1) and size > best:
            best, chosen = size, index
    if best >= 0:
        s.work[d.masks + chosen] &= -s.work[d.masks + chosen]
    return int(best >= 0)


def measure(s: Search, d: DivisionRow, runs: int, at: int) -> bool:
    """Keep the lengths of runs that parts allow; return whether there are any."""
    for run in range(at, at + 4 * runs, 4):
        cell, size, places = s.data[run], s.data[run + 2], s.data[run + 3]
        if s.candidates[cell] & (s.candidates[cell] - 1) == 0:
            continue
        root = s.work[d.roots + s.data[places]]
        least = 1
        while least < size and s.work[d.roots + s.data[places + least]] == root:
            least += 1
        most, met = least, d.size + run  # a mark of the parts that are counted
        s.work[d.ways + root] = met
        count, values = s.work[d.sizes + root], s.work[d.values + root]
        masks = s.work[d.masks + root]
        while most < size:
            beyond = s.work[d.roots + s.data[places + most]]
            if s.work[d.ways + beyond] != met:
                s.work[d.ways + beyond] = met
                count += s.work[d.sizes + beyond]
                masks &= s.work[d.masks + beyond]
                if count > d.most or masks == 0 or values & s.work[d.values + beyond]:
                    break
                values |= s.work[d.values + beyond]
            most += 1
        # of sets of lengths, bit 0 is a length of 1
        lengths = first_bits(most) & ~first_bits(least - 1)
        surplus = s.data[run + 1]
        if not keep(s, cell, lengths >> surplus if surplus >= 0 else lengths << -surplus):
            return False
    return True


def _root(s: Search, d: DivisionRow, index: int) -> int:
    while s.work[d.roots + index] != index:
        index = s.work[d.roots + index]
    return index


def _unite(s: Search, d: DivisionRow, part: int, other: int) -> None:
    """Join the parts of two places; the lower of their roots becomes the root."""
    part, other = _root(s, d, part), _root(s, d, other)
    if part < other:
        s.work[d.roots + other] = part
    else:
        s.work[d.roots + part] = other
