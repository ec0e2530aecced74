"""One of several things holds: what goes whichever of them does."""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.shapes import Or
from unidoku.logic.ruled.narrowing import Reason, narrowing, telling
from unidoku.logic.state import State
from unidoku.logic.step import Step

__all__ = ["either_way"]


def either_way(state: State) -> Iterator[Step]:
    """Find alternatives, and values that go in each of those that are still possible.

    Each alternative is looked at on its own, without the units around: this finds less than
    arrangements do.
    """
    for saying, left in telling(state, Or):
        yield from narrowing(state, saying.cells, left, Reason((saying,)))
