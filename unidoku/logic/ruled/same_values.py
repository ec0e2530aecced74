"""Groups of cells that hold the same values: what one cannot hold, the other cannot either."""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.constraints.primitives import SameValues
from unidoku.logic.ruled.eliminations import Reason, elimination_steps, open_statements
from unidoku.logic.state import State
from unidoku.logic.step import Step


def same_values(state: State) -> Iterator[Step]:
    """Find groups with the same values, and what this removes from one or the other."""
    for statement, remaining in open_statements(state, SameValues):
        yield from elimination_steps(state, statement.cells, remaining, Reason((statement,)))
