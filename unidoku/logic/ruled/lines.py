"""Arrangements of a line: what a sandwich, a skyscraper or a nonogram leaves to its cells.

Such a rule reads its cells in order. A value goes if no arrangement of the line has it there; where
few arrangements are left, they are said.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.shapes import Automaton, Rows
from unidoku.logic.ruled.narrowing import Reason, arranged, narrowing, telling
from unidoku.logic.state import State
from unidoku.logic.step import Step

__all__ = ["line_arrangements"]


def line_arrangements(state: State) -> Iterator[Step]:
    """Find lines read in order, and values that no arrangement of the line has in a cell."""
    for saying, left in telling(state, Automaton, Rows):
        reason = Reason((saying,), arranged(saying, state.layout, left))
        yield from narrowing(state, saying.cells, left, reason)
