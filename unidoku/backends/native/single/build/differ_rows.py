"""The rows of cells that differ if another cell holds a value."""

from __future__ import annotations

from collections.abc import Iterable

from unidoku.backends.native.single.build.rows import Constraints
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.core.bits import bit
from unidoku.core.constraints.primitives import Constraint, Table
from unidoku.core.layout import Layout
from unidoku.core.rules import DifferWhere


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
    values: dict[tuple[tuple[int, ...], int], tuple[int, int]] = {}
    for rule in layout.rules:
        if isinstance(rule, DifferWhere):
            value = rule.value - layout.first_value + 1
            for table in rule.constraints(layout):
                if isinstance(table, Table) and len(table.cells) > 2 and 0 < value <= layout.n:
                    values[table.cells, id(table.rows)] = rule.where[0], bit(value)
    remaining: list[Constraint] = []
    kind = Propagator.DIFFER_WHERE
    for constraint in others:
        if (
            isinstance(constraint, Table)
            and (key := (constraint.cells, id(constraint.rows))) in values
        ):
            where, mask = values[key]
            pair = [cell for cell in constraint.cells if cell != where]
            constraints.add(kind, (where, *pair), (mask,))
        else:
            remaining.append(constraint)
    return remaining
