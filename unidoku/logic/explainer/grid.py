"""The candidates of a classic board, in the forms that the finders of the scale read.

Cells and units are numbered in reading order, boxes before rows before columns. A set of values has
bit ``value - 1``, a set of cells bit ``cell``, and a set of places of a unit bit ``place``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from unidoku.core.bits import bits_of, set_of
from unidoku.core.variants import Variant

LAYOUT = Variant.parse("classic").layout(9)
"""The only layout of the scale."""

N = LAYOUT.n
"""The number of values, and of cells of a unit."""

CELLS = range(N * N)
VALUES = range(1, N + 1)


def _units(kind: str) -> tuple[tuple[int, ...], ...]:
    return tuple(unit.cells for unit in LAYOUT.units if unit.kind == kind)


UNITS = (*_units("box"), *_units("row"), *_units("column"))
"""The cells of each unit."""

BOXES, ROWS, COLUMNS = (range(start, start + N) for start in (0, N, 2 * N))
"""The numbers of the units of each kind."""

UNIT_SETS = tuple(set_of(cells) for cells in UNITS)
"""Each unit as a set of cells."""

UNITS_OF = tuple(tuple(unit for unit, cells in enumerate(UNITS) if cell in cells) for cell in CELLS)
"""The box, the row and the column of each cell."""

PLACES_OF = tuple(
    tuple((unit, 1 << UNITS[unit].index(cell)) for unit in UNITS_OF[cell]) for cell in CELLS
)
"""The same with the place of the cell in each, as a set."""

SEES = tuple(
    set_of(other for unit in UNITS_OF[cell] for other in UNITS[unit]) & ~(1 << cell)
    for cell in CELLS
)
"""The cells that each cell sees."""

CROSSING = tuple(
    tuple(other for other in range(len(UNITS)) if UNIT_SETS[unit] & UNIT_SETS[other])
    for unit in range(len(UNITS))
)
"""The units that have cells in common with each unit, itself included."""

COMMON = {
    (unit, other): sum(1 << index for index in range(N) if UNITS[unit][index] in UNITS[other])
    for unit in range(len(UNITS))
    for other in CROSSING[unit]
}
"""The places of a unit that lie in another one."""


def by_mask(items: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """Return the subsets of some ascending numbers, in ascending order of their bits as a number.

    >>> by_mask([0, 1, 2], 2)
    [(0, 1), (0, 2), (1, 2)]
    """
    return sorted(combinations(items, size), key=lambda subset: subset[::-1])


def common_peers(cells: int) -> int:
    """Return the cells that see all cells of a set that is not empty."""
    seen = -1
    for cell in bits_of(cells):
        seen &= SEES[cell]
    return seen


class Grid:
    """What is known of a board: the values of its cells and the candidates of the empty ones.

    Attributes:
        values: the value of each cell, 0 if it is empty.
        candidates: the values that each empty cell may hold, as a set; none for other cells.
        places: for each value and unit, the places of the unit that may hold it, as a set.
        cells: for each value the empty cells that may hold it, as a set.
        empty: the number of empty cells of each unit.
    """

    __slots__ = ("candidates", "cells", "empty", "places", "values")

    def __init__(self, givens: Sequence[int]) -> None:
        self.values = [0] * len(CELLS)
        self.candidates = [(1 << N) - 1] * len(CELLS)
        self.places = [[(1 << N) - 1] * len(UNITS) for _ in range(N + 1)]
        self.cells = [(1 << len(CELLS)) - 1] * (N + 1)
        self.empty = [N] * len(UNITS)
        for cell, value in enumerate(givens):
            if value:
                self.place(cell, value)

    def copy(self) -> Grid:
        """Return an independent copy."""
        grid = Grid.__new__(Grid)
        grid.values = self.values.copy()
        grid.candidates = self.candidates.copy()
        grid.places = [row.copy() for row in self.places]
        grid.cells = self.cells.copy()
        grid.empty = self.empty.copy()
        return grid

    def has(self, cell: int, value: int) -> int:
        """Return whether an empty cell may hold a value, as 0 or 1."""
        return self.candidates[cell] >> value - 1 & 1

    def remove(self, cell: int, value: int) -> None:
        """Remove a candidate that is there."""
        self.candidates[cell] ^= 1 << value - 1
        self.cells[value] ^= 1 << cell
        places = self.places[value]
        for unit, index in PLACES_OF[cell]:
            places[unit] ^= index

    def place(self, cell: int, value: int) -> None:
        """Give a cell its value, and remove what that excludes."""
        self.values[cell] = value
        for unit in UNITS_OF[cell]:
            self.empty[unit] -= 1
        for other in bits_of(self.candidates[cell]):
            self.remove(cell, other + 1)
        for peer in bits_of(self.cells[value] & SEES[cell]):
            self.remove(peer, value)

    def among(self, cells: int, values: int) -> dict[int, int]:
        """Return the candidates in some cells that are among some values, by cell."""
        return {cell: gone for cell in bits_of(cells) if (gone := self.candidates[cell] & values)}


def merged(*eliminations: Mapping[int, int]) -> dict[int, int]:
    """Return the union of eliminations, each a set of values by cell."""
    union: dict[int, int] = {}
    for part in eliminations:
        for cell, values in part.items():
            union[cell] = union.get(cell, 0) | values
    return union
