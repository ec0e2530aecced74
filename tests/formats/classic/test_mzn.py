"""Completions of quasigroups in MiniZinc: read as boards; other models are refused by name."""

from __future__ import annotations

import pytest

import unidoku
from unidoku import Board, FormatError
from unidoku.formats.classic.mzn import read

SQUARE = """% a square of two by two
include "globals.mzn";
var  1 ..  1 : v_0;
var  0 ..  1 : v_1;
var  0 ..  1 : v_2;
var  0 ..  1 : v_3;

array[1 .. 4] of var int: var_array =
\t[ v_0, v_1,
\t  v_2, v_3];

constraint all_different([v_0, v_1]);
constraint all_different([v_2, v_3]);
constraint alldifferent([v_0, v_2]);
constraint all_different([v_1, v_3]);

solve :: int_search(var_array, first_fail, indomain_min, complete) satisfy;
output ["v_0 = ", show(v_0)];
"""


def board_of(text: str) -> Board:
    (puzzle,) = read(text)
    return puzzle.board


def test_a_square_has_its_values_and_units() -> None:
    board = board_of(SQUARE)
    assert (board.layout.n, board.layout.first_value) == (2, 0)
    assert [unit.kind for unit in board.layout.units] == ["row", "row", "column", "column"]
    assert board.givens == (2, 0, 0, 0)
    assert unidoku.solve(board, solutions=2).solutions == ((2, 1, 1, 2),)


def test_values_from_one_make_a_latin_square() -> None:
    board = board_of(SQUARE.replace("0 ..  1", "1 .. 2"))
    assert board.layout is unidoku.layout("latin", 2)


def test_the_order_of_an_array_is_that_of_the_cells() -> None:
    turned = SQUARE.replace("[ v_0, v_1,", "[ v_3, v_1,").replace("v_2, v_3];", "v_2, v_0];")
    assert board_of(turned).givens == (0, 0, 0, 2)


WRONG = [
    (SQUARE + "constraint v_0 < v_1;", "line 19: mzn: of the models of MiniZinc only"),
    ("int: X;\nint: Y;", "line 1: mzn: of the models of MiniZinc only completions of quasigroups"),
    ("", "expected variables such as var 0..9: v;, got none"),
    ("var 1..2: a", "expected ; after 'var 1..2: a'"),
    ("var 1..2: a; var 1..2: a;", "expected a new variable with values, got 'var 1..2: a'"),
    ("var 2..1: a;", "expected a new variable with values"),
    ("var 1..2: a;\nconstraint all_different([a, b]);", "line 2: mzn: expected declared variables"),
    ("var 0..999: a;", "expected at most 62 values, got 0 to 999"),
    ("var 1..2: a; constraint all_different([a, a]);", "expected each cell once"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=range(len(WRONG)))
def test_other_models_are_refused_and_named(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        [*read(text)]
    assert message in str(caught.value)
