"""The propagator of weighted sums, in three steps, each run only if earlier ones do not suffice.

1. The bounds of all terms.
2. Groups: terms of one weight whose cells all differ. If each cell takes the next free value from
   its least one on, the group sums to more than the least values of its cells do, and likewise to
   less than the largest. This gain tightens the bounds of all other terms.
   Two or three open terms do not need this, except in the branches of alternatives.
3. With two or three open terms, the values in some sum, where cells that see each other differ.
   With more, reachable sums as the bits of a number: forwards over the terms, and back from the
   allowed sums. This finds all deductions from the sum alone. The bounds alone do so if all weights
   are 1 or -1 and no term lacks more values than the others without gaps have steps: then all terms
   but one together reach every sum between their bounds.

Values start from 0 here, as bits do. The row is `SumRow`.
"""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import (
    VALUES_AT_ONCE,
    lowest_bit,
    size_of,
    sums_with,
    sums_without,
)
from unidoku.backends.native.single.search.kinds import MAX_VALUES
from unidoku.backends.native.single.search.peers import sees
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.rows import sum_row
from unidoku.backends.native.single.search.state import (
    ALL_THAT_FOLLOWS,
    CONTRADICTION,
    MORE_MAY_FOLLOW,
    Search,
    all_that_follows,
    from_value,
    highest_bit,
    keep,
    reversed_bits,
    shifted,
    up_to,
)

MOST_OPEN = 3
"""Open terms of a sum all of whose values are tried."""

FIGURES = 4
"""Numbers of a group in the work array: the set of the least different values that its cells can
have, the set of the largest, and how much they tighten the lower and the upper bound."""


def weighted_sum(s: Search, row: int) -> int:
    """Keep the values that some sum within the bounds uses; return what was found."""
    size, cells, low, high, _, weights, groups = sum_row(s, row)
    least = most = missing = even = widest = heavy = union = count = 0
    for index in range(size):
        mask, weight = s.candidates[s.data[cells + index]], s.data[weights + index]
        bottom, top = lowest_bit(mask), highest_bit(mask)
        lacking = top - bottom + 1 - size_of(mask)
        smooth = top - bottom if lacking == 0 else 0
        missing = max(missing, lacking)
        even += smooth
        widest = max(widest, smooth)
        union |= mask
        count += bottom != top
        heavy |= abs(weight) - 1
        least += min(weight * bottom, weight * top)
        most += max(weight * bottom, weight * top)
    if least > high or most < low:
        return CONTRADICTION
    if least >= low and most <= high:
        return ALL_THAT_FOLLOWS
    up, down = high - least, most - low
    farthest = highest_bit(union) - lowest_bit(union)
    is_few = 1 < count <= MOST_OPEN
    if s.data[groups] and not (is_few and s.registers[Register.BRANCHES] == 0):
        far = farthest * (heavy + 1)
        changed = _of_groups(s, groups, 2 * size, least, most, low, high, far)
        if changed != 0:  # the constraint is in the queue again because its bounds have changed
            return MORE_MAY_FOLLOW if changed > 0 else CONTRADICTION
    if is_few:
        return all_that_follows(_short_sum(s, row, count, low, high, heavy))
    if heavy == 0 and (count == 1 or missing <= even - widest):
        fits = (up >= farthest and down >= farthest) or _bounds(s, row, up, down)
    elif up <= MAX_VALUES:
        fits = _reached(s, row, 1, up, low - least)
    elif down <= MAX_VALUES:
        fits = _reached(s, row, 0, down, most - high)
    else:
        return MORE_MAY_FOLLOW if _bounds(s, row, up, down) else CONTRADICTION
    if not fits:
        return CONTRADICTION
    return MORE_MAY_FOLLOW if s.data[groups] else ALL_THAT_FOLLOWS


