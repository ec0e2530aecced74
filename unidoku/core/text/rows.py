"""Boards from nested lists: rows of ints, 0 or None for an empty cell."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TypeAlias

from unidoku.core.bits import all_values, bit
from unidoku.core.layout import Layout
from unidoku.core.text.reader import Parsed
from unidoku.core.variants import Variant, layout
from unidoku.errors import FormatError

Nested: TypeAlias = Sequence[Sequence[int | None]]
"""Rows of values, 0 or None for an empty cell."""


def read_rows(rows: Nested, variant: str | Layout = "classic") -> Parsed:
    """Read a board from rows of values, in any sequences of ints, such as numpy arrays.

    Raises:
        FormatError: a row is too long or too short, or contains something other than a value; the
            message names the row and column.
    """
    for number, values_of_row in enumerate(rows, start=1):
        if not hasattr(values_of_row, "__len__"):
            raise FormatError(f"expected a row of values, got {values_of_row!r}", line=number)
    lengths = [len(row) for row in rows]
    if isinstance(variant, Layout):
        board_layout = variant
    else:
        size = Variant.parse(variant).size(sum(lengths))
        if size is None:
            raise FormatError(
                f"expected rows that fill a {variant} board, such as 9 rows of 9, "
                f"got {len(rows)} rows of {_lengths(lengths)} values"
            )
        board_layout = layout(variant, size)
    expected = [0] * board_layout.rows
    for at, _ in board_layout.positions:
        expected[at] += 1
    if len(rows) != len(expected):
        raise FormatError(f"expected {len(expected)} rows, got {len(rows)}")
    for number, (length, wanted) in enumerate(zip(lengths, expected, strict=True), start=1):
        if length != wanted:
            raise FormatError(f"expected {wanted} values, got {length}", line=number)
    return board_layout, tuple(
        _candidates(value, board_layout.n, number, column)
        for number, row in enumerate(rows, start=1)
        for column, value in enumerate(row, start=1)
    )


def _lengths(lengths: Sequence[int]) -> str:
    return "/".join(str(length) for length in sorted(set(lengths))) or "0"


def _candidates(value: int | None, n: int, row: int, column: int) -> int:
    try:
        number = 0 if value is None else operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, bool) or not 0 <= number <= n:
        raise FormatError(f"expected an int from 0 to {n} or None, got {value!r}", row, column)
    return bit(number) if number else all_values(n)
