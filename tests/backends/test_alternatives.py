"""Alternatives and lists of the same values, told to each solver in its own form."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import unidoku
from tests.conftest import backend_labels
from tests.core.test_constraints import CONSTRAINTS, PLAIN, N, allowed, inside
from tests.helpers.volume import volume
from unidoku import Automaton, Board, Layout, Or, Region, Relation, Request, SameValues, Sets
from unidoku.backends import find
from unidoku.backends.options import parse_label
from unidoku.core.constraints.automaton import machine_of
from unidoku.core.constraints.primitives import Constraint
from unidoku.core.rules.base import Cells
from unidoku.testing.truth import ConstraintRule

WHERE: Cells = (0, 1, 2, 3)


BRANCHES = st.lists(
    st.lists(CONSTRAINTS, min_size=1, max_size=2).map(tuple), min_size=2, max_size=3
)
SAME = st.permutations(range(4)).map(lambda c: SameValues((c[0], c[1]), (c[2], c[3])))
TWICE = Automaton((0, 1, 1), machine_of(N, {0}, {0}, [(0, 1, 0)]))
"""A line that passes a cell twice, which loses its values for two reasons."""

OVERLAPPING = Or(((Sets((0,), (1,)),), (Sets((1,), (1, 2)),), (Sets((2, 3), (3, 12)),)))
"""Branches of which a grid may keep one, two or three."""


IMPOSSIBLE = Or(((Relation((0,) * N, ((1, 2),)),), (TWICE,)))
"""A branch that no values keep, and one that some do."""

SERVING = [
    label
    for label in backend_labels().values()
    if not (spec := find(parse_label(label)[0])).missing
    if {Or, SameValues} <= spec.capabilities.constraints
]


@settings(max_examples=volume(25))
@given(st.builds(Or, BRANCHES.map(tuple)) | SAME, PLAIN, st.booleans())
@pytest.mark.parametrize("backend_name", SERVING)
@example(OVERLAPPING, SameValues((0, 1), (2, 3)), True)
@example(IMPOSSIBLE, TWICE, False)
@example(SameValues((0, 1), (2, 3)), TWICE, False)
def test_every_backend_finds_each_grid_once_however_many_branches_it_keeps(
    backend_name: str, either: Constraint, besides: Constraint, unit: bool
) -> None:
    solver = unidoku.load(backend_name)
    parts = {type(part) for constraint in (either, besides) for part in inside(constraint)}
    assume(Region not in parts - solver.spec.capabilities.constraints)
    rule = ConstraintRule(WHERE, (either, besides))
    row = Layout.from_units(N, [[0, 1]] if unit else [], shape=(1, 4), rules=[rule])
    found = solver.search(Board.empty(row), Request(solutions=None)).solutions
    right = {g for g in allowed([either, besides]) if g[0] != g[1] or not unit}
    assert len(found) == len(set(found))
    assert set(found) == right
