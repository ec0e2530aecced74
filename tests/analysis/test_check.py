from __future__ import annotations

import math
from pathlib import Path

import pytest

from unidoku import Board, check, load, read
from unidoku.core.variants import Variant
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
        check(board, backend=load("norvig"), branching="mrv")


def test_a_puzzle_without_solutions_is_told_why_by_its_rules(root: Path) -> None:
    (puzzle,) = read(root / "examples" / "rules" / "killer.toml")
    assert check(puzzle.board).reasons == ()
    assert check(puzzle.board.assign("F3", 5)).reasons == ("the cage F3 sums to 6, but F3 is 5",)
    (reason,) = check(puzzle.board.assign("A3", 6)).reasons
    assert reason.startswith("these cannot all be true: ")
    assert "the cage A3-A5 sums to 9" in reason
    assert reason.endswith("A3 is 6")


def test_where_only_search_finds_that_there_is_no_solution_that_is_said(root: Path) -> None:
    (puzzle,) = read(root / "examples" / "rules" / "little-killer.toml")
    (reason,) = check(puzzle.board.assign("A1", 1)).reasons
    assert reason == "no two givens clash and no rule is broken; the search space holds no solution"


def test_a_jigsaw_that_no_grid_fits_is_told_from_givens_that_are_wrong() -> None:
    regions = Variant.parse("jigsaw:012222011132014132004433055443555543").layout(6)
    (reason,) = check(Board.empty(regions)).reasons
    assert reason == "whatever is given, no grid fits the units, as the law of leftovers shows"
