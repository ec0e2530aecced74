"""Arrangements of a line: the values that a sandwich, a skyscraper or a nonogram allows.

Such a rule reads its cells in order. A value is removed if no arrangement of the line has it there;
if few arrangements are left, the step lists them.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.constraints.primitives import Automaton, Table
from unidoku.logic.ruled.eliminations import (
    Reason,
    arrangements_in_words,
    elimination_steps,
    open_statements,
)
from unidoku.logic.state import State
from unidoku.logic.step import Step


def line_arrangements(state: State) -> Iterator[Step]:
    """Find lines read in order, and values that no arrangement of the line has in a cell."""
    for statement, remaining in open_statements(state, Automaton, Table):
        reason = Reason((statement,), arrangements_in_words(statement, state.layout, remaining))
        yield from elimination_steps(state, statement.cells, remaining, reason)
