"""What several libraries make hard in the same way."""

from __future__ import annotations

import threading
import time

import pytest

import unidoku
from tests.helpers.boards import MANY
from tests.helpers.threads import counted_at_once
from unidoku import Board, Layout, Stop, layout
from unidoku.backends.toolkit.cover import cover_of
from unidoku.core.rules import NonConsecutive
from unidoku.errors import UnsupportedError
from unidoku.testing import brute_force

PIGEONS = Board.empty(
    Layout.from_units(11, [[a, b] for a in range(12) for b in range(a)], shape=(1, 12))
)


@pytest.mark.parametrize(
    ("name", "board", "limit", "least"),
    [("choco", Board.parse(MANY), 2, 5), ("pumpkin", PIGEONS, 3, 4)],
    ids=["choco", "pumpkin"],
)
def test_other_threads_have_their_turn_while_it_searches(
    name: str, board: Board, limit: float, least: int
) -> None:
    """The library holds the interpreter's lock; without slices this thread would wait an hour."""
    ended = threading.Event()
    stops: list[Stop] = []

    def search() -> None:
        result = unidoku.load(name).solve(board, solutions=10**9, keep=0, time_limit=limit)
        stops.append(result.stop)
        ended.set()

    thread = threading.Thread(target=search)
    thread.start()
    turns = 0
    while not ended.wait(0.01):
        turns += 1
    thread.join()
    assert stops == [Stop.TIME]
    assert turns >= least


@pytest.mark.parametrize("name", ["choco", "pumpkin"])
def test_several_threads_search_at_the_same_time(name: str) -> None:
    """A model of Pumpkin may be used, and even let go of, only in the thread that made it."""
    expected = {("classic", 4): 288, ("latin", 4): 576, ("x", 4): 48}
    if name == "choco":
        expected["latin+x", 5] = 960
    counts = counted_at_once(name, expected)
    assert counts == {(variant, run): expected[variant] for variant in expected for run in (0, 1)}


@pytest.mark.parametrize(
    "label",
    [
        "choco",
        "choco[learning=true]",
        "choco[consistency=FC]",
        "pumpkin",
        "pumpkin[encoding=all_different]",
    ],
)
def test_rules_are_served_in_every_encoding(label: str) -> None:
    """Choco's distance constraint ends the process when it learns."""
    chain = NonConsecutive(((0, 1), (1, 2), (2, 3), (3, 4)))
    board = Board.empty(Layout.from_units(5, [range(5)], shape=(1, 5), rules=[chain]))
    found = unidoku.load(label).solve(board, solutions=None).solutions
    assert sorted(found) == sorted(brute_force(board))
    six = Board.empty(layout("non-consecutive", 6))
    assert unidoku.load(label).solve(six, solutions=None).count == 48


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
    elapsed = []
    for _ in range(3):  # a busy machine may be late once
        started = time.perf_counter()
        assert unidoku.load(label).solve(board, time_limit=0.1).stop is Stop.TIME
        elapsed.append(time.perf_counter() - started)
    assert min(elapsed) < 0.3


@pytest.mark.parametrize(
    ("name", "most", "n"), [("clingo", 81, 100), ("pumpkin", 64, 81), ("z3", 64, 81)]
)
def test_more_values_than_can_be_written_in_time_are_refused(name: str, most: int, n: int) -> None:
    with pytest.raises(UnsupportedError, match=f"supports up to {most} values, the board has {n}"):
        unidoku.load(name).solve(Board.empty(layout("classic", n)))
