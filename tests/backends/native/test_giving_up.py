"""Searches that give up after so many failures, and searches that pause."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

import unidoku
from tests.backends.native.boards import HARD, SEVERAL
from tests.helpers.volume import thorough
from unidoku import Board, Request, Result, Stop, layout
from unidoku.backends.batch import STOPS
from unidoku.backends.native.adapter import OF_FAILURE, Native
from unidoku.backends.native.lanes import search as lanes
from unidoku.backends.native.single.boards import search_board
from unidoku.backends.native.single.build.layout_tables import tables_of
from unidoku.backends.native.single.function import INTERPRETED
from unidoku.core.batch import Batch

ENGINES = ("python", "single", "lanes")
ALL = Request(solutions=None)


def native(engine: str) -> Native:
    backend = unidoku.load("native", engine=engine).backend
    assert isinstance(backend, Native)
    return backend


def search_within(engine: str, board: Board, failures: int) -> Result:
    begun, backend = time.perf_counter(), native(engine)
    if engine == "lanes":
        return lanes.search_board(lanes.kernel(board.layout), board, ALL, begun, failures)
    function = backend._function(None)
    assert function is not None
    return search_board(board, ALL, begun, failures, function=function)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", [HARD[1], SEVERAL[0], *thorough(*HARD[2:])])
def test_a_search_gives_up_only_while_something_is_left_to_search(engine: str, text: str) -> None:
    whole = native(engine).search(Board.parse(text), ALL)
    results = [search_within(engine, Board.parse(text), 2**power) for power in range(13)]
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
        result = search_within(engine, board, failures)
        assert result.statistics["failures"] == failures
        assert (result.stop is Stop.EXHAUSTED) == (failures == most)


@pytest.mark.parametrize("engine", ENGINES)
def test_each_solution_restarts_the_count(engine: str) -> None:
    board = Board.empty(layout("windoku", 4))
    result = search_within(engine, board, 12)
    assert (result.count, result.stop) == (168, Stop.EXHAUSTED)


@pytest.mark.parametrize("engine", ENGINES)
def test_of_a_batch_only_the_hard_boards_are_given_up(engine: str) -> None:
    texts = [HARD[0], "123456789" + "." * 72, SEVERAL[0], *HARD] * (3 if engine == "python" else 20)
    boards = [Board.parse(text) for text in texts]
    backend = native(engine)
    request = Request(solutions=2, keep=1)
    cells = Batch.from_boards(boards[0].layout, boards).cells
    of_propagation = INTERPRETED.work if engine == "python" else 1
    work = 3 * OF_FAILURE * of_propagation
    result = backend.search_many_within(boards[0].layout, cells, request, work)
    whole = backend.search_many(boards[0].layout, cells, request)
    gave_up = result.stops == STOPS.index(Stop.INCOMPLETE)
    assert 0 < gave_up.sum() < len(texts)
    assert (result.counts[~gave_up] == whole.counts[~gave_up]).all()
    assert (result.grids[~gave_up] == whole.grids[~gave_up]).all()
    assert (result.counts <= whole.counts).all()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", [SEVERAL[0], *thorough(HARD[2])])
def test_pauses_change_nothing_but_when_the_search_goes_on(engine: str, text: str) -> None:
    board = Board.parse(text)
    whole = native(engine).search(board, ALL)
    for turn in (1, 7, 300):
        turns = native(engine).search_in_turns(board, ALL, turn)
        work = []
        while True:
            try:
                work.append(next(turns))
            except StopIteration as end:
                result: Result = end.value
                break
        assert (result.count, result.stop) == (whole.count, whole.stop)
        assert set(result.solutions) == set(whole.solutions)
        if engine == "lanes":  # they begin again
            assert all(later == 2 * done for done, later in pairwise(work))
            continue
        assert result.statistics["nodes"] == whole.statistics["nodes"]
        assert result.solutions == whole.solutions
        assert work
        assert all(done >= turn for done in work)


def test_a_search_that_is_closed_in_a_pause_gives_its_memory_back() -> None:
    board, backend = Board.parse(HARD[1]), native("single")
    whole = backend.search(board, ALL)
    function = backend._function(None)
    assert function is not None
    idle = tables_of(board.layout, function).idle
    before = len(idle)
    turns = backend.search_in_turns(board, ALL, 1)
    next(turns)
    assert len(idle) == before - 1
    turns.close()
    assert len(idle) == before
    assert backend.search(board, ALL).statistics["nodes"] == whole.statistics["nodes"]
