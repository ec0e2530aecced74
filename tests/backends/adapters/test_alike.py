"""What several libraries make hard in the same way."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import unidoku
from tests.backends.test_limits import hears_ctrl_c
from tests.helpers.boards import HARD, MANY
from unidoku import Board, Layout, Request, Status, Stop, layout
from unidoku.backends.toolkit.cover import cover_of
from unidoku.errors import UnsupportedError
from unidoku.testing import brute_force

PIGEONS = Board.empty(
    Layout.from_units(11, [[a, b] for a in range(12) for b in range(a)], shape=(1, 12))
)

COUNTED = ("nodes", "failures", "restarts")

LONG_RUN = f"""
import sys, unidoku
solver = unidoku.load(sys.argv[1])
board = unidoku.Board.empty(unidoku.layout("classic", 25))
solver.solve(unidoku.Board.parse("1..."*4))
print("searching", flush=True)
try:
    solver.solve(board, solutions=None, keep=0)
except KeyboardInterrupt:
    assert solver.solve(unidoku.Board.parse({HARD!r}), solutions=2).unique
    print("stopped", flush=True)
"""


@pytest.mark.parametrize(
    ("name", "board", "limit", "least"),
    [
        ("choco", Board.parse(MANY), 2, 5),
        pytest.param("pumpkin", PIGEONS, 3, 4, marks=pytest.mark.thorough),
    ],
    ids=["choco", "pumpkin"],
)
def test_other_threads_have_their_turn_while_it_searches(
    name: str, board: Board, limit: float, least: int
) -> None:
    """The library holds the interpreter's lock; without slices this thread would wait an hour."""
    solver, turns = unidoku.load(name), 0
    with ThreadPoolExecutor(1) as executor:
        search = executor.submit(solver.solve, board, solutions=10**9, keep=0, time_limit=limit)
        while not search.done():
            time.sleep(0.01)
            turns += 1
    assert search.result().stop is Stop.TIME
    assert turns >= least


@pytest.mark.parametrize("name", ["clingo", "z3"])
def test_other_seeds_find_other_solutions_also_the_largest(name: str) -> None:
    solver = unidoku.load(name)
    board = Board.empty(layout("classic", 9))
    grids = {solver.solve(board, seed=seed).solutions for seed in (0, 1, 2**32 - 1, 2**70)}
    assert len(grids) >= 3


@pytest.mark.parametrize(
    ("label", "n"),
    [("clingo", 64), ("clingo[encoding=pairs]", 25), ("z3", 64), ("z3[encoding=clauses]", 25)],
)
def test_a_time_limit_holds_while_a_large_board_is_written(label: str, n: int) -> None:
    board = Board.empty(layout("classic", n))
    cover_of(board.layout)
    used = []
    for _ in range(3):  # what else runs in this process may disturb it once
        started = time.process_time()  # a busy machine is late
        assert unidoku.load(label).solve(board, time_limit=0.1).stop is Stop.TIME
        used.append(time.process_time() - started)
    assert min(used) < 0.3


@pytest.mark.parametrize(
    ("name", "most", "n"),
    [("clingo", 81, 100), ("exact-cover", 64, 81), ("pumpkin", 64, 81), ("z3", 64, 81)],
)
def test_more_values_than_can_be_written_in_time_are_refused(name: str, most: int, n: int) -> None:
    with pytest.raises(UnsupportedError, match=f"supports up to {most} values, the board has {n}"):
        unidoku.load(name).solve(Board.empty(layout("classic", n)))


