"""Settings that have another value for a while: of the whole process, or of a context."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Generic, TypeVar

T = TypeVar("T")


@contextlib.contextmanager
def in_context(variable: ContextVar[T], value: T) -> Iterator[None]:
    """Give a context variable another value until the block ends."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


class Setting(Generic[T]):
    """A value that a ``with`` block replaces; other threads see the same value.

    >>> size = Setting(9)
    >>> with size.set_to(16):
    ...     size.value
    16
    >>> size.value
    9

    Blocks may end in any order: one that ends takes back its own value only.
    """

    __slots__ = ("_blocks",)

    def __init__(self, value: T) -> None:
        """Take the value outside of all blocks."""
        self._blocks = [(object(), value)]

    @property
    def value(self) -> T:
        """The value of the block that began last, of those that have not ended."""
        return self._blocks[-1][1]

    @contextlib.contextmanager
    def set_to(self, value: T) -> Iterator[None]:
        """Use another value until the block ends."""
        block = object(), value
        self._blocks.append(block)
        try:
            yield
        finally:
            self._blocks.remove(block)
