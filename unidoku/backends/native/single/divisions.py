"""The propagator of cells that fall into connected regions of one size, all regions at once.

A row: number of cells; for each place the cell with the number of its region, then for each place
the cell whose value its region holds, and then the cells with the lengths of runs; number of
places, of places in a row of the grid, of rows, and of regions, and their size; whether they are
numbered in the order of their first places, the place of the roots, the number of runs and the
place of the runs. Places with one root are in one region. A run: the cell with its length, how much
larger the length is than the value, and the place of its places, the first of which is first.

Places that are known to be in one region make a part, whether the region is known or not.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# Numba infers the types here and provides none for mypy.

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unidoku.backends.native.single import registers as reg
from unidoku.backends.native.single.kinds import Numbers
from unidoku.backends.native.single.spread import connect
from unidoku.backends.native.single.state import (
    ONE,
    compiled,
    first_bits,
    highest_bit,
    keep,
    lowest_bit,
    size_of,
)

MANY = -2
"""Several ways on from a part."""


class Division(NamedTuple):
    """A row as numbers, and the places of lists in the work array.

    Args:
        first: the first cell with the number of a region.
        beside: the first cell whose value a region holds.
        size: number of places.
        columns: number of places in a row.
        rows: number of rows.
        regions: number of regions.
        most: their size.
        masks: for each root, the regions that its part may be in.
        roots: for each place, the first place of its part.
        sizes: for each root, the size of its part.
        values: for each root, the decided values of its part.
        ways: for each root, the part that is the only way on.
        heads: for each region, the root of its part, or -1.
        once: for each region, the values that it may hold.
        twice: for each region, the values that several places of it may hold.
        may: for each region, the places that may be in it, as a set for each row.
        must: for each region, the places that are in it.
        spare: the rest of the work array.
    """

    first: Any
    beside: Any
    size: Any
    columns: Any
    rows: Any
    regions: Any
    most: Any
    masks: Any
    roots: Any
    sizes: Any
    values: Any
    ways: Any
    heads: Any
    once: Any
    twice: Any
    may: Any
    must: Any
    spare: Any
    kind: Any
    told: Any


@compiled
def division(s, row):
    """Keep the candidates that connected regions allow; return whether there are any."""
    end = row + 1 + s.data[row]
    d = _division(s, row, end)
    s.registers[reg.TICKS] += d.size >> 1
    for place in range(d.size):
        s.work[d.masks + place] = s.candidates[s.data[d.first + place]]
    if s.data[end + 5] == Numbers.IN_ORDER and not _in_order(s, d):
        return False
    _begin_parts(s, d, s.data[end + 6], s.data[end + 7], s.data[end + 8])
    while True:
        if not _gather(s, d):
            return False
        joined = _join_known(s, d)
        if joined == 0:
            joined = _only_ways(s, d)
        if joined == 0 and s.data[end + 5] == Numbers.INTERCHANGEABLE:
            joined = _begin_region(s, d)
        if joined < 0:
            return False
        if joined == 0:
            break
    if not _measure(s, d, s.data[end + 7], s.data[end + 8]):
        return False
    if not _differ(s, d) or not connect(s, d):
        return False
    for place in range(d.size):
        if not keep(s, s.data[d.first + place], s.work[d.masks + s.work[d.roots + place]]):
            return False
    return True


@compiled
def _division(s, row, end):
    """Return a row as numbers."""
    size, columns, rows = s.data[end], s.data[end + 1], s.data[end + 2]
    regions, most = s.data[end + 3], s.data[end + 4]
    heads = 5 * size
    may = heads + 3 * regions
    must = may + rows * regions
    return Division(
        row + 1,
        row + 1 + size,
        size,
        columns,
        rows,
        regions,
        most,
        np.int64(0),
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
        s.registers[reg.TOLD] + s.data[end + 9],
    )


@compiled
def _in_order(s, d):
    """Keep the numbers of regions whose first places are in order; return whether there are any.

    A state is how many numbers have occurred; a set of states leads from each place to the next.
    """
    states, last = ONE, ONE << d.regions
    end = np.int64(0)
    while end < d.size and states != last:
        s.work[d.spare + end] = states
        mask = s.work[d.masks + end]
        states = states & -(2 << lowest_bit(mask)) | (states & mask) << 1
        end += 1
    if states & last == 0:
        return False
    after = last
    for place in range(end - 1, -1, -1):
        before, mask = s.work[d.spare + place], s.work[d.masks + place]
        stay = before & after
        allowed = before & after >> 1
        if stay:
            allowed |= (ONE << highest_bit(stay)) - 1
        after = after & -(2 << lowest_bit(mask)) | after >> 1 & mask
        mask &= allowed
        if mask == 0:
            return False
        s.work[d.masks + place] = mask
    return True


@compiled
def _begin_parts(s, d, roots, runs, at):
    """Make the parts that are known from the start, and those of the least lengths of runs."""
    for place in range(d.size):
        s.work[d.roots + place] = s.data[roots + place]
    for run in range(at, at + 4 * runs, 4):
        length = lowest_bit(s.candidates[s.data[run]]) + 1 + s.data[run + 1]
        places = s.data[run + 3]
        for further in range(places + 1, places + length):
            _unite(s, d, s.data[places], s.data[further])
    for region in range(d.regions):
        s.work[d.heads + region] = -1
    for place in range(d.size):
        mask = s.work[d.masks + place]
        if mask & (mask - 1) == 0:
            head = d.heads + lowest_bit(mask)
            if s.work[head] < 0:
                s.work[head] = place
            else:
                _unite(s, d, s.work[head], place)


@compiled
def _root(s, d, place):
    while s.work[d.roots + place] != place:
        place = s.work[d.roots + place]
    return place


@compiled
def _unite(s, d, one, other):
    """Make one part of the parts of two places; its root is its first place."""
    one, other = _root(s, d, one), _root(s, d, other)
    if one < other:
        s.work[d.roots + other] = one
    else:
        s.work[d.roots + one] = other


@compiled
def _gather(s, d):
    """Note the regions, size and decided values of each part; return whether they are possible."""
    for place in range(d.size):
        root = s.work[d.roots + s.work[d.roots + place]]
        value = s.candidates[s.data[d.beside + place]]
        if value & (value - 1):
            value = np.int64(0)
        if root == place:
            s.work[d.sizes + place] = 1
            s.work[d.values + place] = value
            continue
        s.work[d.roots + place] = root
        if s.work[d.values + root] & value:
            return False
        s.work[d.values + root] |= value
        s.work[d.masks + root] &= s.work[d.masks + place]
        s.work[d.sizes + root] += 1
    return True


@compiled
def _join_known(s, d):
    """Join the parts of each region; return how many were joined, -1 for a contradiction.

    Other parts lose the regions that they do not fit into.
    """
    joined = np.int64(0)
    for region in range(d.regions):
        s.work[d.heads + region] = -1
    for place in range(d.size):
        mask = s.work[d.masks + place]
        if s.work[d.roots + place] != place or mask & (mask - 1):
            continue
        if mask == 0:
            return np.int64(-1)
        head = d.heads + lowest_bit(mask)
        if s.work[head] < 0:
            s.work[head] = place
        else:
            _unite(s, d, s.work[head], place)
            joined += 1
    if joined:
        return joined
    for place in range(d.size):
        mask = s.work[d.masks + place]
        if s.work[d.roots + place] != place or mask & (mask - 1) == 0:
            continue
        left = mask
        while left:
            head = s.work[d.heads + lowest_bit(left)]
            if head >= 0 and not _fit(s, d, place, head):
                mask ^= left & -left
            left &= left - 1
        if mask == 0 or s.work[d.sizes + place] > d.most:
            return np.int64(-1)
        if mask != s.work[d.masks + place]:
            s.work[d.masks + place] = mask
            joined += mask & (mask - 1) == 0
    for region in range(d.regions):
        head = s.work[d.heads + region]
        if head >= 0 and s.work[d.sizes + head] > d.most:
            return np.int64(-1)
    return joined


@compiled
def _fit(s, d, one, other):
    """Return whether two parts, by their roots, may be in one region."""
    return (
        s.work[d.sizes + one] + s.work[d.sizes + other] <= d.most
        and s.work[d.values + one] & s.work[d.values + other] == 0
        and s.work[d.masks + one] & s.work[d.masks + other] != 0
    )


@compiled
def _only_ways(s, d):
    """Join each part of unknown region to its only way on, if it has only one.

    Return how many were joined, -1 for a contradiction.
    """
    for place in range(d.size):
        s.work[d.ways + place] = -1
    column = np.int64(0)
    for place in range(d.size):
        root = s.work[d.roots + place]
        if column and place:
            _lead(s, d, s.work[d.roots + place - 1], root)
        if place >= d.columns:
            _lead(s, d, s.work[d.roots + place - d.columns], root)
        column = column + 1 if column + 1 < d.columns else np.int64(0)
    joined = np.int64(0)
    for place in range(d.size):
        mask = s.work[d.masks + place]
        if s.work[d.roots + place] == place and mask & (mask - 1):
            way = s.work[d.ways + place]
            if way >= 0:
                _unite(s, d, place, way)
                joined += 1
            elif way == -1 and s.work[d.sizes + place] < d.most:
                return np.int64(-1)
    return joined


@compiled
def _lead(s, d, one, other):
    """Note that there is a way between two parts."""
    joint = s.work[d.masks + one] & s.work[d.masks + other]
    if one == other or joint & (joint - 1) == 0 and (joint == 0 or joint == s.work[d.masks + one] == s.work[d.masks + other]):
        return
    if not _fit(s, d, one, other):
        return
    way = s.work[d.ways + one]
    if way != other:
        s.work[d.ways + one] = other if way == -1 else MANY
    way = s.work[d.ways + other]
    if way != one:
        s.work[d.ways + other] = one if way == -1 else MANY


@compiled
def _begin_region(s, d):
    """Begin a region with a part that fits into none begun so far; return whether there is one.

    Regions not begun so far are interchangeable: it is the first of them. Of several parts it is
    the largest; of these, one at the edge.
    """
    begun = np.int64(0)
    for region in range(d.regions):
        if s.work[d.heads + region] >= 0:
            begun |= ONE << region
    best, chosen = np.int64(-1), np.int64(0)
    for place in range(d.size):
        if s.work[d.roots + place] != place or s.work[d.masks + place] & begun:
            continue
        column = place % d.columns
        edge = column == 0 or column == d.columns - 1
        edge = edge or place < d.columns or place + d.columns >= d.size
        size = 2 * s.work[d.sizes + place] + edge
        if s.work[d.masks + place] & (s.work[d.masks + place] - 1) and size > best:
            best, chosen = size, place
    if best >= 0:
        s.work[d.masks + chosen] &= -s.work[d.masks + chosen]
    return np.int64(best >= 0)


@compiled
def _measure(s, d, runs, at):
    """Keep the lengths of runs that parts allow; return whether there are any."""
    for run in range(at, at + 4 * runs, 4):
        cell, size, places = s.data[run], s.data[run + 2], s.data[run + 3]
        if s.candidates[cell] & (s.candidates[cell] - 1) == 0:
            continue
        root = s.work[d.roots + s.data[places]]
        least = np.int64(1)
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
        more = s.data[run + 1]
        if not keep(s, cell, lengths >> more if more >= 0 else lengths << -more):
            return False
    return True


@compiled
def _differ(s, d):
    """Keep candidates so that the values of each region differ; return whether they can."""
    for region in range(2 * d.regions):
        s.work[d.once + region] = 0
    for place in range(d.size):
        root = s.work[d.roots + place]
        cell, regions = s.data[d.beside + place], s.work[d.masks + root]
        own = s.candidates[cell]
        if own & (own - 1) and s.work[d.sizes + root] > 1:
            if not keep(s, cell, ~s.work[d.values + root]):
                return False
            own = s.candidates[cell]
        left = regions
        while left:
            region = lowest_bit(left)
            left &= left - 1
            held, head = own, s.work[d.heads + region]
            if head >= 0 and head != root:
                held &= ~s.work[d.values + head]
            if held == 0:
                regions ^= ONE << region
            s.work[d.twice + region] |= s.work[d.once + region] & held
            s.work[d.once + region] |= held
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


@compiled
def _only_places(s, d, region, once):
    """Decide values with one place in a region, which needs them; return whether they can be."""
    for place in range(d.size):
        root = s.work[d.roots + place]
        if s.work[d.masks + root] >> region & 1:
            cell = s.data[d.beside + place]
            mine = s.candidates[cell] & once
            if mine:
                if size_of(mine) > 1 or not keep(s, cell, mine):
                    return False
                s.work[d.masks + root] = ONE << region
    return True
