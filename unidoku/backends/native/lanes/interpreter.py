"""The interpreter of rules: one function for all layouts with as many lanes.

Units are compiled for each layout; rules are a program of numbers (see `rules`), read once for the
boards of all lanes. ``rules(state, flags, program, scratch)`` runs the program once and updates two
lane masks of a round: dead and changed. In a full grid it finds every broken rule, because a broken
rule leaves a cell without candidates.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from unidoku.backends.native.lanes.reader import Cursor, ProgramReader, Variable, VectorVariable
from unidoku.backends.native.lanes.rules import CHUNK, LARGEST_CAGE, TERMS, Op
from unidoku.backends.native.lanes.vector import (
    I64,
    Emitter,
    LaneMask,
    Shape,
    Value,
    Vector,
    function_of,
    or_xor,
)


def interpreter_module(shape: Shape) -> ir.Module:
    """Emit the module with the interpreter for vectors of a shape."""
    module = ir.Module(name="rules")
    for name, (arguments, body) in INTERPRETERS.items():
        function = function_of(module, name, arguments, shape)
        builder = ir.IRBuilder(function.append_basic_block())
        # Sets are as wide as lanes: nothing here depends on how many values there are.
        body(Emitter(builder, shape, shape.bits), *function.args)
        builder.ret(ir.Constant(I64, 0))
    return module


class _Rules(ProgramReader):
    """Emits the interpreter of rules."""

    def __init__(
        self, emit: Emitter, state: Value, flags: Value, program: Value, scratch: Value
    ) -> None:
        super().__init__(emit, state, program, scratch)
        self.flags = emit.pointer(flags, I64)
        self.changed = VectorVariable(emit, emit.zero)
        self.least = VectorVariable(emit, emit.constant(-1))

    def emitted(self) -> None:
        """Emit: read operations and run them until none is left."""
        builder = self.emit.builder
        operations: dict[int, Callable[[], None]] = {
            Op.KEEP: self._keep_candidates,
            Op.UP: self._shifting(lambda x, d: from_lowest(x) << d),
            Op.DOWN: self._shifting(lambda x, d: smeared(x) >> d),
            Op.APART: self._shifting(lambda x, d: (from_lowest(x) << d) | (smeared(x) >> d)),
            Op.STEP: self._shifting(lambda x, d: (x << d) | (x >> d)),
            Op.TABLE: self._table,
            Op.SAME: self._same_values,
            Op.SUM: self._sum,
            Op.LINE: self._line,
        }
        for size in range(3, LARGEST_CAGE + 1):
            operations[Op.SETS + size] = self._sets_of(size)
        again, done = builder.append_basic_block(), builder.append_basic_block()
        builder.branch(again)
        builder.position_at_end(again)
        choice = builder.switch(self.read.word(), done)
        for number, operation in operations.items():
            block = builder.append_basic_block()
            choice.add_case(ir.Constant(I64, int(number)), block)
            builder.position_at_end(block)
            operation()
            builder.branch(again)
        builder.position_at_end(done)
        self._add_flag(0, self.least.get().equals(self.emit.zero))
        self._add_flag(2, self.changed.get().differs(self.emit.zero))

    def _add_flag(self, place: int, mask: LaneMask) -> None:
        builder, flag = self.emit.builder, self.emit.at(self.flags, place)
        builder.store(builder.or_(builder.load(flag), mask.number()), flag)

    def keep(self, cell: Value, allowed: Vector, before: Vector | None = None) -> None:
        """Emit: a cell keeps the allowed values; note whether it changed or is now empty."""
        before = self.load(cell) if before is None else before
        after = before & allowed
        self.emit.store(cell, 0, after)
        self.changed.set(self.emit.ternary(or_xor, self.changed.get(), before, after))
        least = self.least.get()
        self.least.set(after.below(least).choose(after, least))

    def _keep_candidates(self) -> None:
        with self.times(self.read.word()):
            cell = self.cell()
            self.keep(cell, self.mask())

    def _shifting(self, image: Callable[[Vector, Vector], Vector]) -> Callable[[], None]:
        """Return an emitter: in each pair of cells, the second keeps an image of the first."""

        def emitted() -> None:
            distance = self.number()
            with self.times(self.read.word()):
                source, target = self.cell(), self.cell()
                self.keep(target, image(self.load(source), distance))

        return emitted

    def _table(self) -> None:
        """Emit: in pairs of cells, the second keeps the table's partners of the first's values."""
        emit, builder = self.emit, self.emit.builder
        chunks = self.read.word()
        table = self.read.copy()
        self.read.skip(builder.mul(chunks, ir.Constant(I64, 2 * CHUNK)))
        with self.times(self.read.word()):
            source, target = self.cell(), self.cell()
            x, row = self.load(source), table.copy()
            allowed = VectorVariable(emit, emit.zero)
            with self.times(chunks):
                found = [allowed.get()]
                for _ in range(CHUNK):
                    some = (x & self.mask(row)).differs(emit.zero)
                    found.append(some.choose(self.mask(row), emit.zero))
                allowed.set(emit.union(found))
            self.keep(target, allowed.get())

    def _sets_of(self, size: int) -> Callable[[], None]:
        """Return an emitter of cages of that many cells: cells keep the values of possible sets.

        A set is possible if each of its values has a place, and each cell one of its values.
        """

        def emitted() -> None:
            with self.times(self.read.word()):
                self._sets(size)

        return emitted

    def _sets(self, size: int) -> None:
        emit = self.emit
        cells = [self.cell() for _ in range(size)]
        held = [self.load(cell) for cell in cells]
        once, twice = emit.seen(held)
        outside = ~once
        allowed = VectorVariable(emit, emit.zero)
        needed = VectorVariable(emit, emit.constant(-1))
        with self.times(self.read.word()):
            values = self.mask()
            possible = (values & outside).equals(emit.zero)
            for x in held:
                possible &= (x & values).differs(emit.zero)
            allowed.set(allowed.get() | possible.choose(values, emit.zero))
            needed.set(needed.get() & possible.choose(values, emit.constant(-1)))
        alone = (
            needed.get() & allowed.get() & ~twice
        )  # values of every possible set that have one place
        for cell, x in zip(cells, held, strict=True):
            own = x & alone
            self.keep(cell, own.differs(emit.zero).choose(own, allowed.get()), x)

    def _same_values(self) -> None:
        """Emit: the cells of each of two lists keep the values of the other list."""
        size = self.read.word()
        begin = self.read.copy()
        one, other = self._union(self.read, size), self._union(self.read, size)
        for values in (other, one):
            with self.times(size):
                self.keep(self.cell(begin), values)

    def _union(self, cursor: Cursor, size: Value) -> Vector:
        union = VectorVariable(self.emit, self.emit.zero)
        with self.times(size):
            union.set(union.get() | self.load(self.cell(cursor)))
        return union.get()

    def _sum(self) -> None:
        """Emit: a weighted sum stays within bounds; values start from 0 here."""
        emit = self.emit
        low, high, steps = self.number(), self.number(), self.read.word()
        sizes = [self.read.word() for _ in TERMS]
        terms = self.read.copy()
        bottom, top = VectorVariable(emit, emit.zero), VectorVariable(emit, emit.zero)
        for (sign, is_heavy), size in zip(TERMS, sizes, strict=True):
            with self.times(size):
                x = self.load(self.cell())
                least = (lowest(x) + emit.minus_one).population()
                most = (smeared(x) >> 1).population()
                if is_heavy:
                    weight = self.number()
                    least, most = least * weight, most * weight
                if sign < 0:
                    least, most = emit.zero - most, emit.zero - least
                bottom.set(bottom.get() + least)
                top.set(top.get() + most)
        up, down = high - bottom.get(), top.get() - low
        fits = (up.is_natural() & down.is_natural()).choose(emit.constant(-1), emit.zero)
        for (sign, is_heavy), size in zip(TERMS, sizes, strict=True):
            rise, fall = (up, down) if sign > 0 else (down, up)
            with self.times(size):
                cell = self.cell(terms)
                x = self.load(cell)
                if is_heavy:
                    within = self._within_heavy(x, rise, fall, self.number(terms), steps)
                else:
                    within = self._within(x, rise, fall)
                self.keep(cell, within & fits, x)

    def _within(self, x: Vector, rise: Vector, fall: Vector) -> Vector:
        """Return the values up to ``rise`` above the least of x and ``fall`` below its largest."""
        emit = self.emit
        most = emit.constant(emit.shape.bits - 1)
        up, down = (far.below(most).choose(far, most) for far in (rise, fall))
        # In two steps, because a lane cannot be shifted by all its bits at once.
        return (((lowest(x) << up) << 1) + emit.minus_one) & ~((smeared(x) >> 1) >> down)

    def _within_heavy(
        self, x: Vector, rise: Vector, fall: Vector, weight: Vector, steps: Value
    ) -> Vector:
        """Return the same for a term whose value has a weight, by trying one step after another."""
        emit = self.emit
        all_up_to = smeared(x)
        above = VectorVariable(emit, lowest(x))
        below = VectorVariable(emit, all_up_to ^ (all_up_to >> 1))
        far = VectorVariable(emit, weight)
        with self.times(steps):
            higher, lower = above.get() << 1, below.get() >> 1
            above.set(above.get() | (rise - far.get()).is_natural().choose(higher, emit.zero))
            below.set(below.get() | (fall - far.get()).is_natural().choose(lower, emit.zero))
            far.set(far.get() + weight)
        return above.get() & below.get()

    def _line(self) -> None:
        """Emit: layers of states, where each state has one bit for each lane.

        Two instructions for each step handle all lanes: a lane reaches the next state if it is in
        this one and the cell has one of the values that lead there.
        """
        builder, read = self.emit.builder, self.read
        layers = read.word()
        width = self.emit.shape.lanes
        every = ir.Constant(I64, (1 << width) - 1 if width < 64 else -1)
        with self.times(read.word()):
            self._put(read.word(), every)
        with self.times(layers):
            self._begin_layer()
            with self.times(read.word()):
                state, steps = read.pair()
                reached = Variable(self.emit, ir.Constant(I64, 0))
                with self.times(steps):
                    before, held = read.pair()
                    comes = builder.and_(self._got(before), self._got(held))
                    reached.set(builder.or_(reached.get(), comes))
                self._put(state, reached.get())
        with self.times(layers):
            self._end_layer()

    def _begin_layer(self) -> None:
        """Emit: for each set of values, the lanes in which the cell has one of them."""
        read = self.read
        x, more = self.load(self.cell()), read.word()
        with self.times(read.word()):
            place = read.word()
            self._put(place, (x & self.mask()).differs(self.emit.zero).number())
            self._put(self.emit.builder.add(place, more), ir.Constant(I64, 0))

    def _end_layer(self) -> None:
        """Emit: which states lead to the end; a cell keeps the values of steps between them."""
        emit, builder, read = self.emit, self.emit.builder, self.read
        cell, more = self.cell(), read.word()
        sets, masks = read.word(), read.copy()
        read.skip(builder.mul(sets, ir.Constant(I64, 2)))
        with self.times(read.word()):
            state, after = read.pair()
            here = self._got(state)
            leads = Variable(emit, ir.Constant(I64, 0))
            with self.times(read.word()):
                target, held = read.pair()
                goes = builder.and_(self._got(target), here)
                support = builder.add(held, more)
                self._put(support, builder.or_(self._got(support), goes))
                leads.set(builder.or_(leads.get(), builder.and_(goes, self._got(held))))
            self._put(after, leads.get())
        allowed = VectorVariable(emit, emit.zero)
        with self.times(sets):
            lanes = self._got(builder.add(masks.word(), more))
            some = emit.lanes(lanes).choose(self.mask(masks), emit.zero)
            allowed.set(allowed.get() | some)
        self.keep(cell, allowed.get())

    def _got(self, place: Value) -> Value:
        return self.emit.builder.load(self._scratch_at(place))

    def _put(self, place: Value, number: Value) -> None:
        self.emit.builder.store(number, self._scratch_at(place))

    def _scratch_at(self, place: Value) -> Value:
        scratch = self.emit.builder.bitcast(self.scratch, I64.as_pointer())
        return self.emit.builder.gep(scratch, [place])


class _Choices(ProgramReader):
    """Emits the choice of a cell in each lane.

    The fewer candidates a cell has in proportion to the open cells around it, the better. A cell
    around counts for each unit and each rule that both are in, and twice if it has two candidates.
    """

    def emitted(self, choice: Value) -> None:
        """Emit: write the number of the cell, for all lanes."""
        emit = self.emit
        cells = self.read.word()
        here = Variable(emit, ir.Constant(I64, 0))
        size = ir.Constant(I64, emit.shape.bytes)
        one, two = emit.constant(1), emit.constant(2)
        with self.times(cells):
            count = self.load(self.vector_at(self.state, here.get())).population()
            weight = count.equals(two).choose(two, count.below(two).choose(emit.zero, one))
            self._write(here, weight, size)
        for _ in range(2):  # groups of units, groups of rules
            worth = self.number()
            with self.times(self.read.word()):
                self._write(here, self._total() * worth, size)
        # Nothing below may exceed what a lane holds.
        most_around = emit.constant(((1 << emit.shape.bits) - 1) // emit.shape.bits - 1)
        fewest, most, best, number = (
            VectorVariable(emit, x) for x in (emit.constant(1), emit.zero, emit.zero, emit.zero)
        )
        here.set(ir.Constant(I64, 0))
        with self.times(cells):
            count = self.load(self.vector_at(self.state, here.get())).population()
            here.set(emit.builder.add(here.get(), size))
            total = self._total()
            around = total.below(most_around).choose(total, most_around) + one
            better = (count * most.get()).below(around * fewest.get()) & one.below(count)
            for variable, new in ((fewest, count), (most, around), (best, number.get())):
                variable.set(better.choose(new, variable.get()))
            number.set(number.get() + one)
        emit.store(emit.pointer(choice, emit.kind), 0, best.get())

    def _write(self, here: Variable, x: Vector, size: Value) -> None:
        self.emit.store(self.vector_at(self.scratch, here.get()), 0, x)
        here.set(self.emit.builder.add(here.get(), size))

    def _total(self) -> Vector:
        total = VectorVariable(self.emit, self.emit.zero)
        with self.times(self.read.word()):
            held = self.load(self.vector_at(self.scratch, self.read.word()))
            total.set(total.get() + held)
        return total.get()


def _work(emit: Emitter, state: Value, flags: Value, program: Value, scratch: Value) -> None:
    _Rules(emit, state, flags, program, scratch).emitted()


def _choose(emit: Emitter, state: Value, choice: Value, program: Value, scratch: Value) -> None:
    _Choices(emit, state, program, scratch).emitted(choice)


INTERPRETERS: dict[str, tuple[int, Callable[..., None]]] = {
    "rules": (4, _work),
    "choose_ruled": (4, _choose),
}
"""The functions: number of arguments, and the function that emits the body."""


def lowest(x: Vector) -> Vector:
    """Emit: keep the lowest bit only."""
    return x & (x.emit.zero - x)


def from_lowest(x: Vector) -> Vector:
    """Emit: set all bits from the lowest set bit on."""
    return x | (x.emit.zero - x)


def smeared(x: Vector) -> Vector:
    """Emit: set all bits up to the highest set bit."""
    places = 1
    while places < x.emit.shape.bits:
        x |= x >> places
        places *= 2
    return x
