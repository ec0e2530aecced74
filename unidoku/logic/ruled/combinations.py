"""Combinations: the sets of values that a cage, a renban line or another group may hold.

The cells differ and hold one of some sets of values. Sets are excluded that contain a value that no
cell may hold, or lack a value that a cell holds. A value in none of the remaining sets is removed
from all cells; a value in all of them with one place left is placed.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.constraints.shapes import Sets
from unidoku.core.layout import Layout
from unidoku.logic.geometry import union
from unidoku.logic.ruled.narrowing import Reason, narrowing, sums_of_sets, telling
from unidoku.logic.scene import Left
from unidoku.logic.state import State
from unidoku.logic.step import Step

_SAID = 4
"""The largest number of sets of values in a sentence."""


def combinations(state: State) -> Iterator[Step]:
    """Find cells that hold one of some sets of values, and the candidates that the sets allow."""
    for saying, left in telling(state, Sets):
        if isinstance(saying.shape, Sets) and not saying.is_of_single_cells:
            words = said_of_sets(state.layout, saying.shape, left)
            yield from narrowing(state, saying.cells, left, Reason((saying,), words))


def possible_sets(shape: Sets, left: Left) -> list[int]:
    """Return the sets of values that cells may hold together."""
    if left is None:
        return []
    held = union(left)
    fixed = union(mask for mask in left if not mask & (mask - 1))
    return [
        one
        for one in shape.masks
        if not one & ~held and not fixed & ~one and all(mask & one for mask in left)
    ]


def said_of_sets(layout: Layout, shape: Sets, left: Left) -> str:
    """Return the remaining sets in words, empty if there are many."""
    sets = possible_sets(shape, left)
    if not sets:
        return "of no values"
    return f"of {sums_of_sets(layout, sets)}" if len(sets) <= _SAID else ""
