"""HoDoKu's library lines: a board with placed digits and deleted candidates.

A line is ``:technique:candidates:cells:deleted:eliminations:placements:more:``; some of the last
parts may be missing. In a cell, ``+`` comes before a digit that was placed and is not a given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unidoku.core.bits import all_values, bit, values_of
from unidoku.core.board import Board
from unidoku.core.variants import layout as named_layout
from unidoku.errors import FormatError, InputError
from unidoku.formats.classic.plain import is_classic
from unidoku.formats.families import Rest
from unidoku.formats.interface import one_a_line
from unidoku.formats.losses import Report, Written
from unidoku.formats.puzzles import Puzzle

_PLAIN = re.compile(r"0000|")
"""The technique of a line that is only a puzzle."""

_SIDE = 9

_AFTER = ("eliminations", "placements", "what follows the placements")


def read(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the board in a line.

    >>> cells = "7" + "." * 80
    >>> [puzzle.board.values("A2") for puzzle in read(f":0000:x:{cells}:112 212:::")]
    [(3, 4, 5, 6, 7, 8, 9)]

    Raises:
        FormatError: it is not such a line.
    """
    line = text.strip()
    if line.startswith("#"):
        return
    parts = line.split(":")
    if parts[0] or len(parts) < 5:
        raise FormatError(
            f"expected a line such as :0000:x:<81 cells>:<deleted>::, got {line[:40]!r}"
        )
    report = Report()
    technique, candidates, cells, deleted, *after = parts[1:]
    if not _PLAIN.fullmatch(technique):
        report.drop(f"technique {technique[:40]}")
    if candidates not in ("", "x"):
        report.drop("the candidates of the technique")
    for part, name in zip(after, _AFTER, strict=False):
        if part.strip():
            report.drop(name)
    yield Puzzle(_board(cells, deleted, report), "", 1, losses=report.losses)


def _board(cells: str, deleted: str, report: Report) -> Board:
    if not re.fullmatch(rf"(?:\+?[1-9]|[.0]){{{_SIDE**2}}}", cells):
        raise FormatError(
            f"expected {_SIDE**2} cells, digits and dots, and + before placed digits, "
            f"got {cells[:40]!r}"
        )
    if "+" in cells:
        report.approximate("placed digits are givens")
    layout = named_layout("classic", _SIDE)
    masks = [
        all_values(_SIDE) if digit in ".0" else bit(int(digit)) for digit in cells.replace("+", "")
    ]
    for triple in deleted.split():
        if not re.fullmatch("[1-9]{3}", triple):
            raise FormatError(
                f"expected deleted candidates as digit, row and column, such as 132, "
                f"got {triple[:20]!r}"
            )
        digit, row, column = map(int, triple)
        masks[(row - 1) * _SIDE + column - 1] &= ~bit(digit)
    return Board(layout, tuple(masks))


def _line(puzzle: Puzzle) -> Written:
    """Return a puzzle as a line.

    Raises:
        InputError: it is not a 9×9 board with boxes.
    """
    rest = Rest(puzzle)
    layout, board = rest.layout, puzzle.board
    if layout.n != _SIDE or len(layout) != _SIDE**2 or layout.hidden:
        raise InputError(f"HoDoKu holds boards of 9×9 cells, got {layout.name}")
    if not is_classic(layout):
        rest.report.drop(f"the layout {layout.name}")
    deleted = [
        f"{digit}{row + 1}{column + 1}"
        for (row, column), mask, given in zip(
            layout.positions, board.candidates, board.givens, strict=True
        )
        if not given
        for digit in values_of(all_values(_SIDE) & ~mask)
    ]
    cells = "".join(map(str, board.givens)).replace("0", ".")
    return Written(f":0000:x:{cells}:{' '.join(deleted)}:::", rest.losses())


write = one_a_line(_line)
