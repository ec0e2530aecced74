"""Puzzles of one layout with their solutions, and how they are written as text, CSV and arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from unidoku.core.board import Board
from unidoku.core.formats.lines import write_lines
from unidoku.core.formats.symbols import DIGITS_FIRST
from unidoku.core.layout import Layout
from unidoku.generation.oracle import Cells, Flags
from unidoku.generation.regions import map_of

__all__ = ["Puzzles", "framed_text", "write_array", "write_csv", "write_text"]

_SYMBOLS = np.frombuffer(f".{DIGITS_FIRST}".encode(), np.uint8)

_CSV_HEADER = b"quizzes,solutions\n"
"""The names of the columns, as in Kaggle's files."""


@dataclass(frozen=True, slots=True, eq=False)
class Puzzles:
    """Puzzles of one layout, each with its solution.

    Args:
        layout: the layout of all of them.
        cells: the givens, of shape (puzzles, cells), 0 for an empty cell.
        grids: the solutions, of the same shape.
    """

    layout: Layout
    cells: Cells
    grids: Cells

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self.cells)

    def __getitem__(self, which: slice | Flags) -> Puzzles:
        """Return some of the puzzles."""
        return Puzzles(self.layout, self.cells[which], self.grids[which])

    def boards(self) -> Iterator[Board]:
        """Yield each puzzle as a board."""
        for row in self.cells.tolist():
            yield Board.from_values(self.layout, row)

    def lines(self, *, with_map: bool = False) -> bytes:
        """Return one line a puzzle, which the commands read back.

        Args:
            with_map: whether the map of a jigsaw's regions follows the givens; each cell is one
                symbol then.
        """
        if not with_map:
            return write_lines(self.layout, self.cells)
        tail = f" {map_of(self.layout)}\n".encode()
        return b"".join(row.tobytes() + tail for row in _SYMBOLS[self.cells])


def framed_text(board: Board, *, with_map: bool = False) -> str:
    """Return a board in rows, followed by the rows of its region map if asked for."""
    if not with_map:
        return board.text()
    n = board.layout.n
    givens = "".join(chr(_SYMBOLS[value]) for value in board.givens)
    return "\n".join(
        " ".join(text[start : start + n])
        for text in (givens, map_of(board.layout))
        for start in range(0, n * n, n)
    )


def write_text(stream: BinaryIO, parts: Iterable[Puzzles], *, with_map: bool = False) -> None:
    """Write one line a puzzle; see `Puzzles.lines`."""
    stream.writelines(puzzles.lines(with_map=with_map) for puzzles in parts)


def write_csv(stream: BinaryIO, parts: Iterable[Puzzles]) -> None:
    """Write the columns ``quizzes`` and ``solutions``, one row a puzzle."""
    stream.write(_CSV_HEADER)
    stream.writelines(
        write_lines(puzzles.layout, puzzles.cells, puzzles.grids, empty="0") for puzzles in parts
    )


def write_array(stream: BinaryIO, parts: Iterable[Puzzles]) -> None:
    """Write the givens as numpy's ``.npy``, uint8 of shape (puzzles, cells).

    Args:
        stream: a file that can be rewound: its header says how many puzzles there are.
        parts: puzzles of one size.
    """
    rows = cells = 0

    def write_header() -> None:
        header = {"descr": "|u1", "fortran_order": False, "shape": (rows, cells)}
        # numpy pads the header so that the number of rows can be written later.
        np.lib.format.write_array_header_1_0(stream, header)

    write_header()
    try:
        for puzzles in parts:
            stream.write(puzzles.cells.tobytes())
            rows, cells = rows + len(puzzles), len(puzzles.layout)
    finally:
        stream.seek(0)
        write_header()
