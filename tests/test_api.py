from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

import unidoku
from tests.helpers.boards import MANY
from unidoku import Board, Stop, layout
from unidoku.errors import TimeLimitError
from unidoku.testing import brute_force
from unidoku.testing.strategies import boards, unit_systems

HARD = "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4."


def test_solve_takes_backend_limits_and_options(backend_name: str) -> None:
    result = unidoku.solve(Board.parse(HARD), backend=backend_name, solutions=2, time_limit=60)
    assert result.unique is True
    assert unidoku.is_solution(Board.parse(HARD), result.solutions[0])
    assert result.statistics["solve_time"] > 0


def test_count_keeps_no_grids(backend_name: str) -> None:
    result = unidoku.count(Board.empty(layout("classic", 4)), backend=backend_name)
    assert (result.count, result.solutions, result.stop) == (288, (), Stop.EXHAUSTED)
    result = unidoku.count(Board.empty(layout("classic", 4)), limit=5, backend=backend_name)
    assert (result.count, result.stop) == (5, Stop.SOLUTIONS)


def test_options_are_keywords() -> None:
    options: dict[str, Any] = {"encoding": "reduced"}
    result = unidoku.solve(Board.parse(HARD), backend="python-constraint", **options)
    assert result.count == 1


@given(boards(unit_systems().filter(lambda layout: layout.n ** len(layout) < 5000)))
def test_true_candidates_are_those_of_all_solutions(board: Board) -> None:
    expected: list[set[int]] = [set() for _ in board.layout.cells]
    for grid in brute_force(board):
        for cell, value in enumerate(grid):
            expected[cell].add(value)
    true = unidoku.true_candidates(board, backend="norvig")
    assert [set(true.values(cell)) for cell in board.layout.cells] == expected


def test_true_candidates_stop_at_their_time_limit() -> None:
    with pytest.raises(TimeLimitError, match=r"not decided within 0\.05 s"):
        unidoku.true_candidates(Board.parse(MANY), backend="norvig", time_limit=0.05)


def test_everything_public_is_there_and_documented() -> None:
    for name in vars(unidoku)["__all__"]:
        thing = getattr(unidoku, name)
        if name not in ("__version__", "Grid"):
            # A dataclass without a docstring gets its signature for one.
            assert thing.__doc__, name
            assert not thing.__doc__.startswith(f"{name}("), name