@pytest.mark.parametrize(
    "label",
    ["choco", "pumpkin", "pumpkin[encoding=all_different]"],  # cells may share their marks
)
def test_gaps_in_the_candidates_are_kept(label: str) -> None:
    solver, four = unidoku.load(label), layout("latin", 4)
    outer, inner = [{1, 4}] * 2, [{2, 3}] * 2
    rows = outer + inner
    board = Board.from_candidates(four, rows * 4)
    assert solver.solve(board, solutions=None).count == 0
    board = Board.from_candidates(four, rows * 2 + (inner + outer) * 2)
    assert solver.solve(board, solutions=None).count == 16
    lone = Board.from_candidates(Layout.from_units(9, [], shape=(1, 2)), [{1, 5, 9}, {2, 7}])
    assert sorted(solver.solve(lone, solutions=None).solutions) == sorted(brute_force(lone))


@pytest.mark.parametrize("name", ["exact-cover", "norvig"])
def test_it_needs_no_recursion(name: str) -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(120)
    try:
        board = Board.empty(layout("classic", 25))
        result = unidoku.load(name).solve(board, solutions=None, keep=0, node_limit=1000)
    finally:
        sys.setrecursionlimit(limit)
    assert result.statistics["nodes"] == 1000


@pytest.mark.parametrize("name", ["choco", "clingo", "cpmpy", "pumpkin", "sat", "z3"])
def test_a_search_after_one_that_a_limit_stopped_is_complete(name: str) -> None:
    """In pychoco a limit holds for the next call; in clingo a late interrupt ends the next one."""
    solver = unidoku.load(name)
    limits: list[dict[str, Any]] = [{"node_limit": 3}] if name == "choco" else []
    limits += [{"time_limit": seconds} for seconds in (1e-9, 1e-5, 1e-3, 0.01, 0.05, 0.4)]
    for limit in limits:
        stopped = solver.search(Board.parse(MANY), Request(solutions=None, keep=0, **limit))
        assert stopped.stop in (Stop.TIME, Stop.NODES)
        assert solver.solve(Board.parse(HARD), solutions=2).unique is True
    for unlimited in (1e8, float("inf")):  # of which a library itself may take neither
        assert solver.solve(Board.parse(HARD), solutions=2, time_limit=unlimited).unique is True


@pytest.mark.parametrize(
    ("label", "limits"),
    [
        ("choco[strategy=input_order_lb]", {"time_limit": 0.15}),
        ("choco[strategy=input_order_lb]", {"node_limit": 1000}),
        ("pumpkin", {"time_limit": 0.6}),
    ],
)
def test_a_limit_is_not_taken_for_a_proof(label: str, limits: dict[str, Any]) -> None:
    """Choco's `solve` says False to both, and `get_search_state` cannot be asked."""
    result = unidoku.load(label).solve(PIGEONS, **limits)
    assert result.status is Status.UNKNOWN
    assert "node_limit" not in limits or result.statistics["nodes"] == limits["node_limit"]


@pytest.mark.parametrize("name", ["clingo", "z3"])
def test_the_same_seed_finds_the_same_whatever_came_before(name: str) -> None:
    solver = unidoku.load(name)
    board = Board.empty(layout("classic", 9))
    first = solver.solve(board, seed=5)
    for text in (HARD, HARD[::-1]):
        assert solver.solve(Board.parse(text), solutions=2, seed=8).unique is True
    solver.solve(board, solutions=None, keep=0, time_limit=0.05, seed=9)
    again = solver.solve(board, seed=5)
    assert again.solutions == first.solutions
    assert [again.statistics[key] for key in COUNTED] == [first.statistics[key] for key in COUNTED]


@pytest.mark.parametrize(
    "label",
    [
        *("choco[strategy=dom_over_w_deg]", "choco[strategy=dom_over_w_deg_ref]"),
        *("choco[strategy=failure_rate_based,learning=true]", "pumpkin"),
    ],
)
def test_nothing_is_printed(label: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Two of pychoco's methods print their variables, and Choco warns of what it changes."""
    unidoku.load(label).solve(Board.parse(HARD), solutions=2)
    unidoku.load(label).solve(Board.parse("11.. .... .... ...."))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["highs", "scip"])
def test_ctrl_c_stops_a_long_run_within_a_second(name: str) -> None:
    hears_ctrl_c(name, LONG_RUN)
