"""The rows of lines of cells that differ, between whose ends the cells have a sum."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from unidoku.backends.native.single.build.rows import Constraints
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.core.bits import all_values, bit, mask_of
from unidoku.core.caching import number_cache
from unidoku.core.constraints.primitives import Automaton, Constraint
from unidoku.core.layout import Layout
from unidoku.core.rules import Lunchbox, Sandwich

MOST_SETS = 130
"""Above this number of sets of values a line is read by a machine, as they are checked in turn."""

MOST_VALUES = 12
"""The largest number of values of which all sets are enumerated."""


def add_sandwiches(
    constraints: Constraints, layout: Layout, others: Iterable[Constraint]
) -> list[Constraint]:
    """Add the lines between whose ends the cells have a sum; return the other constraints.

    Args:
        constraints: the constraints.
        layout: the layout.
        others: the constraints of its rules, among them the machines of these lines.
    """
    dropped: set[Constraint] = set()
    for rule in layout.rules if layout.n <= MOST_VALUES else ():
        if not isinstance(rule, Lunchbox | Sandwich):
            continue
        least = largest = all_values(layout.n)
        if isinstance(rule, Sandwich):
            if not _has_all_values(layout, rule):
                continue
            least, largest = bit(1), bit(layout.n)
        size = len(rule.line)
        table = sets_between(layout.n, size, rule.total, layout.first_value)
        if size > 2 and len(table) <= size + MOST_SETS:
            offset = constraints.table((Sandwich, size, rule.total), tuple, table)
            constraints.add(Propagator.SANDWICH, rule.line, (least, largest, offset))
            constraints.work = max(constraints.work, 3 * size + 1)
            dropped.update(
                constraint
                for constraint in rule.constraints(layout)
                if isinstance(constraint, Automaton)
            )
    return [constraint for constraint in others if not dropped or constraint not in dropped]


def _has_all_values(layout: Layout, rule: Sandwich) -> bool:
    """Return whether the line is a full unit, so that its ends are the least and the largest."""
    units = layout.unit_sets_of[rule.line[0]]
    return (
        layout.n == len(rule.line)
        and rule.high == layout.n + layout.first_value - 1
        and any(unit.issuperset(rule.line) for unit in units)
    )


@number_cache(maxsize=256)
def sets_between(n: int, size: int, total: int, first_value: int) -> tuple[int, ...]:
    """Return the sets of values with a sum, by size, behind where those of each size begin.

    They have neither the least nor the largest value, and at most all but two cells of a line.
    """
    starts, sets = [size], list[int]()
    for count in range(size - 1):
        sets += [
            mask_of(chosen)
            for chosen in combinations(range(2, n), count)
            if sum(chosen) + count * (first_value - 1) == total
        ]
        starts.append(size + len(sets))
    return (*starts, *sets)
