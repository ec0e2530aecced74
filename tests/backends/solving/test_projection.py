"""Layouts with hidden cells: whatever a backend finds is told apart by the cells of the grid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings

import unidoku
from tests.helpers.volume import volume
from unidoku import Board, Layout, Request, Result, Solver, Stop, UnsupportedError, load
from unidoku.backends import BackendSpec
from unidoku.backends.base import Capabilities
from unidoku.backends.solving import projection
from unidoku.core.layout import Grid
from unidoku.core.rules import Arrow, SumOfCells
from unidoku.errors import WrongAnswerError
from unidoku.testing.strategies import boards, hidden_layouts
from unidoku.testing.truth import brute_force

LOOSE = Board.empty(Layout.from_units(3, [], shape=(1, 3), hidden=[7, 7, 7]))
"""Each of 27 grids 27 times."""


@pytest.mark.parametrize("backend", ["native", "norvig", "sat", "cp-sat"])
@settings(max_examples=volume(25))
@given(board=boards(hidden_layouts()))
def test_the_solutions_are_those_of_brute_force_each_once(backend: str, board: Board) -> None:
    right = set(brute_force(board))
    try:
        result = unidoku.solve(board, backend=backend, solutions=None)
    except UnsupportedError:
        return
    assert (result.count, set(result.solutions)) == (len(right), right)
    assert result.stop is Stop.EXHAUSTED
    few = unidoku.solve(board, backend=backend, solutions=2)
    assert few.count == min(2, len(right))
    assert right.issuperset(few.solutions)


@pytest.mark.parametrize("wanted", [1, 2, 20, 27, 28, None])
def test_a_grid_found_again_is_not_counted_again(wanted: int | None) -> None:
    result = load("sat").solve(LOOSE, solutions=wanted, keep=3)
    assert result.count == min(wanted or 27, 27)
    assert len(result.solutions) == min(3, result.count)
    assert (result.stop is Stop.SOLUTIONS) == (wanted is not None and wanted <= 27)


def test_many_boards_are_searched_one_by_one() -> None:
    layout = Layout.from_units(
        4, [[0, 1, 2]], shape=(1, 3), hidden=[0b1111], rules=[Arrow((3,), (0, 1))]
    )
    rows = [[1, 0, 0], [0, 0, 4], [2, 2, 0]]
    batch = load("native").solve_many(rows, layout=layout, solutions=None)
    assert batch.counts.tolist() == [
        load("sat").solve(Board.from_values(layout, row), solutions=None).count for row in rows
    ]


def test_what_cannot_be_told_apart_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projection, "_CHUNK", 1000)
    monkeypatch.setattr(projection, "MOST_STATES", 10_000)
    wide = Layout.from_units(2, [], shape=(1, 12), hidden=[3])
    with pytest.raises(UnsupportedError, match="which differ in hidden cells as well"):
        load("sat").solve(Board.empty(wide), solutions=None, keep=0)


def test_a_backend_that_does_not_support_a_hidden_rule_is_not_asked() -> None:
    layout = Layout.from_units(3, [], shape=(1, 2), hidden=[7], rules=[SumOfCells((0, 1, 2), 6)])
    with pytest.raises(UnsupportedError, match="does not support sums, needed by 'sum'"):
        solver([]).solve(Board.empty(layout))


@dataclass(frozen=True)
class Says:
    """A backend that returns what it was made with."""

    grids: tuple[Grid, ...] = ()

    def search(self, board: Board, request: Request) -> Result:
        return Result(count=len(self.grids), solutions=self.grids, stop=Stop.EXHAUSTED)


def solver(grids: Iterable[Grid]) -> Solver:
    spec = BackendSpec(
        name="says",
        summary="Returns what it was made with.",
        target="tests.backends.solving.test_projection:Says",
        capabilities=Capabilities(),
    )
    return Solver(spec, Says(tuple(grids)))


def test_wrong_hidden_values_are_found() -> None:
    same = Layout.from_units(2, [[0, 1]], shape=(1, 1), hidden=[3])
    assert solver([(1, 2), (2, 1)]).solve(Board.empty(same), solutions=None).count == 2
    with pytest.raises(WrongAnswerError, match="unit: 1 appears 2 times"):
        solver([(1, 1)]).solve(Board.empty(same), solutions=None)
    attempt = solver([(1, 1)]).attempt(Board.empty(same), Request(solutions=None))
    assert attempt.error is None, "it did not fail: what it returned is wrong"
    assert attempt.wrong[0].startswith("unit: 1 appears 2 times")


def test_limits_hold_for_all_searches_together() -> None:
    result = load("native").solve(LOOSE, solutions=27, node_limit=3)
    assert result.stop is Stop.NODES
    assert result.count < 27
