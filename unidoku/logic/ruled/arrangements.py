"""Arrangements of a rule's cells that also respect units: cells that see each other differ.

All restrictions of one rule are considered together. In a sandwich the values between the crusts
differ; in a cage across two boxes the cells in one box differ, as do cells in the same row.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.constraints.primitives import Sets
from unidoku.logic.ruled.combinations import sets_in_words
from unidoku.logic.ruled.eliminations import (
    Reason,
    arrangements_in_words,
    count_open,
    elimination_steps,
)
from unidoku.logic.state import State
from unidoku.logic.statement import whole_statements
from unidoku.logic.step import Step

_BASE, _EACH, _FEW = 3.8, 0.1, 3
"""The rating of arrangements of up to a few open cells, and the addition for each further cell."""

_MOST_OPEN = 12
"""The largest number of open cells of a rule that a person arranges."""


def arrangements(state: State) -> Iterator[Step]:
    """Find values in no arrangement of a rule's cells, for rules of few cells first."""
    by_size = sorted(
        whole_statements(state.layout), key=lambda statement: count_open(state, statement.problem)
    )
    for statement in by_size:
        size = count_open(state, statement.problem)
        if not 1 < size <= _MOST_OPEN:
            continue
        state.tick()
        remaining = statement.problem.supported_values(
            statement.problem.candidates_of(state.candidates)
        )
        if remaining == statement.problem.candidates_of(state.candidates):
            continue
        words = arrangements_in_words(statement, state.layout, remaining)
        if not words and isinstance(statement.constraint, Sets) and len(statement.constraints) == 1:
            words = sets_in_words(state.layout, statement.constraint, remaining)
        rating = round(_BASE + _EACH * max(0, size - _FEW), 1)
        yield from elimination_steps(
            state, statement.cells, remaining, Reason((statement,), words, rating=rating)
        )
