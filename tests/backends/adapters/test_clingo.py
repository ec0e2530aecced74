from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import unidoku
from tests.helpers.boards import EASY, HARD, MANY
from unidoku import Board, Stop, layout
from unidoku.backends.toolkit.budget import Budget

PIGEONS = """
import itertools, sys, unidoku
from unidoku import Board, Layout
pairs = itertools.combinations(range(15), 2)
board = Board.empty(Layout.from_units(14, pairs, shape=(1, 15)))
print("searching", flush=True)
try:
    unidoku.solve(board, backend="clingo", threads=int(sys.argv[1]))
except KeyboardInterrupt:
    print("stopped cleanly")
"""


def hard_boards() -> list[Board]:
    """Boards alike in difficulty: one, with its rows in every order that keeps the bands."""
    rows = [HARD[start : start + 9] for start in range(0, 81, 9)]
    orders = [
        [a, b, c] for a in range(3) for b in range(3) for c in range(3) if {a, b, c} == {0, 1, 2}
    ]
    return [
        Board.parse("".join(rows[band * 3 + row] for band in bands for row in order))
        for bands in orders
        for order in orders
    ]


@pytest.mark.parametrize("mode", ["compete", "split"])
@pytest.mark.parametrize("threads", [2, 4, 64])
def test_several_threads_find_each_solution_once_and_no_more_than_asked(
    mode: str, threads: int
) -> None:
    solver = unidoku.load("clingo", parallel_mode=mode)
    board = Board.empty(layout("classic", 4))
    for wanted in (1, 2, 5, 287, 288):
        result = solver.solve(board, solutions=wanted, threads=threads)
        assert (result.count, result.stop) == (wanted, Stop.SOLUTIONS)
    result = solver.solve(board, solutions=None, threads=threads)
    assert (result.count, result.stop) == (288, Stop.EXHAUSTED)


def test_more_threads_than_processors_are_not_warned_of(capfd: pytest.CaptureFixture[str]) -> None:
    assert unidoku.load("clingo").solve(Board.parse(HARD), threads=64).count == 1
    assert unidoku.load("clingo[heuristic=unit]").solve(Board.parse(EASY)).count == 1
    assert capfd.readouterr() == ("", "")


def test_the_statistics_are_those_of_one_search() -> None:
    solver = unidoku.load("clingo")
    hard = [solver.solve(board, solutions=2).statistics["failures"] for board in hard_boards()]
    assert 0 < hard[-1] < sum(hard[:-1])
    easy = solver.solve(Board.parse(EASY), solutions=2).statistics
    assert (easy["nodes"], easy["failures"]) == (0, 0)


def test_an_interrupt_that_comes_too_late_does_not_stop_the_next_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To clingo, an interrupt while no search runs is one of the search that comes next."""

    @contextlib.contextmanager
    def late(stop: Callable[[], object], budget: Budget) -> Iterator[None]:
        yield
        while budget.left is not None and budget.left > 0:
            time.sleep(0.01)
        stop()
        stop()

    solver = unidoku.load("clingo")
    proper = Board.parse(HARD)
    assert solver.solve(proper, solutions=2).unique is True
    with monkeypatch.context() as patch:
        patch.setattr("unidoku.backends.adapters.clingo.adapter.stopped_from_outside", late)
        assert solver.solve(proper, solutions=2, time_limit=2).unique is True
    assert solver.solve(proper, solutions=2).unique is True


def test_a_limit_of_about_the_time_that_is_needed_stops_or_answers() -> None:
    solver = unidoku.load("clingo")
    board = Board.parse(HARD)
    for limit in (0.0001, 0.0005, 0.001, 0.002, 0.004) * 20:
        result = solver.solve(board, solutions=2, time_limit=limit)
        assert result.stop in (Stop.TIME, Stop.EXHAUSTED)
        assert result.unique is (True if result.stop is Stop.EXHAUSTED else None)


def test_searches_at_once_have_each_their_own_time_limit() -> None:
    solver = unidoku.load("clingo")
    board = Board.parse(MANY)
    took: dict[float, float] = {}

    def search(limit: float) -> None:
        started = time.perf_counter()
        result = solver.solve(board, solutions=None, keep=0, time_limit=limit)
        took[limit] = time.perf_counter() - started
        assert result.stop is Stop.TIME

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(search, (1.5, 1.2, 0.3, 0.7)))
    assert sorted(took, key=took.__getitem__) == [0.3, 0.7, 1.2, 1.5]
    assert all(limit / 2 <= seconds <= limit + 1 for limit, seconds in took.items())


def test_a_layout_without_any_solution_stays_without() -> None:
    board = Board.empty(layout("anti-king", 4))
    for _ in range(3):
        result = unidoku.load("clingo").solve(board, solutions=None)
        assert (result.count, result.stop) == (0, Stop.EXHAUSTED)
        assert unidoku.load("clingo").solve(board, time_limit=5).stop is Stop.EXHAUSTED


@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c_without_a_solution_in_sight_is_an_exception_as_usual(threads: str) -> None:
    """Python's own interface ends the process, for it hears Ctrl-C in a callback."""
    command = [sys.executable, "-c", PIGEONS, threads]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "searching\n"
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "stopped cleanly\n"
        assert process.wait(timeout=20) == 0
