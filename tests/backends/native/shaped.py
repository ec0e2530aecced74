"""Random constraints as rules: what no rule of the catalogue comes to."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import strategies as st

from unidoku import Layout
from unidoku.core.bits import mask_of
from unidoku.core.constraints.automaton import machine_of
from unidoku.core.constraints.operations import cells_of
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Region,
    Relation,
    SameValues,
    Sets,
    Sum,
    Table,
)
from unidoku.testing.strategies import tables
from unidoku.testing.truth import ConstraintRule


def shaped(constraint: Constraint) -> ConstraintRule:
    """Return the rule that a constraint holds."""
    return ConstraintRule(tuple(cells_of(constraint)), (constraint,))


@st.composite
def constraints(
    draw: st.DrawFn, n: int, cells: Sequence[int], *, nested: bool = False
) -> Constraint:
    """Constraints of some of the cells, of n values; few of them always or never hold."""
    if not nested and draw(st.integers(0, 3)) == 0:
        branch = st.lists(constraints(n, cells, nested=True), min_size=1, max_size=2).map(tuple)
        return Or(tuple(draw(st.lists(branch, min_size=2, max_size=3))))
    chosen = draw(st.permutations(cells).map(tuple))[: draw(st.integers(2, len(cells)))]
    values = st.integers(1, n)
    row = st.tuples(*[values] * len(chosen))
    kinds = (Sum, Sets, Automaton, Table, SameValues, Relation, Region)
    match draw(st.sampled_from(kinds)).__name__:
        case "Sum":
            weights = draw(
                st.tuples(*[st.sampled_from((1, 1, 1, -1, 2, -3, 10, 40))] * len(chosen))
            )
            sums = draw(st.lists(row, min_size=1, max_size=2))
            ends = [sum(map(int.__mul__, weights, item)) for item in sums]
            return Sum(chosen, weights, min(ends), max(ends) + draw(st.integers(0, 2)))
        case "Sets":
            sets = st.permutations(range(1, n + 1)).map(lambda order: mask_of(order[: len(chosen)]))
            return Sets(chosen[:n], tuple(sorted(draw(st.sets(sets, min_size=1, max_size=20)))))
        case "SameValues":
            half = len(chosen) // 2
            return SameValues(chosen[:half], chosen[-half:])
        case "Region":
            pairs = draw(st.lists(st.sampled_from(list(itertools.combinations(chosen, 2)))))
            low = draw(st.integers(0, len(chosen)))
            near = draw(st.permutations(cells).map(tuple))[: len(chosen)]
            mask, high = draw(st.integers(1, (1 << n) - 1)), low + draw(st.integers(0, 3))
            return Region(chosen, mask, tuple(pairs), low, high, draw(st.sampled_from(((), near))))
        case "Relation":
            return Relation(draw(tables(n)), tuple(itertools.pairwise(chosen)))
        case "Table":
            return Table(chosen, tuple(sorted(draw(st.sets(row, min_size=1, max_size=99)))))
        case _:
            states = st.integers(0, draw(st.sampled_from((2, 5, 70))))
            steps = draw(st.lists(st.tuples(states, values, states), min_size=1, max_size=60))
            again = chosen + chosen[: draw(st.integers(0, 1))]
            return Automaton(again, machine_of(n, [0], draw(st.sets(states)), steps))


@st.composite
def shaped_layouts(draw: st.DrawFn) -> Layout:
    """Layouts of a few cells that may differ, with one to three constraints."""
    n, size = draw(st.sampled_from(((2, 6), (3, 5), (5, 4), (9, 3), (18, 3), (34, 2))))
    units = draw(st.lists(st.sets(st.integers(0, size - 1), min_size=2, max_size=n), max_size=2))
    result = draw(st.lists(constraints(n, range(size)), min_size=1, max_size=3))
    return Layout.from_units(n, units, shape=(1, size), rules=[shaped(item) for item in result])
