"""Unit builders: functions that make the units of a square of n by n cells.

Each builder takes a few lines, in the style of Norvig's ``cross``. They number cells row by row
within the square; `unidoku.core.variants` places squares on a board.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unidoku.core.constraints.primitives import Pair
from unidoku.core.layout import Grid, Position, Unit
from unidoku.core.names import row_letter
from unidoku.errors import LayoutError


def cross(rows: Iterable[int], columns: Iterable[int]) -> list[Position]:
    """Return every pair of a row and a column, row by row.

    >>> cross([0, 1], [5, 6])
    [(0, 5), (0, 6), (1, 5), (1, 6)]
    """
    columns = list(columns)
    return [(row, column) for row in rows for column in columns]


def default_box(n: int) -> tuple[int, int]:
    """Return the box of n cells that is closest to a square and no taller than wide.

    >>> default_box(9), default_box(6), default_box(12)
    ((3, 3), (2, 3), (3, 4))

    Raises:
        LayoutError: n is a prime, so that the boxes would equal the rows.
    """
    height = max(height for height in range(1, math.isqrt(n) + 1) if n % height == 0)
    if height == 1 and n > 1:
        raise LayoutError(
            f"{n} cells make no box with several rows and columns; "
            f"use variant 'latin' or 'jigsaw', or give the box, as 'classic:1x{n}'"
        )
    return height, n // height


def shifted_grid(n: int, height: int = 1) -> Grid:
    """Return the grid whose rows are the values in order, each row shifted by another number.

    Boxes of that many rows hold each value once.

    >>> shifted_grid(4, 2)
    (1, 2, 3, 4, 3, 4, 1, 2, 2, 3, 4, 1, 4, 1, 2, 3)
    """
    width = n // height
    shifts = [row % height * width + row // height for row in range(n)]
    return tuple((shift + column) % n + 1 for shift in shifts for column in range(n))


@dataclass(frozen=True, slots=True)
class Square:
    """An n by n square, with boxes of ``box`` = (rows, columns) cells if it has boxes."""

    n: int
    box: tuple[int, int] | None = None

    @property
    def span(self) -> range:
        """The indices of the rows, which are also those of the columns."""
        return range(self.n)

    def unit(self, kind: str, name: str, positions: Iterable[Position]) -> Unit:
        """Return the unit of the cells at these positions."""
        return Unit(tuple(sorted(row * self.n + column for row, column in positions)), kind, name)

    def pairs(self, kind: str, steps: Sequence[Position]) -> list[Unit]:
        """Return units of two cells: each cell with the cell one step away."""
        return [
            self.unit(kind, kind, [(row, column), (row + down, column + right)])
            for row, column in cross(self.span, self.span)
            for down, right in steps
            if row + down in self.span and column + right in self.span
        ]

    def box_shape(self, kind: str) -> tuple[int, int]:
        """Return the rows and columns of a box; refuse a square without boxes."""
        if self.box is None:
            raise LayoutError(f"{kind} needs boxes; combine it with 'classic' instead of 'latin'")
        return self.box

    def box_corners(self, kind: str) -> list[Position]:
        """Return the top left position of each box."""
        height, width = self.box_shape(kind)
        return cross(range(0, self.n, height), range(0, self.n, width))

    def blocks(self, kind: str, corners: Iterable[Position]) -> list[Unit]:
        """Return a unit of the size of a box at each of these top left positions, numbered."""
        height, width = self.box_shape(kind)
        return [
            self.unit(
                kind,
                f"{kind} {k}",
                cross(range(row, row + height), range(column, column + width)),
            )
            for k, (row, column) in enumerate(corners, start=1)
        ]


def rows(square: Square) -> list[Unit]:
    """The rows."""
    return [
        square.unit("row", f"row {row_letter(row, square.n)}", cross([row], square.span))
        for row in square.span
    ]


def columns(square: Square) -> list[Unit]:
    """The columns."""
    return [
        square.unit("column", f"column {column + 1}", cross(square.span, [column]))
        for column in square.span
    ]


def boxes(square: Square) -> list[Unit]:
    """The boxes, numbered in reading order."""
    return square.blocks("box", square.box_corners("box"))


def diagonals(square: Square) -> list[Unit]:
    """Both long diagonals (Sudoku X)."""
    falling = [(k, k) for k in square.span]
    rising = [(square.n - 1 - k, k) for k in square.span]
    return [
        square.unit("diagonal", "falling diagonal", falling),
        square.unit("diagonal", "rising diagonal", rising),
    ]


def windows(square: Square) -> list[Unit]:
    """The windows of windoku: boxes one cell apart, inside a border of one cell."""
    height, width = square.box_shape("windoku")
    if height != width:
        raise LayoutError(f"windoku needs square boxes, got boxes of {height}x{width}")
    corners = range(1, square.n - height, height + 1)
    return square.blocks("window", cross(corners, corners))


def disjoint_groups(square: Square) -> list[Unit]:
    """For each place in a box, the cells at that place in all boxes."""
    height, width = square.box_shape("disjoint")
    return [
        square.unit(
            "disjoint",
            f"disjoint group {k}",
            [(row + down, column + right) for row, column in square.box_corners("disjoint")],
        )
        for k, (down, right) in enumerate(cross(range(height), range(width)), start=1)
    ]


def centre_dot(square: Square) -> list[Unit]:
    """The centre cells of the boxes."""
    height, width = square.box_shape("centre-dot")
    if height % 2 == 0 or width % 2 == 0:
        raise LayoutError(
            f"centre-dot needs boxes with a centre cell, got boxes of {height}x{width}"
        )
    corners = square.box_corners("centre-dot")
    dots = [(row + height // 2, column + width // 2) for row, column in corners]
    return [square.unit("centre-dot", "centre dots", dots)]


def _named_cells(square: Square, kind: str, cells: str) -> list[Unit]:
    """Return an extra unit that is defined only on 9 by 9 cells."""
    if square.n != 9:
        raise LayoutError(f"{kind} is defined on 9x9 boards, got {square.n}x{square.n}")
    positions = [("ABCDEFGHI".index(cell[0]), int(cell[1]) - 1) for cell in cells.split()]
    return [square.unit(kind, kind, positions)]


def asterisk(square: Square) -> list[Unit]:
    """The nine cells of the asterisk around the centre."""
    return _named_cells(square, "asterisk", "B5 C3 C7 E2 E5 E8 G3 G7 H5")


def girandola(square: Square) -> list[Unit]:
    """The nine cells of the girandola: four corners, centre, four mid-sides one cell in."""
    return _named_cells(square, "girandola", "A1 A9 B5 E2 E5 E8 H5 I1 I9")


def anti_knight(square: Square) -> list[Unit]:
    """Cells a knight's move apart, in pairs."""
    return square.pairs("anti-knight", [(1, -2), (1, 2), (2, -1), (2, 1)])


