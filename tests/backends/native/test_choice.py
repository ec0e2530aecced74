from __future__ import annotations

from pathlib import Path

import pytest

import unidoku
from tests.backends.native.boards import HARD, LANES, SEVERAL, in_a_process, ruled_layout
from tests.backends.native.boards import patience as patience_for_single
from unidoku import Board, Layout, Stop
from unidoku.backends.native import adapter as native
from unidoku.backends.native import choice, relief
from unidoku.backends.native.compiler.compiled_function import Program
from unidoku.backends.native.lanes import compile as compiling
from unidoku.backends.native.lanes.bands import Band, bands_of
from unidoku.backends.native.single.compiling import SEARCH
from unidoku.core.rules import Killer, SumOfCells


def forget_the_lanes(monkeypatch: pytest.MonkeyPatch, patience: float) -> None:
    """As in a process that has used nothing but Python, and never loads `single`."""
    patience_for_single(monkeypatch, 1e9)
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
for engine in ("lanes", "single"):
    fast = unidoku.load(f"native[engine={engine}]")
    for call in (fast.solve, lambda board: fast.solve_many([board])):
        try:
            call(board)
        except unidoku.UnidokuError as error:
            print(type(error).__name__, error)
assert not {"numba", "llvmlite"} & {*sys.modules}
"""


def test_without_numba_python_searches_and_the_others_are_refused() -> None:
    said = in_a_process(WITHOUT_NUMBA).splitlines()
    assert len(said) == 4
    needed = [("lanes", "numba")] * 2 + [("single", "llvmlite")] * 2
    for line, (engine, package) in zip(said, needed, strict=True):
        assert line.startswith(f"UnsupportedError native[engine={engine}] needs {package}")


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


RULED = Board.empty(ruled_layout(Board.parse(SEVERAL[2])))
CAGES = (Killer((0, 1), 5), SumOfCells((0, 9, 18), 9))
CAGED = Board.empty(Layout(9, RULED.layout.units, RULED.layout.positions, CAGES))


def test_the_search_of_single_boards_takes_over_from_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solver, single = unidoku.load("native"), unidoku.load("native[engine=single]")
    expected = single.solve(RULED, solutions=300, keep=3)
    for seconds in (0.0, 0.02):
        forget_the_lanes(monkeypatch, 60)
        patience_for_single(monkeypatch, seconds)
        result = solver.solve(RULED, solutions=300, keep=3)
        assert "propagations" in result.statistics
        assert result.solutions == expected.solutions
        patience_for_single(monkeypatch, seconds)
        batch = solver.solve_many([CAGED, CAGED], solutions=300)
        assert "propagations" in batch.statistics
        assert batch.counts.tolist() == [300, 300]
    assert "propagations" in solver.solve(Board.parse(HARD[0])).statistics


def test_what_an_engine_is_chosen_by_is_looked_at_once_for_a_layout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    planned: list[Layout] = []

    def counting(one: Layout) -> tuple[Band, ...]:
        planned.append(one)
        return bands_of(one)

    monkeypatch.setattr(choice, "bands_of", counting)
    choice.suits_lanes.cache_clear()
    LANES.solve(HARD[0])
    solver = unidoku.load("native")
    for text in HARD:
        assert "lanes" in solver.solve(text, solutions=2).statistics
    assert len(planned) == 1


def test_python_begins_again_with_what_is_easy(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_the_lanes(monkeypatch, 60)
    patience_for_single(monkeypatch, 60)
    solver = unidoku.load("native")
    assert "propagations" not in solver.solve(Board.parse(HARD[0]), solutions=2).statistics
    assert relief._State.spent > 0


def test_python_goes_on_while_the_search_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_the_lanes(monkeypatch, 60)
    patience_for_single(monkeypatch, 0.0)
    monkeypatch.setattr(relief, "SECONDS_BETWEEN_LOOKS", 0.0)
    asked: list[str] = []
    really = Program.load_if_there

    def later(program: Program) -> bool:
        return asked.count("made") > 5 and really(program)

    monkeypatch.setattr(Program, "load_if_there", later)
    monkeypatch.setattr(Program, "in_background", lambda _: asked.append("made"))
    result = unidoku.load("native").solve(RULED, solutions=300)
    assert len(asked) == 6
    assert "propagations" in result.statistics


def test_a_jigsaw_waits_in_python_for_its_search_and_not_in_the_lanes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forget_the_lanes(monkeypatch, 0.001)
    patience_for_single(monkeypatch, 0.0)
    monkeypatch.setattr(Program, "load_if_there", lambda _: False)
    monkeypatch.setattr(Program, "in_background", lambda _: None)
    board = Board.empty(unidoku.layout("jigsaw:aaabacbbccbdcddd", 4))
    large = Board.empty(unidoku.layout("classic", 20))
    for one in (board, large):
        result = unidoku.load("native").solve(one, solutions=100, time_limit=60)
        assert "lanes" not in result.statistics
        assert result.stop.answered
    monkeypatch.setenv("UNIDOKU_CACHE", "")
    assert not native._is_for_single(board.layout)


def test_the_search_is_not_loaded_where_the_time_limit_would_pass_before_it_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forget_the_lanes(monkeypatch, 60)
    patience_for_single(monkeypatch, 0.0)
    result = unidoku.load("native").solve(RULED, solutions=None, keep=0, time_limit=0.1)
    assert result.stop is Stop.TIME
    assert "propagations" not in result.statistics
    assert not SEARCH.is_loaded


def test_threads_share_a_batch_that_the_lanes_cannot_serve() -> None:
    boards = [CAGED] * 5
    batch = unidoku.load("native").solve_many(boards, solutions=3, threads=2)
    assert batch.counts.tolist() == [3] * 5
    assert "propagations" in batch.statistics
