"""The checker: is this grid a solution of this board?

It reads the board's own definition, cell by cell and unit by unit, and uses no table and no
code that a backend uses, so that a mistake there cannot excuse itself here.
"""

from __future__ import annotations

from collections.abc import Sequence

from unidoku.core.board import Board

__all__ = ["is_solution", "verify"]


def verify(board: Board, grid: Sequence[int]) -> list[str]:
    """Return what is wrong with a grid as a solution of the board; nothing, if it is one.

    >>> verify(Board.parse("1...", "latin"), (1, 2, 2, 2))
    ['row B: 2 appears 2 times', 'column 2: 2 appears 2 times']

    Args:
        board: the puzzle.
        grid: one value a cell, in cell order.
    """
    layout = board.layout
    if len(grid) != len(layout.positions):
        return [f"expected {len(layout.positions)} values, one a cell, got {len(grid)}"]
    wrong = []
    for cell, value in enumerate(grid):
        if type(value) is not int or not 1 <= value <= layout.n:
            wrong.append(f"{layout.names[cell]}: {value!r} is not a value from 1 to {layout.n}")
        elif not board.candidates[cell] >> (value - 1) & 1:
            wrong.append(f"{layout.names[cell]}: {value} is not among its candidates")
    if wrong:
        return wrong
    for unit in layout.units:
        held = sorted(grid[cell] for cell in unit.cells)
        for value in sorted(set(held)):
            if held.count(value) > 1:
                wrong.append(f"{unit}: {value} appears {held.count(value)} times")
    for rule in layout.rules:
        for cells in rule.broken(grid):
            wrong.append(f"{rule.kind}: broken by {layout.name_all(cells)}")
    return wrong


def is_solution(board: Board, grid: Sequence[int]) -> bool:
    """Tell whether the grid is a solution of the board."""
    return not verify(board, grid)
