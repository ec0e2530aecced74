"""Candidates as the nodes of chains: their numbers, links, and the length of chains.

A node is a candidate that is taken to be true or false. A set of nodes is an int: bit ``c`` stands
for candidate ``c`` being true, and bit ``FALSE + c`` for it being false.
"""

from __future__ import annotations

from collections.abc import Sequence

from unidoku.core.bits import bits_of
from unidoku.logic.explainer.grid import CELLS, PLACES_OF, UNITS, UNITS_OF, VALUES, Grid, N

FALSE = len(CELLS) * N
"""The number of candidates."""

CELL_OF = tuple(cell for cell in CELLS for _ in VALUES)
VALUE_OF = tuple(value for _ in CELLS for value in VALUES)

IS_TRUE = tuple(1 << candidate for candidate in range(FALSE))
IS_FALSE = tuple(1 << FALSE + candidate for candidate in range(FALSE))


def number(cell: int, value: int) -> int:
    """Return the number of a candidate."""
    return cell * N + value - 1


def _excluded(candidate: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what a true candidate makes false: in its cell, and in its units."""
    cell, value = CELL_OF[candidate], VALUE_OF[candidate]
    units = [number(other, value) for unit in UNITS_OF[cell] for other in UNITS[unit]]
    return (
        tuple(number(cell, other) for other in VALUES if other != value),
        tuple(other for other in dict.fromkeys(units) if other != candidate),
    )


_EXCLUDED = tuple(_excluded(candidate) for candidate in range(FALSE))
_SOURCES = tuple(PLACES_OF[cell] for cell in CELLS for _ in VALUES)


def open_candidates(grid: Grid) -> list[int]:
    """Return the candidates of a grid, ascending."""
    return [
        cell * N + value for cell, values in enumerate(grid.candidates) for value in bits_of(values)
    ]


class Links:
    """The links between the candidates of a grid, in the order in which chains follow them.

    Attributes:
        weak: for each candidate those that are false if it is true.
        strong: for each candidate those that are true if it is false.
    """

    __slots__ = ("strong", "weak")

    def __init__(self, grid: Grid, *, in_cells: bool, in_units: bool) -> None:
        """Make the links of a grid.

        Args:
            grid: the grid.
            in_cells: whether there are links between the values of a cell.
            in_units: whether there are strong links along units; weak ones always are.
        """
        candidates = open_candidates(grid)
        alive = bytearray(FALSE)
        for candidate in candidates:
            alive[candidate] = 1
        self.weak: list[Sequence[int]] = [()] * FALSE
        self.strong: list[Sequence[int]] = [()] * FALSE
        for candidate in candidates:
            in_cell, in_unit = _EXCLUDED[candidate]
            others = (*in_cell, *in_unit) if in_cells else in_unit
            self.weak[candidate] = [other for other in others if alive[other]]
            strong = []
            if in_cells:
                values = [other for other in in_cell if alive[other]]
                strong += values if len(values) == 1 else []
            if in_units:
                value = VALUE_OF[candidate]
                for unit, bit in _SOURCES[candidate]:
                    rest = grid.places[value][unit] & ~bit
                    if rest and not rest & (rest - 1):
                        strong.append(number(UNITS[unit][rest.bit_length() - 1], value))
            self.strong[candidate] = list(dict.fromkeys(strong))


def length_addition(nodes: int) -> float:
    """Return what the number of nodes of a chain adds to its rating."""
    added, ceiling, odd = 0.0, 4, False
    while nodes - 2 > ceiling:
        added += 0.1
        ceiling = ceiling * 4 // 3 if odd else ceiling * 3 // 2
        odd = not odd
    return added
