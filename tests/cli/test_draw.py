"""The command ``draw``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Runner
from unidoku import Board, svg

BOARD = "1.....2..3.....4"
SOLUTION = (1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_board_is_drawn_on_standard_output_or_into_a_file(run: Runner) -> None:
    expected = svg(Board.parse(BOARD)) + "\n"
    ran = run("draw", BOARD)
    assert (ran.code, ran.out, ran.err) == (0, expected, "")
    ran = run("draw", BOARD, "-o", "board.svg")
    assert (ran.code, ran.out, ran.err) == (0, "", "written: board.svg\n")
    assert Path("board.svg").read_text("utf-8") == expected


def test_a_solution_and_a_theme_are_drawn_where_asked_for(run: Runner) -> None:
    ran = run("draw", BOARD, "--solved", "--theme", "dark", "--backend", "norvig")
    assert ran.out == svg(Board.parse(BOARD), SOLUTION, theme="dark") + "\n"


def test_a_board_without_a_solution_is_not_drawn_solved(run: Runner) -> None:
    ran = run("draw", "11..............", "--solved", "-o", "board.svg", "--backend", "norvig")
    assert (ran.code, ran.err) == (1, "no solutions, norvig\n")
    assert not Path("board.svg").exists()


def test_what_cannot_be_drawn_is_refused(run: Runner) -> None:
    Path("two.txt").write_text(f"{BOARD}\n{BOARD}\n")
    ran = run("draw", "two.txt")
    assert (ran.code, ran.out) == (2, "")
    assert "expected one board, got 2" in ran.err
    ran = run("draw", BOARD, "-o", "board.png")
    assert (ran.code, Path("board.png").exists()) == (2, False)
    assert "expected a file name that ends in .svg; got 'board.png'" in ran.err
    Path("board.svg").write_text("mine")
    ran = run("draw", BOARD, "-o", "board.svg")
    assert (ran.code, Path("board.svg").read_text()) == (2, "mine")
    assert run("draw", BOARD, "-o", "board.svg", "--force").code == 0
    assert Path("board.svg").read_text().startswith("<svg")
