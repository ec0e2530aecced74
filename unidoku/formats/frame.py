"""A grid as other formats describe it: rows and columns of cells, and the values from low to high.

Cells are numbered row by row, cells that do not exist too. Readers and writers share it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, TypeAlias

from unidoku.core.cells import SIDES
from unidoku.core.constraints.primitives import Pair
from unidoku.core.layout import Position
from unidoku.core.units import default_box
from unidoku.errors import LayoutError

Side: TypeAlias = Literal["left", "right", "top", "bottom"]
"""A side of a grid."""

MOST_SIDE = 35
"""The most rows, columns and values: as many as have one symbol each."""

KNIGHT: tuple[Position, ...] = ((1, 2), (2, 1), (2, -1), (1, -2))
KING: tuple[Position, ...] = ((1, 1), (1, -1))


class Frame:
    """The cells and values of a grid.

    Args:
        rows: number of rows.
        columns: number of columns.
        low: the smallest value.
        high: the largest value; if None, there are as many values as the longer side has cells.
    """

    def __init__(self, rows: int, columns: int, low: int = 1, high: int | None = None) -> None:
        """Keep the sides, and the smallest and the largest value."""
        self.rows, self.columns = rows, columns
        self.low = low
        self.high = max(rows, columns) + low - 1 if high is None else high

    @property
    def cells(self) -> range:
        """All cells of the grid."""
        return range(self.rows * self.columns)

    @property
    def values(self) -> range:
        """All values."""
        return range(self.low, self.high + 1)

    def lines(self) -> list[tuple[int, ...]]:
        """Return the cells of each row and then of each column."""
        rows = [tuple(self.cells[row * self.columns :][: self.columns]) for row in range(self.rows)]
        return [*rows, *zip(*rows, strict=True)]

    def views(self, *sides: Side) -> list[tuple[int, ...]]:
        """Return the cells of rows and columns as they are read from some sides of the grid."""
        lines = self.lines()
        backwards = [line[::-1] for line in lines]
        views = {
            "left": lines[: self.rows],
            "right": backwards[: self.rows],
            "top": lines[self.rows :],
            "bottom": backwards[self.rows :],
        }
        return [line for side in sides for line in views[side]]

    def diagonals(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the cells from the upper left corner down, and those from the upper right one."""
        return self.run(0, 0, 1, 1), self.run(0, self.columns - 1, 1, -1)

    def seen_from(self, row: int, column: int) -> tuple[int, ...]:
        """Return the row or column that begins beside a place outside the grid.

        It is empty for any place that is not right outside, beside a row or a column.

        >>> frame = Frame(2, 3)
        >>> frame.seen_from(-1, 1), frame.seen_from(0, 3), frame.seen_from(-1, -1)
        ((1, 4), (2, 1, 0), ())
        """
        down = (row == -1) - (row == self.rows)
        right = (column == -1) - (column == self.columns)
        if bool(down) == bool(right):
            return ()
        return self.run(row + down, column + right, down, right)

    def inside(self, row: int, column: int) -> bool:
        """Return whether there is a cell at a row and a column, from 0."""
        return 0 <= row < self.rows and 0 <= column < self.columns

    def run(self, row: int, column: int, down: int, right: int) -> tuple[int, ...]:
        """Return the cells from one to the edge, step by step."""
        cells = []
        while self.inside(row, column):
            cells.append(row * self.columns + column)
            row, column = row + down, column + right
        return tuple(cells)

    @cached_property
    def near(self) -> list[list[int]]:
        """The cells that share a side with each cell."""
        near: list[list[int]] = [[] for _ in self.cells]
        for cell, other in self.steps(SIDES):
            near[cell].append(other)
        return near

    def steps(self, moves: Iterable[Position]) -> list[Pair]:
        """Return pairs of each cell and the cell one move away from it."""
        return [
            (cell, (row + down) * self.columns + column + right)
            for cell in self.cells
            for row, column in [divmod(cell, self.columns)]
            for down, right in moves
            if self.inside(row + down, column + right)
        ]

    def adjacent(self, without: Iterable[Sequence[int]] = ()) -> tuple[Pair, ...]:
        """Return the pairs of cells that share a side, without some of them."""
        left_out = {frozenset(pair) for pair in without}
        pairs = self.steps([(0, 1), (1, 0)])
        return tuple(pair for pair in pairs if frozenset(pair) not in left_out)

    def square(self, top: int, left: int, height: int, width: int) -> tuple[int, ...]:
        """Return the cells of a rectangle, row by row."""
        return tuple(
            row * self.columns + column
            for row in range(top, top + height)
            for column in range(left, left + width)
        )

    def fours(self) -> list[tuple[int, ...]]:
        """Return the cells of each square of two by two."""
        rows, columns = range(self.rows - 1), range(self.columns - 1)
        return [self.square(row, column, 2, 2) for row in rows for column in columns]

    def boxes(self, height: int, width: int) -> list[tuple[int, ...]]:
        """Return the cells of boxes of a size, which fill the grid."""
        return [
            self.square(top, left, height, width)
            for top in range(0, self.rows, height)
            for left in range(0, self.columns, width)
        ]

    def boxes_of(self, size: int) -> list[tuple[int, ...]]:
        """Return boxes of a number of cells that fill the grid, as nearly square as possible.

        They are not taller than wide, unless only tall ones fit. The list is empty if none fit.
        """
        for small in range(math.isqrt(size), 1, -1):
            large = size // small
            for height, width in ((small, large), (large, small)):
                if small * large == size and not (self.rows % height or self.columns % width):
                    return self.boxes(height, width)
        return []


def box_of(n: int) -> tuple[int, int] | None:
    """Return the rows and columns of the usual boxes for n values; None if there are none."""
    try:
        return default_box(n)
    except LayoutError:
        return None
