"""Names of cells: ``A1`` or ``r1c1``, and ``#1`` for hidden cells.

Both are read everywhere; `unidoku.support.notation` has which of them is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from unidoku.support.language import language, message
from unidoku.support.notation import BY_NUMBER, notation

Position: TypeAlias = tuple[int, int]
"""Row and column, both from 0."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

NOWHERE = (-1, -1)
"""A position without a cell."""


def row_name(row: int, rows: int) -> str:
    """Return the name of a row: a letter if there are enough letters, otherwise its number."""
    return str(row + 1) if notation() == BY_NUMBER else row_letter(row, rows)


def row_letter(row: int, rows: int) -> str:
    """Return the name of a row as in `A1`, whatever the notation in force."""
    return _LETTERS[row] if rows <= len(_LETTERS) else str(row + 1)


def unit_name(name: str) -> str:
    """Return the name of a unit, whose rows and cells have letters, in the notation in force."""
    if notation() != BY_NUMBER:
        return name
    name = re.sub(r"\brow ([A-Z])\b", lambda match: f"row {_LETTERS.index(match[1]) + 1}", name)
    return re.sub(
        r"\b([A-Z])([0-9]+)\b", lambda match: f"r{_LETTERS.index(match[1]) + 1}c{match[2]}", name
    )


def names_by_letter(positions: Sequence[Position], rows: int, hidden: int) -> tuple[str, ...]:
    """Return the names of cells as in `A1`, if there are enough letters.

    First those of cells with positions, then of hidden ones, whatever the notation in force.

    >>> names_by_letter([(0, 0), (2, 4)], rows=3, hidden=2)
    ('A1', 'C5', '#1', '#2')
    """
    if rows > len(_LETTERS):
        return names_by_number(positions, hidden)
    names = [f"{row_letter(row, rows)}{column + 1}" for row, column in positions]
    return (*names, *names_of_hidden(hidden))


def names_by_number(positions: Sequence[Position], hidden: int) -> tuple[str, ...]:
    """Return the names of cells as setters write them: by the numbers of row and column.

    >>> names_by_number([(0, 0), (2, 4)], hidden=1)
    ('r1c1', 'r3c5', '#1')
    """
    names = [f"r{row + 1}c{column + 1}" for row, column in positions]
    return (*names, *names_of_hidden(hidden))


def names_of_hidden(hidden: int) -> list[str]:
    """Return the names of so many hidden cells: ``#1``, ``#2``."""
    return [f"#{number + 1}" for number in range(hidden)]


def position_of(name: str, rows: int) -> Position:
    """Return the position of a name in either case; `NOWHERE` if the name is not valid.

    >>> position_of("c5", rows=3), position_of("r3c5", rows=3)
    ((2, 4), (2, 4))
    """
    if match := re.fullmatch(r"r([0-9]{1,4})c([0-9]{1,4})", name, re.IGNORECASE):
        return int(match[1]) - 1, int(match[2]) - 1
    if rows <= len(_LETTERS) and (match := re.fullmatch(r"([A-Za-z])([0-9]{1,4})", name)):
        return _LETTERS.index(match[1].upper()), int(match[2]) - 1
    return NOWHERE


SHORTEST, _SHORTEST_DIAGONAL = 3, 4
"""Number of cells from which a straight run, or a diagonal one, is told by its ends."""

_BLOCK = 9
"""Number of cells from which a rectangle is told by its corners."""


def brief(names: Sequence[str]) -> str:
    """Return names of cells as text: straight runs by their ends, and rectangles by their corners.

    >>> brief(["A1", "A2", "A3", "B3", "#1"]), brief(["r4c1", "r3c2", "r2c3", "r1c4"])
    ('A1-A3 B3 #1', 'r4c1-r1c4')
    >>> brief(["A1", "B2", "C3"])  # a short diagonal is seen less easily than a short row
    'A1 B2 C3'
    >>> brief([f"{row}{column}" for row in "ABC" for column in "123"])
    'A1 to C3'
    """
    return _brief(tuple(names), language())


@lru_cache(maxsize=1 << 12)
def _brief(names: tuple[str, ...], _language: str) -> str:
    """Return the text in the language in force, which is part of the key of the cache."""
    places = [position_of(name, rows=1) for name in names]
    if _is_block(places):
        return message("{first} to {last}", first=names[0], last=names[-1])
    return by_ends(names, places, _SHORTEST_DIAGONAL)


def by_ends(names: Sequence[str], places: Sequence[Position], shortest_diagonal: int) -> str:
    """Return names of cells as text, straight runs of neighbours by their ends.

    Args:
        names: the names.
        places: the position of each cell, `NOWHERE` for hidden ones.
        shortest_diagonal: number of cells from which a diagonal run is written so.
    """
    texts: list[str] = []
    start = 0
    while start < len(names):
        length = _run_length(places[start:])
        diagonal = length > 1 and 0 not in map(int.__sub__, places[start], places[start + 1])
        end = start + (length if length >= (shortest_diagonal if diagonal else SHORTEST) else 1) - 1
        texts.append("-".join(names[start : end + 1 : max(1, end - start)]))
        start = end + 1
    return " ".join(texts)


def _is_block(places: Sequence[Position]) -> bool:
    """Return whether positions are those of a large rectangle, in reading order."""
    if len(places) < _BLOCK or NOWHERE in places:
        return False
    (top, left), (bottom, right) = places[0], places[-1]
    every = [(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)]
    return top < bottom and left < right and every == [*places]


def _run_length(places: Sequence[Position]) -> int:
    """Return how many of the first positions are a straight run of neighbours."""
    steps = [
        (b[0] - a[0], b[1] - a[1]) if NOWHERE not in (a, b) else (0, 0) for a, b in pairwise(places)
    ]
    if not steps or steps[0] == (0, 0) or max(map(abs, steps[0])) > 1:
        return 1
    return 1 + next((index for index, step in enumerate(steps) if step != steps[0]), len(steps))


def number_of(name: str) -> int:
    """Return the number of the hidden cell with a name, 0 if the name is not valid."""
    return int(name[1:]) if re.fullmatch(r"#[1-9][0-9]{0,4}", name) else 0


def region_of() -> str:
    """Return how the name of a cell begins that holds the number of another cell's region."""
    return message("the region of ")


FIRST_HIDDEN = "first_hidden"
"""The attribute of an expanded layout that has the number of its first hidden cell."""


@dataclass(frozen=True, slots=True)
class HiddenCell:
    """What a hidden cell holds, in words for steps: ``A2 is in region 3``.

    Args:
        name: what the cell holds: ``the region of A2``. No two cells of a layout have the same.
        subject: what it says something about: ``A2``.
        values: what it means that the cell holds 1, 2, …: ``in region 3``.
        cell: the cell whose region it holds; None if it holds something else.
    """

    name: str
    subject: str
    values: tuple[str, ...]
    cell: int | None = None
