"""A small vector language: Python operators that emit LLVM instructions on SIMD vectors.

A `Vector` stands for one number in each lane while code is being emitted; ``a & ~b`` on two of them
emits the instructions that compute it in every lane at once. A comparison returns a `LaneMask`: one
bit for each lane. Nothing here computes numbers itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, TypeAlias, TypeVar

from llvmlite import ir

from unidoku.backends.native.compiler.translator.emitted import I1, I64, variable

I32 = ir.IntType(32)

Value: TypeAlias = Any
"""An LLVM value; llvmlite has no types."""


@dataclass(frozen=True, slots=True)
class Vector:
    """One number for each lane."""

    builder: ir.IRBuilder
    value: Value

    def __and__(self, other: Vector) -> Vector:
        return Vector(self.builder, self.builder.and_(self.value, other.value))

    def __or__(self, other: Vector) -> Vector:
        return Vector(self.builder, self.builder.or_(self.value, other.value))

    def __xor__(self, other: Vector) -> Vector:
        return Vector(self.builder, self.builder.xor(self.value, other.value))

    def __invert__(self) -> Vector:
        return self ^ self.constant(-1)

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.builder, self.builder.add(self.value, other.value))

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.builder, self.builder.sub(self.value, other.value))

    def __lshift__(self, places: int | Vector) -> Vector:
        return Vector(self.builder, self.builder.shl(self.value, self._places(places).value))

    def __rshift__(self, places: int | Vector) -> Vector:
        return Vector(self.builder, self.builder.lshr(self.value, self._places(places).value))

    def equals(self, other: Vector) -> LaneMask:
        """Return the lanes in which the two are equal."""
        return self._compared("==", other)

    def differs(self, other: Vector) -> LaneMask:
        """Return the lanes in which the two differ."""
        return self._compared("!=", other)

    def below(self, other: Vector) -> LaneMask:
        """Return the lanes in which this one is smaller, both taken as unsigned."""
        return self._compared("<", other)

    def constant(self, number: int) -> Vector:
        """Return the vector of the same shape with a number in every lane."""
        kind = self.value.type
        return Vector(self.builder, repeated(number, kind.element.width, kind.count))

    def population(self) -> Vector:
        """Count the bits of each lane."""
        return self.changed("ctpop")

    def changed(self, operation: str, *others: Vector) -> Vector:
        """Return what an intrinsic of LLVM makes of this vector and others, lane by lane."""
        kind = self.value.type
        name = f"llvm.{operation}.v{kind.count}i{kind.element.width}"
        arguments = [self.value, *[other.value for other in others]]
        return Vector(self.builder, called(self.builder, name, kind, *arguments))

    def union(self) -> Value:
        """Return the bitwise or of all lanes, as a number."""
        return self._reduced("or")

    def intersection(self) -> Value:
        """Return the bitwise and of all lanes, as a number."""
        return self._reduced("and")

    def _places(self, places: int | Vector) -> Vector:
        return self.constant(places) if isinstance(places, int) else places

    def _compared(self, sign: str, other: Vector) -> LaneMask:
        return LaneMask(self.builder, self.builder.icmp_unsigned(sign, self.value, other.value))

    def _reduced(self, operation: str) -> Value:
        kind = self.value.type
        name = f"llvm.vector.reduce.{operation}.v{kind.count}i{kind.element.width}"
        return called(self.builder, name, kind.element, self.value)


@dataclass(frozen=True, slots=True)
class LaneMask:
    """Yes or no for each lane."""

    builder: ir.IRBuilder
    value: Value

    def __or__(self, other: LaneMask) -> LaneMask:
        return LaneMask(self.builder, self.builder.or_(self.value, other.value))

    def __and__(self, other: LaneMask) -> LaneMask:
        return LaneMask(self.builder, self.builder.and_(self.value, other.value))

    def __invert__(self) -> LaneMask:
        return LaneMask(self.builder, self.builder.not_(self.value))

    def choose(self, yes: Vector, no: Vector) -> Vector:
        """Take ``yes`` in the lanes that are set and ``no`` in the others."""
        return Vector(self.builder, self.builder.select(self.value, yes.value, no.value))

    def bits(self) -> Value:
        """Return the mask as a number with as many bits as there are lanes, lane 0 the lowest."""
        return self.builder.bitcast(self.value, ir.IntType(self.value.type.count))

    def number(self) -> Value:
        """Return the mask as a 64-bit number, lane 0 in its lowest bit."""
        bits = self.bits()
        return bits if bits.type == I64 else self.builder.zext(bits, I64)


Contents = TypeVar("Contents", Vector, LaneMask)


class Variable(Generic[Contents]):
    """A vector or a mask of lanes that emitted code changes."""

    def __init__(self, initial: Contents) -> None:
        self._initial: Contents = initial
        self._builder: ir.IRBuilder = initial.builder
        self._slot = variable(self._builder, initial.value)

    def get(self) -> Contents:
        """Return the current value."""
        return replace(self._initial, value=self._builder.load(self._slot))

    def set(self, value: Contents) -> None:
        """Replace the value."""
        self._builder.store(value.value, self._slot)

    def add(self, value: Contents) -> None:
        """Replace the value by its union with another one."""
        self.set(self.get() | value)


@lru_cache(maxsize=256)
def repeated(number: int, bits: int, lanes: int) -> Value:
    """Return a constant vector; llvmlite writes out each object once, which takes long."""
    wrapped = number & ((1 << bits) - 1)
    return ir.Constant(ir.VectorType(ir.IntType(bits), lanes), [wrapped] * lanes)


def spread(builder: ir.IRBuilder, number: Value, lanes: int) -> Vector:
    """Return the vector with this number in every lane."""
    undefined = ir.Constant(ir.VectorType(number.type, lanes), ir.Undefined)
    alone = builder.insert_element(undefined, number, ir.Constant(I32, 0))
    first = ir.Constant(ir.VectorType(I32, lanes), [0] * lanes)
    return Vector(builder, builder.shuffle_vector(alone, undefined, first))


def lanes_of(builder: ir.IRBuilder, number: Value, lanes: int) -> LaneMask:
    """Return the lanes whose bits are set in a 64-bit number: the reverse of `LaneMask.number`."""
    bits = number if lanes == number.type.width else builder.trunc(number, ir.IntType(lanes))
    return LaneMask(builder, builder.bitcast(bits, ir.VectorType(I1, lanes)))


def called(builder: ir.IRBuilder, name: str, kind: ir.Type, *arguments: Value) -> Value:
    """Call an intrinsic of LLVM, declared once for each module, that returns a value of a type."""
    signature = ir.FunctionType(kind, [argument.type for argument in arguments])
    function = builder.module.globals.get(name) or ir.Function(builder.module, signature, name)
    return builder.call(function, arguments)
