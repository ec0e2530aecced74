"""The propagator of weighted sums, in three steps, each only if the one before left it open.

1. The bounds of all terms.
2. Of cells that differ: terms of one weight whose cells all differ are a group, and k different
   values add up to more than the k least bounds. What a group gains tightens all the others.
3. Which sums can be reached at all, as the bits of a number: forwards over the terms, and back
   from the sums that are allowed. All that follows from the sum alone. Bounds say as much where all
   weights are 1 or -1 and two terms have more values in a row than are missing between others: with
   one of them no sum between the bounds of all terms but one is out of reach.

A row: how many cells, the cells, the least sum, the largest, for each cell the place of the
steps of its weight, for each cell its weight, how many groups, and for each its weight, how
many cells, the cells. Values count from 0 here, as bits do.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# Numba infers the types here, and has none for mypy.

from __future__ import annotations

import numpy as np

from unidoku.backends.native.single.kinds import MAX_VALUES, VALUES_AT_ONCE
from unidoku.backends.native.single.state import (
    ALL_THAT_FOLLOWS,
    CONTRADICTION,
    MORE_MAY_FOLLOW,
    ONE,
    compiled,
    highest_bit,
    keep,
    lowest_bit,
    size_of,
)
from unidoku.backends.native.single.vector import sums_with, sums_without

FIGURES = 4
"""Figures of a group that are kept in the work array: where its k-th least and k-th largest value
are, and how much more than the bounds of its cells its sum is at least, and less at most."""


@compiled
def weighted_sum(s, row):
    """Leave the values of cells that some sum within the bounds needs; tell what was found."""
    size = s.data[row]
    low, high = s.data[row + size + 1], s.data[row + size + 2]
    weights = row + 3 + 2 * size
    groups = weights + size
    least = most = missing = widest = second = heavy = np.int64(0)
    for place in range(size):
        mask, weight = s.candidates[s.data[row + 1 + place]], s.data[weights + place]
        bottom, top = lowest_bit(mask), highest_bit(mask)
        lacking = top - bottom + 1 - size_of(mask)
        missing = max(missing, lacking)
        even = top - bottom if lacking == 0 else np.int64(0)
        second = max(second, min(even, widest))
        widest = max(even, widest)
        if weight > 0:
            heavy |= weight - 1
            least += weight * bottom
            most += weight * top
        else:
            heavy |= weight + 1
            least += weight * top
            most += weight * bottom
    if least > high or most < low:
        return CONTRADICTION
    if least >= low and most <= high:
        return ALL_THAT_FOLLOWS
    if s.data[groups]:
        changed = _of_groups(s, groups, 2 * size, least, most, low, high)
        if changed != 0:  # its own constraint is in the queue again: the bounds are others now
            return MORE_MAY_FOLLOW if changed > 0 else CONTRADICTION
    if heavy == 0 and missing <= second:
        fits = _bounds(s, row, high - least, most - low)
    elif high - least <= MAX_VALUES:
        fits = _reached(s, row, 1, high - least, low - least)
    elif most - low <= MAX_VALUES:
        fits = _reached(s, row, 0, most - low, most - high)
    else:
        return MORE_MAY_FOLLOW if _bounds(s, row, high - least, most - low) else CONTRADICTION
    if not fits:
        return CONTRADICTION
    return MORE_MAY_FOLLOW if s.data[groups] else ALL_THAT_FOLLOWS


@compiled
def _up_to(value):
    """Return the set of values up to one, itself among them; of all if it is large."""
    return np.int64(-1) if value >= MAX_VALUES else (np.int64(2) << value) - 1


@compiled
def _from(value):
    """Return the set of values from one on; of all if it is negative, of none if it is large."""
    return np.int64(0) if value > MAX_VALUES else ~((ONE << max(value, 0)) - 1)


@compiled
def _slack(weight, up, down):
    """Return how far values of a term may rise and fall, where its sum may by so much."""
    if weight > 0:
        return up // weight, down // weight
    return down // -weight, up // -weight


@compiled
def _bounds(s, row, up, down):
    """Leave the values of each term that the bounds of all others allow."""
    size = s.data[row]
    for place in range(size):
        cell = s.data[row + 1 + place]
        mask = s.candidates[cell]
        rise, fall = _slack(s.data[row + 3 + 2 * size + place], up, down)
        if not keep(s, cell, _up_to(lowest_bit(mask) + rise) & _from(highest_bit(mask) - fall)):
            return False
    return True


@compiled
def _gain(s, at, figures):
    """Write the figures of a group; tell whether it has values enough."""
    size = s.data[at + 1]
    if size == 1:
        mask = s.candidates[s.data[at + 2]]
        s.work[figures], s.work[figures + 1] = lowest_bit(mask), highest_bit(mask)
        s.work[figures + 2] = s.work[figures + 3] = 0
        return True
    alone_low = alone_high = union = np.int64(0)
    for place in range(at + 2, at + 2 + size):
        mask = s.candidates[s.data[place]]
        union |= mask
        alone_low += lowest_bit(mask)
        alone_high += highest_bit(mask)
    if size_of(union) < size:
        return False
    least = most = last_low = last_high = np.int64(0)
    left = union
    for _ in range(size):
        last_low = lowest_bit(left)
        least += last_low
        left &= left - 1
    left = union
    for _ in range(size):
        last_high = highest_bit(left)
        most += last_high
        left ^= ONE << last_high
    s.work[figures] = last_low
    s.work[figures + 1] = last_high
    s.work[figures + 2] = max(least - alone_low, 0)
    s.work[figures + 3] = max(alone_high - most, 0)
    return True


@compiled
def _of_groups(s, groups, figures, least, most, low, high):
    """Narrow the cells of groups by what all groups gain, if one of them gains anything.

    Returns:
        -1 for a contradiction, 1 if a cell was narrowed, else 0.
    """
    at, gains = groups + 1, np.int64(0)
    for group in range(s.data[groups]):
        weight, own = s.data[at], figures + FIGURES * group
        if not _gain(s, at, own):
            return -1
        gains |= s.work[own + 2] | s.work[own + 3]
        if weight > 0:
            least += weight * s.work[own + 2]
            most -= weight * s.work[own + 3]
        else:
            least -= weight * s.work[own + 3]
            most += weight * s.work[own + 2]
        at += 2 + s.data[at + 1]
    if gains == 0:
        return 0
    if least > high or most < low:
        return -1
    changed = 0
    at = groups + 1
    for group in range(s.data[groups]):
        rise, fall = _slack(s.data[at], high - least, most - low)
        found = _narrow_group(s, at, figures + FIGURES * group, rise, fall)
        if found < 0:
            return -1
        changed |= found
        at += 2 + s.data[at + 1]
    return changed


@compiled
def _narrow_group(s, at, figures, rise, fall):
    """Narrow the cells of a group whose values may rise and fall by so much.

    In a group that gained, a value in place of the k-th least exceeds it by the rise at most; in
    one that did not, each cell its own least.
    """
    least, most = s.work[figures] + rise, s.work[figures + 1] - fall
    gains_low, gains_high = s.work[figures + 2] > 0, s.work[figures + 3] > 0
    changed = 0
    for place in range(at + 2, at + 2 + s.data[at + 1]):
        cell = s.data[place]
        mask = s.candidates[cell]
        top = least if gains_low else lowest_bit(mask) + rise
        bottom = most if gains_high else highest_bit(mask) - fall
        if not keep(s, cell, _up_to(top) & _from(bottom)):
            return -1
        if s.candidates[cell] != mask:
            changed = 1
    return changed


@compiled
def _shifted(mask, places):
    """Return a set with its values moved down by so many places, or up if that is negative."""
    return mask >> places if places >= 0 else mask << -places


@compiled
def _reached(s, row, rising, most, first):
    """Leave the values that some sum from ``first`` to ``most`` needs.

    Sums count from the least that there is if ``rising``, else from the largest downwards. Each
    term adds nothing by the value that is nearest to its end, its base, and by others their step.
    """
    size = s.data[row]
    cells, steps, weights = row + 1, row + 3 + size, row + 3 + 2 * size
    everything = _up_to(most)
    sums = ONE
    for place in range(size):
        s.work[place] = sums
        mask, at = s.candidates[s.data[cells + place]], s.data[steps + place]
        up = (s.data[weights + place] > 0) == (rising > 0)
        if mask & (mask - 1):
            nearest, at = _nearest(mask, at, up)
            reached = sums
            for more in range(0, highest_bit(mask) - lowest_bit(mask), VALUES_AT_ONCE):
                own = _shifted(mask, nearest + more if up else nearest - more)
                reached |= sums_with(sums, s.data, at + 2 * more, most, own)
            sums = reached & everything
    sums &= _from(first)
    for place in range(size - 1, -1, -1):
        cell, at, before = s.data[cells + place], s.data[steps + place], s.work[place]
        mask = s.candidates[cell]
        up = (s.data[weights + place] > 0) == (rising > 0)
        reached = sums & before
        if mask & (mask - 1) == 0:
            if reached == 0:
                return False
        else:
            kept = np.int64(0)
            if reached:
                kept = mask & -mask if up else ONE << highest_bit(mask)
            nearest, at = _nearest(mask, at, up)
            for more in range(0, highest_bit(mask) - lowest_bit(mask), VALUES_AT_ONCE):
                down = nearest + more if up else nearest - more
                own = _shifted(mask, down)
                some, leads = sums_without(sums, before, s.data, at + 2 * more, most, own)
                reached |= some
                kept |= _shifted(leads, -down)
            if not keep(s, cell, kept):
                return False
        sums = reached
    return True


@compiled
def _nearest(mask, at, up):
    """Return the least of the first values to step to from the base, and where their steps are."""
    if up:
        return lowest_bit(mask) + 1, at
    return highest_bit(mask) - VALUES_AT_ONCE, at + VALUES_AT_ONCE
