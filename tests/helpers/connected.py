"""Whether cells are connected, by their sides."""

from __future__ import annotations


def hangs_together(cells: set[tuple[int, int]]) -> bool:
    """Return whether each cell, by its row and column, is reached from any other."""
    left = {*cells}
    reached = [left.pop()]
    while reached:
        row, column = reached.pop()
        near = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
        reached += near & left
        left -= near
    return not left