def _short_sum(s: Search, row: int, count: int, low: int, high: int, heavy: int) -> int:
    """Leave the values of two or three open terms that are in some sum of the row.

    Cells that see each other differ. If the sum is exact and all weights are 1 or -1, the values of
    two terms are looked up at once: those of the second, reversed if both terms are added, are
    moved to where the first one needs them.
    """
    size, cells, _, _, _, weights, _ = sum_row(s, row)
    written = 0
    for index in range(size):
        mask = s.candidates[s.data[cells + index]]
        if mask & (mask - 1):
            s.work[written] = index
            written += 1
        else:
            part = s.data[weights + index] * lowest_bit(mask)
            low -= part
            high -= part
    a, b, c = s.work[0], s.work[1], s.work[2] if count == MOST_OPEN else s.work[0]
    terms = s.data[cells + a], s.data[cells + b], s.data[cells + c]
    factors = s.data[weights + a], s.data[weights + b], s.data[weights + c]
    if low == high and heavy == 0:
        return _exact(s, terms, factors, count, low)
    return _bounded(s, terms, factors, count, low, high)


def _exact(
    s: Search, cells: tuple[int, int, int], factors: tuple[int, int, int], count: int, total: int
) -> int:
    """Leave the values of terms that sum to a number."""
    cell_a, cell_b, cell_c = cells
    weight_a, weight_b, weight_c = factors
    added = weight_a == weight_b
    of_a, of_b = s.candidates[cell_a], s.candidates[cell_b]
    above = weight_a * total
    if added:
        of_b = reversed_bits(of_b)
        above -= MAX_VALUES
    a_sees_b = sees(s, cell_a, cell_b)
    allowed_a = allowed_b = allowed_c = 0
    if count < MOST_OPEN:
        allowed_a, allowed_b = _met(of_a, of_b, above, added, a_sees_b)
    else:
        c_sees_a, c_sees_b = sees(s, cell_c, cell_a), sees(s, cell_c, cell_b)
        left, step = s.candidates[cell_c], weight_a * weight_c
        while left:
            value = left & -left
            left ^= value
            value_of_b = reversed_bits(value) if added else value
            met_a, met_b = _met(
                of_a & ~(value * c_sees_a),
                of_b & ~(value_of_b * c_sees_b),
                above - step * lowest_bit(value),
                added,
                a_sees_b,
            )
            allowed_a |= met_a
            allowed_b |= met_b
            allowed_c |= value if met_a else 0
    if added:
        allowed_b = reversed_bits(allowed_b)
    fits = keep(s, cell_a, allowed_a) and keep(s, cell_b, allowed_b)
    return fits and (count < MOST_OPEN or keep(s, cell_c, allowed_c))


def _met(of_a: int, of_b: int, above: int, added: int, differ: int) -> tuple[int, int]:
    """Return the values of a that are so far above a value of b, and those values of b.

    If they have to differ, they are not the same value, the one of b reversed if both are added.
    """
    if above > MAX_VALUES or above < -MAX_VALUES:
        return 0, 0
    allowed = of_a & shifted(of_b, above)
    if differ:
        if not added:
            allowed &= -int(above != 0)
        elif above & 1 == 0:
            allowed &= ~(1 << ((above + MAX_VALUES) >> 1))
    return allowed, shifted(allowed, -above)


def _bounded(
    s: Search,
    cells: tuple[int, int, int],
    factors: tuple[int, int, int],
    count: int,
    low: int,
    high: int,
) -> bool:
    """Leave the values of terms that sum to no less than one number and no more than another."""
    cell_a, cell_b, cell_c = cells
    weight_a, weight_b, weight_c = factors
    a_sees_b = sees(s, cell_a, cell_b)
    if count < MOST_OPEN:
        allowed_a, allowed_b = _pair(
            s.candidates[cell_a], s.candidates[cell_b], weight_a, weight_b, low, high, a_sees_b
        )
        return keep(s, cell_a, allowed_a) and keep(s, cell_b, allowed_b)
    c_sees_a, c_sees_b = sees(s, cell_c, cell_a), sees(s, cell_c, cell_b)
    left = s.candidates[cell_c]
    allowed_a = allowed_b = allowed_c = 0
    while left:
        value = left & -left
        left ^= value
        part = weight_c * lowest_bit(value)
        of_a = s.candidates[cell_a] & ~(value * c_sees_a)
        of_b = s.candidates[cell_b] & ~(value * c_sees_b)
        met_a, met_b = _pair(of_a, of_b, weight_a, weight_b, low - part, high - part, a_sees_b)
        if met_a:
            allowed_a |= met_a
            allowed_b |= met_b
            allowed_c |= value
    return keep(s, cell_a, allowed_a) and keep(s, cell_b, allowed_b) and keep(s, cell_c, allowed_c)


