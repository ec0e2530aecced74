"""Units looked at all at once: which of them have something to find.

Of the calls of a unit, 3 in 100 find anything. On boards of at most 95 cells and 16 values all
candidates fit three registers of 512 bits, and one permutation of these gives a cell of each of 32
units. To look at 32 units so takes about as long as to call one.

A processor without such permutations calls each unit that waits.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# The translator infers the types here; mypy does not.

from __future__ import annotations

from llvmlite import ir

from unidoku.backends.native.compiler.object_cache import host
from unidoku.backends.native.compiler.translator import I64, emitted, loop, variable
from unidoku.backends.native.single import registers as reg
from unidoku.backends.native.single.kinds import (
    CELLS_AT_ONCE,
    NARROW,
    NO_CELL,
    NUMBERS_OF_UNITS,
    UNITS_AT_ONCE,
)
from unidoku.backends.native.single.state import first_bits, lowest_bit
from unidoku.backends.native.single.units import unit
from unidoku.backends.native.single.vector import at_place, vector_of

_SHORT = ir.IntType(NARROW)
_LANES = vector_of(UNITS_AT_ONCE, _SHORT)
_SHORTS = 64 // NARROW
"""Number of short numbers in a number."""


def list_units(s):
    """Write the cells of all units in vectors: their sizes, their first cells, and so on."""
    r = s.registers
    at, most = r[reg.UNITS_AT], r[reg.VALUES]
    if at == 0:
        return
    for begin in range(r[reg.UNITS_BEGIN], r[reg.UNITS_END], UNITS_AT_ONCE):
        for lane in range(UNITS_AT_ONCE):
            unit = begin + lane
            row = s.rows[unit] if unit < r[reg.UNITS_END] else 0
            size = s.data[row] if unit < r[reg.UNITS_END] else 0
            word, shift = at + lane // _SHORTS, NARROW * (lane % _SHORTS)
            s.data[word] |= size << shift
            for place in range(most):
                cell = s.data[row + 1 + place] if place < size else NO_CELL
                s.data[word + NUMBERS_OF_UNITS * (place + 1)] |= cell << shift
        at += NUMBERS_OF_UNITS * (most + 1)


def run_units(s, waiting):
    """Run the units that wait and have something to find, of the 32 of one that waits.

    Returns the number of a unit that fails, or -1.
    """
    r = s.registers
    vector = (waiting - r[reg.UNITS_BEGIN]) // UNITS_AT_ONCE
    begin = r[reg.UNITS_BEGIN] + vector * UNITS_AT_ONCE
    at = r[reg.UNITS_AT] + vector * NUMBERS_OF_UNITS * (r[reg.VALUES] + 1)
    work = _with_work(s.candidates, s.data, at, r[reg.VALUES])
    every = first_bits(min(r[reg.UNITS_END] - begin, UNITS_AT_ONCE))
    word, shift = begin >> 6, begin & 63
    left = s.queue[word] >> shift & first_bits(64 - shift)
    s.queue[word] &= ~(every << shift)
    if shift > UNITS_AT_ONCE:
        left |= s.queue[word + 1] << 64 - shift
        s.queue[word + 1] &= ~(every >> 64 - shift)
    work &= left & every | 1 << waiting - begin
    while work:
        constraint = begin + lowest_bit(work)
        work &= work - 1
        r[reg.PROPAGATIONS] += 1
        if not unit(s, s.rows[constraint]):
            return constraint
    return -1


@emitted
def _with_work(builder, candidates, data, at, most):
    """Return the set of units in a vector that have something to find, in units as `unit` does."""
    if host().vector_bits < UNITS_AT_ONCE * NARROW:
        return ir.Constant(I64, (1 << UNITS_AT_ONCE) - 1)
    blocks = [_block(builder, candidates, number) for number in range(3)]
    zero, one = (ir.Constant(_LANES, [number] * UNITS_AT_ONCE) for number in (0, 1))
    once, twice, single = (variable(builder, zero) for _ in range(3))
    size = _numbers(builder, data, at)
    with loop(builder, most) as index:
        step = builder.mul(builder.add(index, ir.Constant(I64, 1)), _WIDTH)
        mask = _cells(builder, blocks, _numbers(builder, data, builder.add(at, step)))
        decided = builder.icmp_unsigned("==", builder.and_(mask, builder.sub(mask, one)), zero)
        for union, more in (
            (twice, builder.and_(builder.load(once), mask)),
            (once, mask),
            (single, builder.select(decided, mask, zero)),
        ):
            builder.store(builder.or_(builder.load(union), more), union)
    union = builder.load(once)
    known = builder.or_(builder.load(twice), builder.load(single))
    hidden = builder.icmp_unsigned("!=", builder.and_(union, builder.not_(known)), zero)
    left = _called(builder, "llvm.ctpop.v32i16", union)
    full = builder.and_(builder.icmp_unsigned("==", left, size), hidden)
    work = builder.or_(builder.icmp_unsigned("<", left, size), full)
    return builder.zext(builder.bitcast(work, ir.IntType(UNITS_AT_ONCE)), I64)


_WIDTH = ir.Constant(I64, NUMBERS_OF_UNITS)


def _block(builder, candidates, number):
    """Return the candidates of a block of cells as short numbers."""
    place = at_place(builder, candidates, ir.Constant(I64, number * CELLS_AT_ONCE), CELLS_AT_ONCE)
    return builder.trunc(place, _LANES)


def _numbers(builder, data, at):
    """Return the short numbers at a place of the data."""
    place = builder.bitcast(builder.gep(data, [at]), _LANES.as_pointer())
    return builder.load(place, align=8)


def _cells(builder, blocks, index):
    """Return the candidates of cells by their numbers."""
    first, second, third = blocks
    low = _called(builder, "llvm.x86.avx512.vpermi2var.hi.512", first, index, second)
    high = _called(builder, "llvm.x86.avx512.permvar.hi.512", third, index)
    border = ir.Constant(_LANES, [2 * CELLS_AT_ONCE] * UNITS_AT_ONCE)
    return builder.select(builder.icmp_unsigned("<", index, border), low, high)


def _called(builder, name, *vectors):
    """Call an instruction."""
    function = builder.module.globals.get(name)
    if function is None:
        kind = ir.FunctionType(_LANES, [_LANES] * len(vectors))
        function = ir.Function(builder.module, kind, name)
    return builder.call(function, vectors)
