"""Arrangements of a rule's cells that also respect units: cells that see each other differ.

All restrictions of one rule are considered together. In a sandwich the values between the crusts
differ; in a cage across two boxes the cells in one box differ, as do cells in the same row.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.constraints.shapes import Sets
from unidoku.logic.ruled.combinations import said_of_sets
from unidoku.logic.ruled.narrowing import Reason, arranged, narrowing, openly
from unidoku.logic.saying import whole_sayings
from unidoku.logic.state import State
from unidoku.logic.step import Step

_BASE, _EACH, _FEW = 3.8, 0.1, 3
"""The rating of arrangements of up to a few open cells, and the addition for each further cell."""

_MOST_OPEN = 12
"""The largest number of open cells of a rule that a person arranges."""


def arrangements(state: State) -> Iterator[Step]:
    """Find values in no arrangement of a rule's cells, for rules of few cells first."""
    by_size = sorted(whole_sayings(state.layout), key=lambda saying: openly(state, saying.scene))
    for saying in by_size:
        size = openly(state, saying.scene)
        if not 1 < size <= _MOST_OPEN:
            continue
        state.tick()
        left = saying.scene.thorough(saying.scene.held(state.candidates))
        if left == saying.scene.held(state.candidates):
            continue
        words = arranged(saying, state.layout, left)
        if not words and isinstance(saying.shape, Sets) and len(saying.shapes) == 1:
            words = said_of_sets(state.layout, saying.shape, left)
        rating = round(_BASE + _EACH * max(0, size - _FEW), 1)
        yield from narrowing(state, saying.cells, left, Reason((saying,), words, rating=rating))
