"""Relations of two cells: dots, inequality signs, thermometers, whispers.

A value of one cell is removed if no value of the other cell goes with it. Along a line this is done
from pair to pair: the third cell of a thermometer holds at least 3.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.constraints.primitives import Relation, backwards
from unidoku.logic.ruled.eliminations import Reason, elimination_steps, open_statements
from unidoku.logic.state import State
from unidoku.logic.statement import Statement
from unidoku.logic.step import Step


def line_bounds(state: State) -> Iterator[Step]:
    """Find lines along which values rise, and the values left to each of their cells."""
    return _steps(state, rising=True)


def related_cells(state: State) -> Iterator[Step]:
    """Find cells joined by relations of one rule, and values without a partner in another cell."""
    return _steps(state, rising=False)


def _steps(state: State, *, rising: bool) -> Iterator[Step]:
    for statement, remaining in open_statements(state, Relation):
        if _rises(statement) == rising:
            yield from elimination_steps(state, statement.cells, remaining, Reason((statement,)))


def _rises(statement: Statement) -> bool:
    """Return whether all relations state that one value is at least as large as another."""
    return all(
        isinstance(constraint, Relation)
        and _up(constraint.table) != _up(backwards(constraint.table))
        for constraint in statement.constraints
    )


def _up(table: tuple[int, ...]) -> bool:
    return not any(mask & ((1 << value) - 1) for value, mask in enumerate(table))
