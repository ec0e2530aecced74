"""Templates: the ways in which the places of one value can be filled on a whole board.

Source: "templates" or "pattern overlay" at sudopedia.org.
"""

from __future__ import annotations

from collections.abc import Sequence

from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout
from unidoku.logic.geometry import cells_of, geometry
from unidoku.support.deadline import check_time_limit

_MOST_NODES = 1000
"""The largest number of nodes of a search for one template; classic boards take a dozen."""


@by_layout(1 << 9)
def in_no_template(layout: Layout, places: int) -> int:
    """Return the places of a value that are in no template, so that none of them holds it.

    A template has one place in each full unit that has places, and at most one in each other
    unit. Techniques about a single value eliminate only places returned here; if there are none,
    they need not be tried.

    Cost: a search for each place that is in no template found so far. A search that takes too
    long is given up, and its place is not returned.
    """
    around = geometry(layout)
    units = [unit_cells.cells for unit_cells in around.full if unit_cells.cells & places]
    covered = missing = 0
    for cell in cells_of(places):
        check_time_limit()
        if not covered >> cell & 1:
            search = _Search(around.sees, covered)
            template = search.complete(0, places, units, cell)
            covered |= template or (1 << cell if search.nodes > _MOST_NODES else 0)
            if not covered >> cell & 1:
                missing |= 1 << cell
    return missing


class _Search:
    """A depth-first search for one template, which prefers cells of no known template."""

    def __init__(self, sees: Sequence[int], known: int) -> None:
        self.sees = sees
        self.known = known
        self.nodes = 0

    def complete(self, filled: int, places: int, units: list[int], cell: int) -> int:
        """Return a template of the cells taken, one more and some of the places, 0 if none."""
        self.nodes += 1
        if self.nodes > _MOST_NODES:
            return 0
        filled |= 1 << cell
        places &= ~(self.sees[cell] | filled)
        units = [unit for unit in units if not unit >> cell & 1]
        if not units:
            return filled
        choices = min((places & unit for unit in units), key=int.bit_count)
        for choice in (*cells_of(choices & ~self.known), *cells_of(choices & self.known)):
            if template := self.complete(filled, places, units, choice):
                return template
            places &= ~(1 << choice)
        return 0
