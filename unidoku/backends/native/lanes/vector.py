"""A small vector language: Python operators that emit LLVM instructions on SIMD vectors.

A `Vector` stands for one number in each lane while code is being emitted; ``a & ~b`` on two of them
emits the instructions that compute it in every lane at once. A comparison returns a `LaneMask`: one
bit for each lane. Nothing here computes numbers itself. The one instruction that LLVM does not
always find by itself is the ternary logic of AVX-512, any boolean function of three vectors:
`Emitter.ternary`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from llvmlite import ir

from unidoku.backends.native.lanes.shape import Shape

I8, I32, I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)

LONG_BLOCK = 25000
"""Number of instructions: for longer blocks, splitting costs less speed than compiling would cost
time."""

Value: TypeAlias = Any
"""An LLVM value; llvmlite has no types."""


def or_and(a: Any, b: Any, c: Any) -> Any:
    """Return the bits in a, or in both b and c."""
    return a | (b & c)


def or_xor(a: Any, b: Any, c: Any) -> Any:
    """Return the bits in a, or in exactly one of b and c."""
    return a | (b ^ c)


def or_less(a: Any, b: Any, c: Any) -> Any:
    """Return the bits in a, or in b and not in c."""
    return a | (b & ~c)


Logic: TypeAlias = Callable[[Any, Any, Any], Any]
"""A boolean function of three operands, written with ``& | ^ ~``."""


@dataclass(frozen=True, slots=True)
class Vector:
    """One number for each lane."""

    emit: Emitter
    value: Value

    def __and__(self, other: Vector) -> Vector:
        return self._vector(self.emit.builder.and_(self.value, other.value))

    def __or__(self, other: Vector) -> Vector:
        return self._vector(self.emit.builder.or_(self.value, other.value))

    def __xor__(self, other: Vector) -> Vector:
        return self._vector(self.emit.builder.xor(self.value, other.value))

    def __invert__(self) -> Vector:
        return self ^ self.emit.constant(-1)

    def __add__(self, other: Vector) -> Vector:
        return self._vector(self.emit.builder.add(self.value, other.value))

    def __sub__(self, other: Vector) -> Vector:
        return self._vector(self.emit.builder.sub(self.value, other.value))

    def __lshift__(self, places: int) -> Vector:
        return self._vector(self.emit.builder.shl(self.value, self.emit.constant(places).value))

    def __rshift__(self, places: int) -> Vector:
        return self._vector(self.emit.builder.lshr(self.value, self.emit.constant(places).value))

    def equals(self, other: Vector) -> LaneMask:
        """Return the lanes in which the two are equal."""
        return self._compared("==", other)

    def differs(self, other: Vector) -> LaneMask:
        """Return the lanes in which the two differ."""
        return self._compared("!=", other)

    def below(self, other: Vector) -> LaneMask:
        """Return the lanes in which this one is smaller, both taken as unsigned."""
        return self._compared("<", other)

    def population(self) -> Vector:
        """Count the bits of each lane."""
        kind = self.value.type
        name = f"llvm.ctpop.v{kind.count}i{kind.element.width}"
        function = self.emit.declared(name, ir.FunctionType(kind, [kind]))
        return self._vector(self.emit.builder.call(function, [self.value]))

    def _compared(self, sign: str, other: Vector) -> LaneMask:
        return LaneMask(self.emit, self.emit.builder.icmp_unsigned(sign, self.value, other.value))

    def _vector(self, value: Value) -> Vector:
        return Vector(self.emit, value)


@dataclass(frozen=True, slots=True)
class LaneMask:
    """Yes or no for each lane."""

    emit: Emitter
    value: Value

    def __or__(self, other: LaneMask) -> LaneMask:
        return LaneMask(self.emit, self.emit.builder.or_(self.value, other.value))

    def __and__(self, other: LaneMask) -> LaneMask:
        return LaneMask(self.emit, self.emit.builder.and_(self.value, other.value))

    def choose(self, yes: Vector, no: Vector) -> Vector:
        """Take ``yes`` in the lanes that are set and ``no`` in the others."""
        return Vector(self.emit, self.emit.builder.select(self.value, yes.value, no.value))

    def number(self) -> Value:
        """Return the mask as a 64-bit number, lane 0 in its lowest bit."""
        builder = self.emit.builder
        bits = builder.bitcast(self.value, ir.IntType(self.emit.shape.lanes))
        return bits if self.emit.shape.lanes == 64 else builder.zext(bits, I64)


@lru_cache(maxsize=256)
def _repeated(number: int, bits: int, lanes: int) -> Value:
    """Return a constant vector; llvmlite writes out each object once, which takes long."""
    return ir.Constant(ir.VectorType(ir.IntType(bits), lanes), [number] * lanes)


class Emitter:
    """Emits one function whose arguments are 64-bit numbers, addresses among them, for n values."""

    def __init__(self, builder: ir.IRBuilder, shape: Shape, n: int) -> None:
        self.builder = builder
        self.shape = shape
        self.element = ir.IntType(shape.bits)
        self.kind = ir.VectorType(self.element, shape.lanes)
        self.zero = self.constant(0)
        self.everything = self.constant((1 << n) - 1)
        self.n = n

    def constant(self, number: int) -> Vector:
        """Return the vector with this number in every lane."""
        wrapped = number & ((1 << self.shape.bits) - 1)
        return Vector(self, _repeated(wrapped, self.shape.bits, self.shape.lanes))

    @cached_property
    def minus_one(self) -> Vector:
        """-1 in every lane, hidden from LLVM.

        If LLVM knew the number, it would rewrite ``x & (x - 1)`` into slower code; with an unknown
        number, the test for a single bit is one addition and one test.
        """
        # Hidden as a single number, which fits into a register whatever the width of the vectors.
        number = ir.Constant(self.element, -1)
        kind = ir.FunctionType(self.element, [self.element])
        hidden = self.builder.asm(kind, "", "=r,0", [number], False)
        return self.spread(hidden)

    def spread(self, number: Value) -> Vector:
        """Return the vector with this number, of a lane's width, in every lane."""
        undefined = ir.Constant(self.kind, ir.Undefined)
        alone = self.builder.insert_element(undefined, number, ir.Constant(I32, 0))
        lanes = ir.Constant(ir.VectorType(I32, self.shape.lanes), [0] * self.shape.lanes)
        return Vector(self, self.builder.shuffle_vector(alone, undefined, lanes))

    def lanes(self, number: Value) -> LaneMask:
        """Return the lanes whose bits are set in a 64-bit number: the reverse of `number`."""
        builder, width = self.builder, self.shape.lanes
        bits = number if width == 64 else builder.trunc(number, ir.IntType(width))
        return LaneMask(self, builder.bitcast(bits, ir.VectorType(ir.IntType(1), width)))

    def can_sum(self, count: int) -> bool:
        """Return whether that many sets of values can be added up without overflow."""
        return count * ((1 << self.n) - 1) < 1 << self.shape.bits

    def single(self, x: Vector) -> Vector:
        """Keep lanes that have exactly one bit (or none); set the others to 0."""
        return (x & (x + self.minus_one)).equals(self.zero).choose(x, self.zero)

    def ternary(self, logic: Logic, a: Vector, b: Vector, c: Vector) -> Vector:
        """Apply a boolean function of three vectors, in one instruction if the processor has it."""
        if not self.shape.ternary:
            applied: Vector = logic(a, b, c)
            return applied
        # The function's truth table is its value on the three columns of a truth table.
        table = logic(0xF0, 0xCC, 0xAA) & 0xFF
        words = ir.VectorType(I32, self.shape.bytes // 4)
        function = self.declared(
            f"llvm.x86.avx512.pternlog.d.{self.shape.bytes * 8}",
            ir.FunctionType(words, [words, words, words, I32]),
        )
        cast = [self.builder.bitcast(x.value, words) for x in (a, b, c)]
        result = self.builder.call(function, [*cast, ir.Constant(I32, table)])
        return Vector(self, self.builder.bitcast(result, self.kind))

    def union(self, vectors: Iterable[Vector]) -> Vector:
        """Return the bitwise or of all vectors, computed three at a time."""
        left = list(vectors)
        while len(left) >= 3:
            left = [*left[3:], self.ternary(lambda a, b, c: a | b | c, *left[:3])]
        return left[0] if len(left) == 1 else left[0] | left[1]

    def intersection(self, vectors: Sequence[Vector]) -> Vector:
        """Return the bitwise and of all vectors, computed three at a time."""
        left = list(vectors)
        while len(left) >= 3:
            left = [*left[3:], self.ternary(lambda a, b, c: a & b & c, *left[:3])]
        return left[0] if len(left) == 1 else left[0] & left[1]

    def seen(self, vectors: Sequence[Vector]) -> tuple[Vector, Vector]:
        """Return the values in at least one of the vectors, and those in at least two."""
        if len(vectors) == 1:
            return vectors[0], self.zero
        if len(vectors) == 2:
            return vectors[0] | vectors[1], vectors[0] & vectors[1]
        once, twice = [], []
        for first in range(0, len(vectors) - 2, 3):
            three = vectors[first : first + 3]
            once.append(self.ternary(lambda a, b, c: a | b | c, *three))
            twice.append(self.ternary(lambda a, b, c: (a & b) | (a & c) | (b & c), *three))
        in_one, in_two = self.seen([*once, *vectors[len(once) * 3 :]])
        return in_one, self.union([in_two, *twice]) if len(vectors) > 3 else twice[0]

    def sum(self, vectors: Iterable[Vector]) -> Vector:
        """Return the sum of all vectors."""
        first, *others = vectors
        for x in others:
            first = first + x
        return first

    def without(self, x: Vector, removed: Iterable[Vector]) -> Vector:
        """Return x without the bits of the others, computed two at a time."""
        left = list(removed)
        while len(left) >= 2:
            x = self.ternary(lambda a, b, c: a & ~(b | c), x, left.pop(), left.pop())
        return x & ~left[0] if left else x

    def shifted(self, x: Vector, shifts: Iterable[tuple[int, int]]) -> list[Vector]:
        """Return, for each pair of a distance and a mask, x within the mask shifted up by that."""
        vectors = []
        for places, mask in shifts:
            part = x if mask < 0 else x & self.constant(mask)
            vectors.append(part << places if places > 0 else part >> -places if places else part)
        return vectors

    def pointer(self, address: Value, kind: ir.Type) -> Value:
        """Return the number as a pointer to a type."""
        return self.builder.inttoptr(address, kind.as_pointer())

    def load(self, state: Value, row: int) -> Vector:
        """Load a row of the state, a pointer to vectors."""
        return Vector(self, self.builder.load(self.at(state, row), align=self.shape.alignment))

    def store(self, state: Value, row: int, x: Vector) -> None:
        """Store a row of the state."""
        self.builder.store(x.value, self.at(state, row), align=self.shape.alignment)

    @contextmanager
    def repeated(
        self, times: int, initial: Sequence[Vector]
    ) -> Iterator[tuple[Value, list[Vector]]]:
        """Emit what follows in a loop that runs that many times, at least once.

        Yields the number of finished runs and a list of values carried from one run to the next;
        the caller replaces them by the values for the next run.
        """
        builder, before = self.builder, self.builder.block
        _ = self.minus_one  # emitted before the loop, not inside it
        loop, after = builder.append_basic_block(), builder.append_basic_block()
        builder.branch(loop)
        builder.position_at_end(loop)
        number = builder.phi(I64)
        number.add_incoming(ir.Constant(I64, 0), before)
        entered = [builder.phi(self.kind) for _ in initial]
        for phi, x in zip(entered, initial, strict=True):
            phi.add_incoming(x.value, before)
        carried = [Vector(self, phi) for phi in entered]
        yield number, carried
        following = builder.add(number, ir.Constant(I64, 1))
        number.add_incoming(following, builder.block)
        for phi, x in zip(entered, carried, strict=True):
            phi.add_incoming(x.value, builder.block)
        again = builder.icmp_unsigned("<", following, ir.Constant(I64, times))
        builder.cbranch(again, loop, after)
        builder.position_at_end(after)

    def moved(self, state: Value, number: Value, rows: int) -> Value:
        """Return the state moved by a number times some rows."""
        return self.builder.gep(state, [self.builder.mul(number, ir.Constant(I64, rows))])

    def rest(self) -> None:
        """End a basic block that has become long: the time to compile one grows with its square.

        LLVM joins blocks that simply follow each other, so this one ends with a conditional branch
        on whether the first argument is 0, which it never is.
        """
        builder = self.builder
        if len(builder.block.instructions) < LONG_BLOCK:
            return
        following = builder.append_basic_block()
        leave = builder.append_basic_block()
        given = builder.icmp_unsigned("!=", builder.function.args[0], ir.Constant(I64, 0))
        builder.cbranch(given, following, leave)
        builder.position_at_end(leave)
        builder.ret(ir.Constant(I64, 0))
        builder.position_at_end(following)

    def at(self, pointer: Value, offset: int) -> Value:
        """Return the pointer moved by that many elements."""
        return self.builder.gep(pointer, [ir.Constant(I64, offset)])

    def declared(self, name: str, kind: ir.FunctionType) -> Value:
        """Return an intrinsic of LLVM, declared once for each module."""
        module = self.builder.module
        return module.globals.get(name) or ir.Function(module, kind, name)


def function_of(module: ir.Module, name: str, arguments: int, shape: Shape) -> ir.Function:
    """Return an empty function of 64-bit numbers in a module for vectors of a shape."""
    function = ir.Function(module, ir.FunctionType(I64, [I64] * arguments), name)
    # Without this LLVM halves 512-bit vectors on some processors that have them.
    set.add(function.attributes, f'"min-legal-vector-width"="{shape.bytes * 8}"')
    set.add(function.attributes, f'"prefer-vector-width"="{shape.bytes * 8}"')
    return function
