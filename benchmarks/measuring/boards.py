"""Boards to search: made of random solved grids, and batches of any length made of few boards.

All randomness comes from generators with fixed seeds, so that every run searches the same boards.
"""

from __future__ import annotations

import math

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
    found: list[Cells] = []
    while sum(map(len, found)) < count:
        starts = np.zeros((count, len(layout)), np.uint8)
        for start in starts:
            for cell in order.permutation(len(layout))[:GIVENS_OF_START]:
                taken = {int(start[peer]) for peer in layout.peers[cell]}
                free = [value for value in range(1, layout.n + 1) if value not in taken]
                start[cell] = order.choice(free) if free else 0
        result = solver.solve_many(starts, layout=layout, solutions=1, time_limit=1)
        found.append(result.grids[result.solved])
    return relabelled(np.concatenate(found)[:count], count, layout.n, order)


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
        some = images[first : first + CHUNK]
        labels = np.zeros((len(some), n + 1), np.uint8)
        values = np.tile(np.arange(1, n + 1, dtype=np.uint8), (len(some), 1))
        labels[:, 1:] = order.permuted(values, axis=1)
        chosen = boards[np.arange(first, first + len(some)) % len(boards)]
        some[:] = np.take_along_axis(labels, chosen.astype(np.intp), axis=1)
    return images


def text_of(board: Cells) -> str:
    """Return a board as a line: values joined, from 10 on as letters, dots for empty cells."""
    return "".join(".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value] for value in board)
