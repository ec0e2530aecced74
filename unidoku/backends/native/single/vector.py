"""The innermost loops of the propagators, on vectors of 64-bit numbers.

Numba has no vectors, but an intrinsic may emit them; LLVM makes them legal on any processor.
Killers take a third of the time that they took with scalar loops.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# Numba infers the types here and provides none for mypy.

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from unidoku.backends.native.single.kinds import (
    CELLS_AT_ONCE,
    MOVES_AT_ONCE,
    PRODUCTS_AT_ONCE,
    SETS_AT_ONCE,
)

_I1, _I32, _I64 = ir.IntType(1), ir.IntType(32), ir.IntType(64)
_NUMBERS = types.CPointer(types.int64)
_NUMBER = types.int64


def _vector(lanes, kind=_I64):
    return ir.VectorType(kind, lanes)


def _constant(lanes, number):
    return ir.Constant(_vector(lanes), [number] * lanes)


def _spread(builder, number, lanes):
    """Return a vector of the same number in all lanes."""
    nothing = ir.Constant(_vector(lanes, number.type), ir.Undefined)
    one = builder.insert_element(nothing, number, ir.Constant(_I32, 0))
    return builder.shuffle_vector(one, nothing, ir.Constant(_vector(lanes, _I32), [0] * lanes))


def _place(builder, numbers, index, kind):
    """Return the pointer to a value of some kind within an array of numbers."""
    return builder.bitcast(builder.gep(numbers, [index]), kind.as_pointer())


def _at(builder, numbers, index, lanes):
    """Load the vector that begins at an index of an array of numbers."""
    return builder.load(_place(builder, numbers, index, _vector(lanes)), align=8)


def _any(builder, vector):
    """Return the union of all lanes."""
    return _reduced(builder, vector, "or")


def _all(builder, vector):
    """Return the intersection of all lanes."""
    return _reduced(builder, vector, "and")


def _reduced(builder, vector, operation):
    name = f"llvm.vector.reduce.{operation}.v{vector.type.count}i64"
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(_I64, [vector.type]), name)
    return builder.call(function, [vector])


@intrinsic
def take_from_peers(_context, candidates, seen, value, block, at):
    """Remove a value from the seen cells of a block; return the set of cells that lost it.

    ``seen`` has sets of 32 bits; the set for the block is at ``at + block``.
    """

    def emitted(_context, builder, _signature, values):
        candidates, seen, value, block, at = values
        lanes = CELLS_AT_ONCE
        first = builder.mul(block, ir.Constant(_I64, lanes))
        place = _place(builder, candidates, first, _vector(lanes))
        mask = builder.load(builder.gep(seen, [builder.add(at, block)]), align=4)
        old = builder.load(place, align=8)
        gone = builder.and_(old, _spread(builder, value, lanes))
        zero = _constant(lanes, 0)
        gone = builder.select(builder.bitcast(mask, _vector(lanes, _I1)), gone, zero)
        builder.store(builder.xor(old, gone), place, align=8)
        lost = builder.icmp_unsigned("!=", gone, zero)
        return builder.zext(builder.bitcast(lost, ir.IntType(lanes)), _I64)

    sets_of_cells = types.CPointer(types.int32)
    return _NUMBER(_NUMBERS, sets_of_cells, _NUMBER, _NUMBER, _NUMBER), emitted


@intrinsic
def fit_sets(_context, work, data, at, vectors, size):
    """Find possible values of cells that together hold one of some sets of values.

    ``work`` has the candidates of the cells. After them it gets, for each cell, the union over the
    possible sets: of the value that only this cell can hold in the set, or else of the whole set.
    Returns the values that all possible sets have.
    """

    def emitted(context, builder, _signature, values):
        work, data, at, vectors, size = values
        lanes = SETS_AT_ONCE
        zero = _constant(lanes, 0)
        once, twice, bad = (cgutils.alloca_once_value(builder, zero) for _ in range(3))
        every = cgutils.alloca_once_value(builder, _constant(lanes, -1))

        def add(union, vector):
            builder.store(builder.or_(builder.load(union), vector), union)

        def held(cell, some):
            candidates = builder.load(builder.gep(work, [cell]))
            return builder.and_(_spread(builder, candidates, lanes), some)

        with cgutils.for_range(builder, vectors) as loop:
            first = builder.add(at, builder.mul(loop.index, ir.Constant(_I64, lanes)))
            some = _at(builder, data, first, lanes)
            for union in (once, twice, bad):
                builder.store(zero, union)
            with cgutils.for_range(builder, size) as cells:
                mask = held(cells.index, some)
                add(twice, builder.and_(builder.load(once), mask))
                add(once, mask)
                empty = builder.icmp_unsigned("==", mask, zero)
                add(bad, builder.sext(empty, _vector(lanes)))
            add(bad, builder.xor(builder.load(once), some))
            lone = builder.and_(some, builder.not_(builder.load(twice)))
            with cgutils.for_range(builder, size) as cells:
                own = held(cells.index, lone)
                add(bad, builder.and_(own, builder.sub(own, _constant(lanes, 1))))
            fine = builder.icmp_unsigned("==", builder.load(bad), zero)
            found = builder.bitcast(fine, ir.IntType(lanes))
            with builder.if_then(
                builder.icmp_unsigned("!=", found, ir.Constant(ir.IntType(lanes), 0))
            ):
                possible = builder.select(fine, some, zero)
                held_by_all = builder.select(fine, some, _constant(lanes, -1))
                builder.store(builder.and_(builder.load(every), held_by_all), every)
                with cgutils.for_range(builder, size) as cells:
                    mask = held(cells.index, possible)
                    own = builder.and_(mask, lone)
                    decided = builder.icmp_unsigned("!=", own, zero)
                    union = builder.gep(work, [builder.add(size, cells.index)])
                    add(union, _any(builder, builder.select(decided, own, mask)))
        return _all(builder, builder.load(every))

    return _NUMBER(_NUMBERS, _NUMBERS, _NUMBER, _NUMBER, _NUMBER), emitted


def _steps(builder, data, at, base, rising, most, mask):
    """Return how far values of a term are from the base, and which of them are possible.

    Possible are those in the set of values whose distance is at most ``most``.
    """
    lanes = PRODUCTS_AT_ONCE
    products, base = _at(builder, data, at, lanes), _spread(builder, base, lanes)
    up = builder.icmp_signed("!=", rising, ir.Constant(_I64, 0))
    step = builder.select(
        _spread(builder, up, lanes), builder.sub(products, base), builder.sub(base, products)
    )
    own = builder.bitcast(builder.trunc(mask, ir.IntType(lanes)), _vector(lanes, _I1))
    near = builder.icmp_unsigned("<=", step, _spread(builder, most, lanes))
    valid = builder.and_(own, near)
    return builder.select(valid, step, _constant(lanes, 0)), valid


@intrinsic
def sums_with(_context, reached, data, at, base, rising, most, mask):
    """Return the sums that are reached with one more term, by 16 of its values.

    Sums are bits of a number, counted from the least sum if ``rising``, otherwise from the largest.
    """

    def emitted(_context, builder, _signature, values):
        reached, data, at, base, rising, most, mask = values
        step, valid = _steps(builder, data, at, base, rising, most, mask)
        moved = builder.shl(_spread(builder, reached, PRODUCTS_AT_ONCE), step)
        return _any(builder, builder.select(valid, moved, _constant(PRODUCTS_AT_ONCE, 0)))

    return _NUMBER(_NUMBER, _NUMBERS, *[_NUMBER] * 5), emitted


@intrinsic
def sums_without(_context, reached, before, data, at, base, rising, most, mask):
    """Return the sums without a term that lead to reached ones, and the values that do so."""

    def emitted(_context, builder, _signature, values):
        reached, before, data, at, base, rising, most, mask = values
        lanes = PRODUCTS_AT_ONCE
        step, valid = _steps(builder, data, at, base, rising, most, mask)
        moved = builder.lshr(_spread(builder, reached, lanes), step)
        moved = builder.and_(moved, _spread(builder, before, lanes))
        moved = builder.select(valid, moved, _constant(lanes, 0))
        leads = builder.icmp_unsigned("!=", moved, _constant(lanes, 0))
        kept = builder.zext(builder.bitcast(leads, ir.IntType(lanes)), _I64)
        return cgutils.pack_array(builder, [_any(builder, moved), kept])

    return types.UniTuple(_NUMBER, 2)(_NUMBER, _NUMBER, _NUMBERS, *[_NUMBER] * 5), emitted


def _moves(builder, data, at, vector, mask):
    """Return the values, source states and target state of moves, and which have a value.

    Each vector of moves has one vector of each of these.
    """
    lanes = MOVES_AT_ONCE
    first = builder.add(at, builder.mul(vector, ir.Constant(_I64, 3 * lanes)))
    values, before, behind = (
        _at(builder, data, builder.add(first, ir.Constant(_I64, part * lanes)), lanes)
        for part in range(3)
    )
    return values, before, behind, _shared(builder, values, mask)


def _shared(builder, sets, one):
    """Return for each set of a vector whether it intersects a set."""
    lanes = sets.type.count
    both = builder.and_(sets, _spread(builder, one, lanes))
    return builder.icmp_unsigned("!=", both, _constant(lanes, 0))


@intrinsic
def states_behind(_context, data, at, vectors, mask, reached):
    """Return the states that moves lead to from reached states, by one of some values."""

    def emitted(context, builder, _signature, values):
        data, at, vectors, mask, reached = values
        zero = _constant(MOVES_AT_ONCE, 0)
        union = cgutils.alloca_once_value(builder, zero)
        with cgutils.for_range(builder, vectors) as loop:
            _, before, behind, fine = _moves(builder, data, at, loop.index, mask)
            fine = builder.and_(fine, _shared(builder, before, reached))
            led = builder.select(fine, behind, zero)
            builder.store(builder.or_(builder.load(union), led), union)
        return _any(builder, builder.load(union))

    return _NUMBER(_NUMBERS, *[_NUMBER] * 4), emitted


@intrinsic
def states_before(_context, data, at, vectors, mask, reached, good):
    """Return the reached states whose moves lead to good ones, and these moves' values."""

    def emitted(context, builder, _signature, values):
        data, at, vectors, mask, reached, good = values
        zero = _constant(MOVES_AT_ONCE, 0)
        states, kept = (cgutils.alloca_once_value(builder, zero) for _ in range(2))
        with cgutils.for_range(builder, vectors) as loop:
            own, before, behind, fine = _moves(builder, data, at, loop.index, mask)
            fine = builder.and_(fine, _shared(builder, before, reached))
            fine = builder.and_(fine, _shared(builder, behind, good))
            for union, vector in ((states, before), (kept, own)):
                led = builder.select(fine, vector, zero)
                builder.store(builder.or_(builder.load(union), led), union)
        found = builder.and_(_any(builder, builder.load(states)), reached)
        return cgutils.pack_array(builder, [found, _any(builder, builder.load(kept))])

    return types.UniTuple(_NUMBER, 2)(_NUMBERS, *[_NUMBER] * 5), emitted