def anti_king(square: Square) -> list[Unit]:
    """Cells a diagonal king's move apart, in pairs; rows and columns cover the other moves."""
    return square.pairs("anti-king", [(1, -1), (1, 1)])


def neighbours(square: Square) -> tuple[Pair, ...]:
    """The pairs of adjacent cells."""
    units = square.pairs("neighbours", [(0, 1), (1, 0)])
    return tuple((unit.cells[0], unit.cells[1]) for unit in units)


def regions(square: Square, text: str) -> list[Unit]:
    """Jigsaw regions from a map with one symbol for each cell; a region's cells share a symbol.

    Raises:
        LayoutError: the map has another number of cells, or a region does not have n cells.
    """
    symbols = text.split() if len(text.split()) == square.n**2 else list("".join(text.split()))
    if len(symbols) != square.n**2:
        raise LayoutError(f"expected a region map of {square.n**2} symbols, got {len(symbols)}")
    members: defaultdict[str, list[Position]] = defaultdict(list)
    for position, symbol in zip(cross(square.span, square.span), symbols, strict=True):
        members[symbol].append(position)
    for symbol, positions in members.items():
        if len(positions) != square.n:
            raise LayoutError(
                f"region {symbol!r} of the map has {len(positions)} cells, expected {square.n}"
            )
    return [
        square.unit("region", f"region {symbol}", positions)
        for symbol, positions in members.items()
    ]
