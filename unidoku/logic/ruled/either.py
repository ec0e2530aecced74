"""Alternatives: candidates that are removed whichever of them holds."""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.constraints.primitives import Or
from unidoku.logic.ruled.eliminations import Reason, elimination_steps, open_statements
from unidoku.logic.state import State
from unidoku.logic.step import Step


def either_way(state: State) -> Iterator[Step]:
    """Find alternatives, and values that each possible one of them removes.

    Each alternative is considered separately, without units: this finds less than arrangements do.
    """
    for statement, remaining in open_statements(state, Or):
        yield from elimination_steps(state, statement.cells, remaining, Reason((statement,)))
