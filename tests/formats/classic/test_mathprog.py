"""Data of GLPK's examples: picture puzzles and Sudoku, and what is neither."""

from __future__ import annotations

import pytest

import unidoku
from unidoku import Board, FormatError
from unidoku.formats.classic.mathprog import read

PICTURE = """/* a picture
   of three rows */

data;

param m := 3;

param n := 4;

param row : 1  2  :=
      1     1  2
      2     4  .
      3     .  . # nothing
;

param col : 1  :=
      1     2
      2     1
      3     2
      4     2
;

end;
"""

SUDOKU = """data;
param givens : 1 2 3 4 :=
  1  1 . . .
  2  . . 2 .
  3  . 3 . .
  4  . . . 4 ;
end;
"""


def board_of(text: str) -> Board:
    (puzzle,) = read(text)
    return puzzle.board


def test_a_picture_and_a_sudoku_are_read() -> None:
    (grid,) = unidoku.solve(board_of(PICTURE), solutions=2).solutions
    assert grid == (2, 1, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1)
    assert board_of(SUDOKU) == Board.parse("1... ..2. .3.. ...4")


WRONG = [
    (
        "data; end;",
        "m, n, row and col (picture puzzle); or givens; got none",
    ),
    ("data; param m := 5; end;", "or givens; got m"),
    ("data;\n\nset E := 1\n2; end;", "line 3: expected data such as param m := 5; once each, got"),
    ("data; param m := 5; param m := 5; end;", "once each, got 'param m := 5'"),
    ("/* data", "line 1: expected */ after /*"),
    (
        PICTURE.replace("m := 3", "m := 999"),
        "line 6: m: expected a number from 1 to 250",
    ),
    (PICTURE.replace("1  2\n", "1\n"), "line 10: row: expected 3 rows of 3 words, got 8 words"),
    (PICTURE.replace("2     4  .", "7     4  ."), "row: expected row 2 to begin with 2, got '7'"),
    (PICTURE.replace("4  .", "4  x"), "row: row 2: expected numbers and dots, got 'x'"),
    (
        PICTURE.replace("4  .", "4  1"),
        "row 2: expected blocks that fit in 4 cells, got (4, 1)",
    ),
    (SUDOKU.replace(". 3 .", ". 9 ."), "givens: expected 1 to 4, got 9"),
    (SUDOKU.replace("1 2 3 4", "1 2 3"), "givens: expected 3 rows of 4 words, got 20 words"),
    ("param givens : 1 2 3 := 1 1 . . 2 . . . 3 . . .;", "givens: 3 cells make no box"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=range(len(WRONG)))
def test_what_is_no_such_data_is_refused_and_says_where(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        [*read(text)]
    assert message in str(caught.value)
