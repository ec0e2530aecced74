"""Propagators of relations, units, sets of values and cells that hold the same ones.

Each is handed the place of its row, leaves only candidates that fit, and returns False for a
contradiction.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# Numba infers the types here, and has none for mypy.

from __future__ import annotations

import numpy as np

from unidoku.backends.native.single.kinds import CHUNK
from unidoku.backends.native.single.state import compiled, keep, narrow, size_of
from unidoku.backends.native.single.vector import fit_sets

_ENTRIES = 1 << CHUNK


@compiled
def relation(s, row):
    """Leave the second cell what some value of the first allows, six values at a time."""
    left, table = s.candidates[s.data[row + 1]], s.data[row + 3]
    allowed = np.int64(0)
    while left:
        allowed |= s.data[table + (left & (_ENTRIES - 1))]
        left >>= CHUNK
        table += _ENTRIES
    return keep(s, s.data[row + 2], allowed)


@compiled
def unit(s, row):
    """Of cells that differ: where as many values are left as cells, each value has a place."""
    first, end = row + 1, row + 1 + s.data[row]
    once = twice = single = np.int64(0)
    for place in range(first, end):
        mask = s.candidates[s.data[place]]
        twice |= once & mask
        once |= mask
        if mask & (mask - 1) == 0:
            single |= mask
    left = size_of(once)
    if left != s.data[row]:
        return left > s.data[row]
    hidden = once & ~twice & ~single
    if hidden:
        for place in range(first, end):
            mask = s.candidates[s.data[place]] & hidden
            if mask:
                if mask & (mask - 1):
                    return False
                narrow(s, s.data[place], mask)
    return True


@compiled
def sets(s, row):
    """Of cells that differ and hold one of some sets: what fits in some of the sets."""
    size = s.data[row]
    vectors, at = s.data[row + size + 1], s.data[row + size + 2]
    for place in range(size):
        s.work[place] = s.candidates[s.data[row + 1 + place]]
        s.work[size + place] = 0
    fit_sets(s.work, s.data, at, vectors, size)
    fits = True
    for place in range(size):
        fits &= keep(s, s.data[row + 1 + place], s.work[size + place])
    return fits


@compiled
def counted(s, row):
    """Of two lists that hold the same values: each as often as it must, and may, in both."""
    first, end = row + 1, row + 1 + s.data[row]
    middle = first + s.data[end]
    left = np.int64(0)
    for place in range(first, end):
        left |= s.candidates[s.data[place]]
    while left:
        value = left & -left
        left ^= value
        may_here, must_here = _places(s, first, middle, value)
        may_there, must_there = _places(s, middle, end, value)
        least, most = max(must_here, must_there), min(may_here, may_there)
        if least > most:
            return False
        _bound(s, first, middle, value, may_here == least, must_here == most)
        _bound(s, middle, end, value, may_there == least, must_there == most)
    return True


@compiled
def _places(s, first, end, value):
    """Return how many cells may hold a value, and how many do."""
    may = must = 0
    for place in range(first, end):
        mask = s.candidates[s.data[place]]
        if mask & value:
            may += 1
            if mask == value:
                must += 1
    return may, must


@compiled
def _bound(s, first, end, value, everywhere, nowhere):
    """Place a value in all cells that may hold it, or take it from those that need not."""
    for place in range(first, end):
        mask = s.candidates[s.data[place]]
        if mask & value and mask != value:
            if everywhere:
                narrow(s, s.data[place], value)
            elif nowhere:
                narrow(s, s.data[place], mask ^ value)


@compiled
def same(s, row):
    """Of two sets of cells that hold the same values: what both can hold."""
    first, end = row + 1, row + 1 + s.data[row]
    middle = first + s.data[end]
    here = there = np.int64(0)
    for place in range(first, middle):
        here |= s.candidates[s.data[place]]
    for place in range(middle, end):
        there |= s.candidates[s.data[place]]
    if here != there:
        for place in range(first, end):
            if not keep(s, s.data[place], here & there):
                return False
    return True
