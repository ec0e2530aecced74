"""Deductions about a single value on any layout, by the layout's units.

Units are sets of cells, as the places are, so that one operation checks a unit of any constraint.
"""

from __future__ import annotations

from collections.abc import Callable

from unidoku.backends.native.python.tree import Engine, Settled
from unidoku.core.bits import all_values, values_of
from unidoku.core.layout import Layout
from unidoku.core.propagation.prune import partners_of, removed_at_once, watched_of
from unidoku.support.deadline import look

MOST_LOCKED = 3
"""Locked candidates are looked for in units that have at most this many places for a value.

Measured: 2 leaves up to twice the nodes on windoku and jigsaw, 4 saves hardly any and takes a third
    more time.
"""

MOST_TOUCHED = 16
"""Above this number of lost places all units are checked, not only those that lost one.

Measured: checking only those saves half of a node's time on 9x9 variants, two thirds on 16x16;
    selecting units for more places at once gains hardly anything.
"""

TABLE_SIZE = 1 << 14
"""Largest number of entries of a cache: a few megabytes on boards of usual sizes."""

TABLE_BITS = 1 << 26
"""The same limit for large boards, as the number of cells in all sets together."""


def engine(layout: Layout) -> Engine:
    """Return the engine of a layout."""
    left = Left(layout)
    return Engine(
        n=layout.n,
        everything=left.everything,
        settle=make_settle(layout, left),
        units=full_units(layout),
        left=left,
        effects=Effects(layout) if partners_of(layout) else None,
        prune=make_prune(layout),
    )


class Left(dict[int, int]):
    """Maps a non-empty set of cells to where a value can be if it is somewhere in the set.

    Those are the cells that some cell of the set does not see, including itself. The cache fills as
    it is used, because most sets that occur do so again and again. It is meant for sets of few
    cells: an entry is computed from the entries of its parts.

    Attributes:
        everything: the set of all cells.
    """

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.everything = (1 << len(layout)) - 1
        self._units: list[list[int]] = [[] for _ in layout.cells]
        for unit in layout.units:
            cells = _set(unit.cells)
            for cell in unit.cells:
                self._units[cell].append(cells)
        self._size = _table_size(layout)

    def __missing__(self, cells: int) -> int:
        """Compute the entry of a set, from units or from its parts."""
        rest = cells & (cells - 1)
        if rest:
            left = self[cells ^ rest] | self[rest]
        else:
            seen = 0
            for unit in self._units[cells.bit_length() - 1]:
                seen |= unit
            left = self.everything & ~seen | cells
        if len(self) >= self._size:
            self.clear()
        self[cells] = left
        return left


class Effects(dict[tuple[int, int], list[tuple[int, int]]]):
    """Maps a cell (as a set of one) and a value from 0 to what the layout's rules then remove.

    An entry is a list of other values, from 0, each with the set of places that it keeps.
    """

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self._partners = partners_of(layout)
        self._everything = all_values(layout.n)
        self._size = _table_size(layout)

    def __missing__(self, placed: tuple[int, int]) -> list[tuple[int, int]]:
        cell, value = placed
        removed: dict[int, int] = {}
        for other, beside in self._partners[cell.bit_length() - 1]:
            for gone in values_of(self._everything & ~beside[1 << value]):
                removed[gone - 1] = removed.get(gone - 1, 0) | 1 << other
        if len(self) >= self._size:
            self.clear()
        effects = self[placed] = [(gone, ~cells) for gone, cells in removed.items()]
        return effects


def make_prune(layout: Layout) -> Callable[[list[int], list[int]], bool | None] | None:
    """Return the function that removes places by constraints other than relations.

    None if there are no such constraints. Only the constraints of cells that lost a place are
    checked.
    """
    watched = watched_of(layout)
    at_once = removed_at_once(layout)
    if watched is None and not at_once:
        return None
    by_cell, run = (watched.by_cell, watched.run) if watched else (((),) * len(layout), ())
    width = len(layout)
    everything = (1 << width) - 1

    def prune(places: list[int], before: list[int]) -> bool | None:
        changed = 0
        for own, was in zip(places, before, strict=True):
            changed |= own ^ was
        # Reading each value's places as digits gives the candidates of each cell.
        digits = [f"{own:0{width}b}" for own in reversed(places)]
        candidates = [int("".join(bits), 2) for bits in zip(*digits, strict=True)][::-1]
        removals = list(at_once) if before[0] < 0 else []
        looked_at: set[int] = set()
        changed &= everything  # at first this is every cell
        while changed:
            looked_at.update(by_cell[changed.bit_length() - 1])
            changed ^= 1 << changed.bit_length() - 1
        for number in sorted(looked_at):
            look()
            if (found := run[number](candidates)) is None:
                return None
            removals += found
        went = False
        for cell, gone in removals:
            for value in values_of(gone & candidates[cell]):
                places[value - 1] &= ~(1 << cell)
                went = True
        return went

    return prune


class Touched(dict[int, tuple[int, ...]]):
    """Maps a set of cells to the full units that contain some of them, as sets of cells."""

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.all_units = full_units(layout)
        self._units_of: list[list[int]] = [[] for _ in layout.cells]
        for unit, cells in zip(layout.full_units, self.all_units, strict=True):
            for cell in unit.cells:
                self._units_of[cell].append(cells)
        self._size = _table_size(layout)

    def __missing__(self, cells: int) -> tuple[int, ...]:
        """Find the units; sets of many cells are not cached."""
        if cells.bit_count() > MOST_TOUCHED:
            return self.all_units
        if len(self) >= self._size:
            self.clear()
        units: list[int] = []
        rest = cells
        while rest:
            cell = rest & -rest
            units += self._units_of[cell.bit_length() - 1]
            rest ^= cell
        # A dict is an ordered set: the order is part of the search and must not vary.
        made = self[cells] = tuple(dict.fromkeys(units))
        return made


def make_settle(layout: Layout, left: Left) -> Callable[[int, int], Settled | None]:
    """Return the function that deduces from the places of one value in a layout.

    A full unit must have a place for the value: an only place is decided, and if there are few
    places, cells that all of them see are removed (locked candidates, between units of any
    constraint). Only units that lost a place are checked.
    """
    touched = Touched(layout)

    def settle(places: int, before: int) -> Settled | None:
        units = touched.all_units if before < 0 else touched[before ^ places]
        decided = 0
        while True:
            was = places
            for unit in units:
                own = places & unit
                if not own & (own - 1):
                    if not own:
                        return None
                    if own & decided:
                        continue
                    decided |= own
                elif own.bit_count() > MOST_LOCKED:
                    continue
                places &= left[own]
            if places == was:
                return places, decided
            units = touched[was ^ places]

    return settle


def full_units(layout: Layout) -> tuple[int, ...]:
    """Return the units in which every value has a place, as sets of cells."""
    return tuple(_set(unit.cells) for unit in layout.full_units)


def _set(cells: tuple[int, ...]) -> int:
    """Return the set of some cells."""
    made = 0
    for cell in cells:
        made |= 1 << cell
    return made


def _table_size(layout: Layout) -> int:
    """Return how many entries a table may have; a full one is emptied."""
    return min(TABLE_SIZE, TABLE_BITS // len(layout))
