"""The catalogue of formats: what tells them, and what each of its rows can do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unidoku
from tests.formats.classic.test_mathprog import PICTURE
from tests.formats.classic.test_mzn import SQUARE as SQUARE_OF_MZN
from tests.helpers.volume import volume
from unidoku import Board, InputError, Layout, layout
from unidoku.cli import main
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import FORMATS, Format, find_format, format_to_write, recognised
from unidoku.formats.families import nonogram
from unidoku.formats.losses import Losses, Report

BOARD = Board.parse("1... ..2. .3.. ...4")

OTHERS = {
    "dzn": Board.parse("123......", "latin"),
    "hodoku": Board.parse("1" + "." * 80),
    "non": Board.empty(nonogram([(1,), (1, 1)], [(2,), (), (1,)])),
}
"""Boards that formats hold which do not hold the usual one."""

PLAIN = ("sdk", "sdm", "text")
"""Formats that are boards as text, of which the beginning tells nothing."""


@pytest.mark.parametrize("form", FORMATS.values(), ids=list(FORMATS))
def test_every_row_is_whole(form: Format) -> None:
    assert form.reader or form.writer
    assert form.summary
    assert bool(form.reads) == bool(form.reader)
    assert bool(form.writes) == bool(form.writer)
    assert all(re.fullmatch(r"\.[a-z]+", ending) for ending in form.endings)
    for load, names in ((form.load_reader, form.reader), (form.load_writer, form.writer)):
        if names:
            assert callable(load())
        else:
            with pytest.raises(InputError, match=f"got '{form.name}', which has no "):
                load()


@pytest.mark.parametrize("form", FORMATS.values(), ids=list(FORMATS))
def test_what_a_writer_writes_is_recognised_and_read_back(form: Format) -> None:
    if not form.writer:
        return
    board = OTHERS.get(form.name, BOARD)
    written = form.load_writer()([Puzzle(board, "", 1)])
    assert not written.losses
    recognised_form = recognised(written.text.encode())
    assert recognised_form is None if form.name in PLAIN else recognised_form is not None
    name = form.name if form.reader else None
    (puzzle,) = unidoku.read(written.text, format=name)
    assert puzzle.board == board
    assert not puzzle.losses
    written = form.load_writer()([Puzzle(board, "", 1, numbers={"holes": 42})])
    (puzzle,) = unidoku.read(written.text, format=name)
    assert puzzle.numbers == ({} if "numbers" in written.losses.dropped else {"holes": 42})


def test_boards_as_text_are_no_other_format() -> None:
    letters = ".AB..CD.", ".Ab.cD..", ". A . B", "{1}{2}", ".V..X...", ".X.~.~.~"
    dots = "." * 81, "..A...B...C...D.", "..1." * 4, ".A.B.C.D........"
    for text in (*letters, *dots, BOARD.text(), BOARD.text("line"), "#m", "[Puzzle]\n1...", ""):
        assert recognised(text.encode()) is None, text


def test_ids_and_seeds_of_games_are_told_from_boards() -> None:
    for text in ("3x3:zzzc", "9jxk:zzzc,a_b,1a2", "5:///4//2\n", "3x3#123456", "6d:a,m6"):
        assert recognised(text.encode()) is FORMATS["tatham"]
    with pytest.raises(InputError, match="expected a game id with a colon, got a random seed"):
        unidoku.read("3x3#123456")


def test_a_line_among_boards_that_looks_like_an_id_does_not_make_them_ids() -> None:
    text = f"{BOARD.text('line')}\n\n12:30\n{BOARD.text('line')}\n:0001\n"
    assert recognised(text.encode()) is None
    assert recognised(b"# a heading\n\n:0604:1:75.+98") is FORMATS["hodoku"]


def test_a_mark_is_looked_for_in_the_beginning_only() -> None:
    """Files of millions of boards are looked at as well, and a text of blanks is soon known."""
    assert recognised(b" " * 200_000 + b"version = 1") is FORMATS["toml"]
    assert recognised(b"1... ..2.\n" * 200_000 + b"version = 1") is None
    late = b'{"arrows": [' + b"0," * 50_000 + b'0], "cells": [[{}]]}'
    assert recognised(late, ".json") is FORMATS["scl"]


@given(st.text(alphabet="0123456789._ \r\n", max_size=40))
@settings(max_examples=volume(100))
def test_no_mark_consists_of_the_characters_of_plain_boards_alone(text: str) -> None:
    assert not any(form.marks(text.encode()) for form in FORMATS.values())


def test_the_beginning_chooses_the_format_whatever_the_ending() -> None:
    several = [form for form in FORMATS.values() if ".json" in form.endings]
    assert recognised(b"{}", ".json") is several[0]
    assert recognised(b'{"version": 1}') is FORMATS["json"]
    assert recognised(b"version = 1", ".jsonl") is FORMATS["toml"]
    assert recognised(b"https://f-puzzles.com/?load=N4Ig", ".json") is FORMATS["f-puzzles"]
    assert recognised(b"1... ..2.", ".sdk") is FORMATS["sdk"]


def test_an_unknown_format_is_told_with_the_nearest_one() -> None:
    with pytest.raises(InputError, match=r"expected a format, got 'tomel'; did you mean 'toml'\?"):
        find_format("tomel")
    with pytest.raises(
        InputError, match=r"ends in .*\.toml.*, or the name of a format too, got 'a.xyz'"
    ):
        format_to_write("a.xyz")
    with pytest.raises(
        InputError, match=r"or a file with an ending, got 'tml'; did you mean 'toml'"
    ):
        unidoku.write(BOARD, "tml")


def test_losses_are_collected_once_each_and_added_up() -> None:
    report = Report()
    for _ in range(2):
        report.drop("the title")
        report.read_as("a sum of 0 is none")
    assert report.losses == Losses(dropped=("the title",), reading=("a sum of 0 is none",))
    report.approximate("a colour")
    report.guess("a thermometer")
    both = report.losses + Losses(dropped=("a line",))
    assert both.dropped == ("the title", "a line")
    assert list(both.lines())[2:] == [
        "approximated: a colour",
        "guessed: a thermometer",
        "reading: a sum of 0 is none",
    ]
    assert not Losses(reading=("one",))
    assert Losses(guessed=("one",))


def test_reading_and_writing_choose_the_format_by_name_ending_and_beginning(tmp_path: Path) -> None:
    text = unidoku.write(BOARD, "toml").text
    assert [puzzle.board for puzzle in unidoku.read(text)] == [BOARD]
    file = tmp_path / "board.txt"
    unidoku.write(BOARD, file, format="toml")
    assert file.read_text() == f"{text}\n"
    assert [puzzle.board for puzzle in unidoku.read(file)] == [BOARD]
    assert [puzzle.board for puzzle in unidoku.read(file, format="toml")] == [BOARD]
    with pytest.raises(InputError, match="expected a puzzle file in JSON"):
        unidoku.read(file, format="json")
    with pytest.raises(InputError, match="line 1"):
        unidoku.read(file, format="text")
    with pytest.raises(InputError, match="expected a puzzle to write, got none"):
        unidoku.write([], "toml")
    with pytest.raises(InputError, match="expected a format that is written, got 'neutral'"):
        unidoku.write(BOARD, "neutral")


def test_a_text_says_what_of_a_board_is_not_in_it() -> None:
    board = Board.parse("1... ..2. .3.. ...4", "x+non-consecutive")
    losses = unidoku.write(Puzzle(board, "small", 1, author="me"), "text").losses
    assert losses.dropped == ("the layout x+non-consecutive", "rules: non-consecutive", "author")
    marks = Board.from_candidates(BOARD.layout, [[1, 2]] * 16)
    result = unidoku.write(marks, "text").losses.dropped
    assert result == ("candidates of cells that are not given",)


def test_a_quadruple_of_two_values_does_not_make_f_puzzles_the_neutral_form() -> None:
    table = {
        "size": 4,
        "grid": [[{}] * 4] * 4,
        "quadruple": [{"cells": ["R1C1"], "values": [4, 3]}],
    }
    form = recognised(json.dumps(table, separators=(",", ":")).encode())
    assert form is not None
    assert form.name == "f-puzzles-json"


SQUARE = layout("latin", 4)


@pytest.mark.parametrize(
    ("name", "small", "holds"),
    [
        ("f-puzzles", Layout.from_units(4, SQUARE.units, first_value=0), "f-puzzles holds"),
        ("f-puzzles", layout("samurai"), "f-puzzles holds"),
        ("f-puzzles", Layout(4, (), SQUARE.positions), "f-puzzles holds"),
        ("iss", layout("samurai"), "ISS holds"),
        ("iss", layout("latin", 17), "ISS holds"),
        ("penpa", layout("samurai"), r"Penpa\+ holds"),
        ("penpa", layout("latin", 36), r"Penpa\+ holds"),
        ("sudokupad", layout("samurai"), "SudokuPad holds"),
        ("sudokupad", layout("latin", 36), "SudokuPad holds"),
    ],
)
def test_boards_that_a_format_does_not_have_are_refused(
    name: str, small: Layout, holds: str
) -> None:
    with pytest.raises(InputError, match=holds):
        unidoku.write(Board.empty(small), name)


@pytest.mark.docs
def test_the_table_is_what_its_program_makes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(root / "docs"))
    make_formats: Any = __import__("make_formats")
    page = (root / "docs" / "formats.md").read_text(encoding="utf-8")
    assert page == make_formats.page(page)
    for name in FORMATS:
        assert f"\n| `{name}` | " in page


@pytest.mark.parametrize(
    ("name", "ending", "text", "wrong"),
    [("mathprog", ".dat", PICTURE, "data; end;"), ("mzn", ".mzn", SQUARE_OF_MZN, "int: X;")],
)
def test_a_file_of_a_format_that_is_only_read_is_recognised_and_solved(
    name: str,
    ending: str,
    text: str,
    wrong: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / f"puzzle{ending}"
    file.write_text(text)
    assert main(["solve", str(file)]) == 0
    assert recognised(text.encode(), ending) is FORMATS[name]
    assert unidoku.read(text) == unidoku.read(text, format=name)
    capsys.readouterr()
    file.write_text(wrong)
    assert main(["solve", str(file)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
