"""Tools to emit functions that read a program: variables, loops and cursors.

Code compiled for one layout is straight-line; code that handles all layouts reads a program.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from unidoku.backends.native.lanes.vector import I8, I32, I64, Emitter, Value, Vector

PLACES = (1 << 32) - 1
"""Mask of the lower of two numbers in a word."""


class Variable:
    """A variable of the emitted function."""

    def __init__(self, emit: Emitter, value: Value) -> None:
        self._builder = emit.builder
        with self._builder.goto_entry_block():
            self._place = self._builder.alloca(value.type)
        self.set(value)

    def set(self, value: Value) -> None:
        """Emit: assign a value."""
        self._builder.store(value, self._place)

    def get(self) -> Value:
        """Emit: return its value."""
        return self._builder.load(self._place)


class VectorVariable:
    """A variable of the emitted function that holds a vector."""

    def __init__(self, emit: Emitter, x: Vector) -> None:
        self._emit = emit
        self._held = Variable(emit, x.value)

    def set(self, x: Vector) -> None:
        """Emit: assign a value."""
        self._held.set(x.value)

    def get(self) -> Vector:
        """Emit: return its value."""
        return Vector(self._emit, self._held.get())


class Cursor:
    """A place in the program, which advances as numbers are read."""

    def __init__(self, emit: Emitter, place: Value) -> None:
        self._emit = emit
        self._place = Variable(emit, place)

    def word(self) -> Value:
        """Emit: read the next number."""
        builder, place = self._emit.builder, self._place.get()
        self._place.set(builder.gep(place, [ir.Constant(I64, 1)]))
        return builder.load(place)

    def pair(self) -> tuple[Value, Value]:
        """Emit: read two numbers that share a word."""
        builder, word = self._emit.builder, self.word()
        lower = builder.and_(word, ir.Constant(I64, PLACES))
        return lower, builder.lshr(word, ir.Constant(I64, 32))

    def skip(self, words: Value) -> None:
        """Emit: skip some numbers."""
        self._place.set(self._emit.builder.gep(self._place.get(), [words]))

    def copy(self) -> Cursor:
        """Return another cursor at the same place."""
        return Cursor(self._emit, self._place.get())


class ProgramReader:
    """Emits a function that reads a program."""

    def __init__(self, emit: Emitter, state: Value, program: Value, scratch: Value) -> None:
        _ = emit.minus_one  # emitted before all loops, not inside one
        self.emit = emit
        self.state = emit.pointer(state, I8)
        self.scratch = emit.pointer(scratch, I8)
        self.read = Cursor(emit, emit.pointer(program, I64))

    @contextmanager
    def times(self, count: Value) -> Iterator[None]:
        """Emit a loop around what follows; it runs that many times, possibly never."""
        builder = self.emit.builder
        left = Variable(self.emit, count)
        loop, after = builder.append_basic_block(), builder.append_basic_block()
        zero = ir.Constant(I64, 0)
        builder.cbranch(builder.icmp_unsigned("!=", count, zero), loop, after)
        builder.position_at_end(loop)
        yield
        following = builder.sub(left.get(), ir.Constant(I64, 1))
        left.set(following)
        builder.cbranch(builder.icmp_unsigned("!=", following, zero), loop, after)
        builder.position_at_end(after)

    def cell(self, cursor: Cursor | None = None) -> Value:
        """Emit: read a cell; return the pointer to its candidates."""
        return self.vector_at(self.state, (cursor or self.read).word())

    def vector_at(self, base: Value, offset: Value) -> Value:
        """Emit: the pointer to the vector that many bytes after the base."""
        builder = self.emit.builder
        return builder.bitcast(builder.gep(base, [offset]), self.emit.kind.as_pointer())

    def load(self, cell: Value) -> Vector:
        """Emit: the candidates of a cell."""
        return self.emit.load(cell, 0)

    def mask(self, cursor: Cursor | None = None) -> Vector:
        """Emit: read a set of values; a word holds as many copies of it as fit."""
        kind = ir.VectorType(I64, self.emit.shape.bytes // 8)
        return Vector(self.emit, self._spread((cursor or self.read).word(), kind))

    def number(self, cursor: Cursor | None = None) -> Vector:
        """Emit: read a number for all lanes, for example a distance to shift vectors by."""
        builder, word = self.emit.builder, (cursor or self.read).word()
        one = word if self.emit.shape.bits == 64 else builder.trunc(word, self.emit.element)
        return Vector(self.emit, self._spread(one, self.emit.kind))

    def _spread(self, one: Value, kind: Any) -> Value:
        builder, nothing = self.emit.builder, ir.Constant(kind, ir.Undefined)
        alone = builder.insert_element(nothing, one, ir.Constant(I32, 0))
        places = ir.Constant(ir.VectorType(I32, kind.count), [0] * kind.count)
        return builder.bitcast(builder.shuffle_vector(alone, nothing, places), self.emit.kind)
