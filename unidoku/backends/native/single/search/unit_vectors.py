"""Units looked at all at once: which of them have something to find.

A processor without vectors of 512 bits looks at each unit that waits before it runs any, so that
all processors find the same.
"""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import (
    NARROW,
    NO_CELL,
    NUMBERS_OF_UNITS,
    UNITS_AT_ONCE,
    has_unit_vectors,
    lowest_bit,
    size_of,
    units_with_work,
)
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.state import Search, first_bits
from unidoku.backends.native.single.search.units import finds_something, unit

_SHORTS = 64 // NARROW
"""Number of short numbers in a number."""


def list_units(s: Search) -> None:
    """Write the cells of all units in vectors: their sizes, their first cells, and so on."""
    r = s.registers
    at, most = r[Register.UNITS_AT], r[Register.VALUES]
    if at == 0:
        return
    for begin in range(r[Register.UNITS_BEGIN], r[Register.UNITS_END], UNITS_AT_ONCE):
        for lane in range(UNITS_AT_ONCE):
            unit = begin + lane
            row = s.rows[unit] if unit < r[Register.UNITS_END] else 0
            size = s.data[row] if unit < r[Register.UNITS_END] else 0
            word, shift = at + lane // _SHORTS, NARROW * (lane % _SHORTS)
            s.data[word] |= size << shift
            for index in range(most):
                cell = s.data[row + 1 + index] if index < size else NO_CELL
                s.data[word + NUMBERS_OF_UNITS * (index + 1)] |= cell << shift
        at += NUMBERS_OF_UNITS * (most + 1)


def run_units(s: Search, waiting: int) -> int:
    """Run units in the queue that share vectors with one of them, if they have something to find.

    Returns the number of a unit that fails, or -1.
    """
    r = s.registers
    vector = (waiting - r[Register.UNITS_BEGIN]) // UNITS_AT_ONCE
    begin = r[Register.UNITS_BEGIN] + vector * UNITS_AT_ONCE
    at = r[Register.UNITS_AT] + vector * NUMBERS_OF_UNITS * (r[Register.VALUES] + 1)
    every = first_bits(min(r[Register.UNITS_END] - begin, UNITS_AT_ONCE))
    word, shift = begin >> 6, begin & 63
    left = s.queue[word] >> shift & first_bits(64 - shift)
    s.queue[word] &= ~(every << shift)
    if shift > UNITS_AT_ONCE:
        left |= s.queue[word + 1] << 64 - shift
        s.queue[word + 1] &= ~(every >> 64 - shift)
    left = left & every | 1 << waiting - begin
    r[Register.PROPAGATIONS] += size_of(left)
    if has_unit_vectors():
        left &= units_with_work(s.candidates, s.data, at, r[Register.VALUES])
    else:
        left = _with_work(s, begin, left)
    while left:
        constraint = begin + lowest_bit(left)
        left &= left - 1
        if not unit(s, s.rows[constraint]):
            return constraint
    return -1


def _with_work(s: Search, begin: int, units: int) -> int:
    """Return the units, of a set of numbers from ``begin`` on, that have something to find."""
    work = 0
    while units:
        bit = units & -units
        units ^= bit
        if finds_something(s, s.rows[begin + lowest_bit(bit)]):
            work |= bit
    return work
