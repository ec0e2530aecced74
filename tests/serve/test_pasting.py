"""What is pasted is read in any format, and never taken for a file."""

from __future__ import annotations

import contextlib

import pytest

import unidoku
from unidoku.errors import InputError
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import FORMATS
from unidoku.serve.pasting import read_pasted

BOARD = "1.....2..3.....4"


@pytest.mark.parametrize("form", ["f-puzzles", "iss", "json", "toml", "ipuz"])
def test_a_text_of_a_format_is_read(form: str) -> None:
    board = unidoku.Board.parse(BOARD)
    text = FORMATS[form].load_writer()([Puzzle(board, "", 1)]).text
    (puzzle,) = read_pasted(text)
    assert puzzle.board.givens == board.givens


def test_several_boards_are_read() -> None:
    assert len(read_pasted(f"{BOARD}\n{BOARD}")) == 2


@pytest.mark.parametrize("text", ["-", "examples/killer.toml", "/etc/hostname", "~", ""])
def test_a_name_is_not_a_file(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a file was opened")

    with contextlib.suppress(InputError):
        read_pasted(text)  # imports what it needs
    monkeypatch.setattr("io.open", refused)
    monkeypatch.setattr("builtins.open", refused)
    with contextlib.suppress(InputError):
        assert len(read_pasted(text)[0].board.layout) == 1
