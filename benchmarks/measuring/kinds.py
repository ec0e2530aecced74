"""Boards of six kinds, each with one solution: easy, few givens, hard, X, 16x16, 25x25."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

import unidoku
from measuring.boards import Cells, dug, relabelled, solved_grids, solved_squares
from measuring.collection import collection
from unidoku import Board, Layout

__all__ = ["KINDS", "kinds"]

KINDS = ("easy", "17 givens", "hard", "X", "16x16", "25x25")

_FILES = {
    "easy": ("easy_kaggle", "made-easy"),
    "17 givens": ("clue17", "made-few-givens"),
    "hard": ("forum_hardest_1905", "made-minimal"),
}
"""The file of a kind in a folder of boards, and what stands for it without a folder."""

_HOLES = {16: 150, 25: 310}
"""Cells to remove of large squares."""

_LARGE = 20
"""Large boards to dig; more are these with their values permuted."""


def kinds(folder: Path | None, count: int) -> Iterator[tuple[str, list[Board]]]:
    """Yield so many boards of each kind, and one more to warm up with, chosen at random.

    Args:
        folder: with the files of 9x9 boards, named as in `_FILES`; else boards are made.
        count: boards of each kind.

    Raises:
        ValueError: the folder lacks a file.
    """
    order = np.random.default_rng(1)
    files: Mapping[str, Cells] = collection(folder, count + 1)
    for kind, names in _FILES.items():
        name = names[folder is None]
        if name not in files:
            raise ValueError(f"expected a file {name}.txt in {str(folder)!r}")
        yield kind, _boards(unidoku.layout(), order.permutation(files[name])[: count + 1])
    x = unidoku.layout("x")
    yield "X", _boards(x, dug(x, solved_grids(x, count + 1, order), len(x), order))
    for n, holes in _HOLES.items():
        layout = unidoku.layout("classic", n)
        some = dug(layout, solved_squares(n, min(_LARGE, count + 1), order), holes, order)
        yield f"{n}x{n}", _boards(layout, relabelled(some, count + 1, n, order))


def _boards(layout: Layout, cells: Cells) -> list[Board]:
    return [Board.from_values(layout, row) for row in cells.tolist()]
