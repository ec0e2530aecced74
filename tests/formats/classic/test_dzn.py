"""Data of MiniZinc's benchmarks: published instances, boards that come back, wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

import unidoku
from tests.helpers.family_boards import kakuros, nonograms, unequals
from tests.helpers.meaning import meaning
from unidoku import Board, DiffersBy, FormatError, Greater, InputError, Killer, layout, solve
from unidoku.formats import Puzzle
from unidoku.formats.classic.dzn import read, write
from unidoku.formats.families import kakuro

RULES = Path(__file__).parents[3] / "examples" / "rules"

KAKURO = """
h = 6;
w = 6;
grid_data = [|
  0, 0, 0, 0, 0, 0|
  0, 0, 1, 1, 1, 0|
  0, 1, 1, 1, 1, 0|
  0, 1, 1, 0, 1, 1|
  0, 0, 1, 1, 1, 1|
  0, 0, 1, 1, 1, 0
|];
n_h = 6;
h_clue = [|
  2, 2, 3, 8|
  3, 1, 4, 15|
  4, 1, 2, 9|  4, 4, 2, 8|
  5, 2, 4, 22|
  6, 2, 3, 15
|];
n_v = 6;
v_clue = [|
  2, 2, 2, 3|
  1, 3, 5, 34|
  1, 4, 2, 4|  4, 4, 2, 17|
  1, 5, 5, 15|
  3, 6, 2, 4|
|];
"""
"""The instance kakuro_6_6_easy of the benchmarks."""

NONOGRAM = """
X = 5;
Y = 5;
maxlen = 3; % the longest line
rows =   [|1, 1, 1
   |1, 0, 1
   |0, -1, -1
   |1, 0, 1
   |1, 1, 1
   |];
cols =   [|1, -1, -1
   |1, 0, 1
   |1, 0, 1
   |1, 0, 1
   |1, 1, 1
   |];
"""

FUTOSHIKI = """
values = array2d(RANGE, RANGE, [
  0, 0, 3, 2, 0,
  0, 0, 0, 0, 0,
  0, 0, 0, 0, 0,
  0, 0, 0, 0, 0,
  0, 0, 0, 0, 0]);
lastdx = 10;
lt = array2d(NUMQD, 0..3, [
  1,2,1,1, 1,4,1,5, 2,3,1,3, 3,3,2,3, 3,4,2,4, 2,5,3,5,
  3,2,4,2, 4,4,4,3, 5,2,5,1, 5,4,5,3, 5,5,4,5
]);
"""
"""The instance of futoshiki.mzn, by Andras Salamon."""


BLOCKS = """
rows = 3;
row_rule_len = 2;
row_rules = array2d(1..rows, 1..row_rule_len, [
  0, 3,
  1, 1,
  0, 0]);
