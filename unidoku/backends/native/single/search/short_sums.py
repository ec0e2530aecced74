"""Sums with two or three open terms: all combinations of their values.

Cells that see each other differ. If the sum is exact and all weights are 1 or -1, the values of two
terms are looked up at once: those of the second, reversed if both terms are added, are moved to
where the first one needs them.
"""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import lowest_bit
from unidoku.backends.native.single.search.kinds import MAX_VALUES
from unidoku.backends.native.single.search.peers import sees
from unidoku.backends.native.single.search.rows import sum_row
from unidoku.backends.native.single.search.state import (
    Search,
    from_value,
    keep,
    reversed_bits,
    shifted,
    up_to,
)

MOST_OPEN = 3
"""Open terms of a sum all of whose values are tried."""


def short_sum(s: Search, row: int, count: int, low: int, high: int, heavy: int) -> int:
    """Leave the values of two or three open terms that are in some sum of the row."""
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
            there = reversed_bits(value) if added else value
            more_a, more_b = _met(
                of_a & ~(value * c_sees_a),
                of_b & ~(there * c_sees_b),
                above - step * lowest_bit(value),
                added,
                a_sees_b,
            )
            allowed_a |= more_a
            allowed_b |= more_b
            allowed_c |= value if more_a else 0
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
        more_a, more_b = _pair(of_a, of_b, weight_a, weight_b, low - part, high - part, a_sees_b)
        if more_a:
            allowed_a |= more_a
            allowed_b |= more_b
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
