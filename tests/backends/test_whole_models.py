"""Whole models, variables beyond the candidates and all, are as many as grids.

A solver that enumerates would find a grid again for each value of a variable that the cells do not
decide. Of solvers to whom each grid is forbidden by its cells that would not be seen.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import highspy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Minisat22

import unidoku
from tests.helpers.volume import volume
from unidoku import Board, Layout, Request
from unidoku.backends.adapters.highs.adapter import _lp
from unidoku.backends.toolkit.budget import Budget
from unidoku.backends.toolkit.clauses import Clauses
from unidoku.backends.toolkit.cover import cover_of, held_candidates
from unidoku.core.hidden import expanded_layout
from unidoku.core.transforms.lower import lower, narrowed
from unidoku.core.transforms.simplify import simplified
from unidoku.testing import brute_force
from unidoku.testing.strategies import ruled_layouts

SMALL = ruled_layouts().map(expanded_layout).filter(lambda item: item.n ** len(item) < 3000)
"""With hidden cells as cells like others."""
HIGHS = unidoku.load("highs").spec.capabilities.constraints


def models_of(layout: Layout, rules: Clauses) -> Iterator[frozenset[int]]:
    """Yield the variables that hold in each model of all clauses."""
    cover = cover_of(layout)
    with Minisat22() as solver:
        for clause in rules:
            solver.add_clause(clause)
        for group in (*cover.primary, *cover.secondary):
            for a, b in itertools.combinations(group, 2):
                solver.add_clause([-a - 1, -b - 1])
        for group in cover.primary:
            solver.add_clause([candidate + 1 for candidate in group])
        for variable in range(1, rules.top + 1):
            solver.add_clause([variable, -variable])
        true, false = held_candidates(narrowed(Board.empty(layout)))
        for literal in (*[contained + 1 for contained in true], *[-other - 1 for other in false]):
            solver.add_clause([literal])
        while solver.solve():
            model = solver.get_model() or []
            yield frozenset(variable for variable in model if variable > 0)
            # Told forward, a grid has many models: each is looked for once there.
            literals = model[: lower(layout).size] if rules.forward else model
            solver.add_clause([-literal for literal in literals])


@given(SMALL)
def test_fresh_variables_of_clauses_are_decided_by_the_candidates(layout: Layout) -> None:
    models = list(models_of(layout, Clauses(lower(layout))))
    assert len(models) == len(list(brute_force(Board.empty(layout))))


@given(SMALL)
def test_clauses_told_forward_have_models_of_each_grid_and_of_nothing_else(layout: Layout) -> None:
    size, n = lower(layout).size, layout.n
    models = models_of(layout, Clauses(lower(layout), forward=True))
    restricted = {frozenset(variable for variable in model if variable <= size) for model in models}
    grids = brute_force(Board.empty(layout))
    assert restricted == {frozenset(cell * n + v for cell, v in enumerate(grid)) for grid in grids}


@pytest.mark.parametrize("label", ["cp-sat", "cp-sat[encoding=integer]", "cpmpy", "clingo"])
@settings(max_examples=volume(25))
@given(layout=SMALL)
def test_who_enumerates_whole_models_finds_each_grid_once(label: str, layout: Layout) -> None:
    solver = unidoku.load(label)
    if not solver.spec.capabilities.constraints.issuperset(
        map(type, simplified(layout).constraints)
    ):
        return
    result = solver.search(Board.empty(layout), Request(solutions=None, keep=0))
    assert result.count == len(list(brute_force(Board.empty(layout))))


@settings(max_examples=volume(25))
@given(
    SMALL.filter(lambda layout: HIGHS.issuperset(map(type, simplified(layout).constraints))),
    st.randoms(use_true_random=False),
)
def test_columns_of_a_linear_program_are_decided_by_the_candidates(
    layout: Layout, rng: random.Random
) -> None:
    """Whatever is to be least or most of them comes out alike, once the candidates are fixed."""
    program = _lp(layout, Budget(Request()))
    size = len(layout) * layout.n
    for grid in itertools.islice(brute_force(Board.empty(layout)), 3):
        fixed = np.zeros(size)
        fixed[[cell * layout.n + value - 1 for cell, value in enumerate(grid)]] = 1
        costs = np.array([0] * size + [rng.uniform(-1, 1) for _ in range(program.num_col_ - size)])
        totals = []
        for sign in (1, -1):
            program.col_cost_ = sign * costs
            highs = highspy.Highs()
            highs.setOptionValue("output_flag", False)
            highs.passModel(program)
            highs.changeColsBounds(size, np.arange(size, dtype=np.int32), fixed, fixed)
            highs.run()
            assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
            totals.append(sign * highs.getInfoValue("objective_function_value")[1])
        assert totals[0] == pytest.approx(totals[1], abs=1e-6)
