"""Links to sites of pzpr: four genres are read, with their clues where the sites show them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import pytest
from hypothesis import given

import unidoku
from tests.helpers.family_boards import nonograms
from unidoku import Board, FormatError, Killer, NonogramLine, Skyscraper
from unidoku.cli import main
from unidoku.formats.catalogue import FORMATS, recognised
from unidoku.formats.classic.puzzlink import read

SUDOKU = "https://puzz.link/p?sudoku/4/4/1k2h3k4"

NONOGRAM = "http://pzv.jp/p.html?nonogram/3/2/1g111h"

SKYSCRAPERS = "https://pzplus.tck.mn/p.html?skyscrapers/4/4/3l2k1hu4"

KAKURO = "https://puzz.link/p?kakuro/3/2/m03l04A6"

LINKS = [SUDOKU, NONOGRAM, SKYSCRAPERS, KAKURO]


def board_of(text: str) -> Board:
    (puzzle,) = read(text)
    return puzzle.board


def test_givens_of_a_sudoku_are_its_cells() -> None:
    assert board_of(SUDOKU) == Board.parse("1... ..2. .3.. ...4")
    assert board_of(f"{SUDOKU}/") == board_of(SUDOKU)
    question = "https://puzz.link/p?sudoku/4/4/1.j2h3k4"
    assert board_of(question) == board_of(SUDOKU)
    large = board_of(f"https://puzz.link/p?sudoku/16/16/a-10g+00b{12 * 'z'}r")
    assert large.givens[:4] == (10, 16, 0, 11)


def test_clues_of_skyscrapers_are_those_above_below_left_and_right() -> None:
    board = board_of(SKYSCRAPERS)
    assert [*board.layout.rules] == [
        Skyscraper((0, 4, 8, 12), 3),
        Skyscraper((15, 11, 7, 3), 2),
        Skyscraper((7, 6, 5, 4), 1),
    ]
    assert board.givens == (0,) * 15 + (4,)


def test_clues_of_nonograms_are_columns_and_rows_from_the_grid_outwards() -> None:
    blocks = {
        rule.line: rule.blocks
        for rule in board_of(NONOGRAM).layout.rules
        if isinstance(rule, NonogramLine)
    }
    assert blocks == {(0, 1, 2): (1, 1), (3, 4, 5): (), (0, 3): (1,), (1, 4): (), (2, 5): (1,)}


def test_sums_of_kakuro_are_in_black_cells_and_outside() -> None:
    board = board_of(KAKURO)
    assert board.layout.positions == ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2))
    # The word of one cell has no sum, that of the last column has 20.
    assert {*board.layout.rules} == {
        Killer((0, 1, 2), 6),
        Killer((3, 4), 3),
        Killer((1, 3), 4),
        Killer((2, 4), 20),
    }
    without = board_of(KAKURO.replace("m03l", "m00l"))
    assert Killer((3, 4)) in without.layout.rules


def encoded(numbers: Iterable[int]) -> str:
    """Return clues as text; 0 is none."""
    text = ""
    for number, run in groupby(numbers):
        count = len([*run])
        if number:
            text += (f"{number:x}" if number < 16 else f"-{number:02x}") * count
            continue
        while count:
            part = min(count, 20)
            text += "ghijklmnopqrstuvwxyz"[part - 1]
            count -= part
    return text


@given(nonograms())
def test_encoded_nonograms_come_back(board: Board) -> None:
    layout = board.layout
    clues = [rule.blocks for rule in layout.rules if isinstance(rule, NonogramLine)]
    numbers: list[int] = []
    for lines, room in (
        (clues[layout.rows :], layout.rows),
        (clues[: layout.rows], layout.columns),
    ):
        for blocks in lines:
            numbers += [*blocks[::-1], *[0] * ((room + 1) // 2 - len(blocks))]
    sides = f"{layout.columns}/{layout.rows}"
    assert board_of(f"https://puzz.link/p?nonogram/{sides}/{encoded(numbers)}") == board


WRONG = [
    ("https://puzz.link/p?slither/4/4/1", "expected a link to kakuro, nonogram, skyscrapers or"),
    ("https://puzz.link/p?sudoku/v:/4/4/1", "expected sudoku/COLUMNS/ROWS/CLUES without settings"),
    ("https://puzz.link/p?sudoku/4/5/1", "expected a square, got 4 columns and 5 rows"),
    ("https://puzz.link/p?sudoku/6/6/1", "expected a side of 4, 9, 16 or 25, got 6"),
    ("https://puzz.link/p?nonogram/999/1/1", "expected 1 to 100 columns and rows, got 999 and 1"),
    ("https://puzz.link/p?sudoku/4/4/1k", "expected 16 clues, got 6; is the link cut off?"),
    ("https://puzz.link/p?sudoku/4/4/7u", "expected values up to 4, got 7"),
    ("https://puzz.link/p?sudoku/4/4/-zz", "expected a hexadecimal number, got '-zz'"),
    ("https://puzz.link/p?sudoku/4/4/!", "expected a clue, got '!'"),
    ("https://puzz.link/p?sudoku/4/4/u11", "expected clues that have room, got '1' beyond them"),
    ("https://puzz.link/p?nonogram/1/1/.1", "clues with a question mark are not supported"),
    ("https://puzz.link/p?nonogram/1/1/22", "expected blocks that fit in 1 cells, got (2,)"),
    ("https://puzz.link/p?kakuro/1/1/.", "expected cells that are not black, got none"),
    ("https://puzz.link/p?kakuro/2/1/!1", "expected a sum of Kakuro, got '!'"),
    ("https://puzz.link/p?kakuro/10/1/t", "expected words of up to 9 cells, got 10"),
    (
        "https://logic-masters.de/Raetselportal/zeigen.php?id=0",
        "to a page of Logic Masters",
    ),
    ("https://puzz.link/", "expected a link such as https://puzz.link/p?sudoku/9/9/"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=range(len(WRONG)))
def test_other_links_are_refused_and_named(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        [*read(text)]
    assert message in str(caught.value)


def test_links_are_recognised_and_solved(capsys: pytest.CaptureFixture[str]) -> None:
    for link in LINKS:
        assert recognised(link.encode()) is FORMATS["puzz-link"]
        assert len(unidoku.read(link)) == 1
    assert main(["solve", SUDOKU]) == 0
    capsys.readouterr()
    assert main(["solve", "https://logic-masters.de/Raetselportal/?id=1"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
