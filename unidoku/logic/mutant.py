"""Mutant fish: bases and covers of any kinds, mixed.

The rule is that of `unidoku.logic.fish`. Fish that mix areas with lines of one kind are known as
Franken fish. Fish of one kind are found here too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout
from unidoku.logic.fish import Fish, fish_steps, joined
from unidoku.logic.geometry import UnitCells, cells_of, geometry, lowest
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.logic.template import refuted

_MOST_NODES = 2000
"""The largest number of nodes of the search for a fish that eliminates one place."""


def mutant_fish(state: State, size: int) -> Iterator[Step]:
    """Find fish of bases and covers of any kinds, one for each place that is eliminated.

    Places that smaller fish or locked candidates eliminate are left to these techniques.

    Cost: a bounded depth-first search for each place that no template has (see
        `unidoku.logic.template`); nothing for a value whose places were searched before.
    """
    return fish_steps(state, partial(_mutants, size=size), size)


@by_layout(1 << 8)
def _mutants(layout: Layout, places: int, size: int) -> tuple[Fish, ...]:
    """Return fish up to a size that together eliminate what all fish of these sizes do."""
    found = _mutants(layout, places, size - 1) if size > 2 else ()
    for target in cells_of(refuted(layout, places)):
        if not any(caught.gone >> target & 1 for caught in found):
            caught = _Search(layout, places, target, size).start()
            found += (caught,) if caught is not None else ()
    return found


class _Search:
    """A depth-first search for a fish that eliminates a place.

    It begins with covers of the place. While a place of the bases is uncovered, one of its units
    becomes a cover. Otherwise, while there are fewer bases than covers, a base that meets the
    covers is added: one of the missing bases must, or they would have too few covers.
    """

    def __init__(self, layout: Layout, places: int, target: int, size: int) -> None:
        self.layout, self.places, self.target, self.size = layout, places, target, size
        self.seen: set[tuple[frozenset[UnitCells], frozenset[UnitCells]]] = set()
        self.bases = [unit for unit in geometry(layout).full if unit.cells & places]

    def start(self) -> Fish | None:
        """Return a fish whose covers eliminate the place, or None if there is none."""
        units = geometry(self.layout).units_of[self.target]
        for covers in (*combinations(units, 1), *combinations(units, 2)):
            if caught := self.extend(frozenset(), frozenset(covers)):
                return caught
        return None

    def extend(self, bases: frozenset[UnitCells], covers: frozenset[UnitCells]) -> Fish | None:
        """Return a fish with these bases and covers and perhaps more."""
        if (bases, covers) in self.seen or len(self.seen) > _MOST_NODES:
            return None
        self.seen.add((bases, covers))
        base_places = joined(bases) & self.places
        area = joined(covers)
        if opened := base_places & ~area:
            if len(covers) < self.size:
                for unit in geometry(self.layout).units_of[lowest(opened)]:
                    if unit not in bases and (caught := self.extend(bases, covers | {unit})):
                        return caught
        elif len(bases) == len(covers):
            return Fish.of(self.layout, self.places, bases, covers)
        else:
            for unit in self.next_bases(base_places, area, covers):
                if caught := self.extend(bases | {unit}, covers):
                    return caught
        return None

    def next_bases(
        self, base_places: int, area: int, covers: frozenset[UnitCells]
    ) -> list[UnitCells]:
        """Return the bases that share no place with the others and meet the covers."""
        twice = sum(unit.cells >> self.target & 1 for unit in covers) > 1
        taken = base_places if twice else base_places | 1 << self.target
        return [
            unit
            for unit in self.bases
            if not unit.cells & taken and unit.cells & self.places & area and unit not in covers
        ]
