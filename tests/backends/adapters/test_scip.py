"""SCIP: enumeration with one cut, and options that reach it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import unidoku
from tests.helpers.boards import HARDER, MANY
from unidoku import Board, Stop, layout
from unidoku.backends.adapters import scip
from unidoku.backends.adapters.scip.adapter import _PROGRAMS, Scip
from unidoku.core.constraints.primitives import Or, Sum
from unidoku.testing.truth import ConstraintRule

SMALL, LARGE = (Sum((0, 5, 10), (1, 1, 1), low, high) for low, high in ((3, 6), (5, 9)))
ALTERNATIVES = replace(
    layout("classic", 4), rules=(ConstraintRule((0, 5, 10), (Or(((SMALL,), (LARGE,))),)),)
)
"""Of two sums on the diagonal, one holds at least."""


@pytest.mark.parametrize("limits", [{"solutions": 20}, {"solutions": None, "time_limit": 0.05}])
def test_a_search_that_was_stopped_leaves_the_program_as_it_was(limits: dict[str, Any]) -> None:
    unidoku.solve(Board.parse(HARDER), backend="scip")
    board = Board.parse(MANY)
    unidoku.solve(board, backend="scip", keep=0, **limits)
    with _PROGRAMS.lend(board.layout, Scip(), lambda: pytest.fail("built again")) as program:
        assert program.model.getNConss() == 4 * 81
    assert unidoku.solve(Board.parse(HARDER), backend="scip", solutions=2).unique


def test_a_search_that_would_end_too_late_is_not_begun_and_keeps_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solver, board = unidoku.load("scip"), Board.empty(layout("latin", 4))
    monkeypatch.setattr(scip.adapter, "_ENDING", 1e9)
    result = solver.solve(board, solutions=None, time_limit=5)
    assert (result.stop, result.count) == (Stop.TIME, 0)
    assert result.statistics["nodes"] == 0
    assert solver.solve(board, solutions=None).count == 576


def test_seeds_and_options_reach_the_solver() -> None:
    board = Board.parse(HARDER)
    labels = ["scip", "scip[emphasis=counter]"]
    results = [unidoku.load(label).solve(board, solutions=2) for label in labels]
    results.append(unidoku.load("scip").solve(board, solutions=2, seed=7))
    assert {result.unique for result in results} == {True}
    assert len({result.statistics["nodes"] for result in results}) == len(results)


@pytest.mark.parametrize("emphasis", ["cpsolver", "counter"])
def test_all_grids_are_in_one_tree_each_once(emphasis: str) -> None:
    solver = unidoku.load("scip", emphasis=emphasis)
    assert solver.solve(".... .... .... ....", solutions=None).count == 288


def test_columns_of_alternatives_that_may_be_0_or_1_repeat_no_grid() -> None:
    """The column of a sum that is kept may be 0 as well."""
    for text in ("1... .... .... ....", "12.. .... .... ...."):
        board = Board.parse(text, ALTERNATIVES)
        known = unidoku.solve(board, backend="native", solutions=None)
        result = unidoku.solve(board, backend="scip", solutions=None)
        assert result.solutions == known.solutions
        assert result.count > 1
