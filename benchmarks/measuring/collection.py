"""Files of classic 9x9 boards, one a line; where there are none, boards made for the purpose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

import unidoku
from measuring.boards import Cells, dug, solved_grids

SYMBOLS = {".": 0, **{str(digit): digit for digit in range(10)}}


def collection(folder: Path | None, count: int) -> Mapping[str, Cells]:
    """Return boards by the name of their file without its ending, in the order of the names.

    Args:
        folder: where ``*.txt`` are read: of each line the first word, which is a board; lines
            that begin with ``#`` are passed over.
        count: boards to make of each kind, without a folder.

    Raises:
        ValueError: a line is no board, or there are no boards.
    """
    if folder is None:
        return dict(_made(count))
    found = {path.stem: _read(path) for path in sorted(folder.glob("*.txt"))}
    if not found:
        raise ValueError(f"expected a folder with text files of boards, got {str(folder)!r}")
    return found


def folder(text: str) -> Path | None:
    """Return the folder that an option names; None if it is empty, as `make` leaves it."""
    return Path(text) if text else None


def _read(path: Path) -> Cells:
    boards = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        words = line.split()
        if not words or line.startswith("#"):
            continue
        board = [SYMBOLS.get(symbol) for symbol in words[0]]
        if len(board) != 81 or None in board:
            raise ValueError(f"{path}:{number}: expected 81 digits or dots, got {words[0]!r}")
        boards.append(board)
    if not boards:
        raise ValueError(f"{path}: expected boards, one a line, got none")
    return np.array(boards, np.uint8)


def _made(count: int) -> Iterator[tuple[str, Cells]]:
    """Yield boards with one solution, several, and none, all from the same minimal ones."""
    order = np.random.default_rng(1)
    layout = unidoku.layout()
    grids = solved_grids(layout, 4 * count, order)
    yield "made-easy", dug(layout, grids[:count], 45, order)
    minimal = dug(layout, grids, len(layout), order)
    yield "made-minimal", minimal[:count]
    fewest = np.argsort(np.count_nonzero(minimal, axis=1), kind="stable")
    yield "made-few-givens", minimal[fewest[:count]]
    several = minimal[:count].copy()
    none = minimal[:count].copy()
    for board, other, grid in zip(several, none, grids, strict=False):
        board[order.choice(np.flatnonzero(board))] = 0
        # The grid is the only solution, so that with any other value there is none.
        cell = order.choice(np.flatnonzero(other == 0))
        taken = {int(other[peer]) for peer in layout.peers[cell]} | {int(grid[cell])}
        free = [value for value in range(1, layout.n + 1) if value not in taken]
        other[cell] = order.choice(free or [grid[cell] % layout.n + 1])
    yield "made-several", several
    yield "made-none", none


def chosen(files: Mapping[str, Cells]) -> tuple[str, Cells]:
    """Return the file whose name speaks of 17 givens, or of few; else the first."""
    return min(files.items(), key=lambda item: not re.search("17|few", item[0]))
