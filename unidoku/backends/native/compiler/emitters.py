"""The code that is emitted for the functions of `unidoku.backends.native.compiler.intrinsics`.

It is emitted where they are called; LLVM makes vectors legal on any processor. Killers take a third
of the time that they took with scalar loops.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# LLVM's values have types only when the code is emitted.

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from llvmlite import ir

from unidoku.backends.native.compiler import intrinsics
from unidoku.backends.native.compiler.intrinsics import (
    CELLS_AT_ONCE,
    MOVES_AT_ONCE,
    NARROW,
    NUMBERS_OF_UNITS,
    SETS_AT_ONCE,
    UNITS_AT_ONCE,
    VALUES_AT_ONCE,
    WORDS_AT_ONCE,
)
from unidoku.backends.native.compiler.processor import host
from unidoku.backends.native.compiler.translator import I1, I64, loop, variable

_I32 = ir.IntType(32)

_NOT_ZERO = ir.Constant(ir.IntType(1), 1)


def _pointer(bits):
    """Return the function that makes an address a pointer to numbers of so many bits."""
    kind = ir.IntType(bits).as_pointer()
    return lambda builder, address: builder.inttoptr(address, kind)


def _copy(builder, to, to_at, of, of_at, size):
    kind = ir.IntType(8).as_pointer()
    pointers = builder.gep(to, [to_at]), builder.gep(of, [of_at])
    to, of = (builder.bitcast(pointer, kind) for pointer in pointers)
    copying = builder.module.declare_intrinsic("llvm.memcpy", [kind, kind, I64])
    builder.call(copying, [to, of, builder.mul(size, ir.Constant(I64, 8)), ir.Constant(I1, 0)])


def _vector_of(lanes, kind=I64):
    """Return the type of vectors of so many numbers."""
    return ir.VectorType(kind, lanes)


def _constant(lanes, number):
    return ir.Constant(_vector_of(lanes), [number] * lanes)


def _spread(builder, number, lanes):
    """Return a vector of the same number in all lanes."""
    nothing = ir.Constant(_vector_of(lanes, number.type), ir.Undefined)
    single = builder.insert_element(nothing, number, ir.Constant(_I32, 0))
    return builder.shuffle_vector(
        single, nothing, ir.Constant(_vector_of(lanes, _I32), [0] * lanes)
    )


def _place(builder, numbers, index, kind):
    """Return the pointer to a value of some kind within an array of numbers."""
    return builder.bitcast(builder.gep(numbers, [index]), kind.as_pointer())


def _at_place(builder, numbers, index, lanes):
    """Load the vector that begins at an index of an array of numbers."""
    return builder.load(_place(builder, numbers, index, _vector_of(lanes)), align=8)


def _any(builder, vector):
    """Return the union of all lanes."""
    return _reduced(builder, vector, "or")


def _all(builder, vector):
    """Return the intersection of all lanes."""
    return _reduced(builder, vector, "and")


def _reduced(builder, vector, operation):
    kind = vector.type.element
    name = f"llvm.vector.reduce.{operation}.v{vector.type.count}i{kind.width}"
    return _called(builder, name, kind, vector)


def _called(builder, name, kind, *arguments):
    """Call an LLVM intrinsic that returns a value of some kind."""
    function = builder.module.globals.get(name)
    if function is None:
        signature = ir.FunctionType(kind, [argument.type for argument in arguments])
        function = ir.Function(builder.module, signature, name)
    return builder.call(function, arguments)


def _words(operation, *, changes):
    """Return the function for two sets of so many words, a multiple of 4, at places of arrays.

    Args:
        operation: the operation on vectors of both.
        changes: whether its result replaces the first set; otherwise the union of all is returned.
    """

    def emitted(builder, to, to_at, of, at, words):
        lanes = ir.Constant(I64, WORDS_AT_ONCE)
        union = variable(builder, _constant(WORDS_AT_ONCE, 0))
        with loop(builder, builder.udiv(words, lanes)) as index:
            first = builder.mul(index, lanes)
            pointer = _place(builder, to, builder.add(to_at, first), _vector_of(WORDS_AT_ONCE))
            more = _at_place(builder, of, builder.add(at, first), WORDS_AT_ONCE)
            both = getattr(builder, operation)(builder.load(pointer, align=8), more)
            if changes:
                builder.store(both, pointer, align=8)
            else:
                builder.store(builder.or_(builder.load(union), both), union)
        return None if changes else _any(builder, builder.load(union))

    return emitted


def _fit_sets(builder, work, data, at, vectors, size, lacking):
    lanes = SETS_AT_ONCE
    zero, full, unit = (_constant(lanes, number) for number in (0, -1, 1))
    lacking = _spread(builder, lacking, lanes)
    once, twice = (variable(builder, zero) for _ in range(2))
    none = ir.Constant(_vector_of(lanes, I1), [0] * lanes)
    bad, less = (variable(builder, none) for _ in range(2))
    every = variable(builder, full)

    def add(union, vector):
        builder.store(builder.or_(builder.load(union), vector), union)

    def narrowed(cell, some):
        candidates = builder.load(builder.gep(work, [cell]))
        return builder.and_(_spread(builder, candidates, lanes), some)

    with loop(builder, vectors) as index:
        offset = builder.mul(index, ir.Constant(I64, lanes))
        some = _at_place(builder, data, builder.add(at, offset), lanes)
        for union in (once, twice):
            builder.store(zero, union)
        builder.store(builder.icmp_unsigned("==", some, zero), bad)
        add(bad, builder.icmp_unsigned("!=", builder.and_(lacking, some), lacking))
        with loop(builder, size) as cell:
            mask = narrowed(cell, some)
            add(twice, builder.and_(builder.load(once), mask))
            add(once, mask)
            add(bad, builder.icmp_unsigned("==", mask, zero))
        add(bad, builder.icmp_unsigned("!=", builder.load(once), some))
        lone = builder.and_(some, builder.not_(builder.load(twice)))
        with loop(builder, size) as cell:
            single = narrowed(cell, lone)
            several = builder.and_(single, builder.sub(single, unit))
            add(bad, builder.icmp_unsigned("!=", several, zero))
        fine = builder.not_(builder.load(bad))
        fits = builder.bitcast(fine, ir.IntType(lanes))
        with builder.if_then(builder.icmp_unsigned("!=", fits, ir.Constant(ir.IntType(lanes), 0))):
            possible = builder.select(fine, some, zero)
            held_by_all = builder.select(fine, some, full)
            builder.store(builder.and_(builder.load(every), held_by_all), every)
            with loop(builder, size) as cell:
                mask = narrowed(cell, possible)
                rest = builder.and_(mask, lone)
                rest = builder.select(builder.icmp_unsigned("==", rest, zero), mask, rest)
                add(less, builder.icmp_unsigned("!=", rest, mask))
                union = builder.gep(work, [builder.add(size, cell)])
                add(union, _any(builder, rest))
    changed = builder.bitcast(builder.load(less), ir.IntType(lanes))
    return _all(builder, builder.load(every)), builder.zext(changed, I64)


def _step(builder, data, at, most, values):
    """Return how far 8 values of a term are from its base, and which of them may be.

    Those of the set ``values`` whose step is at most so far.
    """
    lanes = VALUES_AT_ONCE
    step = _at_place(builder, data, at, lanes)
    values = builder.bitcast(builder.trunc(values, ir.IntType(lanes)), _vector_of(lanes, I1))
    near = builder.icmp_unsigned("<=", step, _spread(builder, most, lanes))
    return step, builder.and_(values, near)


def _sums_with(builder, reached, data, at, most, values):
    lanes = VALUES_AT_ONCE
    step, valid = _step(builder, data, at, most, values)
    moved = builder.shl(_spread(builder, reached, lanes), step)
    return _any(builder, builder.select(valid, moved, _constant(lanes, 0)))


def _sums_without(builder, reached, before, data, at, most, values):
    lanes = VALUES_AT_ONCE
    step, valid = _step(builder, data, at, most, values)
    moved = builder.lshr(_spread(builder, reached, lanes), step)
    moved = builder.and_(moved, _spread(builder, before, lanes))
    moved = builder.select(valid, moved, _constant(lanes, 0))
    leads = builder.icmp_unsigned("!=", moved, _constant(lanes, 0))
    lanes_kept = builder.zext(builder.bitcast(leads, ir.IntType(lanes)), I64)
    return _any(builder, moved), lanes_kept


def _shared(builder, sets, other):
    """Tell of each set of a vector whether it shares something with one."""
    both = builder.and_(sets, _spread(builder, other, sets.type.count))
    return builder.icmp_unsigned("!=", both, ir.Constant(sets.type, [0] * sets.type.count))


def _moves(builder, data, at, index):
    """Return eight moves: vectors of their values, their states, and the states they lead to."""
    first = builder.add(at, builder.mul(index, ir.Constant(I64, 3 * MOVES_AT_ONCE)))
    return [
        _at_place(
            builder, data, builder.add(first, ir.Constant(I64, part * MOVES_AT_ONCE)), MOVES_AT_ONCE
        )
        for part in range(3)
    ]


def _states_behind(builder, data, at, vectors, mask, reached):
    def led(states, target):
        return builder.select(_shared(builder, states, reached), target, _NO_MOVES)

    return _united_behind(builder, data, at, vectors, mask, led)


def _states_before(builder, data, at, vectors, mask, reached, good):
    def led(states, target):
        reached_states = builder.and_(states, _spread(builder, reached, MOVES_AT_ONCE))
        return builder.select(_shared(builder, target, good), reached_states, _NO_MOVES)

    return _united_before(builder, data, at, vectors, mask, led)


def _states_shifted(builder, data, at, vectors, mask, reached):
    def led(states, rise):
        reached_states = builder.and_(states, _spread(builder, reached, MOVES_AT_ONCE))
        return _rotated(builder, "fshl", reached_states, rise)

    return _united_behind(builder, data, at, vectors, mask, led)


def _states_shifted_back(builder, data, at, vectors, mask, reached, good):
    def led(states, rise):
        reached_states = builder.and_(states, _spread(builder, reached, MOVES_AT_ONCE))
        behind = _rotated(builder, "fshr", _spread(builder, good, MOVES_AT_ONCE), rise)
        return builder.and_(reached_states, behind)

    return _united_before(builder, data, at, vectors, mask, led)


_NO_MOVES = _constant(MOVES_AT_ONCE, 0)


def _united_behind(builder, data, at, vectors, mask, led):
    """Return all states that the moves of some values lead to, by a function of a vector."""
    union = variable(builder, _NO_MOVES)
    with loop(builder, vectors) as index:
        values, states, target = _moves(builder, data, at, index)
        states = led(states, target)
        states = builder.select(_shared(builder, values, mask), states, _NO_MOVES)
        builder.store(builder.or_(builder.load(union), states), union)
    return _any(builder, builder.load(union))


def _united_before(builder, data, at, vectors, mask, led):
    """Return all states that moves of some values begin at, and these values."""
    united, allowed = (variable(builder, _NO_MOVES) for _ in range(2))
    with loop(builder, vectors) as index:
        values, states, target = _moves(builder, data, at, index)
        sources = led(states, target)
        fine = builder.icmp_unsigned("!=", sources, _NO_MOVES)
        fine = builder.and_(fine, _shared(builder, values, mask))
        for union, vector in ((united, sources), (allowed, values)):
            some = builder.select(fine, vector, _NO_MOVES)
            builder.store(builder.or_(builder.load(union), some), union)
    return _any(builder, builder.load(united)), _any(builder, builder.load(allowed))


def _rotated(builder, way, states, rise):
    """Return the sets of a vector, rotated to the left ("fshl") or right ("fshr") by others."""
    name = f"llvm.{way}.v{MOVES_AT_ONCE}i64"
    return _called(builder, name, states.type, states, states, rise)


_CELLS = _vector_of(CELLS_AT_ONCE)
_NOTHING = _constant(CELLS_AT_ONCE, 0)
_SET = ir.IntType(CELLS_AT_ONCE)


def _some(builder, cells, value):
    """Return a value in the lanes of a set of cells, and nothing in the others."""
    lanes = builder.bitcast(cells, _vector_of(CELLS_AT_ONCE, I1))
    return builder.select(lanes, _spread(builder, value, CELLS_AT_ONCE), _NOTHING)


def _of_block(builder, candidates, block):
    """Return the pointer to the candidates of a block."""
    return _place(builder, candidates, builder.mul(block, ir.Constant(I64, CELLS_AT_ONCE)), _CELLS)


def _cells_within(builder, candidates, block, values):
    current = builder.load(_of_block(builder, candidates, block), align=8)
    others = builder.and_(current, _spread(builder, builder.not_(values), CELLS_AT_ONCE))
    within = builder.icmp_unsigned("==", others, _NOTHING)
    return builder.zext(builder.bitcast(within, _SET), I64)


def _cells_with_few(builder, candidates, block):
    def without_first(values):
        return builder.and_(values, builder.sub(values, _constant(CELLS_AT_ONCE, 1)))

    but_one = without_first(builder.load(_of_block(builder, candidates, block), align=8))
    but_three = without_first(without_first(but_one))
    few = builder.icmp_unsigned("==", but_three, _NOTHING)
    few = builder.and_(few, builder.icmp_unsigned("!=", but_one, _NOTHING))
    return builder.zext(builder.bitcast(few, _SET), I64)


def _cells_that_differ(builder, candidates, block, others, at):
    states = candidates, builder.gep(others, [at])
    here, there = (builder.load(_of_block(builder, state, block), align=8) for state in states)
    return builder.zext(builder.bitcast(builder.icmp_unsigned("!=", here, there), _SET), I64)


def _removed(builder, candidates, block, values):
    """Emit that the cells of a block lose values; return the set of those that had any."""
    pointer = _of_block(builder, candidates, block)
    old = builder.load(pointer, align=8)
    gone = builder.and_(old, values)
    lost = builder.icmp_unsigned("!=", gone, _NOTHING)
    lost = builder.bitcast(lost, _SET)
    with builder.if_then(builder.icmp_unsigned("!=", lost, ir.Constant(_SET, 0))):
        builder.store(builder.xor(old, gone), pointer, align=8)
    return builder.zext(lost, I64)


def _take_from(builder, candidates, block, cells, value):
    values = _some(builder, builder.trunc(cells, _SET), value)
    return _removed(builder, candidates, block, values)


def _take_all(builder, candidates, seen, decided, blocks, block, first, end):
    taken = variable(builder, _NOTHING)
    with loop(builder, builder.sub(end, first)) as index:
        cell = builder.load(builder.gep(decided, [builder.add(first, index)]))
        value = builder.load(builder.gep(candidates, [cell]))
        at = builder.add(builder.mul(cell, blocks), block)
        peers = builder.load(builder.gep(seen, [at]))
        more = _some(builder, peers, value)
        builder.store(builder.or_(builder.load(taken), more), taken)
    return _removed(builder, candidates, block, builder.load(taken))


_UNITS = _vector_of(UNITS_AT_ONCE, ir.IntType(NARROW))


def _has_unit_vectors():
    return host().vector_bits >= UNITS_AT_ONCE * NARROW


def _units_with_work(builder, candidates, data, at, most):
    """Return the units of a vector in which `unit` finds something.

    Of the calls of a unit, 3 in 100 find anything. On boards of at most 95 cells and 16 values all
    candidates fit three registers of 512 bits, and one permutation of these gives a cell of each of
    32 units. To look at 32 units so takes about as long as to call one.
    """
    if not _has_unit_vectors():
        return ir.Constant(I64, 0)
    blocks = [_block(builder, candidates, number) for number in range(3)]
    zero, unit = (ir.Constant(_UNITS, [number] * UNITS_AT_ONCE) for number in (0, 1))
    once, twice, single = (variable(builder, zero) for _ in range(3))
    size = _numbers(builder, data, at)
    with loop(builder, most) as index:
        step = builder.mul(builder.add(index, ir.Constant(I64, 1)), _WIDTH)
        mask = _cells(builder, blocks, _numbers(builder, data, builder.add(at, step)))
        decided = builder.icmp_unsigned("==", builder.and_(mask, builder.sub(mask, unit)), zero)
        for union, more in (
            (twice, builder.and_(builder.load(once), mask)),
            (once, mask),
            (single, builder.select(decided, mask, zero)),
        ):
            builder.store(builder.or_(builder.load(union), more), union)
    union = builder.load(once)
    known = builder.or_(builder.load(twice), builder.load(single))
    hidden = builder.icmp_unsigned("!=", builder.and_(union, builder.not_(known)), zero)
    left = _called(builder, "llvm.ctpop.v32i16", _UNITS, union)
    full = builder.and_(builder.icmp_unsigned("==", left, size), hidden)
    work = builder.or_(builder.icmp_unsigned("<", left, size), full)
    return builder.zext(builder.bitcast(work, ir.IntType(UNITS_AT_ONCE)), I64)


_WIDTH = ir.Constant(I64, NUMBERS_OF_UNITS)


def _block(builder, candidates, number):
    """Return the candidates of a block of cells as short numbers."""
    numbers = _at_place(
        builder, candidates, ir.Constant(I64, number * CELLS_AT_ONCE), CELLS_AT_ONCE
    )
    return builder.trunc(numbers, _UNITS)


def _numbers(builder, data, at):
    """Load a vector of short numbers that begins at an index of the data."""
    return builder.load(_place(builder, data, at, _UNITS), align=8)


def _cells(builder, blocks, index):
    """Return the candidates of the cells whose numbers are in a vector."""
    first, second, third = blocks
    low = _called(builder, "llvm.x86.avx512.vpermi2var.hi.512", _UNITS, first, index, second)
    high = _called(builder, "llvm.x86.avx512.permvar.hi.512", _UNITS, third, index)
    border = ir.Constant(_UNITS, [2 * CELLS_AT_ONCE] * UNITS_AT_ONCE)
    return builder.select(builder.icmp_unsigned("<", index, border), low, high)


EMITTERS: Mapping[Callable[..., Any], Callable[..., Any]] = {
    intrinsics.numbers_at: _pointer(64),
    intrinsics.short_numbers_at: _pointer(32),
    intrinsics.bytes_at: _pointer(8),
    intrinsics.unsigned: lambda _, number: number,
    intrinsics.wrapped: lambda _, number: number,
    intrinsics.copy: _copy,
    intrinsics.lowest_bit: lambda builder, number: builder.cttz(number, _NOT_ZERO),
    intrinsics.zeros_above: lambda builder, number: builder.ctlz(number, _NOT_ZERO),
    intrinsics.size_of: lambda builder, number: builder.ctpop(number),
    intrinsics.mirrored: lambda builder, number: builder.bitreverse(number),
    intrinsics.join: _words("or_", changes=True),
    intrinsics.meet: _words("and_", changes=True),
    intrinsics.shared: _words("and_", changes=False),
    intrinsics.fit_sets: _fit_sets,
    intrinsics.sums_with: _sums_with,
    intrinsics.sums_without: _sums_without,
    intrinsics.states_behind: _states_behind,
    intrinsics.states_before: _states_before,
    intrinsics.states_shifted: _states_shifted,
    intrinsics.states_shifted_back: _states_shifted_back,
    intrinsics.take_from: _take_from,
    intrinsics.take_all: _take_all,
    intrinsics.cells_within: _cells_within,
    intrinsics.cells_with_few: _cells_with_few,
    intrinsics.cells_that_differ: _cells_that_differ,
    intrinsics.has_unit_vectors: lambda _: ir.Constant(I1, int(_has_unit_vectors())),
    intrinsics.units_with_work: _units_with_work,
}
"""For each intrinsic, the function that takes LLVM's builder and the arguments and emits its code.

It returns a value, a tuple of values, or None.
"""
