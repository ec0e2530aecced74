"""Groups of cells that hold the same values: what one cannot hold, the other cannot either."""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.constraints.shapes import SameValues
from unidoku.logic.ruled.narrowing import Reason, narrowing, telling
from unidoku.logic.state import State
from unidoku.logic.step import Step


def same_values(state: State) -> Iterator[Step]:
    """Find groups with the same values, and what this removes from one or the other."""
    for saying, left in telling(state, SameValues):
        yield from narrowing(state, saying.cells, left, Reason((saying,)))
