"""Templates: the ways to place one value on the whole board, whatever the other values do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from unidoku.core.layout import Layout
from unidoku.logic.geometry import cells_of, geometry

__all__ = ["refuted"]

_MOST_NODES = 1000
"""Nodes of a search for one template; a classic board takes a dozen."""


@lru_cache(maxsize=1 << 14)
def refuted(layout: Layout, places: int) -> int:
    """Return those places of a value that no template has, so that the value is in none of them.

    A template has one place in each full unit with any, and at most one in each other unit. What
    a technique that looks at a single value eliminates is among the places returned; if there
    are none, no such technique need look. Source: "templates" or "pattern overlay" at
    sudopedia.org.

    Args:
        layout: of the board.
        places: the cells not yet placed that may hold the value, as a set.

    Cost: a search for each place that no template found so far has. A search that takes too long
    is given up, and its place not returned.
    """
    around = geometry(layout)
    units = [place.cells for place in around.full if place.cells & places]
    found = missing = 0
    for cell in cells_of(places):
        if not found >> cell & 1:
            search = _Search(around.sees, found)
            template = search.complete(0, places, units, cell)
            found |= template or (1 << cell if search.nodes > _MOST_NODES else 0)
            if not found >> cell & 1:
                missing |= 1 << cell
    return missing


class _Search:
    """A search for one template, by depth; takes new cells before those of known templates."""

    def __init__(self, sees: Sequence[int], known: int) -> None:
        self.sees = sees
        self.known = known
        self.nodes = 0

    def complete(self, taken: int, places: int, units: list[int], cell: int) -> int:
        """Return a template with the cells taken, one more, and some of the places; 0 if none."""
        self.nodes += 1
        if self.nodes > _MOST_NODES:
            return 0
        taken |= 1 << cell
        places &= ~(self.sees[cell] | taken)
        units = [unit for unit in units if not unit >> cell & 1]
        if not units:
            return taken
        choices = min((places & unit for unit in units), key=int.bit_count)
        for choice in (*cells_of(choices & ~self.known), *cells_of(choices & self.known)):
            if template := self.complete(taken, places, units, choice):
                return template
            places &= ~(1 << choice)
        return 0
