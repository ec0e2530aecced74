"""Boards to search: made of random solved grids, batches made of few boards, files of boards.

All randomness comes from generators with fixed seeds, so that every run searches the same boards.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import unidoku
from unidoku import Layout

Cells = NDArray[np.uint8]
"""Boards, of shape (boards, cells), 0 for an empty cell."""

GIVENS_OF_START = 8
"""Random givens of a board whose first solution is a random grid: few, so that most have one."""

CHUNK = 16_384
"""Boards relabelled at once, to save memory."""


def solved_squares(n: int, count: int, order: np.random.Generator) -> Cells:
    """Return solved classic boards of n values, permutations of one.

    Digits, rows within a band, bands, columns within a stack, and stacks are permuted.
    """
    box = math.isqrt(n)
    rows, columns = np.divmod(np.arange(n * n), n)
    first = ((rows % box) * box + rows // box + columns) % n + 1
    grids = np.empty((count, n * n), np.uint8)
    for grid in grids:
        row_order, column_order = (
            np.concatenate([band * box + order.permutation(box) for band in order.permutation(box)])
            for _ in range(2)
        )
        grid[:] = first.reshape(n, n)[row_order][:, column_order].ravel()
    return relabelled(grids, count, n, order)


def solved_grids(layout: Layout, count: int, order: np.random.Generator) -> Cells:
    """Return solved boards of any layout: what `native` finds first from a few random givens."""
    solver = unidoku.load("native[engine=lanes]")
    batches: list[Cells] = []
    while sum(map(len, batches)) < count:
        starts = np.zeros((count, len(layout)), np.uint8)
        for start in starts:
            for cell in order.permutation(len(layout))[:GIVENS_OF_START]:
                taken = {int(start[peer]) for peer in layout.peers[cell]}
                free = [value for value in range(1, layout.n + 1) if value not in taken]
                start[cell] = order.choice(free) if free else 0
        result = solver.solve_many(starts, layout=layout, solutions=1, time_limit=1)
        batches.append(result.grids[result.solved])
    return relabelled(np.concatenate(batches)[:count], count, layout.n, order)


def thinned(grids: Cells, share: float, order: np.random.Generator) -> Cells:
    """Return grids with a share of each one's cells removed at random."""
    boards = grids.copy()
    removed = round(share * grids.shape[1])
    for board in boards:
        board[order.permutation(len(board))[:removed]] = 0
    return boards


def dug(layout: Layout, grids: Cells, most: int, order: np.random.Generator) -> Cells:
    """Return grids with cells removed in random order wherever that leaves one solution.

    Args:
        layout: layout of the grids.
        grids: solved grids.
        most: most cells to remove from each grid; with the number of cells, the boards are
            minimal.
        order: source of the random order of the cells.
    """
    solver = unidoku.load("native[engine=lanes]")
    boards = grids.copy()
    each = np.arange(len(boards))
    for cells in order.permuted(np.tile(np.arange(len(layout)), (len(boards), 1)), axis=1).T:
        values = boards[each, cells]
        boards[each, cells] = np.where((boards == 0).sum(axis=1) < most, 0, values)
        result = solver.solve_many(boards, layout=layout, solutions=2, keep=0, time_limit=1)
        boards[each, cells] = np.where(result.unique, boards[each, cells], values)
    return boards


def relabelled(boards: Cells, count: int, n: int, order: np.random.Generator) -> Cells:
    """Return that many boards: those given, over and over, each with its values permuted."""
    images = np.empty((count, boards.shape[1]), np.uint8)
    for first in range(0, count, CHUNK):
        block = images[first : first + CHUNK]
        labels = np.zeros((len(block), n + 1), np.uint8)
        values = np.tile(np.arange(1, n + 1, dtype=np.uint8), (len(block), 1))
        labels[:, 1:] = order.permuted(values, axis=1)
        chosen = boards[np.arange(first, first + len(block)) % len(boards)]
        block[:] = np.take_along_axis(labels, chosen.astype(np.intp), axis=1)
    return images


def text_of(board: Cells) -> str:
    """Return a board as a line: values joined, from 10 on as letters, dots for empty cells."""
    return "".join(".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value] for value in board)


_SYMBOLS = {".": 0, **{str(digit): digit for digit in range(10)}}


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
        return dict(_generated(count))
    boards = {path.stem: _read(path) for path in sorted(folder.glob("*.txt"))}
    if not boards:
        raise ValueError(f"expected a folder with text files of boards, got {str(folder)!r}")
    return boards


def folder(text: str) -> Path | None:
    """Return the folder that an option names; None if it is empty, as `make` leaves it."""
    return Path(text) if text else None


def _read(path: Path) -> Cells:
    boards = []
    for line_number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        words = line.split()
        if not words or line.startswith("#"):
            continue
        board = [_SYMBOLS.get(symbol) for symbol in words[0]]
        if len(board) != 81 or None in board:
            raise ValueError(f"{path}:{line_number}: expected 81 digits or dots, got {words[0]!r}")
        boards.append(board)
    if not boards:
        raise ValueError(f"{path}: expected boards, one a line, got none")
    return np.array(boards, np.uint8)


def _generated(count: int) -> Iterator[tuple[str, Cells]]:
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


def kinds_of(puzzle: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the kinds of a puzzle's rules and of their alternatives, sorted; or ``no rules``."""

    def kinds(rules: Iterable[Mapping[str, Any]]) -> Iterator[str]:
        for rule in rules:
            yield str(rule.get("kind"))
            for branch in rule.get("or", ()):
                yield from kinds(branch)

    return tuple(sorted({*kinds(puzzle.get("rules", ()))})) or ("no rules",)


def neutral_puzzles(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the puzzles of a file in the neutral form, as they are in it.

    Raises:
        ValueError: a line is no object with a name.
    """
    with file.open(encoding="utf-8") as lines:
        for index, line in enumerate(lines, start=1):
            puzzle = json.loads(line)
            if not isinstance(puzzle, dict) or "name" not in puzzle:
                raise ValueError(f"{file}:{index}: expected a puzzle with a name, got {line:.40}")
            yield puzzle
