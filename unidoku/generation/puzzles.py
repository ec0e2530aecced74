"""Puzzles of one layout with their solutions, and their text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.regions import map_of
from unidoku.core.text.symbols import DIGITS_FIRST
from unidoku.formats.lines import write_lines
from unidoku.generation.oracle import Cells, Flags

_SYMBOLS = np.frombuffer(f".{DIGITS_FIRST}".encode(), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Puzzles:
    """Puzzles of one layout, each with its solution.

    Args:
        layout: layout of all puzzles.
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
        """Return the puzzles as lines of text, one for each, which the commands can read.

        The line of a jigsaw has a map of its regions after the givens, one symbol for each cell.
        """
        if not with_map:
            return write_lines(self.layout, self.cells)
        tail = f" {map_of(self.layout)}\n".encode()
        return b"".join(row.tobytes() + tail for row in _SYMBOLS[self.cells])


def framed_text(board: Board, *, with_map: bool = False) -> str:
    """Return a board in rows, followed by the rows of its region map if requested."""
    if not with_map:
        return board.text()
    n = board.layout.n
    givens = "".join(chr(_SYMBOLS[value]) for value in board.givens)
    return "\n".join(
        " ".join(text[start : start + n])
        for text in (givens, map_of(board.layout))
        for start in range(0, n * n, n)
    )
