"""The propagator of a division: cells that fall into connected regions of one size.

All regions are looked at together. A place is an index into the cells of the division, which are in
rows of a grid. Places that are known to be in one region make a part, whether the region is known
or not; the first place of a part is its root.

A row consists of:

- the number of its cells
- for each place, the cell with the number of its region
- for each place, the cell whose value the region holds: the values of a region differ
- the cells with the lengths of runs, which are lines of cells in one region
- the number of places, of columns, of rows and of regions, and the size of a region
- what tells the regions apart, see `Labels`
- where in the data the roots are that relations between places imply
- the number of runs, and where in the data they are
- where the memo begins, counted from `Register.MEMO_AT`

A run is four numbers: the cell with its length, how much larger the length is than the value of
that cell, the number of places in its line, and where in the data these are.
"""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import lowest_bit, size_of
from unidoku.backends.native.single.search.components import (
    begin_parts,
    begin_region,
    gather,
    join_known,
    join_only_ways,
    measure,
)
from unidoku.backends.native.single.search.kinds import Labels
from unidoku.backends.native.single.search.reachability import connect
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.rows import DivisionRow
from unidoku.backends.native.single.search.state import Search, highest_bit, keep


def division(s: Search, row: int) -> bool:
    """Keep the candidates that connected regions allow; return whether there are any."""
    end = row + 1 + s.data[row]
    d = _division(s, row, end)
    s.registers[Register.TICKS] += d.size >> 1
    for index in range(d.size):
        s.work[d.masks + index] = s.candidates[s.data[d.number_cells + index]]
    if s.data[end + 5] == Labels.IN_ORDER and not _in_order(s, d):
        return False
    begin_parts(s, d, s.data[end + 6], s.data[end + 7], s.data[end + 8])
    while True:
        if not gather(s, d):
            return False
        joined = join_known(s, d)
        if joined == 0:
            joined = join_only_ways(s, d)
        if joined == 0 and s.data[end + 5] == Labels.INTERCHANGEABLE:
            joined = begin_region(s, d)
        if joined < 0:
            return False
        if joined == 0:
            break
    if not measure(s, d, s.data[end + 7], s.data[end + 8]):
        return False
    if not _differ(s, d) or not connect(s, d):
        return False
    for index in range(d.size):
        if not keep(s, s.data[d.number_cells + index], s.work[d.masks + s.work[d.roots + index]]):
            return False
    return True


def _division(s: Search, row: int, end: int) -> DivisionRow:
    """Return the sizes of a row, and where its lists begin."""
    size, columns, rows = s.data[end], s.data[end + 1], s.data[end + 2]
    regions, most = s.data[end + 3], s.data[end + 4]
    heads = 5 * size
    may = heads + 3 * regions
    must = may + rows * regions
    return DivisionRow(
        row + 1,
        row + 1 + size,
        size,
        columns,
        rows,
        regions,
        most,
        0,
        size,
        2 * size,
        3 * size,
        4 * size,
        heads,
        heads + regions,
        heads + 2 * regions,
        may,
        must,
        must + rows * regions,
        s.data[end + 5],
        s.registers[Register.MEMO_AT] + s.data[end + 9],
    )


def _in_order(s: Search, d: DivisionRow) -> bool:
    """Keep the numbers of regions whose first places are in order; return whether there are any.

    A state is how many numbers have occurred; a set of states leads from each place to the next.
    """
    states, last = 1, 1 << d.regions
    end = 0
    while end < d.size and states != last:
        s.work[d.spare + end] = states
        mask = s.work[d.masks + end]
        states = states & -(2 << lowest_bit(mask)) | (states & mask) << 1
        end += 1
    if states & last == 0:
        return False
    after = last
    for index in range(end - 1, -1, -1):
        before, mask = s.work[d.spare + index], s.work[d.masks + index]
        stay = before & after
        allowed = before & after >> 1
        if stay:
            allowed |= (1 << highest_bit(stay)) - 1
        after = after & -(2 << lowest_bit(mask)) | after >> 1 & mask
        mask &= allowed
        if mask == 0:
            return False
        s.work[d.masks + index] = mask
    return True


def _differ(s: Search, d: DivisionRow) -> bool:
    """Keep candidates so that the values of each region differ; return whether they can."""
    for region in range(2 * d.regions):
        s.work[d.once + region] = 0
    for index in range(d.size):
        root = s.work[d.roots + index]
        cell, regions = s.data[d.value_cells + index], s.work[d.masks + root]
        mask = s.candidates[cell]
        if mask & (mask - 1) and s.work[d.sizes + root] > 1:
            if not keep(s, cell, ~s.work[d.values + root]):
                return False
            mask = s.candidates[cell]
        left = regions
        while left:
            region = lowest_bit(left)
            left &= left - 1
            values, head = mask, s.work[d.heads + region]
            if head >= 0 and head != root:
                values &= ~s.work[d.values + head]
            if values == 0:
                regions ^= 1 << region
            s.work[d.twice + region] |= s.work[d.once + region] & values
            s.work[d.once + region] |= values
        if regions == 0:
            return False
        s.work[d.masks + root] = regions
    for region in range(d.regions):
        every = s.work[d.once + region]
        if size_of(every) < d.most:
            return False
        once, head = every & ~s.work[d.twice + region], s.work[d.heads + region]
        if head >= 0:
            once &= ~s.work[d.values + head]
        if size_of(every) == d.most and once and not _only_places(s, d, region, once):
            return False
    return True


def _only_places(s: Search, d: DivisionRow, region: int, once: int) -> bool:
    """Decide values with one place in a region, which needs them; return whether they can be."""
    for index in range(d.size):
        root = s.work[d.roots + index]
        if s.work[d.masks + root] >> region & 1:
            cell = s.data[d.value_cells + index]
            mine = s.candidates[cell] & once
            if mine:
                if size_of(mine) > 1 or not keep(s, cell, mine):
                    return False
                s.work[d.masks + root] = 1 << region
    return True
