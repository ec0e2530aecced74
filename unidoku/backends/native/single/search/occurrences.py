"""Propagators about the places of values: cells must hold some values, or one value some times."""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import CELLS_AT_ONCE
from unidoku.backends.native.single.search.kinds import ABSENT, THERE
from unidoku.backends.native.single.search.peers import take
from unidoku.backends.native.single.search.rows import TimesRow, hits_row, times_row
from unidoku.backends.native.single.search.state import Search, blocks_of, keep

_BLOCK = (1 << CELLS_AT_ONCE) - 1


def excluded(s: Search, first: int, end: int, values: int) -> bool:
    """Remove values that some of the cells must hold from cells that see all their places.

    The cells are the numbers from ``first`` up to ``end``.
    """
    for index in range(first, end):
        mask = s.candidates[s.data[index]]
        if mask & (mask - 1) == 0:
            values &= ~mask  # the cell's peers lose it anyway
    blocks = blocks_of(s)
    while values:
        value = values & -values
        values ^= value
        for block in range(0, blocks, 3):
            if not _excluded_from(s, first, end, value, block, blocks):
                return False
    return True


def _excluded_from(s: Search, first: int, end: int, value: int, block: int, blocks: int) -> bool:
    """Do what `excluded` does for a value, in a block of cells and up to two more."""
    of_one = _BLOCK
    of_two = of_one if block + 1 < blocks else 0
    of_three = of_one if block + 2 < blocks else 0
    for index in range(first, end):
        cell = s.data[index]
        if s.candidates[cell] & value:
            at = cell * blocks + block
            of_one &= s.seen[at]
            of_two &= s.seen[at + 1]  # of another cell, or behind all, where of_two is 0 anyway
            of_three &= s.seen[at + 2]
            if of_one | of_two | of_three == 0:
                return True
    if of_one and not take(s, block, of_one, value):
        return False
    if of_two and not take(s, block + 1, of_two, value):
        return False
    return of_three == 0 or take(s, block + 2, of_three, value)


def across(s: Search, row: int) -> bool:
    """Remove values with two places, in cells that hold all values, from cells that see both."""
    first, end = row + 1, row + 1 + s.data[row]
    _, two = with_two_places(s, first, end)
    return two == 0 or excluded(s, first, end, two)


def with_two_places(s: Search, first: int, end: int) -> tuple[int, int]:
    """Return all values of some cells, and those with two places in them."""
    once = twice = thrice = 0
    for index in range(first, end):
        mask = s.candidates[s.data[index]]
        thrice |= twice & mask
        twice |= once & mask
        once |= mask
    return once, twice & ~thrice


def required(s: Search, row: int) -> bool:
    """Place values with one place left in cells that must hold these values."""
    first, end = row + 1, row + 1 + s.data[row]
    left = wanted = s.data[end]
    while left:
        value = left & -left
        left ^= value
        places, last = 0, -1
        for index in range(first, end):
            if s.candidates[s.data[index]] & value:
                places += 1
                last = s.data[index]
        if places == 0:
            return False
        if places == 1:
            keep(s, last, value)
    return excluded(s, first, end, wanted)


def times(s: Search, row: int) -> bool:
    """Keep candidates by which a value occurs a number of times in cells, or never, by a flag.

    A group of cells that differ holds the value at most once.
    """
    r = times_row(s, row)
    least, most = r.least, r.most
    may, must = _groups_that_may(s, r)
    if r.is_flagged:
        flag = s.data[r.flag]
        allowed = ABSENT | THERE
        if must:
            allowed &= ~ABSENT
        if must > most or may < least:
            allowed &= ~THERE
        if not keep(s, flag, allowed):
            return False
        if s.candidates[flag] == ABSENT:
            least = most = 0
        elif s.candidates[flag] != THERE:
            return True
    if must > most or may < least:
        return False
    if may > least and must < most:
        return True
    return _at_bound(s, r, may == least, must == most)


def _groups_that_may(s: Search, r: TimesRow) -> tuple[int, int]:
    """Return how many groups may hold a value, and how many cells hold it."""
    may = must = 0
    first = r.cells
    for group in range(r.groups, r.groups_end):
        group_may = 0
        for index in range(first, first + s.data[group]):
            mask = s.candidates[s.data[index]]
            if mask & r.value:
                group_may = 1
                if mask == r.value:
                    must += 1
        may += group_may
        first += s.data[group]
    return may, must


def _at_bound(s: Search, r: TimesRow, everywhere: int, nowhere: int) -> bool:
    """Make each possible group hold a value, or remove it from cells that need not hold it."""
    first, value = r.cells, r.value
    for group in range(r.groups, r.groups_end):
        end = first + s.data[group]
        places, last = 0, -1
        for index in range(first, end):
            mask = s.candidates[s.data[index]]
            if mask & value:
                places += 1
                last = s.data[index]
                if nowhere and mask != value:
                    keep(s, last, ~value)
        if everywhere and not nowhere:
            if places == 1:
                keep(s, last, value)
            elif places > 1 and not excluded(s, first, end, value):
                return False
        first = end
    return True


def hits(s: Search, row: int) -> bool:
    """Narrow cells that hold a value of each of some classes, so that each class has a cell.

    A set of classes that the cells so far may have hit is a number, and a bit of the set of all
    possible such sets.
    """
    first, end, narrows_peers, count, classes = hits_row(s, row)
    hit = 1
    any_class = union = 0
    for index in range(first, end):
        before = hit
        s.work[index - first] = before
        mask = s.candidates[s.data[index]]
        union |= mask
        hit, any_class = 0, 0
        for number in range(count):
            values, having = s.data[classes + 2 * number], s.data[classes + 2 * number + 1]
            any_class |= values
            if mask & values:
                hit |= (before & having) | (before & ~having) << (1 << number)
        if mask & ~any_class:
            hit |= before
    wanted = 1 << ((1 << count) - 1)
    if hit & wanted == 0:
        return False
    for index in range(end - 1, first - 1, -1):
        cell = s.data[index]
        mask, before = s.candidates[cell], s.work[index - first]
        allowed = missing = 0
        if mask & ~any_class:
            missing = wanted
            if before & wanted:
                allowed = ~any_class
        for number in range(count):
            values, having = s.data[classes + 2 * number], s.data[classes + 2 * number + 1]
            if mask & values:
                behind = wanted & having
                behind |= behind >> (1 << number)
                missing |= behind
                if before & behind:
                    allowed |= values
        if not keep(s, cell, allowed):
            return False
        wanted = missing
    return not narrows_peers or _excluded_of_classes(s, first, end, classes, count, union)


def _excluded_of_classes(
    s: Search, first: int, end: int, classes: int, count: int, union: int
) -> bool:
    """Remove the last value of a class from cells that see all its places."""
    single_values = 0
    for number in range(count):
        values = union & s.data[classes + 2 * number]
        if values & (values - 1) == 0:
            single_values |= values
    return single_values == 0 or excluded(s, first, end, single_values)
