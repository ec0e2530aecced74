"""The innermost loops of the propagators, on vectors of 64-bit numbers.

They are emitted where they are called; LLVM makes vectors legal on any processor. Killers take a
third of the time that they took with scalar loops.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# LLVM's values have types only when the code is emitted.

from __future__ import annotations

from llvmlite import ir

from unidoku.backends.native.compiler.translator import I1, I64, emitted, loop, variable
from unidoku.backends.native.single.kinds import (
    MOVES_AT_ONCE,
    NARROW,
    NARROW_MOVES_AT_ONCE,
    NARROW_SETS_AT_ONCE,
    SETS_AT_ONCE,
    VALUES_AT_ONCE,
    WORDS_AT_ONCE,
)

_I32 = ir.IntType(32)


def vector_of(lanes, kind=I64):
    """Return the type of vectors of so many numbers."""
    return ir.VectorType(kind, lanes)


def _constant(lanes, number):
    return ir.Constant(vector_of(lanes), [number] * lanes)


def spread(builder, number, lanes):
    """Return a vector of the same number in all lanes."""
    nothing = ir.Constant(vector_of(lanes, number.type), ir.Undefined)
    one = builder.insert_element(nothing, number, ir.Constant(_I32, 0))
    return builder.shuffle_vector(one, nothing, ir.Constant(vector_of(lanes, _I32), [0] * lanes))


def _place(builder, numbers, index, kind):
    """Return the pointer to a value of some kind within an array of numbers."""
    return builder.bitcast(builder.gep(numbers, [index]), kind.as_pointer())


def at_place(builder, numbers, index, lanes):
    """Load the vector that begins at an index of an array of numbers."""
    return builder.load(_place(builder, numbers, index, vector_of(lanes)), align=8)


def _any(builder, vector):
    """Return the union of all lanes."""
    return _reduced(builder, vector, "or")


def _all(builder, vector):
    """Return the intersection of all lanes."""
    return _reduced(builder, vector, "and")


def _reduced(builder, vector, operation):
    kind = vector.type.element
    name = f"llvm.vector.reduce.{operation}.v{vector.type.count}i{kind.width}"
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(kind, [vector.type]), name)
    return builder.call(function, [vector])


def _words(operation, *, changes):
    """Return the function for two sets of so many words, a multiple of 4, at places of arrays.

    Args:
        operation: the operation on vectors of both.
        changes: whether its result replaces the first set; otherwise the union of all is returned.
    """

    @emitted
    def made(builder, to, to_at, of, at, words):
        lanes = ir.Constant(I64, WORDS_AT_ONCE)
        union = variable(builder, _constant(WORDS_AT_ONCE, 0))
        with loop(builder, builder.udiv(words, lanes)) as index:
            first = builder.mul(index, lanes)
            place = _place(builder, to, builder.add(to_at, first), vector_of(WORDS_AT_ONCE))
            more = at_place(builder, of, builder.add(at, first), WORDS_AT_ONCE)
            both = getattr(builder, operation)(builder.load(place, align=8), more)
            if changes:
                builder.store(both, place, align=8)
            else:
                builder.store(builder.or_(builder.load(union), both), union)
        return None if changes else _any(builder, builder.load(union))

    return made


join = _words("or_", changes=True)
"""Unite a set with another: see `_words`."""

meet = _words("and_", changes=True)
"""Leave of a set what another has: see `_words`."""

shared = _words("and_", changes=False)
"""Return the union of all words that two sets share: 0 if they share nothing; see `_words`."""


def _fitting(lanes, kind):
    """Return the function that looks through so many sets at once, each so many bits wide.

    It finds what cells can hold if together they hold one of some sets of values, each value once,
    and the values that the rest of a unit lacks. The work array has the candidates of the cells,
    and behind them takes, for each cell, the union over the sets that are possible: of the value
    that only this cell can hold there, else of all. It returns the values that all possible sets
    have, and whether a cell lost a value of a possible set, so that less may be possible now.
    """
    sets = vector_of(lanes, kind)
    zero, full, one = (ir.Constant(sets, [number] * lanes) for number in (0, -1, 1))
    numbers = ir.Constant(I64, lanes * kind.width // 64)

    @emitted
    def fitting(builder, work, data, at, vectors, size, lacking):
        if kind != I64:
            lacking = builder.trunc(lacking, kind)
        lacking = spread(builder, lacking, lanes)
        once, twice = (variable(builder, zero) for _ in range(2))
        none = ir.Constant(vector_of(lanes, I1), [0] * lanes)
        bad, less = (variable(builder, none) for _ in range(2))
        every = variable(builder, full)

        def add(union, vector):
            builder.store(builder.or_(builder.load(union), vector), union)

        def held(cell, some):
            candidates = builder.load(builder.gep(work, [cell]))
            if kind != I64:
                candidates = builder.trunc(candidates, kind)
            return builder.and_(spread(builder, candidates, lanes), some)

        def as_number(number):
            return number if kind == I64 else builder.zext(number, I64)

        with loop(builder, vectors) as index:
            place = builder.gep(data, [builder.add(at, builder.mul(index, numbers))])
            some = builder.load(builder.bitcast(place, sets.as_pointer()), align=8)
            for union in (once, twice):
                builder.store(zero, union)
            builder.store(builder.icmp_unsigned("==", some, zero), bad)
            add(bad, builder.icmp_unsigned("!=", builder.and_(lacking, some), lacking))
            with loop(builder, size) as cell:
                mask = held(cell, some)
                add(twice, builder.and_(builder.load(once), mask))
                add(once, mask)
                add(bad, builder.icmp_unsigned("==", mask, zero))
            add(bad, builder.icmp_unsigned("!=", builder.load(once), some))
            lone = builder.and_(some, builder.not_(builder.load(twice)))
            with loop(builder, size) as cell:
                own = held(cell, lone)
                several = builder.and_(own, builder.sub(own, one))
                add(bad, builder.icmp_unsigned("!=", several, zero))
            fine = builder.not_(builder.load(bad))
            found = builder.bitcast(fine, ir.IntType(lanes))
            with builder.if_then(
                builder.icmp_unsigned("!=", found, ir.Constant(ir.IntType(lanes), 0))
            ):
                possible = builder.select(fine, some, zero)
                held_by_all = builder.select(fine, some, full)
                builder.store(builder.and_(builder.load(every), held_by_all), every)
                with loop(builder, size) as cell:
                    mask = held(cell, possible)
                    own = builder.and_(mask, lone)
                    own = builder.select(builder.icmp_unsigned("==", own, zero), mask, own)
                    add(less, builder.icmp_unsigned("!=", own, mask))
                    union = builder.gep(work, [builder.add(size, cell)])
                    add(union, as_number(_any(builder, own)))
        found = builder.bitcast(builder.load(less), ir.IntType(lanes))
        common = as_number(_all(builder, builder.load(every)))
        return common, builder.zext(found, I64)

    return fitting


fit_sets = _fitting(SETS_AT_ONCE, I64)
"""What cells can hold: see `_fitting`."""

fit_narrow_sets = _fitting(NARROW_SETS_AT_ONCE, ir.IntType(NARROW))
"""The same of sets of few values."""


def _step(builder, data, at, most, own):
    """Return how far 8 values of a term are from its base, and which of them may be.

    Those of the set ``own`` whose step is at most so far.
    """
    lanes = VALUES_AT_ONCE
    step = at_place(builder, data, at, lanes)
    own = builder.bitcast(builder.trunc(own, ir.IntType(lanes)), vector_of(lanes, I1))
    near = builder.icmp_unsigned("<=", step, spread(builder, most, lanes))
    return step, builder.and_(own, near)


@emitted
def sums_with(builder, reached, data, at, most, own):
    """Return the sums that are reached with one term more, by those of 8 values that it may have.

    Sums are bits of a number; the steps of the values stand at a place of the data.
    """
    lanes = VALUES_AT_ONCE
    step, valid = _step(builder, data, at, most, own)
    moved = builder.shl(spread(builder, reached, lanes), step)
    return _any(builder, builder.select(valid, moved, _constant(lanes, 0)))


@emitted
def sums_without(builder, reached, before, data, at, most, own):
    """Return the sums without a term from which those reached come, and which values lead there."""
    lanes = VALUES_AT_ONCE
    step, valid = _step(builder, data, at, most, own)
    moved = builder.lshr(spread(builder, reached, lanes), step)
    moved = builder.and_(moved, spread(builder, before, lanes))
    moved = builder.select(valid, moved, _constant(lanes, 0))
    leads = builder.icmp_unsigned("!=", moved, _constant(lanes, 0))
    kept = builder.zext(builder.bitcast(leads, ir.IntType(lanes)), I64)
    return _any(builder, moved), kept


def _shared(builder, sets, one):
    """Tell of each set of a vector whether it shares something with one."""
    both = builder.and_(sets, spread(builder, one, sets.type.count))
    return builder.icmp_unsigned("!=", both, ir.Constant(sets.type, [0] * sets.type.count))


def _three(builder, data, at, index, sets):
    """Return the values of steps, and what else they say: three vectors, one after the other."""
    size = ir.Constant(I64, 3 * sets.count * sets.element.width // 64)
    place = builder.gep(data, [builder.add(at, builder.mul(index, size))])
    place = builder.bitcast(place, sets.as_pointer())
    return [
        builder.load(builder.gep(place, [ir.Constant(I64, part)]), align=8) for part in range(3)
    ]


def _stepping(lanes, kind, behind, before):
    """Return functions for steps in vectors of so many numbers of a kind.

    One returns the states that steps lead to from those reached, by one of some values. The other
    returns the states among those reached from which steps lead to good ones, and by what values.

    Args:
        lanes: how many numbers a vector has.
        kind: their type.
        behind: emits which states two vectors of steps lead to, from some.
        before: emits which states they come from, of some, that lead to good ones.
    """
    sets = vector_of(lanes, kind)
    zero = ir.Constant(sets, [0] * lanes)

    def narrowed(builder, number):
        return number if kind == I64 else builder.trunc(number, kind)

    def united(builder, union):
        number = _any(builder, builder.load(union))
        return number if kind == I64 else builder.zext(number, I64)

    def add(builder, union, fine, vector):
        some = builder.select(fine, vector, zero)
        builder.store(builder.or_(builder.load(union), some), union)

    @emitted
    def stepping_behind(builder, data, at, vectors, mask, reached):
        mask, reached = (narrowed(builder, number) for number in (mask, reached))
        union = variable(builder, zero)
        with loop(builder, vectors) as index:
            own, *step = _three(builder, data, at, index, sets)
            led = behind(builder, step, reached)
            add(builder, union, _shared(builder, own, mask), led)
        return united(builder, union)

    @emitted
    def stepping_before(builder, data, at, vectors, mask, reached, good):
        mask, reached, good = (narrowed(builder, number) for number in (mask, reached, good))
        states, kept = (variable(builder, zero) for _ in range(2))
        with loop(builder, vectors) as index:
            own, *step = _three(builder, data, at, index, sets)
            found = before(builder, step, reached, good)
            fine = builder.icmp_unsigned("!=", found, zero)
            fine = builder.and_(fine, _shared(builder, own, mask))
            add(builder, states, fine, found)
            add(builder, kept, fine, own)
        return united(builder, states), united(builder, kept)

    return stepping_behind, stepping_before


def _behind_moves(builder, step, reached):
    states, target = step
    zero = ir.Constant(states.type, [0] * states.type.count)
    return builder.select(_shared(builder, states, reached), target, zero)


def _before_moves(builder, step, reached, good):
    states, target = step
    zero = ir.Constant(states.type, [0] * states.type.count)
    own = builder.and_(states, spread(builder, reached, states.type.count))
    return builder.select(_shared(builder, target, good), own, zero)


def _behind_shifts(builder, step, reached):
    states, more = step
    own = builder.and_(states, spread(builder, reached, states.type.count))
    return _rotated(builder, own, more)


def _before_shifts(builder, step, reached, good):
    states, more = step
    lanes = states.type.count
    own = builder.and_(states, spread(builder, reached, lanes))
    less = builder.sub(_constant(lanes, 0), more)
    return builder.and_(own, _rotated(builder, spread(builder, good, lanes), less))


def _rotated(builder, numbers, places):
    """Return numbers whose bits are moved up by so many places, and the last to the first."""
    kind = numbers.type
    name = "llvm.fshl.i64" if kind == I64 else f"llvm.fshl.v{kind.count}i64"
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(kind, [kind] * 3), name)
    return builder.call(function, [numbers, numbers, places])


@emitted
def rotated(builder, number, places):
    """Return a number whose bits are moved up by so many places, and the last to the first."""
    return _rotated(builder, number, places)


states_behind, states_before = _stepping(MOVES_AT_ONCE, I64, _behind_moves, _before_moves)
"""Steps that are moves: see `_stepping`."""

narrow_states_behind, narrow_states_before = _stepping(
    NARROW_MOVES_AT_ONCE, _I32, _behind_moves, _before_moves
)
"""The same of few states and values."""

states_shifted, states_unshifted = _stepping(MOVES_AT_ONCE, I64, _behind_shifts, _before_shifts)
"""Steps that are shifts."""
