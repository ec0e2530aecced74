from __future__ import annotations

import constraint
import pytest

import unidoku
from tests.helpers.boards import HARD, NORVIG
from unidoku import Board, Layout, Status, layout
from unidoku.core.rules import Between, Line, Whispers
from unidoku.errors import OptionError

HAS_OPTIMIZED = hasattr(constraint, "OptimizedBacktrackingSolver")
ENCODINGS = ["domains", "constraints", "reduced"]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("solver", ["backtracking", "recursive"])
def test_both_solver_classes_solve_in_every_encoding(solver: str, encoding: str) -> None:
    backend = unidoku.load("python-constraint", solver=solver, encoding=encoding)
    board = Board.parse(HARD)
    assert backend.solve(board, solutions=2).unique is True
    assert backend.solve(board, solutions=1).count == 1
    assert backend.solve(Board.empty(layout("classic", 4)), solutions=None).count == 288


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_line_may_meet_itself(encoding: str) -> None:
    """The place where it does loses the same value twice, or all values by two looks at it."""
    falls = Line((0, 1, 1, 2), 9, lambda last, value: value if value <= last else None, bool)
    row = Layout.from_units(4, [], shape=(1, 3), rules=[falls])
    backend = unidoku.load("python-constraint", encoding=encoding)
    assert backend.solve(Board.empty(row), solutions=None).count == 20
    never = [Between((0, 0, 1)), Whispers((1, 2), 1)]
    row = Layout.from_units(3, [], shape=(1, 3), rules=never)
    assert backend.solve(Board.empty(row)).status is Status.UNSATISFIABLE


@pytest.mark.parametrize("solver", ["backtracking", "recursive"])
def test_without_forward_checking_it_finds_the_same(solver: str) -> None:
    backend = unidoku.load("python-constraint", solver=solver, forwardcheck=False)
    assert backend.solve(Board.empty(layout("classic", 4)), solutions=None).count == 288
    assert backend.solve(Board.parse("1... ..2. .3.. ...4"), solutions=2).unique is True


def test_the_optimized_solver_is_there_in_version_2_and_explained_in_version_1() -> None:
    if HAS_OPTIMIZED:
        backend = unidoku.load("python-constraint", solver="optimized")
        assert backend.solve(Board.parse("1..............."), solutions=None).count == 72
    else:
        with pytest.raises(OptionError, match="needs python-constraint2"):
            unidoku.load("python-constraint", solver="optimized")


def test_nodes_are_the_assignments_tried() -> None:
    result = unidoku.load("python-constraint").solve(Board.parse("1"))
    assert result.statistics["nodes"] == 1


def test_the_default_of_version_2_is_not_ours() -> None:
    """It keeps this board, which the default of version 1 solves at once, for minutes."""
    board = Board.parse(NORVIG)
    assert unidoku.load("python-constraint").solve(board, solutions=1, time_limit=60).count == 1
    if HAS_OPTIMIZED:
        optimized = unidoku.load("python-constraint[solver=optimized]")
        assert optimized.solve(board, node_limit=20_000).status is Status.UNKNOWN
