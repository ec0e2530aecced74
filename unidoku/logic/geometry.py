"""Units and peers of a layout as sets of cells, computed once for each layout.

Cells see each other if they cannot hold the same value: as peers, in a cage, by a relation.

A set of cells is an int: bit ``c`` stands for cell ``c``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from operator import or_

from unidoku.core.bits import bits_of, set_of, values_of
from unidoku.core.caching import by_layout
from unidoku.core.constraints.primitives import Relation, Sets
from unidoku.core.layout import Layout, Unit
from unidoku.core.transforms.simplify import simplified

_LINES = frozenset({"row", "column", "diagonal"})
"""The kinds of units that are lines; others (boxes, regions, windows, …) are areas."""


def union(sets: Iterable[int]) -> int:
    """Return the union of sets, of cells or of values."""
    return reduce(or_, sets, 0)


@lru_cache(maxsize=1 << 14)
def cells_of(mask: int) -> tuple[int, ...]:
    """Return the cells of a set, ascending.

    >>> cells_of(0b101)
    (0, 2)
    """
    return tuple(bits_of(mask))


def lowest(mask: int) -> int:
    """Return the first cell of a set that is not empty."""
    return (mask & -mask).bit_length() - 1


def cells_by_value(candidates: Sequence[int], n: int) -> list[int]:
    """Return the cells that may hold each value, as sets, from none for the value 0 on."""
    cells = [0] * (n + 1)
    for cell, mask in enumerate(candidates):
        for value in values_of(mask):
            cells[value] |= 1 << cell
    return cells


def is_area(unit: Unit) -> bool:
    """Return whether a unit is an area, such as a box, and not a line."""
    return unit.kind not in _LINES


@dataclass(frozen=True, slots=True)
class UnitCells:
    """A unit, its cells as a set, and whether every value appears in it."""

    unit: Unit
    cells: int
    full: bool


@dataclass(frozen=True)
class Geometry:
    """The units of a layout as sets of cells, areas first, and what each cell sees."""

    layout: Layout

    @cached_property
    def units(self) -> tuple[UnitCells, ...]:
        """All units of more than one cell, first areas, then lines, in the layout's order."""
        units = [
            UnitCells(unit.named(self.layout), set_of(unit.cells), len(unit.cells) == self.layout.n)
            for unit in self.layout.units
            if len(unit.cells) > 1 or self.layout.n == 1
        ]
        return tuple(sorted(units, key=lambda members: not is_area(members.unit)))

    @cached_property
    def full(self) -> tuple[UnitCells, ...]:
        """The units in which every value appears; hidden singles, sets and fish need them."""
        return tuple(unit_cells for unit_cells in self.units if unit_cells.full)

    @cached_property
    def units_of(self) -> tuple[tuple[UnitCells, ...], ...]:
        """The units that each cell is in."""
        return tuple(
            tuple(unit_cells for unit_cells in self.units if unit_cells.cells >> cell & 1)
            for cell in self.layout.cells
        )

    @cached_property
    def sees(self) -> tuple[int, ...]:
        """The cells that cannot hold the same value as each cell: by a unit, or by a rule."""
        seen = [*map(set_of, self.layout.peers)]
        for constraint in simplified(self.layout).constraints if self.layout.rules else ():
            match constraint:
                case Sets(cells):
                    for cell in cells:
                        seen[cell] |= set_of(cells) & ~(1 << cell)
                case Relation(table, pairs) if not any(
                    mask >> value & 1 for value, mask in enumerate(table)
                ):
                    for first, second in pairs:
                        seen[first] |= 1 << second
                        seen[second] |= 1 << first
                case _:
                    pass
        return tuple(seen)

    def seen_by_all(self, cells: int, among: int = -1) -> int:
        """Return the peers common to all cells of a set, among some; none for an empty set."""
        seen = among if cells else 0
        while cells and seen:
            low = cells & -cells
            seen &= self.sees[low.bit_length() - 1]
            cells ^= low
        return seen


@by_layout()
def geometry(layout: Layout) -> Geometry:
    """Return the geometry of a layout; equal layouts share one."""
    return Geometry(layout)
