"""The last open cell of a rule: all others are placed, and they say what it may hold."""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.logic.ruled.narrowing import Reason, narrowing, openly
from unidoku.logic.saying import sayings_of
from unidoku.logic.state import State
from unidoku.logic.step import Step

__all__ = ["last_cell", "marked"]


def last_cell(state: State) -> Iterator[Step]:
    """Find rules all but one of whose cells are placed, and what they leave to that one."""
    for saying in sayings_of(state.layout):
        if openly(state, saying.scene) == 1:
            left = saying.scene.simple(saying.scene.held(state.candidates))
            yield from narrowing(state, saying.cells, left, Reason((saying,)))


def marked(state: State) -> Iterator[Step]:
    """Find rules that say of a single cell what it may hold, whatever the others do."""
    for saying in sayings_of(state.layout):
        if saying.is_of_single_cells:
            left = saying.scene.simple(saying.scene.held(state.candidates))
            yield from narrowing(state, saying.cells, left, Reason((saying,)))
