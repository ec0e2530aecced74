"""Names of cells: ``A1`` or ``r1c1``, and ``#1`` for hidden cells.

Both are read everywhere; which of them is written is decided once for a process, by `named_by`.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

Position: TypeAlias = tuple[int, int]
"""Row and column, both from 0."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

BY_LETTER, BY_NUMBER = "A1", "r1c1"

NOTATIONS = (BY_LETTER, BY_NUMBER)
"""How cells are named: rows by letters, as far as there are enough, or by numbers."""

_in_force = [BY_LETTER]
"""The notation in force is the last one."""

_NOWHERE = (-1, -1)
"""A position without a cell."""


@contextlib.contextmanager
def named_by(notation: str) -> Iterator[None]:
    """Name cells, rows and units in a notation; other threads do so too.

    >>> with named_by("r1c1"):
    ...     names_of([(0, 0)], rows=3, hidden=0), row_name(2, 3), unit_name("row C")
    (('r1c1',), '3', 'row 3')
    """
    _in_force.append(notation)
    try:
        yield
    finally:
        _in_force.pop()


def notation() -> str:
    """Return the notation in force, one of `NOTATIONS`."""
    return _in_force[-1]


def row_name(row: int, rows: int) -> str:
    """Return the name of a row: a letter if there are enough letters, otherwise its number."""
    return str(row + 1) if notation() == BY_NUMBER else row_letter(row, rows)


def row_letter(row: int, rows: int) -> str:
    """Return the name of a row as in `A1`, whatever the notation in force."""
    return _LETTERS[row] if rows <= len(_LETTERS) else str(row + 1)


def unit_name(name: str) -> str:
    """Return the name of a unit, in which rows have letters, in the notation in force."""
    if notation() != BY_NUMBER:
        return name
    return re.sub(r"\brow ([A-Z])\b", lambda found: f"row {_LETTERS.index(found[1]) + 1}", name)


def names_of(positions: Sequence[Position], rows: int, hidden: int) -> tuple[str, ...]:
    """Return the names of cells: first of cells with positions, then of hidden ones.

    >>> names_of([(0, 0), (2, 4)], rows=3, hidden=2)
    ('A1', 'C5', '#1', '#2')
    """
    if rows <= len(_LETTERS) and notation() == BY_LETTER:
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


REGION_OF = "the region of "
"""What the names of cells that hold the number of another cell's region begin with."""

REGIONS = "cells_of_regions"
"""The attribute of an expanded layout that has pairs of such a cell and the other one."""


@lru_cache(maxsize=64)
def with_regions(
    names: tuple[str, ...], regions: tuple[tuple[int, int | None], ...]
) -> tuple[str, ...]:
    """Return the names of cells, those of cells that number regions by the cells they are about.

    >>> with_regions(("A1", "A2", "B1", "B2"), ((2, 1), (3, None)))
    ('A1', 'A2', 'the region of A2', '#2')

    Args:
        names: the names, with those of hidden cells as if they were below the grid.
        regions: for each hidden cell, the cell whose region it numbers; None for another one.
    """
    of, first = dict(regions), min(cell for cell, _ in regions)
    hidden = (
        f"#{cell - first + 1}" if (other := of[cell]) is None else f"{REGION_OF}{names[other]}"
        for cell in range(first, len(names))
    )
    return (*names[:first], *hidden)
