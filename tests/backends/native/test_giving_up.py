from __future__ import annotations

import time

import pytest

import unidoku
from tests.backends.native.boards import HARD, LANES, SEVERAL, patience
from unidoku import Board, Request, Result, Stop, layout
from unidoku.backends.batch import STOPS
from unidoku.backends.native.adapter import Native
from unidoku.backends.native.lanes import compile as compiling
from unidoku.core.batch import Batch

ENGINES = ("python", "single", "lanes")
ALL = Request(solutions=None)
OF_BATCH = Request(solutions=None, keep=1)


def native(engine: str) -> Native:
    found = unidoku.load("native", engine=engine).backend
    assert isinstance(found, Native)
    return found


def unlimited(engine: str) -> int:
    """How a limit is written that stands for one failure of an engine."""
    return 10 if engine == "python" else 1


def within(engine: str, text: str, failures: int) -> Result:
    return native(engine).search_within(Board.parse(text), ALL, failures * unlimited(engine))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", [*HARD[1:], SEVERAL[0]])
def test_a_search_gives_up_only_while_something_is_left_to_search(engine: str, text: str) -> None:
    whole = native(engine).search(Board.parse(text), ALL)
    results = [within(engine, text, 2**power) for power in range(13)]
    stops = [result.stop for result in results]
    given_up = stops.count(Stop.INCOMPLETE)
    assert stops == [Stop.INCOMPLETE] * given_up + [Stop.EXHAUSTED] * (13 - given_up)
    assert 0 < given_up < 13
    for result in results:
        assert set(result.solutions) <= set(whole.solutions)
        assert result.stop is Stop.INCOMPLETE or result.count == whole.count


@pytest.mark.parametrize("engine", ["python", "single"])
def test_failures_are_counted_exactly_until_the_first_solution(engine: str) -> None:
    board = Board.empty(layout("anti-king", 4))
    whole = native(engine).search(board, ALL)
    most = int(whole.statistics["failures"])
    assert whole.count == 0
    for failures in range(1, most + 1):
        result = native(engine).search_within(board, ALL, failures * unlimited(engine))
        assert result.statistics["failures"] == failures
        assert (result.stop is Stop.EXHAUSTED) == (failures == most)


@pytest.mark.parametrize("engine", ENGINES)
def test_each_solution_begins_the_count_anew(engine: str) -> None:
    board = Board.empty(layout("windoku", 4))
    result = native(engine).search_within(board, ALL, 12 * unlimited(engine))
    assert (result.count, result.stop) == (168, Stop.EXHAUSTED)


@pytest.mark.parametrize("engine", ENGINES)
def test_of_a_batch_only_the_hard_boards_are_given_up(engine: str) -> None:
    texts = [HARD[0], "123456789" + "." * 72, SEVERAL[0], *HARD] * 20
    boards = [Board.parse(text) for text in texts]
    backend = native(engine)
    request = Request(solutions=2, keep=1)
    cells = Batch.from_boards(boards[0].layout, boards).cells
    found = backend.search_many_within(boards[0].layout, cells, request, 3 * unlimited(engine))
    whole = backend.search_many(boards[0].layout, cells, request)
    gave_up = found.stops == STOPS.index(Stop.INCOMPLETE)
    assert 0 < gave_up.sum() < len(texts)
    assert (found.counts[~gave_up] == whole.counts[~gave_up]).all()
    assert (found.grids[~gave_up] == whole.grids[~gave_up]).all()
    assert (found.counts <= whole.counts).all()


def test_what_python_gives_up_is_searched_by_single(monkeypatch: pytest.MonkeyPatch) -> None:
    patience(monkeypatch, 60)
    monkeypatch.setattr(compiling, "_kernels", {})
    board = Board.parse(HARD[1])
    result = native("auto").search_within(board, Request(solutions=2), 10)
    assert "propagations" in result.statistics


def test_what_the_lanes_give_up_is_searched_by_single() -> None:
    board = Board.parse(HARD[1])
    LANES.solve(board)
    result = native("auto").search_within(board, Request(solutions=2), 8)
    assert "propagations" in result.statistics


def test_what_is_given_up_ends_within_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    patience(monkeypatch, 60)
    begun = time.perf_counter()
    board = Board.empty(layout("classic", 25))
    request = Request(solutions=None, keep=0, time_limit=0.3)
    result = native("auto").search_within(board, request, 10**9)
    assert result.stop is Stop.TIME
    assert time.perf_counter() - begun < 5