def _pair(
    of_a: int, of_b: int, weight_a: int, weight_b: int, low: int, high: int, differ: int
) -> tuple[int, int]:
    """Return what two terms can be that sum to no less than one number and no more than another."""
    allowed_a = allowed_b = 0
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
        values_b = of_b & from_value(first) & up_to(last) & ~(value * differ) if last >= 0 else 0
        if values_b:
            allowed_a |= value
            allowed_b |= values_b
    return allowed_a, allowed_b


def _slack(weight: int, up: int, down: int) -> tuple[int, int]:
    """Return how far values of a term may rise and fall, given how far the sum may."""
    if weight > 0:
        return up // weight, down // weight
    return down // -weight, up // -weight


def _bounds(s: Search, row: int, up: int, down: int) -> bool:
    """Keep the values of each term that the bounds of all other terms allow."""
    size, cells, _, _, _, weights, _ = sum_row(s, row)
    for index in range(size - 1, -1, -1):
        cell = s.data[cells + index]
        mask = s.candidates[cell]
        rise, fall = _slack(s.data[weights + index], up, down)
        if not keep(s, cell, up_to(lowest_bit(mask) + rise) & from_value(highest_bit(mask) - fall)):
            return False
    return True


def _gain(s: Search, at: int, figures: int) -> bool:
    """Write the figures of a group; return whether it has enough values."""
    size = s.data[at + 1]
    alone_low = alone_high = union = 0
    for index in range(at + 2, at + 2 + size):
        mask = s.candidates[s.data[index]]
        union |= mask
        alone_low += lowest_bit(mask)
        alone_high += highest_bit(mask)
    lows = highs = least = most = 0
    for index in range(at + 2, at + 2 + size):
        mask = s.candidates[s.data[index]]
        above = union & ~lows & -(mask & -mask)
        below = union & ~highs & up_to(highest_bit(mask))
        if above == 0 or below == 0:
            return False
        lows |= above & -above
        least += lowest_bit(above)
        value = highest_bit(below)
        highs |= 1 << value
        most += value
    s.work[figures] = lows
    s.work[figures + 1] = highs
    s.work[figures + 2] = least - alone_low
    s.work[figures + 3] = alone_high - most
    return True


def _of_groups(
    s: Search, groups: int, figures: int, least: int, most: int, low: int, high: int, far: int
) -> int:
    """Narrow the cells of groups by what all groups gain, if one of them gains anything.

    Nothing follows if the sum may rise and fall by ``far``, as far as any term does.

    Returns:
        -1 for a contradiction, 1 if a cell was narrowed, else 0.
    """
    at, gains = groups + 1, 0
    for group in range(s.data[groups]):
        weight, of_group = s.data[at], figures + FIGURES * group
        if not _gain(s, at, of_group):
            return -1
        gains |= s.work[of_group + 2] | s.work[of_group + 3]
        if weight > 0:
            least += weight * s.work[of_group + 2]
            most -= weight * s.work[of_group + 3]
        else:
            least -= weight * s.work[of_group + 3]
            most += weight * s.work[of_group + 2]
        at += 2 + s.data[at + 1]
    if gains == 0:
        return 0
    if least > high or most < low:
        return -1
    if high - least >= far and most - low >= far:
        return 0
    changed = 0
    at = groups + 1
    for group in range(s.data[groups]):
        rise, fall = _slack(s.data[at], high - least, most - low)
        outcome = _narrow_group(s, at, figures + FIGURES * group, rise, fall)
        if outcome < 0:
            return -1
        changed |= outcome
        at += 2 + s.data[at + 1]
    return changed


