"""The rows of cells that hold the value at a place on a line, which another cell holds."""

from __future__ import annotations

from collections.abc import Iterable

from unidoku.backends.native.single.build.rows import Constraints
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.core.constraints.primitives import Constraint, Table
from unidoku.core.layout import Layout
from unidoku.core.rules import Indexed


def add_indexed(
    constraints: Constraints, layout: Layout, others: Iterable[Constraint]
) -> list[Constraint]:
    """Add cells that hold the value at a place; return other constraints.

    Solvers get a table for each cell of a line, which has nearly the cube of the number of values
    as rows.

    Args:
        constraints: the constraints.
        layout: the layout.
        others: the constraints of its rules, among them these tables.
    """
    tables: set[tuple[tuple[int, ...], int]] = set()
    for rule in layout.rules:
        if isinstance(rule, Indexed):
            for table in rule.constraints(layout):
                if isinstance(table, Table):
                    tables.add((table.cells, id(table.rows)))
            numbers = (*rule.place, *rule.value, *rule.line), (layout.first_value - 1,)
            constraints.add(Propagator.INDEXED, *numbers)
    return [
        constraint
        for constraint in others
        if not (isinstance(constraint, Table) and (constraint.cells, id(constraint.rows)) in tables)
    ]