cols = 3;
col_rule_len = 1;
col_rules = array2d(1..cols, 1..col_rule_len, [2, 1, 2]);
"""

LATIN = """N=3;
start=[|
1, 0, 0|
0, 0, 1|
0, 0, 0|];
"""


def board_of(text: str) -> Board:
    (puzzle,) = read(text)
    return puzzle.board


def test_published_instances_have_their_solutions() -> None:
    board = board_of(KAKURO)
    assert board.layout.rules[1] == Killer((3, 4, 5, 6), 15)
    assert board.layout.positions[:4] == ((0, 1), (0, 2), (0, 3), (1, 0))  # without the margin
    assert len(solve(board, solutions=2).solutions) == 1
    futoshiki = board_of(FUTOSHIKI)
    assert (
        "".join(map(str, solve(futoshiki, solutions=2).solutions[0])) == "5132414253231453541242531"
    )
    assert len(solve(futoshiki, solutions=2).solutions) == 1
    clues = [rule.blocks for rule in board_of(NONOGRAM).layout.rules]  # type: ignore[attr-defined]  # nonograms
    assert clues == [(3,), (1, 1), (), (1, 1), (3,), (1,), (1, 1), (1, 1), (1, 1), (3,)]


def test_lengths_of_blocks_and_holes_of_latin_squares_are_read() -> None:
    (grid,) = solve(board_of(BLOCKS), solutions=2).solutions
    assert grid == (2, 2, 2, 2, 1, 2, 1, 1, 1)
    assert board_of(LATIN) == Board.parse("1....1...", "latin")


@settings(deadline=None)
@given(kakuros() | nonograms() | unequals())
def test_boards_of_the_families_come_back(board: Board) -> None:
    if any(isinstance(rule, DiffersBy) for rule in board.layout.rules):
        return  # neighbours of Unequal are no Futoshiki
    result = write([Puzzle(board, "", 1)])
    assert not result.losses
    (back,) = read(result.text)
    assert not back.losses.dropped
    assert meaning(back.board) == meaning(board)


def test_rows_and_columns_without_cells_are_kept_except_the_one_of_clues() -> None:
    board = Board.empty(kakuro([(1, 2), (1, 3)], [((0, 1), 4)]))
    (back,) = read(write([Puzzle(board, "", 1)]).text)
    assert back.board == board


def test_what_is_not_said_there_is_named() -> None:
    (puzzle,) = read(NONOGRAM + "depth = 3;")
    assert puzzle.losses.dropped == ("parameter depth",)
    alone = KAKURO.replace("0, 0, 0, 0, 0, 0|", "0, 0, 0, 0, 0, 1|", 1)
    message = "cells in no word hold 1 to 9, and not 0 as in the model"
    (puzzle,) = read(alone)
    assert puzzle.losses.approximated == (message,)
    board = Board.parse("1... ..2. .3.. ...4", "x+non-consecutive")
    losses = write([Puzzle(board, "", 1)]).losses
    assert losses.dropped == ("units that are not rows or columns", "rules: non-consecutive")
    empty = write([Puzzle(Board.empty(layout("latin", 3)), "", 1)])
    assert "lt = array2d(0..-1, 0..3, []);" in empty.text
    assert board_of(empty.text).layout.rules == ()


WRONG = [
    ("", "expected the parameters X, Y, cols, maxlen and rows (nonogram); or "),
    ("X = 5", "expected parameters such as size = 5;, got 'X = 5'"),
    ("X = 5; X = 6;", "expected each parameter once, got X twice"),
    (NONOGRAM.replace("X = 5", "X = 9999"), "X: expected a number from 1 to 250, got 9999"),
    (NONOGRAM.replace("X = 5", "X = Y"), "X: expected a number from 1 to 250, got Y"),
    (NONOGRAM.replace("maxlen = 3", "maxlen = 4"), "rows: expected rows of 4, got one of 3"),
    (NONOGRAM.replace("Y = 5", "Y = 4"), "rows: expected 4 rows, got 5"),
    (NONOGRAM.replace("0, -1, -1", "0, 2, -1"), "rows: expected blocks as 0 and 1, and -1 behind"),
    (NONOGRAM.replace("0, -1, -1", "0, a, -1"), "rows: expected whole numbers and commas"),
    (NONOGRAM.replace("[|1, 1, 1", "{1, 1, 1", 1), "rows: expected an array such as [|1, 2|3, 4|]"),
    (KAKURO.replace("6, 2, 3, 15", "6, 2, 4, 15"), "h_clue: expected a word of 1 to 9 white cells"),
    (KAKURO.replace("n_h = 6", "n_h = 5"), "h_clue: expected 5 rows, got 6"),
    (FUTOSHIKI.replace("3, 2, 0", "3, 7, 0"), "values: expected 0 to 5, got 7"),
    (FUTOSHIKI.replace("1,2,1,1", "1,2,1,6"), "lt: expected rows and columns from 1 to 5"),
    (FUTOSHIKI.replace("1,2,1,1", "1,1,1,1"), "futoshiki: greater: pairs: expected pairs of two"),
    (FUTOSHIKI.replace("1,2,1,1,", "1,2,1,"), "lt: expected rows of 4, got 43 numbers"),
    (BLOCKS.replace("0, 3", "1, 2"), "row_rules: expected blocks in 3 cells, got (1, 2)"),
    (LATIN.replace("1, 0, 0", "1, 4, 0"), "start: expected 0 to 3, got 4"),
    (LATIN.replace("N=3", "N=999"), "N: expected a number from 1 to 144, got 999"),
    ("lt = [||]; values = [|" + "1," * 200_000 + "|];", "expected"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=range(len(WRONG)))
def test_what_is_no_data_is_refused_and_says_which_parameter(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(read(text))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (Board.empty(layout("samurai")), r"\.dzn holds full rectangles of cells"),
        (Board.empty(layout("latin", 2)), r"\.dzn holds nonograms, with a clue for each row"),
        (unidoku.read(RULES / "star-battle.toml")[0].board, r"\.dzn holds nonograms"),
    ],
    ids=["samurai", "two", "stars"],
)
def test_what_is_of_no_family_is_not_written(board: Board, message: str) -> None:
    with pytest.raises(InputError, match=message):
        write([Puzzle(board, "", 1)])
    with pytest.raises(InputError, match=r"\.dzn holds one puzzle, got 2"):
        write([Puzzle(board, "", 1)] * 2)


def test_signs_of_futoshiki_may_join_cells_apart() -> None:
    board = board_of("values = [|0,0,0|0,0,0|0,0,0|]; lt = [|1,1,3,2|];")
    assert board.layout.rules == (Greater(((7, 0),)),)
    assert "1, 1, 3, 2" in write([Puzzle(board, "", 1)]).text
