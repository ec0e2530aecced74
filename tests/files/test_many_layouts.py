"""Files of thousands of puzzles, each with a layout of its own: memory does not grow with them."""

from __future__ import annotations

import gc
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import unidoku
from tests.helpers.killers import killers, write_neutral
from tests.helpers.python_process import run_python
from tests.helpers.volume import SOAK, thorough
from unidoku import Board, Layout, Product
from unidoku.core import caching
from unidoku.core.rules import cages
from unidoku.files.puzzles import puzzles_of
from unidoku.files.solve import Totals, count_file, solve_file
from unidoku.files.source import Sources
from unidoku.logic.techniques.fish import in_no_template

pytestmark = pytest.mark.slow

MEASURED = """
import sys
from pathlib import Path
from unidoku.cli import main
assert main(sys.argv[1:]) == 0
print("peak", Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""


MOST_ALIVE = 280
"""Layouts that caches keep: 64 with what follows from their rules and 64 without, and as many that
Python searched before the compiled search took over."""


MOST_MORE = 40_000
"""Kibibytes: 4,000 layouts that are kept take twice as much; a solver's memory falls to pieces."""


def alive() -> int:
    """Return how many layouts there are."""
    gc.collect()
    return sum(isinstance(first, Layout) for first in gc.get_objects())


@pytest.mark.parametrize(
    ("search", "backend"),
    [
        (solve_file, "native"),
        pytest.param(count_file, "sat", marks=pytest.mark.thorough),
    ],
)
def test_layouts_go_when_their_puzzles_are_answered(
    search: Callable[..., Totals], backend: str, tmp_path: Path
) -> None:
    path = write_neutral(tmp_path / "killers.jsonl", killers(300, n=4))
    before = most = alive()

    def watch(totals: Totals) -> None:
        nonlocal most
        if totals.boards % 100 == 0:
            most = max(most, alive())

    totals = search(path, tmp_path / "out.txt", backend=backend, solutions=1, progress=watch)
    assert totals.solved == 300
    assert most - before < MOST_ALIVE


def test_layouts_go_when_their_puzzles_are_answered_one_by_one(tmp_path: Path) -> None:
    path = write_neutral(tmp_path / "killers.jsonl", killers(300, n=4))
    puzzles = puzzles_of(Sources.of([path]))
    before = alive()
    for puzzle in puzzles:
        assert unidoku.solve(puzzle.board).count == 1
    assert alive() - before < MOST_ALIVE


def test_layouts_go_of_which_techniques_keep_one_result() -> None:
    before = alive()
    for puzzle in killers(200, n=4):
        assert in_no_template(puzzle.board.layout, 1) == 0
    assert alive() - before < MOST_ALIVE // 2


def test_what_is_made_of_numbers_goes_when_there_is_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caching.forget_numbers()
    monkeypatch.setattr(caching, "MAX_WEIGHT", 1 << 20)
    most = entries = 0
    for layout in products(40):
        unidoku.solve(Board.empty(layout), solutions=1)
        before, entries = entries, cages._product.cache_info().currsize
        most = max(most, entries)
        assert entries > before or entries <= 1
    assert 1 < most < 40
    assert unidoku.solve(Board.empty(next(products(1))), solutions=2).count == 2


def products(count: int) -> Iterator[Layout]:
    """Yield layouts of six cells whose product is another one each time."""
    for number in range(count):
        total = math.prod((*[2 + number % 7] * 2, 3 + number // 7, 6, 7, 8))
        yield Layout(
            9, (), tuple((0, column) for column in range(6)), (Product(tuple(range(6)), total),)
        )


@pytest.mark.volume
@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_memory_of_a_process_that_meets_new_layouts_is_flat() -> None:
    ran = run_python("-m", "tests.helpers.growing", 60 * SOAK, "--every", 2 * SOAK, check=True)
    resident = [float(line.split()[4]) for line in ran.stdout.splitlines()]
    begun, ended = resident[10:20], resident[-10:]
    assert max(ended) < max(begun) + MOST_MORE / 1024, ran.stdout


@pytest.mark.volume
@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")
@pytest.mark.parametrize("backend", ["native", "sat"])
def test_five_times_the_killers_take_no_more_memory(backend: str, tmp_path: Path) -> None:
    peaks = []
    for count in (1000, 5000):
        path = write_neutral(tmp_path / f"{count}.jsonl", killers(count))
        ran = run_python(
            "-c", MEASURED, "count", path, "--limit", "2", "--backend", backend, check=True
        )
        peaks.append(int(ran.stdout.rpartition("peak ")[2]))
    assert peaks[1] - peaks[0] < MOST_MORE


@pytest.mark.parametrize(
    "backend", ["native[engine=single]", *thorough("native[engine=python]", "sat")]
)
def test_what_a_backend_keeps_of_a_layout_goes_without_the_garbage_collector(backend: str) -> None:
    boards = [puzzle.board for puzzle in killers(40, n=4)]
    solver = unidoku.load(backend)
    solved = [solver.solve(board).count for board in boards[:20]]
    gc.collect()
    gc.disable()
    try:
        solved += [solver.solve(board).count for board in boards[20:]]
        assert gc.collect() < 20
    finally:
        gc.enable()
    assert solved == [1] * 40
