"""Combinations: the sets of values that a cage, a renban line or another group may hold.

The cells differ and hold one of some sets of values. Sets are excluded that contain a value that no
cell may hold, or lack a value that a cell holds. A value in none of the remaining sets is removed
from all cells; a value in all of them with one place left is placed.

Arrangements also respect units: cells that see each other differ. All restrictions of one rule are
considered together. In a sandwich the values between the crusts differ; in a cage across two boxes
the cells in one box differ, as do cells in the same row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unidoku.core.bits import values_of
from unidoku.core.constraints.primitives import Sets
from unidoku.core.layout import Layout
from unidoku.logic.facts import in_runs
from unidoku.logic.geometry import union
from unidoku.logic.ruled.clues import clue_in_words
from unidoku.logic.ruled.eliminations import (
    Reason,
    arrangements_in_words,
    count_open,
    elimination_steps,
    open_statements,
    sums_of_sets,
)
from unidoku.logic.ruled.local_problem import Remaining
from unidoku.logic.ruled.statement import whole_statements
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.support.language import message

_MOST_SETS, _NEEDED = 4, 3
"""The largest number of sets of values in a sentence, and of those that a removed value needs."""


def combinations(state: State) -> Iterator[Step]:
    """Find cells that hold one of some sets of values, and the candidates that the sets allow."""
    for statement, remaining in open_statements(state, Sets):
        if isinstance(statement.constraint, Sets) and not statement.is_of_single_cells:
            before = statement.problem.candidates_of(state.candidates)
            words = sets_in_words(state.layout, statement.constraint, before, remaining)
            yield from elimination_steps(
                state, statement.cells, remaining, Reason((statement,), words)
            )


def possible_sets(constraint: Sets, remaining: Remaining) -> list[int]:
    """Return the sets of values that cells may hold together."""
    if remaining is None:
        return []
    union_of_all = union(remaining)
    fixed = union(candidates for candidates in remaining if not candidates & (candidates - 1))
    return [
        mask
        for mask in constraint.masks
        if not mask & ~union_of_all
        and not fixed & ~mask
        and all(candidates & mask for candidates in remaining)
    ]


def sets_in_words(
    layout: Layout, constraint: Sets, before: Sequence[int], remaining: Remaining
) -> str:
    """Return the remaining sets in words; if they are many, what the removed values needed."""
    sets = possible_sets(constraint, remaining)
    if not sets:
        return message("of no values")
    if len(sets) <= _MOST_SETS:
        return message("of {values}", values=sums_of_sets(layout, sets))
    return _needs(layout, constraint, before, remaining, len(sets))


def _needs(
    layout: Layout, constraint: Sets, before: Sequence[int], remaining: Remaining, count: int
) -> str:
    """Return why values are removed where many sets remain: ``2 needs 7+9``."""
    assert remaining is not None
    gone = union(old & ~new for old, new in zip(before, remaining, strict=True))
    values = in_runs(layout, values_of(gone), "or")
    if not gone & union(remaining):
        return message("of which none of {count} has {values}", count=count, values=values)
    sets = [mask for mask in constraint.masks if mask & gone and not mask & ~union(before)]
    if gone & (gone - 1) or not 0 < len(sets) <= _NEEDED:
        return ""
    sums = sums_of_sets(layout, [mask & ~gone for mask in sets])
    return message("where {values} needs {sums}", values=values, sums=sums)


_BASE, _EACH, _FEW = 3.8, 0.1, 3
"""The rating of arrangements of up to a few open cells, and the addition for each further cell."""

_MOST_OPEN = 12
"""The largest number of open cells of a rule that a person arranges."""


def arrangements(state: State) -> Iterator[Step]:
    """Find values in no arrangement of a rule's cells, for rules of few cells first."""
    by_size = sorted(
        whole_statements(state.layout), key=lambda statement: count_open(state, statement)
    )
    for statement in by_size:
        size = count_open(state, statement)
        if not 1 < size <= _MOST_OPEN:
            continue
        state.tick()
        before = statement.problem.candidates_of(state.candidates)
        remaining = statement.problem.supported_values(before)
        if remaining == before:
            continue
        words, why = arrangements_in_words(statement, state, remaining), ""
        if not words and isinstance(statement.constraint, Sets) and len(statement.constraints) == 1:
            words = sets_in_words(state.layout, statement.constraint, before, remaining)
        if not words:
            why = clue_in_words(statement, before, remaining)
        rating = round(_BASE + _EACH * max(0, size - _FEW), 1)
        reason = Reason((statement,), words or why, bool(why), rating=rating)
        yield from elimination_steps(state, statement.cells, remaining, reason)
