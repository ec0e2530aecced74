"""The rows of rules that other solvers get as large tables: values at places, cells that differ."""

from __future__ import annotations

from collections.abc import Iterable

from unidoku.backends.native.single.build.rows import Constraints
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.core.bits import bit
from unidoku.core.constraints.primitives import Constraint, Table
from unidoku.core.layout import Layout
from unidoku.core.rules import DifferWhere, Indexed
from unidoku.core.rules.contents import rows_where


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


def add_differing(
    constraints: Constraints, layout: Layout, others: Iterable[Constraint]
) -> list[Constraint]:
    """Add pairs of cells that differ if another cell holds a value; return other constraints.

    Solvers get a table for each pair, which has the cube of the number of values as rows.

    Args:
        constraints: the constraints.
        layout: the layout.
        others: the constraints of its rules, among them these tables.
    """
    n, values = layout.n, {rule.value for rule in layout.rules if isinstance(rule, DifferWhere)}
    tables = {
        id(rows): (index, value, rows)  # kept, so that no other table gets its number
        for value in [value - layout.first_value + 1 for value in values]
        for index, rows in enumerate(rows_where(n, value) if 0 < value <= n else ())
    }
    remaining: list[Constraint] = []
    for constraint in others:
        if isinstance(constraint, Table) and (same := tables.get(id(constraint.rows))):
            index, value, _ = same
            cells = [*constraint.cells]
            constraints.add(Propagator.DIFFER_WHERE, (cells.pop(index), *cells), (bit(value),))
        else:
            remaining.append(constraint)
    return remaining
