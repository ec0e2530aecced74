from __future__ import annotations

from pathlib import Path

import pytest

import unidoku
from tests.backends.native.boards import (
    HARD,
    SEVERAL,
    SINGLE,
    forget_the_search,
    in_a_process,
    ruled_layout,
)
from unidoku import Board, Layout, Stop
from unidoku.backends.native import choice
from unidoku.backends.native.compiler import compiled_function
from unidoku.core.rules import Killer, SumOfCells
from unidoku.support import logs

pytestmark = pytest.mark.usefixtures("_without_library")


RULED = Board.empty(ruled_layout(Board.parse(SEVERAL[2])))
JIGSAW = Board.empty(unidoku.layout("jigsaw:aaabacbbccbdcddd", 4))
CAGES = (Killer((0, 1), 5), SumOfCells((0, 9, 18), 9))
CAGED = Board.empty(Layout(9, RULED.layout.units, RULED.layout.positions, CAGES))


@pytest.fixture(autouse=True)
def _nothing_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "_searched", {})


def test_one_board_is_for_single_whatever_was_searched_before() -> None:
    solver = unidoku.load("native")
    for _ in range(2):
        for board in (Board.parse(HARD[0]), RULED, JIGSAW):
            result = solver.solve(board, solutions=50, keep=3)
            assert "propagations" in result.statistics
            assert result.solutions == SINGLE.solve(board, solutions=50, keep=3).solutions
        assert "lanes" in solver.solve_many(HARD * 1000).statistics


def test_a_small_batch_is_for_single_and_a_large_one_for_the_lanes() -> None:
    solver = unidoku.load("native")
    assert "propagations" in solver.solve_many(HARD, solutions=2).statistics
    assert "lanes" in solver.solve_many(HARD * 1000, solutions=2).statistics
    assert "lanes" in solver.solve_many(HARD, solutions=2).statistics, "of the same layout"


def test_the_lanes_search_a_file_of_many_boards_from_its_first_board_on(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    out = tmp_path / "out.txt"
    for boards, engine in {100: "failures", 6000: "lanes"}.items():
        path.write_text(f"{HARD[0]}\n" * boards)
        totals = unidoku.solve_file(path, out, backend="native", force=True)
        assert totals.solved == boards
        assert {"failures", "lanes"} & totals.statistics.keys() == {engine}


def test_boards_of_more_values_than_single_supports_are_for_the_lanes() -> None:
    board = Board.empty(Layout.from_units(63, [range(63)], shape=(1, 63)))
    solver = unidoku.load("native")
    assert "lanes" in solver.solve(board).statistics
    assert "lanes" in solver.solve_many([board]).statistics


def test_threads_share_a_batch_that_the_lanes_do_not_support() -> None:
    boards = [CAGED] * 5
    batch = unidoku.load("native").solve_many(boards, solutions=3, threads=2)
    assert batch.counts.tolist() == [3] * 5
    assert "propagations" in batch.statistics


WITHOUT_LLVM = """
import sys

class Without:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "llvmlite":
            return None
        return self.finder.find_spec(name, path, target)
    def __getattr__(self, name):
        return getattr(self.finder, name)

sys.meta_path[:] = map(Without, sys.meta_path)
import warnings
warnings.simplefilter("always")
warnings.showwarning = lambda message, *_: print(message)
import unidoku
board = unidoku.Board.parse("1..............." )
native = unidoku.load("native")
assert native.solve(board, solutions=None).count == 72
many = [board, "12.. .... .... 21.."] * 1100
assert native.solve_many(many, solutions=2).counts.tolist() == [2] * 2200
for engine in ("lanes", "single"):
    fast = unidoku.load(f"native[engine={engine}]")
    for call in (fast.solve, lambda board: fast.solve_many([board])):
        try:
            call(board)
        except unidoku.UnidokuError as error:
            print(type(error).__name__, error)
assert "llvmlite" not in sys.modules
"""


def test_without_llvm_python_searches_and_says_so_and_the_others_are_refused() -> None:
    warning, *refused = in_a_process(WITHOUT_LLVM).splitlines()
    assert warning.startswith("native searches as Python, a hundred times slower: it needs llvm")
    assert len(refused) == 4
    for line, engine in zip(refused, ["lanes", "lanes", "single", "single"], strict=True):
        assert line.startswith(f"UnsupportedError native[engine={engine}] needs ")
        assert ("type: pip install 'unidoku[jit]'" in line) == (engine == "lanes")


def test_without_a_compiler_that_works_python_searches_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    forget_the_search(monkeypatch)
    monkeypatch.setenv("UNIDOKU_CACHE", str(tmp_path))
    monkeypatch.setattr(compiled_function, "_PROGRAM", "raise SystemExit('no compiler here')")
    logs.tell_once.cache_clear()
    solver = unidoku.load("native")
    with pytest.warns(UserWarning, match="no compiler here"):
        assert solver.solve(HARD[0], solutions=2).unique
    assert solver.solve(HARD[0], solutions=2).unique
    with pytest.raises(unidoku.UnidokuError, match="no compiler here"):
        SINGLE.solve(HARD[0])


def test_a_search_that_is_not_compiled_in_time_ends_with_the_time_limit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    forget_the_search(monkeypatch)
    monkeypatch.setenv("UNIDOKU_CACHE", str(tmp_path))
    monkeypatch.setattr(compiled_function, "_PROGRAM", "import time; time.sleep(20)")
    for solver in (unidoku.load("native"), SINGLE):
        assert solver.solve(HARD[0], time_limit=0.1).stop is Stop.TIME
