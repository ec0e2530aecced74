from __future__ import annotations

import time

import pytest

import unidoku
from tests.helpers.boards import EASY, HARD, MANY
from unidoku import Board, Stop, layout
from unidoku.errors import BackendError

NONE = "..9.7...5..21..9..1...28....7...5..1..851......5....3.......3..68........21.....7"


def test_the_statistics_are_those_of_one_search() -> None:
    """Z3's own run on."""
    solver = unidoku.load("z3")
    hard = [solver.solve(Board.parse(HARD), solutions=2).statistics for _ in range(3)]
    easy = solver.solve(Board.parse(EASY), solutions=2).statistics
    assert min(statistics["failures"] for statistics in hard) > 0
    assert hard[2]["propagations"] < hard[0]["propagations"] + hard[1]["propagations"]
    assert easy["nodes"] == 0
    assert 0 < easy["propagations"] < 81 * 9 * 2


def test_solutions_are_read_where_the_trail_does_not_say_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The model says them, too; the trail is empty within a scope, and may be elsewhere."""
    solver = unidoku.load("z3")
    board = Board.empty(layout("classic", 4))
    with_trail = solver.solve(board, solutions=None)
    monkeypatch.setattr("unidoku.backends.adapters.z3.adapter._literal_of", lambda *_: 0)
    without = solver.solve(board, solutions=None)
    assert set(without.solutions) == set(with_trail.solutions)
    assert (without.count, without.stop) == (288, Stop.EXHAUSTED)


def test_what_one_enumeration_excluded_is_there_for_the_next() -> None:
    solver = unidoku.load("z3")
    board = Board.empty(layout("classic", 4))
    for wanted in (3, 288, 2, None, 1, 287, None):
        result = solver.solve(board, solutions=wanted)
        assert result.count == min(wanted or 288, 288)
        assert len(set(result.solutions)) == result.count


def test_a_model_that_was_told_to_exclude_much_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each solution found leaves a clause behind, which does not help other boards."""
    from unidoku.backends.adapters.z3 import adapter

    built: list[object] = []
    make = adapter._Model.__init__

    def counted(*arguments: object) -> None:
        built.append(arguments)
        make(*arguments)  # type: ignore[arg-type]  # passed on as they come

    monkeypatch.setattr(adapter._Model, "__init__", counted)
    adapter._MODELS.clear()
    solver = unidoku.load("z3")
    board = Board.empty(layout("classic", 4))
    for _ in range(adapter.MOST_EXCLUDED // 287 + 1):
        assert solver.solve(board, solutions=None, keep=0).count == 288
    assert len(built) == 1
    assert solver.solve(board, solutions=None, keep=0).count == 288
    assert len(built) == 2


def test_a_limit_of_one_search_is_none_of_the_next() -> None:
    solver = unidoku.load("z3")
    board = Board.parse(MANY)
    assert solver.solve(board, solutions=None, keep=0, time_limit=0.05).stop is Stop.TIME
    started = time.perf_counter()
    assert solver.solve(board, solutions=None, keep=0, time_limit=0.5).stop is Stop.TIME
    assert time.perf_counter() - started >= 0.5
    assert solver.solve(board, solutions=400, keep=0).count == 400


def test_an_end_without_an_answer_or_a_limit_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("z3.z3core.Z3_solver_check_assumptions", lambda *_: 0)
    for time_limit in (None, 60):
        with pytest.raises(BackendError, match="z3: no decision: "):
            unidoku.load("z3").solve(Board.parse(EASY), time_limit=time_limit)
