"""Arrays of numbers that the compiled search reads and writes."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from struct import pack
from typing import Any, TypeAlias

from unidoku.backends.native.compiler.intrinsics import CELLS_AT_ONCE, NO_CELL, WORDS_AT_ONCE
from unidoku.core.caching import identity_cache

Numbers: TypeAlias = "array[int]"
"""Numbers of 64 bits."""

LINE = 8
"""Numbers in a line of the processor's cache; tables begin at the start of a line."""


def zeros(size: int) -> Numbers:
    """Return that many zeros."""
    return _ZERO * size


_ZERO = array("q", (0,))


def in_lines(size: int) -> tuple[memoryview[int], int]:
    """Return that many zeros, aligned to a line of the processor's cache, and their address.

    Vectors across two lines take longer.
    """
    memory = zeros(size + LINE)
    at = address(memory)
    first = -at // 8 % LINE
    return memoryview(memory)[first : first + max(size, 1)], at + 8 * first


def behind_cells(cells: int) -> int:
    """Return the place behind the candidates of cells, which are in whole blocks."""
    return max(-(-cells // CELLS_AT_ONCE) * CELLS_AT_ONCE, NO_CELL + 1)


def address(numbers: array[Any]) -> int:
    """Return the address of numbers in memory."""
    where, _ = numbers.buffer_info()
    return where


def numbers_of(sets: Iterable[int], words: int) -> Numbers:
    """Return sets one after the other, each in so many words of 64 bits, the lowest bits first."""
    numbers = array("q")
    numbers.frombytes(b"".join([mask.to_bytes(8 * words, "little") for mask in sets]))
    return numbers


def in_whole_lines(numbers: Sequence[int]) -> Numbers:
    """Return numbers, and zeros behind them up to the end of a line."""
    padded = array("q", pack(f"{len(numbers)}q", *numbers))  # sooner than a list becomes an array
    padded.extend(zeros(-len(padded) % LINE))
    return padded


def words_of(rows: int) -> int:
    """Return the number of words of a set of rows, in whole vectors."""
    return -(-rows // (64 * WORDS_AT_ONCE)) * WORDS_AT_ONCE


@identity_cache
def supports_of(rows: tuple[tuple[int, ...], ...], n: int) -> Numbers:
    """Return for each column and value the set of rows with the value in the column."""
    words = words_of(len(rows))
    chosen = [bytes(49 if byte == value else 48 for byte in range(256)) for value in range(n + 1)]
    sets = []
    for column in zip(*rows, strict=True):
        values = bytes(column[::-1])
        sets += [int(values.translate(chosen[value]), 2) for value in range(1, n + 1)]
    return numbers_of(sets, words)
