"""A layout as a 0-1 program: rows of variables and coefficients with lower and upper bounds.

The variable of a candidate is its number, see `unidoku.backends.toolkit.cover`; the variables of
sets, flows and alternatives come after all candidates.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import TypeAlias

from unidoku.backends.base import Request
from unidoku.backends.toolkit.budget import Budget
from unidoku.backends.toolkit.clauses import clauses_of_alternatives
from unidoku.backends.toolkit.cover import cover_of, terms_of
from unidoku.backends.toolkit.mdd import Mdd, mdds_of_automata
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.backends.toolkit.relations import stars_of
from unidoku.core.constraints.primitives import Sum
from unidoku.core.layout import Layout
from unidoku.core.transforms.lower import Lowered, lower

Row: TypeAlias = tuple[float, float, Sequence[int], Sequence[int]]
"""Lower bound, upper bound, variables, and their coefficients."""


class LinearProgram:
    """The units and rules of a layout as rows over variables from 0 to 1, without any givens.

    The rows are made while they are read, so that nobody has to keep them: it takes as long to
    collect garbage among a million of them as to make them.
    """

    def __init__(self, layout: Layout, budget: Budget | None = None) -> None:
        """Begin a program.

        Args:
            layout: the layout.
            budget: the limits of the search for which it is made; None for no limit.
        """
        self._layout = layout
        self._budget = budget or Budget(Request())
        self._flows: set[int] = set()
        self._columns = 0

    def rows(self) -> Iterator[Row]:
        """Yield the constraints.

        Raises:
            LimitReached: the budget's time has passed.
            UnsupportedError: the program is too large, see `unidoku.backends.toolkit.model_size`.
        """
        lowered, size = lower(self._layout), ModelSize()
        cover = cover_of(self._layout, self._budget)
        groups = chain(zip(repeat(1), cover.primary), zip(repeat(0), cover.secondary))
        units = ((least, 1, group, (1,) * len(group)) for least, group in groups)
        columns = cover.size + sum(len(constraint.masks) for constraint in lowered.sets)
        for row in chain(units, rows_of_rules(lowered, cover.size, self._flows)):
            size.add(len(row[2]))
            columns = max(columns, 1 + max(row[2], default=0))
            yield row
        self._columns = columns

    @property
    def whole(self) -> list[bool]:
        """Whether each variable must be declared as 0 or 1, once the rows are read.

        The others, those of flows, are whole whenever these are.
        """
        return [column not in self._flows for column in range(self._columns)]


def rows_of_rules(lowered: Lowered, fresh: int, flows: set[int]) -> Iterator[Row]:
    """Yield the rows of rules, with columns of sets, flows and alternatives from a fresh one on.

    Columns of flows are added to ``flows``.
    """
    for group in stars_of(lowered):
        yield 0, 1, group, (1,) * len(group)
    n = lowered.n
    for constraint in lowered.sets:
        chosen = range(fresh, fresh := fresh + len(constraint.masks))
        yield 1, 1, chosen, (1,) * len(chosen)
        for value in range(n):
            columns = [cell * n + value for cell in constraint.cells]
            sets, _ = constraint.split(chosen, value + 1)
            yield 0, 0, [*columns, *sets], [1] * len(columns) + [-1] * len(sets)
    totals = [Sum(s.cells, (1,) * len(s.cells), *s.totals) for s in lowered.sets if s.masks]
    for sum_ in (*lowered.sums, *totals):  # sums of sets are redundant, but tighten the relaxation
        terms = terms_of(sum_, n)
        yield sum_.low, sum_.high, [column for column, _ in terms], [value for _, value in terms]
    for mdd in mdds_of_automata(lowered):
        yield from _flow(mdd, n, fresh)
        flows.update(range(fresh, fresh := fresh + sum(map(len, mdd.arcs))))
    for same in lowered.same_values:
        for value in range(n):
            columns, others = ([c * n + value for c in part] for part in same.lists)
            yield 0, 0, [*columns, *others], [1] * len(columns) + [-1] * len(others)
    yield from _alternatives(lowered, fresh)


def _alternatives(lowered: Lowered, fresh: int) -> Iterator[Row]:
    """Yield the clauses of regions and alternatives as rows, with columns from a fresh one on.

    The columns must be whole: a solver keeps rows up to a tolerance, which the clauses multiply at
    each step, so that cells far apart would be connected. A sum has its bounds if its column is 1,
    and its full range otherwise.
    """
    size, sums = lowered.size, dict[int, Sum]()
    for clause in clauses_of_alternatives(lowered, sums=sums):
        places = [abs(x) - 1 + (fresh - size) * (abs(x) > size) for x in clause]
        signs = [1 if literal > 0 else -1 for literal in clause]
        yield 1 - signs.count(-1), math.inf, places, signs
    for variable, constraint in sums.items():
        holds = variable - 1 + fresh - size
        columns, values = zip(*terms_of(constraint, lowered.n), strict=True)
        ends = [(weight, weight * lowered.n) for weight in constraint.weights]
        least, most = sum(map(min, ends)), sum(map(max, ends))
        if least < constraint.low:
            yield least, math.inf, [*columns, holds], [*values, least - constraint.low]
        if constraint.high < most:
            yield -math.inf, most, [*columns, holds], [*values, most - constraint.high]


def _flow(mdd: Mdd, n: int, fresh: int) -> Iterator[Row]:
    """Yield the rows of a flow through layers: a column for each arc, from a fresh one on.

    Its vertices are integral if the candidates are, so its columns need not be whole.
    """
    if mdd.is_empty:
        yield 1, 1, (), ()
        return
    into: dict[int, list[int]] = {}
    for cell, arcs in zip(mdd.cells, mdd.arcs, strict=True):
        out: defaultdict[int, list[int]] = defaultdict(list)
        after: defaultdict[int, list[int]] = defaultdict(list)
        by_value: defaultdict[int, list[int]] = defaultdict(list)
        for state, value, target in arcs:
            out[state].append(fresh)
            after[target].append(fresh)
            by_value[value].append(fresh)
            fresh += 1
        for value in range(1, n + 1):
            columns = by_value[value]
            yield 0, 0, [cell * n + value - 1, *columns], [1] + [-1] * len(columns)
        for state, columns in into.items():
            yield 0, 0, [*columns, *out[state]], [1] * len(columns) + [-1] * len(out[state])
        into = after
