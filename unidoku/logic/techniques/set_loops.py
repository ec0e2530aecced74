"""Loops of sets: as many cells as values that the units which join them can take.

The groups of a loop are the open cells in which two units cross. Each unit that joins a group to
the next takes some values, each at most once. If every candidate of the cells is one of the values
of the two units beside its group, and there are as many values as cells, then each unit has each of
its values in the loop, and exactly once.

Source: the SK loop of Steve Kurzhals, 2007, which has eight pairs around four boxes. Here groups
may have any number of cells, and the units may be of any kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from unidoku.core.bits import mask_of, values_of
from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout
from unidoku.logic.geometry import UnitCells, cells_of, geometry, union
from unidoku.logic.state import State
from unidoku.logic.step import Candidate, Step
from unidoku.support.language import listing, message

_MOST_GROUPS = 8
"""The largest number of groups of a loop."""

_MOST_VALUES = 3
"""The largest number of values that a unit takes from one group to the next."""

_MOST_NODES = 20_000
"""The number of groups after which the search ends; classic boards take some thousands."""


@dataclass(frozen=True, slots=True)
class _Crossing:
    """The numbers of two units, and the cells that both have."""

    units: tuple[int, int]
    cells: int


@dataclass(frozen=True, slots=True)
class _Link:
    """A unit, and the values that it takes between two groups, as a set."""

    unit: UnitCells
    values: int


def set_loop(state: State) -> Iterator[Step]:
    """Find loops of at most eight groups that remove candidates."""
    seen: set[tuple[int, tuple[Candidate, ...]]] = set()
    for cells, links in _Search(state).loops():
        gone = _removed(state, cells, links)
        if gone and (cells, gone) not in seen:
            seen.add((cells, gone))
            yield _step(state, cells, links, gone)


class _Search:
    """The search for loops in a state."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.units = state.geometry.units
        self.open: list[tuple[_Crossing, int, int]] = []
        self.of_unit: list[list[int]] = [[] for _ in self.units]
        for crossing in _crossings(state.layout):
            cells = crossing.cells & state.empty
            if cells.bit_count() > 1:
                values = union(state.candidates[cell] for cell in cells_of(cells))
                if values.bit_count() <= 2 * _MOST_VALUES:
                    for unit in crossing.units:
                        self.of_unit[unit].append(len(self.open))
                    self.open.append((crossing, cells, values))
        self.nodes = 0

    def loops(self) -> Iterator[tuple[int, tuple[_Link, ...]]]:
        """Yield the cells of each loop, with its links, from the group where they take few values.

        Around a loop with as many values as cells there is a group from which on the values never
        outnumber the cells before them, so no other beginnings are tried.
        """
        for crossing, cells, values in self.open:
            for entry, leave in (crossing.units, crossing.units[::-1]):
                for first in _subsets(values):
                    left = values & ~first
                    if 0 < left.bit_count() <= min(_MOST_VALUES, cells.bit_count()):
                        yield from self._on(entry, first, leave, left, cells, ())

    def _on(
        self,
        entry: int,
        first: int,
        unit: int,
        values: int,
        cells: int,
        before: tuple[_Link, ...],
    ) -> Iterator[tuple[int, tuple[_Link, ...]]]:
        """Yield the loops that lead on by a unit which takes values, and end at the entry."""
        self.nodes += 1
        if self.nodes > _MOST_NODES:
            return
        if self.nodes % 64 == 0:
            self.state.tick()
        links = (*before, _Link(self.units[unit], values))
        spare = cells.bit_count() - sum(link.values.bit_count() for link in links)
        for index in self.of_unit[unit]:
            crossing, group, group_values = self.open[index]
            if group & cells:
                continue
            leave = sum(crossing.units) - unit
            left = group_values & ~values
            room = spare + group.bit_count()
            if leave == entry:
                if not left & ~first and first.bit_count() == room:
                    yield cells | group, (*links, _Link(self.units[entry], first))
            elif len(links) < _MOST_GROUPS - 1 and 0 < left.bit_count() <= min(_MOST_VALUES, room):
                yield from self._on(entry, first, leave, left, cells | group, links)


def _step(state: State, cells: int, links: Sequence[_Link], gone: tuple[Candidate, ...]) -> Step:
    """Return the step of a loop."""
    layout = state.layout
    texts = (
        message(
            "{values} in {unit}",
            values=layout.name_values(values_of(link.values)),
            unit=link.unit.unit.words,
        )
        for link in links
    )
    return Step(
        layout=layout,
        reason=message(
            "{taken}, as many as the {count} cells {cells}",
            taken=listing(texts),
            count=cells.bit_count(),
            cells=state.named(cells),
        ),
        eliminations=gone,
        units=tuple(dict.fromkeys(link.unit.unit for link in links)),
        pattern=state.all_in(cells_of(cells)),
    )


def _subsets(values: int) -> Iterator[int]:
    """Yield the sets of one to three of some values."""
    for size in range(1, _MOST_VALUES + 1):
        for chosen in combinations(values_of(values), size):
            yield mask_of(chosen)


@by_layout()
def _crossings(layout: Layout) -> tuple[_Crossing, ...]:
    """Return the pairs of units that share at least two cells, and not all of them."""
    units = geometry(layout).units
    crossings = []
    for (first, ours), (second, theirs) in combinations(enumerate(units), 2):
        cells = ours.cells & theirs.cells
        if cells & (cells - 1) and cells not in (ours.cells, theirs.cells):
            crossings.append(_Crossing((first, second), cells))
    return tuple(crossings)


def _removed(state: State, cells: int, links: Sequence[_Link]) -> tuple[Candidate, ...]:
    """Return the candidates that would take more of the units' values than they fill cells."""
    gone = []
    for cell, value in state.all_in(cells_of(state.empty)):
        covers = sum(link.unit.cells >> cell & 1 and link.values >> value - 1 & 1 for link in links)
        if covers > (cells >> cell & 1):
            gone.append((cell, value))
    return tuple(gone)
