"""Arrays of numbers, where the compiled search reads and writes them."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable
from typing import Any, TypeAlias

Numbers: TypeAlias = "array[int]"
"""Numbers of 64 bits."""

LINE = 8
"""Numbers in a line of the processor's cache; tables begin with one."""


def zeros(size: int) -> Numbers:
    """Return so many numbers."""
    return array("q", bytes(8 * size))


def in_lines(size: int) -> memoryview[int]:
    """Return so many numbers that begin where a line of the processor's cache does.

    Vectors that lie across two lines take longer.
    """
    held = zeros(size + LINE)
    first = -address(held) // 8 % LINE
    return memoryview(held)[first : first + max(size, 1)]


def address(numbers: Numbers | memoryview[int] | array[Any]) -> int:
    """Return where numbers are in memory."""
    if isinstance(numbers, memoryview):
        return ctypes.addressof(ctypes.c_char.from_buffer(numbers))
    where, _ = numbers.buffer_info()
    return where


def numbers_of(sets: Iterable[int], words: int) -> Numbers:
    """Return sets one after the other, each as so many numbers of 64 bits."""
    made = array("q")
    made.frombytes(b"".join([held.to_bytes(8 * words, "little") for held in sets]))
    return made