def _narrow_group(s: Search, at: int, figures: int, rise: int, fall: int) -> int:
    """Narrow the cells of a group whose values may rise and fall by these amounts.

    Each value is at most ``rise`` above one of the least values of the group, and at most ``fall``
    below one of the largest. If the group gained nothing, the bounds of the cell itself apply too.
    """
    near = _smeared(s.work[figures], rise) & _smeared_down(s.work[figures + 1], fall)
    alone_low, alone_high = s.work[figures + 2] == 0, s.work[figures + 3] == 0
    changed = 0
    for index in range(at + 2, at + 2 + s.data[at + 1]):
        cell = s.data[index]
        mask = s.candidates[cell]
        allowed = near
        if alone_low:
            allowed &= up_to(lowest_bit(mask) + rise)
        if alone_high:
            allowed &= from_value(highest_bit(mask) - fall)
        if mask & ~allowed:
            if not keep(s, cell, allowed):
                return -1
            changed = 1
    return changed


def _smeared(values: int, most: int) -> int:
    """Return the values that are at most a distance above one of some values."""
    if most >= MAX_VALUES:
        return -(values & -values)
    distance, step = 0, 1
    while distance < most:
        step = min(distance + 1, most - distance)
        values |= values << step
        distance += step
    return values


def _smeared_down(values: int, most: int) -> int:
    """Return the values that are at most a distance below one of some values."""
    if most >= MAX_VALUES:
        return up_to(highest_bit(values))
    distance, step = 0, 1
    while distance < most:
        step = min(distance + 1, most - distance)
        values |= values >> step
        distance += step
    return values


def _reached(s: Search, row: int, rising: int, most: int, first: int) -> bool:
    """Keep the values that some sum from ``first`` to ``most`` uses.

    Sums are counted from the least one if ``rising``, otherwise from the largest one downwards. The
    value of a term that is nearest to that end adds nothing, and each other value its step.
    """
    size, cells, _, _, steps, weights, _ = sum_row(s, row)
    everything = up_to(most)
    sums = 1
    for index in range(size):
        s.work[index] = sums
        mask, at = s.candidates[s.data[cells + index]], steps + s.data[steps + index]
        up = (s.data[weights + index] > 0) == (rising > 0)
        if mask & (mask - 1):
            nearest, at = _nearest(mask, at, up)
            reached = sums
            for begin in range(0, highest_bit(mask) - lowest_bit(mask), VALUES_AT_ONCE):
                values = shifted(mask, -nearest - begin if up else begin - nearest)
                reached |= sums_with(sums, s.data, at + 2 * begin, most, values)
            sums = reached & everything
    sums &= from_value(first)
    for index in range(size - 1, -1, -1):
        cell, at = s.data[cells + index], steps + s.data[steps + index]
        before = s.work[index]
        mask = s.candidates[cell]
        up = (s.data[weights + index] > 0) == (rising > 0)
        reached = sums & before
        if mask & (mask - 1) == 0:
            if reached == 0:
                return False
        else:
            allowed = 0
            if reached:
                allowed = mask & -mask if up else 1 << highest_bit(mask)
            nearest, at = _nearest(mask, at, up)
            for begin in range(0, highest_bit(mask) - lowest_bit(mask), VALUES_AT_ONCE):
                distance = nearest + begin if up else nearest - begin
                values = shifted(mask, -distance)
                sources, leads = sums_without(sums, before, s.data, at + 2 * begin, most, values)
                reached |= sources
                allowed |= shifted(leads, distance)
            if not keep(s, cell, allowed):
                return False
        sums = reached
    return True


def _nearest(mask: int, at: int, up: int) -> tuple[int, int]:
    """Return the least of the first values to step to from the base, and where their steps are."""
    if up:
        return lowest_bit(mask) + 1, at
    return highest_bit(mask) - VALUES_AT_ONCE, at + VALUES_AT_ONCE
