"""The bridge to CPMpy: its solvers against ours, and in processes that can be ended."""

from __future__ import annotations

from importlib import metadata

import pytest
from hypothesis import given, settings

import unidoku
from tests.helpers.boards import HARD
from tests.helpers.volume import volume
from unidoku import Board, Request, Stop, layout
from unidoku.backends.adapters.cpmpy.model import Child
from unidoku.backends.toolkit.budget import Budget, LimitReached
from unidoku.errors import BackendError, OptionError
from unidoku.testing.strategies import boards, named_layouts

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("solver", ["ortools", "pumpkin", "z3"])
def test_every_solver_proves_that_a_solution_is_the_only_one(solver: str) -> None:
    cpmpy = unidoku.load("cpmpy", solver=solver)
    assert cpmpy.solve(Board.parse("1... ..2. .3.. ...4"), solutions=2).unique is True
    assert cpmpy.solve(Board.parse("11.. .... .... ....")).stop is Stop.EXHAUSTED
    assert cpmpy.solve(Board.parse("1..............."), solutions=5).stop is Stop.SOLUTIONS


@settings(max_examples=volume(4))
@given(boards(named_layouts()))
def test_another_solver_finds_the_same_through_its_own_process(board: Board) -> None:
    expected = unidoku.solve(board, backend="norvig", solutions=10)
    result = unidoku.solve(board, backend="cpmpy[solver=pumpkin]", solutions=10)
    assert (result.count, result.stop) == (expected.count, expected.stop)


def test_ortools_has_no_part_of_presolve_that_loses_solutions() -> None:
    assert unidoku.load("cpmpy").parameters(Request())["presolve_inclusion_work_limit"] == 0


def test_a_solver_that_keeps_no_limit_is_ended_with_what_it_found() -> None:
    empty = Board.empty(layout("latin", 6))
    pumpkin = unidoku.load("cpmpy[solver=pumpkin]")
    pumpkin.solve(Board.parse("1..............."), solutions=2)  # starts a process
    for seconds in (1, 5, 25):  # in which a model is built and solved, also on a busy machine
        result = pumpkin.solve(empty, solutions=None, time_limit=seconds)
        assert result.stop is Stop.TIME
        if result.count:
            break
    assert result.count == len(set(result.solutions)) > 0
    assert pumpkin.solve(Board.parse(HARD), solutions=2).unique is True


def test_a_process_that_ends_by_itself_is_an_error_and_not_an_answer() -> None:
    child = Child()
    child._process.kill()
    with pytest.raises(BackendError, match="process ended by itself, with code -9"):
        list(child.solutions("pumpkin", Board.parse(HARD), 2, Budget(Request())))


def test_an_error_in_the_process_is_told_here() -> None:
    with pytest.raises(BackendError, match=r"cpmpy\[solver=nonsense\]: "):
        list(Child().solutions("nonsense", Board.parse(HARD), 2, Budget(Request())))


def test_a_search_left_in_the_midst_says_which_limit() -> None:
    budget = Budget(Request(time_limit=0.01))
    with pytest.raises(LimitReached) as caught:
        list(Child().solutions("pumpkin", Board.parse(HARD), 2, budget))
    assert caught.value.stop is Stop.TIME


def test_a_solver_that_would_be_wrong_or_is_not_there_is_refused() -> None:
    assert metadata.version("pychoco") >= "0.3", "else CPMpy can use it"
    with pytest.raises(OptionError, match=r"needs pychoco below 0.3, got .*loses solutions"):
        unidoku.load("cpmpy[solver=choco]")
    with pytest.raises(OptionError, match="'pysat' needs pypblib; pip install pypblib"):
        unidoku.load("cpmpy[solver=pysat]")
    with pytest.raises(OptionError, match=r"finds no solver 'gurobi'; use one of ortools, "):
        unidoku.load("cpmpy[solver=gurobi]")
    with pytest.raises(OptionError, match=r"expected ortools \| choco"):
        unidoku.load("cpmpy[solver=highs]")
