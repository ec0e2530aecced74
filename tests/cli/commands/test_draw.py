"""The command ``draw``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.draw.test_render import opened, pixels_of
from tests.helpers.command_runner import Runner
from unidoku import Board, svg
from unidoku.files.source import Sources
from unidoku.formats import Puzzle

pytestmark = pytest.mark.usefixtures("elsewhere")

BOARD = "1.....2..3.....4"
SOLUTION = (1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4)


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


def write_boards() -> None:
    """Write a board into a file, a table and a folder, and several into others."""
    Path("one.txt").write_text(f"{BOARD}\n")
    Path("one.csv").write_text(f"id,puzzle,clues\n7,{BOARD},4\n")
    Path("folder").mkdir()
    Path("folder/one.txt").write_text(f"{BOARD}\n")
    Path("two.txt").write_text(f"{BOARD}\n{BOARD}\n")
    Path("two.csv").write_text(f"id,puzzle,clues\n7,{BOARD},4\n8,{BOARD},4\n")


@pytest.mark.parametrize("source", ["one.txt", "one.csv", "folder"])
def test_the_one_board_of_a_file_a_table_or_a_folder_is_drawn(source: str, run: Runner) -> None:
    write_boards()
    assert run("draw", source).out == run("draw", BOARD).out


@pytest.mark.parametrize(
    "given", [["two.txt"], ["two.csv"], ["folder", "one.txt"], [BOARD, BOARD]], ids=" ".join
)
@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["draw"], "unidoku: expected one board, got several; give only one as PUZZLE\n"),
        (["explain", "--html", "a.html"], "unidoku: --html: expected one board, got several; "),
    ],
    ids=["draw", "explain"],
)
def test_one_picture_or_page_of_several_boards_is_refused(
    command: list[str], message: str, given: list[str], run: Runner
) -> None:
    write_boards()
    assert run.refused(*command, *given).startswith(message)
    assert not Path("a.html").exists()


def test_of_many_boards_two_are_read_until_they_are_refused(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(sources: Sources) -> Iterator[Puzzle]:
        yield from [Puzzle(Board.parse(BOARD), "", 1)] * 2
        raise AssertionError("a third board is read")

    monkeypatch.setattr("unidoku.cli.common.puzzles_of", endless)
    assert run("draw", BOARD).code == run("explain", BOARD, "--html", "a.html").code == 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Path("two.txt").write_text(f"{BOARD}  # first\n{BOARD}  # second\n")
    return tmp_path


def test_the_ending_of_the_file_says_what_is_written(folder: Path, run: Runner) -> None:
    for ending, start in ((".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        ran = run("draw", BOARD, "-o", f"board{ending}")
        assert (ran.code, ran.out, ran.err) == (0, "", f"written: board{ending}\n")
        assert (folder / f"board{ending}").read_bytes().startswith(start)
        assert run("draw", BOARD, "-o", f"board{ending}").code == 2
        assert run("draw", BOARD, "-o", f"board{ending}", "--force").code == 0
    ran = run("draw", BOARD, "--candidates", "--width", "300", "-o", "marks.png")
    assert ran.code == 0
    assert pixels_of((folder / "marks.png").read_bytes()).shape[1] == 300


def test_a_sheet_is_one_pdf_or_numbered_pictures(folder: Path, run: Runner) -> None:
    ran = run("draw", "two.txt", "two.txt", "--sheet", "-o", "sheet.pdf")
    assert (ran.code, ran.err) == (0, "written: sheet.pdf\n")
    first, answers = opened((folder / "sheet.pdf").read_bytes())
    assert "1. first" in first[1]
    assert "4. second" in first[1]
    assert "Solution 4" in answers[1]
    ran = run("draw", "two.txt", "--sheet", "--per-page", "1", "--no-solutions", "-o", "s.svg")
    assert ran.err == "written: s-1.svg\nwritten: s-2.svg\n"
    (folder / "s-2.svg").write_text("mine")
    ran = run("draw", "two.txt", "--sheet", "-o", "s.svg")
    assert (ran.code, (folder / "s-2.svg").read_text()) == (2, "mine")
    assert "s-1.svg exists" in ran.err


@pytest.mark.parametrize(
    ("options", "messages"),
    [
        (["--sheet"], "--sheet: expected an output file, got none; name one: --output sheet.pdf"),
        (
            ["--sheet", "--solved", "-o", "a.pdf"],
            "--sheet: expected no --solved, because a sheet ends with its solutions",
        ),
        (
            ["--paper", "a4"],
            "--paper: expected together with --sheet; add it",
        ),
        (["--width", "9", "-o", "a.pdf"], "--width: expected a PNG; name one: --output board.png"),
        (["-o", "a.gif"], "expected a file name that ends in .svg, .png, .pdf; got 'a.gif'"),
        (["--sheet", "-o", "a.pdf.gz"], "ends in .svg, .png, .pdf; got 'a.pdf.gz'"),
        (["-o", "a.png", "--width", "20001"], "expected a picture of 1 to 20,000 pixels"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_nothing_is_written(
    options: list[str], messages: str, folder: Path, run: Runner
) -> None:
    assert messages in run.refused("draw", BOARD, *options)
    assert [path.name for path in folder.iterdir()] == ["two.txt"]


def test_a_sheet_with_a_puzzle_without_solution_is_not_written(folder: Path, run: Runner) -> None:
    ran = run(
        "draw", "two.txt", "11..............", "--sheet", "-o", "a.pdf", "--backend", "norvig"
    )
    assert (ran.code, ran.err) == (1, "puzzle 3: no solutions, norvig\n")
    assert not (folder / "a.pdf").exists()
