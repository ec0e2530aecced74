"""The last open cell of a rule: all others are placed and determine what it may hold."""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.logic.ruled.narrowing import Reason, narrowing, openly
from unidoku.logic.saying import sayings_of
from unidoku.logic.state import State
from unidoku.logic.step import Step


def last_cell(state: State) -> Iterator[Step]:
    """Find rules with one open cell, and the values that the rule allows there."""
    for saying in sayings_of(state.layout):
        if openly(state, saying.scene) == 1:
            left = saying.scene.simple(saying.scene.held(state.candidates))
            yield from narrowing(state, saying.cells, left, Reason((saying,)))


def marked(state: State) -> Iterator[Step]:
    """Find rules that restrict a single cell, whatever other cells hold."""
    for saying in sayings_of(state.layout):
        if saying.is_of_single_cells:
            left = saying.scene.simple(saying.scene.held(state.candidates))
            yield from narrowing(state, saying.cells, left, Reason((saying,)))
