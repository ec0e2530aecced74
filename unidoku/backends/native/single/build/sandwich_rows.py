"""The rows of lines of all values that say what the cells between their ends sum to."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from unidoku.backends.native.single.build.rows import Constraints
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.core.bits import mask_of
from unidoku.core.caching import number_cache
from unidoku.core.constraints.primitives import Constraint
from unidoku.core.layout import Layout
from unidoku.core.rules import Sandwich

MOST_SETS = 130
"""Above this number of sets of values a line is read by a machine, as they are checked in turn."""

MOST_VALUES = 12
"""The largest number of values of which all sets are enumerated."""


def add_sandwiches(
    constraints: Constraints, layout: Layout, others: Iterable[Constraint]
) -> list[Constraint]:
    """Add the sandwiches of all values; return the other constraints.

    Args:
        constraints: the constraints.
        layout: the layout.
        others: the constraints of its rules, among them those of the sandwiches.
    """
    n, first = layout.n, layout.first_value
    dropped: set[Constraint] = set()
    for rule in layout.rules:
        if (
            isinstance(rule, Sandwich)
            and 2 < n == len(rule.line) <= MOST_VALUES
            and rule.high == n + first - 1
            and any(unit.issuperset(rule.line) for unit in layout.unit_sets_of[rule.line[0]])
        ):
            table = sets_between(n, rule.total, first)
            if len(table) <= n + MOST_SETS:
                place = constraints.table((Sandwich, rule.total), tuple, table)
                constraints.add(Propagator.SANDWICH, rule.line, (place,))
                constraints.work = max(constraints.work, 3 * n + 1)
                dropped.update(rule.constraints(layout))
    return [constraint for constraint in others if not dropped or constraint not in dropped]


@number_cache(maxsize=256)
def sets_between(n: int, total: int, first_value: int) -> tuple[int, ...]:
    """Return the sets of values with a sum, by size, behind where those of each size begin."""
    starts, sets = [n], list[int]()
    for size in range(n - 1):
        sets += [
            mask_of(chosen)
            for chosen in combinations(range(2, n), size)
            if sum(chosen) + size * (first_value - 1) == total
        ]
        starts.append(n + len(sets))
    return (*starts, *sets)
