"""CPMpy, called as its users call it: a model, built for each board, and ``solveAll``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cpmpy

from unidoku import Board, Layout

PARAMETERS: dict[str, dict[str, Any]] = {"ortools": {"num_workers": 1}}
"""What a solver needs: without it CPMpy's enumeration with OR-Tools loses solutions."""


def through(solver: str) -> Callable[[Board], int]:
    """Return CPMpy's ordinary path to a solver: AllDifferent, the givens as equations."""

    def count(board: Board) -> int:
        layout = board.layout
        cells = cpmpy.intvar(1, layout.n, shape=len(layout))
        model = cpmpy.Model(
            [cpmpy.AllDifferent([cells[cell] for cell in unit.cells]) for unit in layout.units],
            [cells[cell] == given for cell, given in enumerate(board.givens) if given],
        )
        found: int = model.solveAll(solver=solver, solution_limit=2, **PARAMETERS.get(solver, {}))
        return found

    return count


def best(layout: Layout) -> Callable[[Board], int]:
    """CPMpy keeps nothing of a layout: its path to OR-Tools."""
    return through("ortools")


def naive(board: Board) -> int:
    """CPMpy's own tutorial is the same."""
    return through("ortools")(board)
