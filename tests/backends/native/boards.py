"""Boards and helpers of the tests of `native`."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import unidoku
from tests.helpers.boards import MANY
from unidoku import Board, Layout
from unidoku.backends.native import engines
from unidoku.backends.native.single import function
from unidoku.core.rules import NonConsecutive

HARD = [
    "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4.",
    "1.......5.9.2...4...3...7...8.9.6.......5.......84..9...5...3...6...4.2.7.......1",
    "........1.....1.2...3.4.5....46.5....3..7....7..4..6....7.5.4...8.....9.2..9....8",
]
SEVERAL = [
    "6....894.9....61...7..4....2..61..........2...89..2.......6...5.......3.8....16..",
    "..............1..2.34....5........3.1....67..2..............8.....35...49.1.....6",
    MANY,
    "................................................................................9",
]
NONE = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."

LANES = unidoku.load("native[engine=lanes]")
SINGLE = unidoku.load("native[engine=single]")


def in_a_process(program: str, **environment: str) -> str:
    """What a program says that is run by itself; it must not fail."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def forget_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has not loaded the search of single boards."""
    monkeypatch.setattr(function.SEARCH, "_loaded", None)
    monkeypatch.setattr(function.SEARCH, "_process", None)
    monkeypatch.setattr(engines, "_broken", {})
    function._compiled.cache_clear()


def ruled_layout(board: Board) -> Layout:
    """The board's layout, and the rule that no cell is consecutive to the next one."""
    pairs = tuple((cell, cell + 1) for cell in range(len(board.layout) - 1))
    return Layout.from_units(
        board.layout.n,
        board.layout.units,
        positions=board.layout.positions,
        rules=[NonConsecutive(pairs)],
    )
