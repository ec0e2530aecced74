"""What emits a function of a kernel, in vectors of one shape: loads, stores, logic and loops.

The one instruction that LLVM does not always find by itself is the ternary logic of AVX-512, any
boolean function of three vectors: `Emitter.ternary`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeAlias

from llvmlite import ir

from unidoku.backends.native.compiler.translator.emitted import I64
from unidoku.backends.native.compiler.vector import (
    I32,
    LaneMask,
    Value,
    Vector,
    called,
    lanes_of,
    repeated,
    spread,
)
from unidoku.backends.native.lanes.shape import Shape

LONG_BLOCK = 25000
"""Number of instructions: for longer blocks, splitting costs less speed than compiling would cost
time."""


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
        return Vector(self.builder, repeated(number, self.shape.bits, self.shape.lanes))

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
        return spread(self.builder, number, self.shape.lanes)

    def lanes(self, number: Value) -> LaneMask:
        """Return the lanes whose bits are set in a 64-bit number: the reverse of `number`."""
        return lanes_of(self.builder, number, self.shape.lanes)

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
        name = f"llvm.x86.avx512.pternlog.d.{self.shape.bytes * 8}"
        cast = [self.builder.bitcast(x.value, words) for x in (a, b, c)]
        result = called(self.builder, name, words, *cast, ir.Constant(I32, table))
        return Vector(self.builder, self.builder.bitcast(result, self.kind))

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
        return Vector(
            self.builder, self.builder.load(self.at(state, row), align=self.shape.alignment)
        )

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
        carried = [Vector(builder, phi) for phi in entered]
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


def function_of(module: ir.Module, name: str, arguments: int, shape: Shape) -> ir.Function:
    """Return an empty function of 64-bit numbers in a module for vectors of a shape."""
    function = ir.Function(module, ir.FunctionType(I64, [I64] * arguments), name)
    # Without this LLVM halves 512-bit vectors on some processors that have them.
    set.add(function.attributes, f'"min-legal-vector-width"="{shape.bytes * 8}"')
    set.add(function.attributes, f'"prefer-vector-width"="{shape.bytes * 8}"')
    return function
