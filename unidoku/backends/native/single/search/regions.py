"""The propagator of connected regions: their sizes, the cells in reach, and differing values.

The row is `RegionRow`.
"""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import copy, size_of
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.rows import region_row
from unidoku.backends.native.single.search.state import Search, keep

OUT, MAY, MUST = 0, 1, 2
"""Whether a cell lies in the region; the first numbers of the work array, one for each cell."""

NEW, SEEN, NEXT = 0, 1, 2
"""Whether a walk has reached a cell; these numbers follow, and after them two lists of cells."""


def region(s: Search, row: int) -> bool:
    """Keep the candidates that a connected region allows; return whether there is one."""
    first, _, has_value_cells, size, mask, low, high, table, every = region_row(s, row)
    s.registers[Register.TICKS] += size >> 3
    may = must = 0
    start = -1
    for index in range(size):
        candidates = s.candidates[s.data[first + index]]
        s.work[index] = OUT
        if candidates & mask:
            may += 1
            s.work[index] = MAY
            if candidates & ~mask == 0:
                must += 1
                s.work[index] = MUST
                start = index
    if must > high or may < low:
        return False
    if may > must or low > 1 or must > 1:
        may = _within_reach(s, size, table, start, high - must, low)
        if may < low:
            return False
        if may == low:
            for index in range(size):
                s.work[index] = MUST if s.work[index] else OUT
        elif not _through_doors(s, size, table, must, low):
            return False
    if has_value_cells and not _differ(s, first, size, every):
        return False
    for index in range(size):
        if s.work[index] != MAY:
            allowed = mask if s.work[index] == MUST else ~mask
            if not keep(s, s.data[first + index], allowed):
                return False
    return True


def _within_reach(s: Search, size: int, table: int, start: int, free: int, low: int) -> int:
    """Exclude cells that the region cannot reach; return how many are left.

    The result is -1 if the region must contain a cell that it cannot reach. It contains the cell
    ``start``, if that is not -1, and up to ``free`` cells more than those that it must contain.
    Without a start, cells are excluded whose connected part has fewer than ``low`` cells.
    """
    for index in range(size):
        s.work[size + index] = NEW
    left = 0
    if start >= 0:
        _walk(s, size, table, start, free)
        for index in range(size):
            if s.work[size + index] == SEEN:
                left += 1
            elif s.work[index] == MUST:
                return -1
            else:
                s.work[index] = OUT
        return left
    for index in range(size):
        if s.work[index] != OUT and s.work[size + index] == NEW:
            count = _part(s, size, table, index, MAY)
            if count >= low:
                left += count
                continue
            for at in range(2 * size, 2 * size + count):
                s.work[s.work[at]] = OUT
    return left


def _walk(s: Search, size: int, table: int, start: int, free: int) -> None:
    """Mark all cells that a region reaches through ``free`` others; its own cells do not count."""
    stack, later = 2 * size, 3 * size
    s.work[stack] = start
    s.work[size + start] = SEEN
    top = 1
    while True:
        waiting = 0
        while top:
            top -= 1
            index = s.work[stack + top]
            for at in range(table + s.data[table + index], table + s.data[table + index + 1]):
                other = s.data[at]
                if s.work[size + other] != SEEN and s.work[other] == MUST:
                    s.work[size + other] = SEEN
                    s.work[stack + top] = other
                    top += 1
                elif s.work[size + other] == NEW and s.work[other] == MAY:
                    s.work[size + other] = NEXT
                    s.work[later + waiting] = other
                    waiting += 1
        if free <= 0 or waiting == 0:
            return
        free -= 1
        top = waiting
        copy(s.work, stack, s.work, later, waiting)
        for at in range(stack, stack + waiting):
            s.work[size + s.work[at]] = SEEN


def _part(s: Search, size: int, table: int, start: int, least: int) -> int:
    """Mark the cells that are connected with a cell; return their number.

    The paths lead through cells marked ``least`` or more: `MAY`, or only `MUST`. What is found is
    the beginning of the first list of cells.
    """
    listed = 2 * size
    s.work[listed] = start
    s.work[size + start] = SEEN
    done, count = 0, 1
    while done < count:
        index = s.work[listed + done]
        done += 1
        for at in range(table + s.data[table + index], table + s.data[table + index + 1]):
            other = s.data[at]
            if s.work[size + other] == NEW and s.work[other] >= least:
                s.work[size + other] = SEEN
                s.work[listed + count] = other
                count += 1
    return count


def _through_doors(s: Search, size: int, table: int, must: int, low: int) -> bool:
    """Take the only way on from each part of the region; return whether each part has a way on."""
    for index in range(size):
        s.work[size + index] = NEW
    for index in range(size):
        if s.work[index] != MUST or s.work[size + index] != NEW:
            continue
        count = _part(s, size, table, index, MUST)
        if count == must and count >= low:
            return True
        door, doors = -1, 0
        for listed in range(2 * size, 2 * size + count):
            member = s.work[listed]
            for at in range(table + s.data[table + member], table + s.data[table + member + 1]):
                other = s.data[at]
                if s.work[other] == MAY and other != door:
                    door = other
                    doors += 1
        if doors == 0:
            return False
        if doors == 1:  # the parts have changed; they are checked the next time
            s.work[door] = MUST
            return True
    return True


def _differ(s: Search, first: int, size: int, every: int) -> bool:
    """Narrow the value cells of a region, whose values differ; return whether that is possible."""
    value_cells = first + size
    fixed = 0
    for index in range(size):
        mask = s.candidates[s.data[value_cells + index]]
        if s.work[index] == MUST and mask & (mask - 1) == 0:
            if fixed & mask:
                return False
            fixed |= mask
    once = twice = 0
    for index in range(size):
        if s.work[index] == OUT:
            continue
        cell = s.data[value_cells + index]
        mask = s.candidates[cell]
        if s.work[index] == MUST:
            if mask & (mask - 1) and not keep(s, cell, ~fixed):
                return False
        elif mask & ~fixed == 0:
            s.work[index] = OUT
            continue
        mask = s.candidates[cell]
        twice |= once & mask
        once |= mask
    if every == 0:
        return True
    single = once & ~twice & ~fixed
    if once & every != every:
        return False
    for index in range(size):
        if s.work[index] != OUT and single:
            cell = s.data[value_cells + index]
            mine = s.candidates[cell] & single
            if mine:
                if size_of(mine) > 1 or not keep(s, cell, mine):
                    return False
                s.work[index] = MUST
    return True
