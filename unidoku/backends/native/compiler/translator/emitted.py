"""Functions that emit LLVM code where translated functions call them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

I1, I64 = ir.IntType(1), ir.IntType(64)


@dataclass(frozen=True, slots=True)
class Emitted:
    """A function for translated functions, whose code is emitted where it is called: a decorator.

    Args:
        emit: takes LLVM's builder and the arguments; returns the result: a value, a tuple of
            values, or None.
    """

    emit: Callable[..., Any]

    def __call__(self, *arguments: Any) -> Any:
        """Raise an error: only translated functions call it."""
        raise TypeError("expected a call from translated code, got one from Python")


def room(builder: ir.IRBuilder, kind: ir.Type) -> ir.Value:
    """Return a pointer to room for a variable, which is made where the function begins."""
    with builder.goto_entry_block():
        return builder.alloca(kind)


def variable(builder: ir.IRBuilder, initial: ir.Value) -> ir.Value:
    """Return a pointer to a variable with an initial value."""
    slot = room(builder, initial.type)
    builder.store(initial, slot)
    return slot


@contextmanager
def loop(builder: ir.IRBuilder, count: ir.Value) -> Iterator[ir.Value]:
    """Emit a loop whose body is what the block emits; yield the number of the round, from 0."""
    begin = builder.block
    head, body, end = (builder.append_basic_block() for _ in range(3))
    builder.branch(head)
    builder.position_at_end(head)
    number = builder.phi(I64)
    number.add_incoming(ir.Constant(I64, 0), begin)
    builder.cbranch(builder.icmp_signed("<", number, count), body, end)
    builder.position_at_end(body)
    yield number
    number.add_incoming(builder.add(number, ir.Constant(I64, 1), flags=("nsw",)), builder.block)
    builder.branch(head)
    builder.position_at_end(end)
