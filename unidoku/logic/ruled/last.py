"""The last open cell of a rule: all others are placed and determine what it may hold."""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.logic.ruled.eliminations import Reason, count_open, elimination_steps
from unidoku.logic.state import State
from unidoku.logic.statement import statements_of
from unidoku.logic.step import Step


def last_cell(state: State) -> Iterator[Step]:
    """Find rules with one open cell, and the values that the rule allows there."""
    for statement in statements_of(state.layout):
        if count_open(state, statement.problem) == 1:
            remaining = statement.problem.pruned(statement.problem.candidates_of(state.candidates))
            yield from elimination_steps(state, statement.cells, remaining, Reason((statement,)))


def marked(state: State) -> Iterator[Step]:
    """Find rules that restrict a single cell, whatever other cells hold."""
    for statement in statements_of(state.layout):
        if statement.is_of_single_cells:
            remaining = statement.problem.pruned(statement.problem.candidates_of(state.candidates))
            yield from elimination_steps(state, statement.cells, remaining, Reason((statement,)))
