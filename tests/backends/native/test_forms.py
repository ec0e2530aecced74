"""The search as machine code and as Python: both do the same, and neither leaves its arrays."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unidoku
from tests.backends.native.alone import search, tables
from tests.backends.native.boards import HARD, SINGLE
from tests.backends.native.checked import check_pointers
from tests.backends.native.shaped import shaped_layouts
from tests.helpers.volume import SOAK, volume
from unidoku import Board, Layout, Request, Stop
from unidoku.core.rules import Killer
from unidoku.files.examples import examples, examples_folder
from unidoku.formats.toml.file import read_toml
from unidoku.testing.strategies import boards, cages, ruled_layouts, unit_systems

PYTHON = unidoku.load("native[engine=python]")

COUNTED = ("nodes", "failures", "restarts", "propagations")


def outcome(solver: unidoku.Solver, board: Board, **limits: Any) -> tuple[Any, ...]:
    """Return all that a search tells but its times."""
    result = solver.solve(board, **limits)
    figures = [result.statistics[name] for name in COUNTED]
    return result.stop, result.count, result.solutions, *figures


@settings(max_examples=volume(40))
@given(
    board=boards(ruled_layouts() | cages() | unit_systems() | shaped_layouts()),
    solutions=st.sampled_from((1, 2, 30)),
)
def test_random_boards_are_searched_alike(board: Board, solutions: int) -> None:
    limits = {"solutions": solutions, "node_limit": 300}
    assert outcome(SINGLE, board, **limits) == outcome(PYTHON, board, **limits)


def taught() -> Iterator[Any]:
    """Yield the first board of each example, and those with rules."""
    for example in examples():
        yield pytest.param(example.puzzles()[0].board, id=example.name)
    for path in sorted((examples_folder() / "rules").iterdir()):
        puzzle = next(read_toml(path.read_text(encoding="utf-8")))
        yield pytest.param(puzzle.board, id=path.stem)


@pytest.mark.parametrize("board", [*taught()])
def test_examples_are_searched_alike_and_within_the_arrays(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = {"solutions": 2, "node_limit": 300 if SOAK else 10}
    expected = outcome(SINGLE, board, **limits)
    check_pointers(monkeypatch)
    assert outcome(SINGLE, board, **limits) == expected


def test_a_row_that_leaves_the_arrays_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    check_pointers(monkeypatch)
    chosen = Layout.from_units(4, [range(4)], shape=(1, 4), rules=[Killer((0, 1), 5)])
    board = Board.empty(chosen)
    assert search(board, Request(solutions=None)).count == 8
    layout_tables = tables(chosen)
    row, data = layout_tables.arrays[1][0], layout_tables.arrays[2]
    data[row + 1] = 10_000  # a cell that the board has not got
    with pytest.raises(IndexError, match="are in no array of the search"):
        search(board, Request(solutions=None))


def test_a_time_limit_is_kept_as_python() -> None:
    for board in (Board.empty(unidoku.layout("classic", 25)), Board.parse(HARD[0][:-9] + "." * 9)):
        begun = time.thread_time()
        result = PYTHON.solve(board, solutions=None, keep=0, time_limit=0.1)
        assert result.stop is Stop.TIME
        assert time.thread_time() - begun < 1
