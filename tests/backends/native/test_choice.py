from __future__ import annotations

from pathlib import Path

import pytest

import unidoku
from tests.backends.native.boards import HARD, LANES, SEVERAL, in_a_process
from unidoku import Board, Stop
from unidoku.backends.native import adapter as native
from unidoku.backends.native import choice
from unidoku.backends.native.lanes import compile as compiling


def forget_the_lanes(monkeypatch: pytest.MonkeyPatch, patience: float) -> None:
    """As in a process that has not used the lanes, and has so much patience with Python."""
    monkeypatch.setattr(compiling, "_kernels", {})
    monkeypatch.setattr(choice, "_searched", {})
    monkeypatch.setattr(native, "PATIENCE", patience)


def test_python_begins_and_the_lanes_take_over(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_the_lanes(monkeypatch, 0.001)
    solver = unidoku.load("native")
    board = Board.parse(SEVERAL[2])
    result = solver.solve(board, solutions=5000, keep=3)
    assert result.statistics["lanes"]
    assert result.solutions == LANES.solve(board, solutions=5000, keep=3).solutions
    forget_the_lanes(monkeypatch, 0.001)
    texts = [HARD[0], *SEVERAL, *HARD]
    batch = solver.solve_many(texts, solutions=2000)
    assert batch.statistics["lanes"]
    assert batch.counts.tolist() == LANES.solve_many(texts, solutions=2000).counts.tolist()
    assert batch.stops.tolist() == LANES.solve_many(texts, solutions=2000).stops.tolist()


def test_python_decides_what_takes_it_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_the_lanes(monkeypatch, 60)
    solver = unidoku.load("native")
    assert "failures" in solver.solve(Board.parse(HARD[0]), solutions=2).statistics
    assert "failures" in solver.solve_many(HARD, solutions=2).statistics
    assert compiling._kernels == {}


def test_python_goes_on_if_the_time_limit_would_pass_before_the_lanes_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forget_the_lanes(monkeypatch, 0.001)
    solver = unidoku.load("native")
    result = solver.solve(Board.parse(SEVERAL[2]), solutions=None, keep=0, time_limit=0.1)
    assert result.stop is Stop.TIME
    assert "failures" in result.statistics


def test_the_lanes_are_used_once_they_are_there_or_worth_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forget_the_lanes(monkeypatch, 60)
    solver = unidoku.load("native")
    assert "lanes" in solver.solve_many(HARD * 2000, solutions=2).statistics
    assert "lanes" in solver.solve(Board.parse(HARD[0]), solutions=2).statistics


WITHOUT_NUMBA = """
import sys

class Without:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numba", "llvmlite"):
            return None
        return self.finder.find_spec(name, path, target)
    def __getattr__(self, name):
        return getattr(self.finder, name)

sys.meta_path[:] = map(Without, sys.meta_path)
import unidoku
board = unidoku.Board.parse("1..............." )
native = unidoku.load("native")
assert native.solve(board, solutions=None).count == 72
assert native.solve_many([board, "." * 16] * 2000, solutions=2).counts.tolist() == [2, 2] * 2000
lanes = unidoku.load("native[engine=lanes]")
for call in (lanes.solve, lambda board: lanes.solve_many([board])):
    try:
        call(board)
    except unidoku.UnidokuError as error:
        print(type(error).__name__, error)
assert not {"numba", "llvmlite"} & {*sys.modules}
"""


def test_without_numba_python_searches_and_the_lanes_are_refused() -> None:
    said = in_a_process(WITHOUT_NUMBA).splitlines()
    assert len(said) == 2
    assert all(
        line.startswith("UnsupportedError native[engine=lanes] needs numba") for line in said
    )


def test_the_lanes_search_a_file_of_many_boards_from_its_first_board_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "in.txt"
    out = tmp_path / "out.txt"
    for boards, engine in {100: "failures", 6000: "lanes"}.items():
        forget_the_lanes(monkeypatch, 60)
        path.write_text(f"{HARD[0]}\n" * boards)
        totals = unidoku.solve_file(path, out, backend="native", force=True)
        assert totals.solved == boards
        assert {"failures", "lanes"} & totals.statistics.keys() == {engine}
