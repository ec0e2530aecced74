"""Puzzles as text that the commands read back; a jigsaw's map follows its givens."""

from __future__ import annotations

import numpy as np

from unidoku.core.board import Board
from unidoku.core.formats.lines import write_lines
from unidoku.core.formats.symbols import DIGITS_FIRST
from unidoku.core.layout import Layout
from unidoku.core.regions import map_of
from unidoku.generation.judge import Cells

__all__ = ["framed_text", "puzzle_lines"]

_SYMBOLS = np.frombuffer(f".{DIGITS_FIRST}".encode(), np.uint8)


def puzzle_lines(layout: Layout, puzzles: Cells, *, with_map: bool = False) -> bytes:
    """Return a line a puzzle.

    Args:
        layout: of the puzzles.
        puzzles: the givens, of shape (puzzles, cells), 0 for an empty cell.
        with_map: whether the region map follows; each cell is one symbol then.
    """
    if not with_map:
        return write_lines(layout, puzzles)
    tail = f" {map_of(layout)}\n".encode()
    return b"".join(row.tobytes() + tail for row in _SYMBOLS[puzzles])


def framed_text(board: Board, *, with_map: bool = False) -> str:
    """Return a board in rows; the rows of its region map follow, if asked for."""
    if not with_map:
        return board.text()
    n = board.layout.n
    givens = "".join(chr(_SYMBOLS[value]) for value in board.givens)
    return "\n".join(
        " ".join(text[start : start + n])
        for text in (givens, map_of(board.layout))
        for start in range(0, n * n, n)
    )
