"""The arrays of a search, and how a cell is narrowed.

Numba compiles this into code that does not call Numba: arrays are pointers, so that no references
are counted and the sign of an index is not checked.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# Numba infers the types here and provides none for mypy.

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from unidoku.backends.native.single import registers as reg
from unidoku.backends.native.single.kinds import MAX_VALUES
from unidoku.backends.native.single.vector import join

ONE = np.int64(1)

_NOT_NEGATIVE = np.int64((1 << 63) - 1)

CONTRADICTION, MORE_MAY_FOLLOW, ALL_THAT_FOLLOWS = 0, 1, 2
"""The result of a propagator if it matters whether another run would find more."""

compiled = njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Decorator of all functions of the search; divisions do not check for zero."""


class Search(NamedTuple):
    """The arrays of a search, as pointers."""

    registers: Any
    candidates: Any
    data: Any
    rows: Any
    kinds: Any
    watch: Any
    seen: Any
    queue: Any
    decided: Any
    weights: Any
    work: Any
    stack: Any
    guesses: Any
    grids: Any


@intrinsic
def _pointer(_context, address, example):
    """Return the address as a pointer to numbers of the example's type."""

    def emitted(context, builder, signature, values):
        return builder.inttoptr(values[0], context.get_value_type(signature.return_type))

    return types.CPointer(example)(types.int64, example), emitted


def _unary(emit: Callable[[Any, Any], Any]) -> Any:
    """Return an intrinsic of one number."""

    @intrinsic
    def made(_context, number):
        def emitted(_context, builder, _signature, values):
            return emit(builder, values[0])

        return types.int64(types.int64), emitted

    return made


@intrinsic
def copy(_context, to, to_at, of, of_at, size):
    """Copy ``size`` numbers from a place in one array to a place in another."""

    def emitted(_context, builder, _signature, values):
        to, to_at, of, of_at, size = values
        places = builder.gep(to, [to_at]), builder.gep(of, [of_at])
        cgutils.raw_memcpy(builder, *places, size, 8)
        return _context.get_dummy_value()

    numbers = types.CPointer(types.int64)
    return types.void(numbers, types.int64, numbers, types.int64, types.int64), emitted


_NOT_ZERO = ir.Constant(ir.IntType(1), 1)

lowest_bit = _unary(lambda builder, number: builder.cttz(number, _NOT_ZERO))
"""The place of the lowest bit of a number that is not 0."""

_zeros_above = _unary(lambda builder, number: builder.ctlz(number, _NOT_ZERO))

size_of = _unary(lambda builder, number: builder.ctpop(number))
"""The number of set bits of a number."""


_mirrored = _unary(lambda builder, number: builder.bitreverse(number))


@compiled
def reversed_bits(values):
    """Return a set of values in the opposite order: 0 becomes the largest possible value."""
    return (_mirrored(values) >> 1) & _NOT_NEGATIVE


@compiled
def highest_bit(number):
    """Return the place of the highest bit of a number that is not 0."""
    return 63 - _zeros_above(number)


@compiled
def up_to(value):
    """Return the set of values up to a value, inclusive; all values if it is large."""
    return np.int64(-1) if value >= MAX_VALUES else (np.int64(2) << value) - 1


@compiled
def from_value(value):
    """Return the set of values from a value on; all if it is negative, none if it is large."""
    return np.int64(0) if value > MAX_VALUES else ~((ONE << max(value, 0)) - 1)


@compiled
def first_bits(count):
    """Return the set of the first bits: none if the count is negative, at most 64."""
    return np.int64(-1) if count >= 64 else (ONE << max(count, 0)) - 1


@compiled
def search_at(registers_at):
    """Return the arrays of a search."""
    number, byte = np.int64(0), np.uint8(0)
    r = _pointer(registers_at, number)
    return Search(
        r,
        _pointer(r[reg.CANDIDATES_AT], number),
        _pointer(r[reg.DATA_AT], number),
        _pointer(r[reg.ROWS_AT], number),
        _pointer(r[reg.KINDS_AT], number),
        _pointer(r[reg.WATCH_AT], number),
        _pointer(r[reg.SEEN_AT], np.int32(0)),
        _pointer(r[reg.QUEUE_AT], number),
        _pointer(r[reg.DECIDED_AT], number),
        _pointer(r[reg.WEIGHTS_AT], number),
        _pointer(r[reg.WORK_AT], number),
        _pointer(r[reg.STACK_AT], number),
        _pointer(r[reg.GUESSES_AT], number),
        _pointer(r[reg.GRIDS_AT], byte),
    )


@compiled
def start_of(s):
    """Return the initial weights, and the candidates that rules leave to each cell."""
    number = np.int64(0)
    return _pointer(s.registers[reg.START_AT], number), _pointer(s.registers[reg.LEFT_AT], number)


@compiled
def more_may_follow(fits):
    """Return the result of a propagator from whether its constraint can hold."""
    return MORE_MAY_FOLLOW if fits else CONTRADICTION


@compiled
def all_that_follows(fits):
    """Return the result of a propagator that finds all deductions."""
    return ALL_THAT_FOLLOWS if fits else CONTRADICTION


@compiled
def wake(s, cell):
    """Put the constraints on a cell into the queue."""
    words = s.registers[reg.WORDS]
    if words == 1:
        s.queue[0] |= s.watch[2 * cell]
    else:
        join(s.queue, 0, s.watch, 2 * cell * words, words)


@compiled
def wake_once_decided(s, cell):
    """Put the constraints that only a decided cell wakes into the queue."""
    words = s.registers[reg.WORDS]
    at = (2 * cell + 1) * words
    for word in range((s.registers[reg.EXCLUSIONS] + 63) >> 6):
        s.queue[word] |= s.watch[at + word]


@compiled
def leave(s, constraint):
    """Remove a constraint from the queue."""
    s.queue[constraint >> 6] &= ~(ONE << (constraint & 63))


@compiled
def decide(s, cell):
    """Record a newly decided cell, whose value is to be removed from its peers."""
    s.decided[s.registers[reg.DECIDED]] = cell
    s.registers[reg.DECIDED] += 1


@compiled
def narrow(s, cell, kept):
    """Give a cell fewer candidates, at least one; they must differ from the current ones."""
    s.candidates[cell] = kept
    if kept & (kept - 1) == 0:
        decide(s, cell)
    wake(s, cell)


@compiled
def keep(s, cell, allowed):
    """Keep only the allowed candidates of a cell; return whether any are left."""
    old = s.candidates[cell]
    kept = old & allowed
    if kept != old:
        if kept == 0:
            return False
        narrow(s, cell, kept)
    return True
