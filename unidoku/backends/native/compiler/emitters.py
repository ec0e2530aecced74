"""The code that is emitted for the functions of `unidoku.backends.native.compiler.intrinsics`.

It is emitted where they are called; LLVM makes vectors legal on any processor. Killers take a third
of the time that they took with scalar loops.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# LLVM's values have types only when the code is emitted.

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import and_, or_
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
from unidoku.backends.native.compiler.translator.emitted import I1, I64, loop
from unidoku.backends.native.compiler.vector import (
    LaneMask,
    Variable,
    Vector,
    called,
    lanes_of,
    repeated,
    spread,
)

_NOT_ZERO = ir.Constant(I1, 1)


def _pointer_to(bits):
    """Return the function that makes an address a pointer to numbers of so many bits."""
    kind = ir.IntType(bits).as_pointer()
    return lambda builder, address: builder.inttoptr(address, kind)


def _copy(builder, to, to_at, of, of_at, size):
    kind = ir.IntType(8).as_pointer()
    pointers = builder.gep(to, [to_at]), builder.gep(of, [of_at])
    to, of = (builder.bitcast(pointer, kind) for pointer in pointers)
    copying = builder.module.declare_intrinsic("llvm.memcpy", [kind, kind, I64])
    builder.call(copying, [to, of, builder.mul(size, _number(8)), ir.Constant(I1, 0)])


def _number(number):
    return ir.Constant(I64, number)


def _constant(builder, number, lanes):
    """Return the vector with a number in every lane."""
    return Vector(builder, repeated(number, 64, lanes))


def _pointer_at(builder, numbers, index, lanes, kind=I64):
    """Return the pointer to the vector that begins at an index of an array of numbers."""
    pointer = ir.VectorType(kind, lanes).as_pointer()
    return builder.bitcast(builder.gep(numbers, [index]), pointer)


def _vector_at(builder, numbers, index, lanes, kind=I64):
    """Load the vector that begins at an index of an array of numbers."""
    return _loaded(builder, _pointer_at(builder, numbers, index, lanes, kind))


def _loaded(builder, pointer):
    return Vector(builder, builder.load(pointer, align=8))


def _words(operation, *, changes):
    """Return the function for two sets of so many words, a multiple of 4, at places of arrays.

    Args:
        operation: the operation on vectors of both.
        changes: whether its result replaces the first set; otherwise the union of all is returned.
    """

    def emitted(builder, to, to_at, of, at, words):
        lanes = _number(WORDS_AT_ONCE)
        union = Variable(_constant(builder, 0, WORDS_AT_ONCE))
        with loop(builder, builder.udiv(words, lanes)) as index:
            first = builder.mul(index, lanes)
            pointer = _pointer_at(builder, to, builder.add(to_at, first), WORDS_AT_ONCE)
            other = _vector_at(builder, of, builder.add(at, first), WORDS_AT_ONCE)
            both = operation(_loaded(builder, pointer), other)
            if changes:
                builder.store(both.value, pointer, align=8)
            else:
                union.add(both)
        return None if changes else union.get().union()

    return emitted


def _fit_sets(builder, work, data, at, vectors, size, lacking):
    zero, full, unit = (_constant(builder, number, SETS_AT_ONCE) for number in (0, -1, 1))
    lacking = spread(builder, lacking, SETS_AT_ONCE)
    once, twice, every = Variable(zero), Variable(zero), Variable(full)
    no_lane = LaneMask(builder, repeated(0, 1, SETS_AT_ONCE))
    bad, less = Variable(no_lane), Variable(no_lane)

    def narrowed(cell, values):
        candidates = builder.load(builder.gep(work, [cell]))
        return spread(builder, candidates, SETS_AT_ONCE) & values

    with loop(builder, vectors) as index:
        offset = builder.mul(index, _number(SETS_AT_ONCE))
        sets = _vector_at(builder, data, builder.add(at, offset), SETS_AT_ONCE)
        once.set(zero)
        twice.set(zero)
        bad.set(sets.equals(zero))
        bad.add((lacking & sets).differs(lacking))
        with loop(builder, size) as cell:
            mask = narrowed(cell, sets)
            twice.add(once.get() & mask)
            once.add(mask)
            bad.add(mask.equals(zero))
        bad.add(once.get().differs(sets))
        lone = sets & ~twice.get()
        with loop(builder, size) as cell:
            single = narrowed(cell, lone)
            bad.add((single & single - unit).differs(zero))
        fine = ~bad.get()
        fits = fine.bits()
        with builder.if_then(builder.icmp_unsigned("!=", fits, ir.Constant(fits.type, 0))):
            possible, in_all = fine.choose(sets, zero), fine.choose(sets, full)
            every.set(every.get() & in_all)
            with loop(builder, size) as cell:
                mask = narrowed(cell, possible)
                rest = mask & lone
                rest = rest.equals(zero).choose(mask, rest)
                less.add(rest.differs(mask))
                union = builder.gep(work, [builder.add(size, cell)])
                builder.store(builder.or_(builder.load(union), rest.union()), union)
    return every.get().intersection(), less.get().number()


def _steps(builder, data, at, most, values):
    """Return how far 8 values of a term are from its base, and which of them may be.

    Those of the set ``values`` whose step is at most so far.
    """
    steps = _vector_at(builder, data, at, VALUES_AT_ONCE)
    allowed = lanes_of(builder, values, VALUES_AT_ONCE)
    return steps, allowed & ~spread(builder, most, VALUES_AT_ONCE).below(steps)


def _sums_with(builder, reached, data, at, most, values):
    steps, valid = _steps(builder, data, at, most, values)
    moved = spread(builder, reached, VALUES_AT_ONCE) << steps
    return valid.choose(moved, moved.constant(0)).union()


def _sums_without(builder, reached, before, data, at, most, values):
    steps, valid = _steps(builder, data, at, most, values)
    moved = spread(builder, reached, VALUES_AT_ONCE) >> steps
    moved &= spread(builder, before, VALUES_AT_ONCE)
    moved = valid.choose(moved, moved.constant(0))
    return moved.union(), moved.differs(moved.constant(0)).number()


def _moves(builder, data, at, index):
    """Return eight moves: vectors of their values, their states, and the states they lead to."""
    first = builder.add(at, builder.mul(index, _number(3 * MOVES_AT_ONCE)))
    starts = [builder.add(first, _number(part * MOVES_AT_ONCE)) for part in range(3)]
    return [_vector_at(builder, data, start, MOVES_AT_ONCE) for start in starts]


def _shared(sets, other):
    """Return which sets of a vector share something with a set."""
    return (sets & spread(sets.builder, other, MOVES_AT_ONCE)).differs(sets.constant(0))


def _states_behind(builder, data, at, vectors, mask, reached):
    def led(states, target):
        return _shared(states, reached).choose(target, target.constant(0))

    return _united_behind(builder, data, at, vectors, mask, led)


def _states_before(builder, data, at, vectors, mask, reached, good):
    def led(states, target):
        reached_states = states & spread(builder, reached, MOVES_AT_ONCE)
        return _shared(target, good).choose(reached_states, states.constant(0))

    return _united_before(builder, data, at, vectors, mask, led)


def _states_shifted(builder, data, at, vectors, mask, reached):
    def led(states, rise):
        reached_states = states & spread(builder, reached, MOVES_AT_ONCE)
        return reached_states.changed("fshl", reached_states, rise)

    return _united_behind(builder, data, at, vectors, mask, led)


def _states_shifted_back(builder, data, at, vectors, mask, reached, good):
    def led(states, rise):
        reached_states = states & spread(builder, reached, MOVES_AT_ONCE)
        good_states = spread(builder, good, MOVES_AT_ONCE)
        return reached_states & good_states.changed("fshr", good_states, rise)

    return _united_before(builder, data, at, vectors, mask, led)


def _united_behind(builder, data, at, vectors, mask, led):
    """Return all states that the moves of some values lead to, by a function of a vector."""
    none = _constant(builder, 0, MOVES_AT_ONCE)
    union = Variable(none)
    with loop(builder, vectors) as index:
        values, states, target = _moves(builder, data, at, index)
        states = led(states, target)
        union.add(_shared(values, mask).choose(states, none))
    return union.get().union()


def _united_before(builder, data, at, vectors, mask, led):
    """Return all states that moves of some values begin at, and these values."""
    none = _constant(builder, 0, MOVES_AT_ONCE)
    united, allowed = Variable(none), Variable(none)
    with loop(builder, vectors) as index:
        values, states, target = _moves(builder, data, at, index)
        sources = led(states, target)
        fine = sources.differs(none) & _shared(values, mask)
        united.add(fine.choose(sources, none))
        allowed.add(fine.choose(values, none))
    return united.get().union(), allowed.get().union()


def _value_in(builder, cells, value):
    """Return a value in the lanes of a set of cells, and nothing in the others."""
    lanes = lanes_of(builder, cells, CELLS_AT_ONCE)
    values = spread(builder, value, CELLS_AT_ONCE)
    return lanes.choose(values, values.constant(0))


def _of_block(builder, candidates, block):
    """Return the pointer to the candidates of a block."""
    first = builder.mul(block, _number(CELLS_AT_ONCE))
    return _pointer_at(builder, candidates, first, CELLS_AT_ONCE)


def _cells_within(builder, candidates, block, values):
    current = _loaded(builder, _of_block(builder, candidates, block))
    others = current & spread(builder, builder.not_(values), CELLS_AT_ONCE)
    return others.equals(others.constant(0)).number()


def _cells_with_few(builder, candidates, block):
    def without_first(values):
        return values & values - values.constant(1)

    but_one = without_first(_loaded(builder, _of_block(builder, candidates, block)))
    but_three = without_first(without_first(but_one))
    zero = but_one.constant(0)
    return (but_three.equals(zero) & but_one.differs(zero)).number()


def _cells_that_differ(builder, candidates, block, others, at):
    states = candidates, builder.gep(others, [at])
    before, after = (_loaded(builder, _of_block(builder, state, block)) for state in states)
    return before.differs(after).number()


def _removed(builder, candidates, block, values):
    """Emit that the cells of a block lose values; return the set of those that had any."""
    pointer = _of_block(builder, candidates, block)
    old = _loaded(builder, pointer)
    gone = old & values
    lost = gone.differs(gone.constant(0)).bits()
    with builder.if_then(builder.icmp_unsigned("!=", lost, ir.Constant(lost.type, 0))):
        builder.store((old ^ gone).value, pointer, align=8)
    return builder.zext(lost, I64)


def _take_from(builder, candidates, block, cells, value):
    return _removed(builder, candidates, block, _value_in(builder, cells, value))


def _take_all(builder, candidates, seen, decided, blocks, block, first, end):
    taken = Variable(_constant(builder, 0, CELLS_AT_ONCE))
    with loop(builder, builder.sub(end, first)) as index:
        cell = builder.load(builder.gep(decided, [builder.add(first, index)]))
        value = builder.load(builder.gep(candidates, [cell]))
        at = builder.add(builder.mul(cell, blocks), block)
        peers = builder.load(builder.gep(seen, [at]))
        taken.add(_value_in(builder, peers, value))
    return _removed(builder, candidates, block, taken.get())


_SHORT = ir.IntType(NARROW)


def _has_unit_vectors():
    return host().vector_bits >= UNITS_AT_ONCE * NARROW


def _units_with_work(builder, candidates, data, at, most):
    """Return the units of a vector in which `unit` finds something.

    Of the calls of a unit, 3 in 100 find anything. On boards of at most 95 cells and 16 values all
    candidates fit three registers of 512 bits, and one permutation of these gives a cell of each of
    32 units. To look at 32 units so takes about as long as to call one.
    """
    if not _has_unit_vectors():
        return _number(0)
    blocks = [_block(builder, candidates, number) for number in range(3)]
    size = _vector_at(builder, data, at, UNITS_AT_ONCE, _SHORT)
    zero, unit = size.constant(0), size.constant(1)
    once, twice, single = Variable(zero), Variable(zero), Variable(zero)
    with loop(builder, most) as index:
        step = builder.mul(builder.add(index, _number(1)), _number(NUMBERS_OF_UNITS))
        cells = _vector_at(builder, data, builder.add(at, step), UNITS_AT_ONCE, _SHORT)
        mask = _candidates_of(builder, blocks, cells)
        decided = (mask & mask - unit).equals(zero)
        twice.add(once.get() & mask)
        once.add(mask)
        single.add(decided.choose(mask, zero))
    union = once.get()
    hidden = (union & ~(twice.get() | single.get())).differs(zero)
    left = union.population()
    return (left.below(size) | (left.equals(size) & hidden)).number()


def _block(builder, candidates, number):
    """Return the candidates of a block of cells as short numbers."""
    first = _number(number * CELLS_AT_ONCE)
    numbers = _vector_at(builder, candidates, first, CELLS_AT_ONCE)
    return builder.trunc(numbers.value, ir.VectorType(_SHORT, CELLS_AT_ONCE))


def _candidates_of(builder, blocks, cells):
    """Return the candidates of the cells whose numbers are in a vector."""
    (first, second, third), index, kind = blocks, cells.value, cells.value.type
    low = called(builder, "llvm.x86.avx512.vpermi2var.hi.512", kind, first, index, second)
    high = called(builder, "llvm.x86.avx512.permvar.hi.512", kind, third, index)
    is_low = cells.below(cells.constant(2 * CELLS_AT_ONCE))
    return is_low.choose(Vector(builder, low), Vector(builder, high))


EMITTERS: Mapping[Callable[..., Any], Callable[..., Any]] = {
    intrinsics.numbers_at: _pointer_to(64),
    intrinsics.short_numbers_at: _pointer_to(32),
    intrinsics.bytes_at: _pointer_to(8),
    intrinsics.unsigned: lambda _, number: number,
    intrinsics.wrapped: lambda _, number: number,
    intrinsics.copy: _copy,
    intrinsics.lowest_bit: lambda builder, number: builder.cttz(number, _NOT_ZERO),
    intrinsics.zeros_above: lambda builder, number: builder.ctlz(number, _NOT_ZERO),
    intrinsics.size_of: lambda builder, number: builder.ctpop(number),
    intrinsics.mirrored: lambda builder, number: builder.bitreverse(number),
    intrinsics.join: _words(or_, changes=True),
    intrinsics.meet: _words(and_, changes=True),
    intrinsics.shared: _words(and_, changes=False),
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
