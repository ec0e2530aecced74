"""A setting of the whole process that has another value for a while, such as a language."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Setting(Generic[T]):
    """A value that a ``with`` block replaces; other threads see the same value.

    >>> size = Setting(9)
    >>> with size.set_to(16):
    ...     size.value
    16
    >>> size.value
    9
    """

    __slots__ = ("_values",)

    def __init__(self, value: T) -> None:
        """Take the value outside of all blocks."""
        self._values = [value]

    @property
    def value(self) -> T:
        """The value of the innermost block."""
        return self._values[-1]

    @contextlib.contextmanager
    def set_to(self, value: T) -> Iterator[None]:
        """Use another value until the block ends."""
        self._values.append(value)
        try:
            yield
        finally:
            self._values.pop()
