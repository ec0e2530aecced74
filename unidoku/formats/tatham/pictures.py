"""Pattern and Unruly: rectangles of cells that are filled or blank, 1 or 0."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from unidoku.core.board import Board
from unidoku.errors import FormatError, InputError
from unidoku.formats.families import MOST_SIDE, Rest, nonogram, nonogram_clues, take_takuzu, takuzu
from unidoku.formats.losses import Report
from unidoku.formats.tatham.ids import Game

_A = ord("a")

_SKIP = 25
"""Number of cells that the letter z stands for, without a value after them."""


def _sizes(size: re.Match[str]) -> tuple[int, int]:
    """Return the number of rows and of columns."""
    columns, rows = int(size[1]), int(size[2] or size[1])
    if not (1 <= rows <= MOST_SIDE and 1 <= columns <= MOST_SIDE):
        raise FormatError(f"expected sides from 1 to {MOST_SIDE}, got {columns}x{rows}")
    return rows, columns


def _values(text: str, cells: int) -> list[int]:
    """Return 1 or 2 for cells with a value, 0 for others: lower case is 1, upper case is 2.

    A letter stands for a number of empty cells, none for ``a``, and for one cell with a value.
    """
    values: list[int] = []
    for at, letter in enumerate(text):
        count = ord(letter.lower()) - _A
        values += [0] * count
        if count < _SKIP:
            values.append(1 + letter.isupper())
        if len(values) > cells + (at == len(text) - 1):
            raise FormatError(f"expected {cells} cells, got more")
    if len(values) < cells:
        raise FormatError(f"expected {cells} cells, got {len(values)}")
    return values


def _letters(values: Sequence[int]) -> Iterator[str]:
    """Yield the letters for values; the last letter is for the cell beyond the last."""
    empty = 0
    for value in values:
        if not value:
            empty += 1
            continue
        yield ("zZ"[value - 1]) * (empty // _SKIP)
        letter = chr(_A + empty % _SKIP)
        yield letter.upper() if value == 2 else letter
        empty = 0
    yield "z" * (empty // _SKIP) + chr(_A + empty % _SKIP)


def _read_unruly(size: re.Match[str], description: str, report: Report) -> Board:
    rows, columns = _sizes(size)
    if rows % 2 or columns % 2:
        raise FormatError(f"expected even sides, got {columns}x{rows}")
    values = _values(description, rows * columns)
    if len(values) != rows * columns + 1:
        raise FormatError(f"expected a letter beyond the last cell, got {len(values)} cells")
    layout = takuzu(rows, columns, distinct=bool(size[3]))
    return Board.from_values(layout, values[:-1])


def _write_unruly(rest: Rest) -> str:
    distinct = take_takuzu(rest, "Unruly")
    layout = rest.layout
    if min(layout.rows, layout.columns) < 6:
        raise InputError(f"Unruly holds sides of 6 or more, got {layout.columns}x{layout.rows}")
    letters = "".join(_letters(rest.givens()))
    return f"{layout.columns}x{layout.rows}{'u' * distinct}:{letters}"


def _read_pattern(size: re.Match[str], description: str, report: Report) -> Board:
    rows, columns = _sizes(size)
    clues, comma, marks = description.partition(",")
    pieces = [
        tuple(map(int, clue.split("."))) if clue else ()
        for clue in clues.split("/")
        if re.fullmatch(r"(?:\d{1,4}(?:\.\d{1,4})*)?", clue)
    ]
    if len(pieces) != rows + columns or len(pieces) != clues.count("/") + 1:
        raise FormatError(
            f"expected clues such as 2.1 of {columns} columns and {rows} rows, separated by /, "
            f"got {clues[:40]!r}"
        )
    for line, blocks in enumerate(pieces):
        room = rows if line < columns else columns
        if 0 in blocks or sum(blocks) + len(blocks) - 1 > room:
            raise FormatError(
                f"expected blocks of 1 or more that fit in {room} cells, got {blocks}"
            )
    layout = nonogram(pieces[columns:], pieces[:columns])
    values = _values(marks, len(layout)) if comma else [0] * len(layout)
    if len(values) > len(layout) and marks[-1].lower() == "a":
        raise FormatError(f"expected no mark beyond the last of {len(layout)} cells, got one")
    return Board.from_values(layout, values[: len(layout)])


def _write_pattern(rest: Rest) -> str:
    rows, columns = nonogram_clues(rest, "Pattern")
    clues = "/".join(".".join(map(str, blocks)) for blocks in (*columns, *rows))
    givens = rest.givens()
    marks = f",{''.join(_letters(givens)).removesuffix('a')}" if any(givens) else ""
    return f"{len(columns)}x{len(rows)}:{clues}{marks}"


_SIZES = r"(\d{1,3})(?:x(\d{1,3}))?"

UNRULY = Game("unruly", rf"{_SIZES}(u)?(?:d[a-z]?)?", r"[A-Za-z]+", _read_unruly, _write_unruly)
PATTERN = Game("pattern", _SIZES, r"[\d./]*/[\d./]*(?:,[A-Za-z]*)?", _read_pattern, _write_pattern)
