"""The propagator of weighted sums, in three steps, each run only if earlier ones do not suffice.

1. The bounds of all terms.
2. Of cells that differ: terms of one weight whose cells all differ are a group. From the least
   value of each cell on, the next that is free: these add up to more than the least values do.
   The gain of a group tightens the bounds of all others.
3. With two or three open terms, the values in some sum, where cells that see each other differ.
   With more, reachable sums as the bits of a number: forwards over the terms, and back from the
   allowed sums. This finds all deductions from the sum alone. The bounds alone do so if all weights
   are 1 or -1 and two terms have at least as many values in a row, less one, as are missing between
   values of any term: then all other terms together reach every sum between their bounds.

A row: number of cells, the cells, the least sum, the largest sum, for each cell the place of the
steps of its weight, for each cell its weight, number of groups, and for each group its weight,
number of cells and the cells. Values start from 0 here, as bits do.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# Numba infers the types here and provides none for mypy.

from __future__ import annotations

import numpy as np

from unidoku.backends.native.single import registers as reg
from unidoku.backends.native.single.kinds import CELLS_AT_ONCE, MAX_VALUES, VALUES_AT_ONCE
from unidoku.backends.native.single.state import (
    ALL_THAT_FOLLOWS,
    CONTRADICTION,
    MORE_MAY_FOLLOW,
    ONE,
    all_that_follows,
    compiled,
    highest_bit,
    keep,
    lowest_bit,
    size_of,
)
from unidoku.backends.native.single.vector import sums_with, sums_without

FEW = 3
"""Open terms of a sum all of whose values are tried, so that cells that see each other differ."""

FIGURES = 4
"""Figures of a group that are kept in the work array: as many least values that its cells can
differ in, and largest, and how much more than the bounds of its cells these sum to, and less."""


@compiled
def weighted_sum(s, row):
    """Keep the values that some sum within the bounds uses; return what was found."""
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
        if changed != 0:  # the constraint is in the queue again because its bounds have changed
            return MORE_MAY_FOLLOW if changed > 0 else CONTRADICTION
    count = _open_terms(s, row)
    if 1 < count <= FEW:
        return all_that_follows(_few(s, row, count, low, high))
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
    """Return the set of values up to a value, inclusive; all values if it is large."""
    return np.int64(-1) if value >= MAX_VALUES else (np.int64(2) << value) - 1


@compiled
def _from(value):
    """Return the set of values from a value on; all if it is negative, none if it is large."""
    return np.int64(0) if value > MAX_VALUES else ~((ONE << max(value, 0)) - 1)


@compiled
def _slack(weight, up, down):
    """Return how far values of a term may rise and fall, given how far the sum may."""
    if weight > 0:
        return up // weight, down // weight
    return down // -weight, up // -weight


@compiled
def _bounds(s, row, up, down):
    """Keep the values of each term that the bounds of all other terms allow."""
    size = s.data[row]
    for place in range(size - 1, -1, -1):
        cell = s.data[row + 1 + place]
        mask = s.candidates[cell]
        rise, fall = _slack(s.data[row + 3 + 2 * size + place], up, down)
        if not keep(s, cell, _up_to(lowest_bit(mask) + rise) & _from(highest_bit(mask) - fall)):
            return False
    return True


@compiled
def _gain(s, at, figures):
    """Write the figures of a group; return whether it has enough values."""
    size = s.data[at + 1]
    alone_low = alone_high = union = np.int64(0)
    for place in range(at + 2, at + 2 + size):
        mask = s.candidates[s.data[place]]
        union |= mask
        alone_low += lowest_bit(mask)
        alone_high += highest_bit(mask)
    lows = highs = least = most = np.int64(0)
    for place in range(at + 2, at + 2 + size):
        mask = s.candidates[s.data[place]]
        above = union & ~lows & -(mask & -mask)
        below = union & ~highs & _up_to(highest_bit(mask))
        if above == 0 or below == 0:
            return False
        lows |= above & -above
        least += lowest_bit(above)
        value = highest_bit(below)
        highs |= ONE << value
        most += value
    s.work[figures] = lows
    s.work[figures + 1] = highs
    s.work[figures + 2] = least - alone_low
    s.work[figures + 3] = alone_high - most
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
    """Narrow the cells of a group whose values may rise and fall by these amounts.

    Each of k values that differ is as near to one of the least ones, and to one of the largest. In
    a group that did not gain, each cell is to its own.
    """
    near = _smeared(s.work[figures], rise) & _smeared_down(s.work[figures + 1], fall)
    alone_low, alone_high = s.work[figures + 2] == 0, s.work[figures + 3] == 0
    changed = 0
    for place in range(at + 2, at + 2 + s.data[at + 1]):
        cell = s.data[place]
        mask = s.candidates[cell]
        allowed = near
        if alone_low:
            allowed &= _up_to(lowest_bit(mask) + rise)
        if alone_high:
            allowed &= _from(highest_bit(mask) - fall)
        if mask & ~allowed:
            if not keep(s, cell, allowed):
                return -1
            changed = 1
    return changed


@compiled
def _smeared(values, most):
    """Return the values that are at most a distance above one of some values."""
    if most >= MAX_VALUES:
        return -(values & -values)
    done, more = np.int64(0), np.int64(1)
    while done < most:
        more = min(done + 1, most - done)
        values |= values << more
        done += more
    return values


@compiled
def _smeared_down(values, most):
    """Return the values that are at most a distance below one of some values."""
    if most >= MAX_VALUES:
        return _up_to(highest_bit(values))
    done, more = np.int64(0), np.int64(1)
    while done < most:
        more = min(done + 1, most - done)
        values |= values >> more
        done += more
    return values


@compiled
def _open_terms(s, row):
    """Return how many terms are open, one more than few if it is more; write down which."""
    count = np.int64(0)
    for place in range(s.data[row]):
        mask = s.candidates[s.data[row + 1 + place]]
        if mask & (mask - 1):
            if count == FEW:
                return count + 1
            s.work[count] = place
            count += 1
    return count


@compiled
def _few(s, row, count, low, high):
    """Leave the values of two or three open terms that are in some sum of the row."""
    size = s.data[row]
    weights = row + 3 + 2 * size
    for place in range(size):
        mask = s.candidates[s.data[row + 1 + place]]
        if mask & (mask - 1) == 0:
            part = s.data[weights + place] * lowest_bit(mask)
            low -= part
            high -= part
    a, b, c = s.work[0], s.work[1], s.work[2] if count == FEW else s.work[0]
    cell_a, cell_b, cell_c = s.data[row + 1 + a], s.data[row + 1 + b], s.data[row + 1 + c]
    weight_a, weight_b, weight_c = s.data[weights + a], s.data[weights + b], s.data[weights + c]
    a_sees_b = _sees(s, cell_a, cell_b)
    if count < FEW:
        kept_a, kept_b = _pair(
            s.candidates[cell_a], s.candidates[cell_b], weight_a, weight_b, low, high, a_sees_b
        )
        return keep(s, cell_a, kept_a) and keep(s, cell_b, kept_b)
    c_sees_a, c_sees_b = _sees(s, cell_c, cell_a), _sees(s, cell_c, cell_b)
    left = s.candidates[cell_c]
    kept_a = kept_b = kept_c = np.int64(0)
    while left:
        value = left & -left
        left ^= value
        part = weight_c * lowest_bit(value)
        of_a = s.candidates[cell_a] & ~(value * c_sees_a)
        of_b = s.candidates[cell_b] & ~(value * c_sees_b)
        more_a, more_b = _pair(of_a, of_b, weight_a, weight_b, low - part, high - part, a_sees_b)
        if more_a:
            kept_a |= more_a
            kept_b |= more_b
            kept_c |= value
    return keep(s, cell_a, kept_a) and keep(s, cell_b, kept_b) and keep(s, cell_c, kept_c)


@compiled
def _sees(s, one, other):
    """Return 1 if two cells differ, else 0."""
    blocks = (s.registers[reg.CELLS] + CELLS_AT_ONCE - 1) // CELLS_AT_ONCE
    seen = np.int64(s.seen[one * blocks + other // CELLS_AT_ONCE])
    return seen >> other % CELLS_AT_ONCE & 1


@compiled
def _pair(of_a, of_b, weight_a, weight_b, low, high, differ):
    """Return what two terms can be that sum to no less than one number and no more than another."""
    kept_a = kept_b = np.int64(0)
    while of_a:
        value = of_a & -of_a
        of_a ^= value
        part = weight_a * lowest_bit(value)
        first, last = low - part, high - part
        if weight_b < 0:
            first, last = -last, -first
        if weight_b * weight_b != 1:
            size = abs(weight_b)
            first, last = -(-first // size), last // size
        found = of_b & _from(first) & _up_to(last) & ~(value * differ) if last >= 0 else 0
        if found:
            kept_a |= value
            kept_b |= found
    return kept_a, kept_b


@compiled
def _shifted(mask, places):
    """Return a set with its values moved down by so many places, or up if that is negative."""
    return mask >> places if places >= 0 else mask << -places


@compiled
def _reached(s, row, rising, most, first):
    """Keep the values that some sum from ``first`` to ``most`` uses.

    Sums are counted from the least one if ``rising``, otherwise from the largest one downwards. The
    value of a term that is nearest to that end adds nothing, and each other value its step.
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
