from __future__ import annotations

import math

import pytest

from unidoku import Board, check, load
from unidoku.errors import OptionError

MANY = ".....6....59.....82....8....45........3........6..3.54...325..6.................."


def test_a_board_is_proper_if_it_has_one_solution() -> None:
    assert check(Board.parse("1... ..2. .3.. ...4"), backend="norvig").proper is True
    several = check(Board.parse("12.. .... .... 21.."), backend=load("norvig"))
    assert several.proper is False
    assert several.reasons[0].startswith("two solutions differ in ")
    assert several.result.count == 2


def test_what_the_time_limit_leaves_open_is_neither() -> None:
    late = check(Board.parse(MANY), backend="norvig", time_limit=0.05)
    assert late.proper is None
    assert str(late) == "not decided: undecided (time limit)"


def test_a_solver_has_its_own_options_and_infinity_is_no_limit() -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    assert check(board, backend=load("norvig"), time_limit=math.inf).proper is True
    with pytest.raises(OptionError, match="norvig is a solver already; give 'branching'"):
        check(board, backend=load("norvig"), branching="mrv")  # type: ignore[call-arg] # refused
