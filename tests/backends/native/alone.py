"""The single engine itself: its tables, its searches, and what its propagation alone leaves."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import product

from unidoku import Board, Layout, Request, Result
from unidoku.backends.native.single import function
from unidoku.backends.native.single.boards import search_board
from unidoku.backends.native.single.build.layout_tables import Tables, tables_of
from unidoku.core.bits import values_of
from unidoku.core.rules import Rule


def form() -> function.Function:
    """Return the search in the form that is tested."""
    compiled = function.compiled()
    assert compiled is not None, "without a limit"
    return compiled


def tables(layout: Layout) -> Tables:
    """Return a layout in the form that the search reads."""
    return tables_of(layout, form())


def search(board: Board, request: Request, failures: int | None = None) -> Result:
    """Return what the search finds."""
    return search_board(board, request, time.perf_counter(), failures, function=form())


def left(board: Board) -> tuple[int, ...]:
    """Return the candidates that propagation alone leaves."""
    search(board, Request(solutions=1, node_limit=1))
    *_, memory = tables(board.layout).idle
    return tuple(memory._numbers[: len(board.layout)])


def in_a_row(length: int, n: int, rules: Sequence[Rule]) -> Layout:
    """Return a layout without units."""
    return Layout.from_units(n, [], shape=(1, length), rules=rules)


def kinds(layout: Layout) -> set[int]:
    """Return the kinds of its constraints."""
    return set(tables(layout).arrays[0])


def grids(board: Board) -> list[tuple[int, ...]]:
    """Return all grids that the definitions of units and rules allow."""
    return [
        grid
        for grid in product(*map(values_of, board.candidates))
        if all(
            len({grid[cell] for cell in unit.cells}) == len(unit.cells)
            for unit in board.layout.units
        )
        and not any(True for _ in board.layout.broken(grid))
    ]
