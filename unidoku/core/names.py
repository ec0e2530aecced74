"""Names of cells: ``A1`` or ``r1c1``, and ``#1`` for hidden cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

Position: TypeAlias = tuple[int, int]
"""Row and column, both from 0."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_NOWHERE = (-1, -1)
"""A position without a cell."""


def row_name(row: int, rows: int) -> str:
    """Return the name of a row: a letter if there are enough letters, otherwise its number."""
    return _LETTERS[row] if rows <= len(_LETTERS) else str(row + 1)


def names_of(positions: Sequence[Position], rows: int, hidden: int) -> tuple[str, ...]:
    """Return the names of cells: first of cells with positions, then of hidden ones.

    >>> names_of([(0, 0), (2, 4)], rows=3, hidden=2)
    ('A1', 'C5', '#1', '#2')
    """
    if rows <= len(_LETTERS):
        names = [f"{row_name(row, rows)}{column + 1}" for row, column in positions]
        return (*names, *_names_of_hidden(hidden))
    return names_by_number(positions, hidden)


def names_by_number(positions: Sequence[Position], hidden: int) -> tuple[str, ...]:
    """Return the names of cells as setters write them: by the numbers of row and column.

    >>> names_by_number([(0, 0), (2, 4)], hidden=1)
    ('r1c1', 'r3c5', '#1')
    """
    names = [f"r{row + 1}c{column + 1}" for row, column in positions]
    return (*names, *_names_of_hidden(hidden))


def _names_of_hidden(hidden: int) -> list[str]:
    return [f"#{number + 1}" for number in range(hidden)]


def position_of(name: str, rows: int) -> Position:
    """Return the position of a name in either case; `_NOWHERE` if the name is not valid.

    >>> position_of("c5", rows=3), position_of("r3c5", rows=3)
    ((2, 4), (2, 4))
    """
    if match := re.fullmatch(r"r([0-9]{1,4})c([0-9]{1,4})", name, re.IGNORECASE):
        return int(match[1]) - 1, int(match[2]) - 1
    if rows <= len(_LETTERS) and (match := re.fullmatch(r"([A-Za-z])([0-9]{1,4})", name)):
        return _LETTERS.index(match[1].upper()), int(match[2]) - 1
    return _NOWHERE


def number_of(name: str) -> int:
    """Return the number of the hidden cell with a name, 0 if the name is not valid."""
    return int(name[1:]) if re.fullmatch(r"#[1-9][0-9]{0,4}", name) else 0
