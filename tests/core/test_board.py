from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from unidoku import Board, Layout, layout, why
from unidoku.core.bits import all_values
from unidoku.errors import InputError, LayoutError
from unidoku.testing.strategies import boards, named_layouts


def test_givens_are_the_cells_with_one_candidate() -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    assert board.givens == (1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4)
    assert board.values("A1") == (1,)
    assert board.values(1) == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("board", "problems"),
    [
        (
            Board.parse("1..1 .... .... 1..."),
            ["row A: A1 and A4 are both 1", "column 1: A1 and D1 are both 1"],
        ),
        (Board.parse("11.. .... .... ...."), ["row A: A1 and A2 are both 1"]),  # and in a box, once
        (Board.parse("1... .... .... ...1", "x"), ["falling diagonal: A1 and D4 are both 1"]),
        (Board.parse("1... ..1. .... ....", "anti-knight"), ["anti-knight: A1 and B3 are both 1"]),
        (
            Board.parse("12.. .... .... ....", "non-consecutive"),
            ["A1 and A2 hold no consecutive values, but A1 is 1 and A2 is 2"],
        ),
        (Board.parse("1... .... .... ....").assign("A1", 2), ["A1 has no candidates"]),
        (Board.parse("1... ..2. .3.. ...4"), []),
    ],
)
def test_a_problem_names_its_cells_and_its_unit_or_rule(board: Board, problems: list[str]) -> None:
    assert [str(problem) for problem in board.problems()] == problems


def test_a_clash_has_its_cells_value_and_unit() -> None:
    clash = Board.parse("1..1 .... .... 1...").problems()[0]
    assert (clash.kind, clash.cells, clash.value) == ("clash", (0, 3), 1)
    assert clash.unit is not None
    assert clash.unit.kind == "row"


def test_assign_restricts_and_leaves_the_original_alone() -> None:
    board = Board.empty(layout("classic", 4))
    assert board.assign("B2", 3).givens[5] == 3
    assert board.assign("B2", 3).assign("B2", 4).candidates[5] == 0
    assert board.givens[5] == 0


def test_fill_makes_a_board_of_a_grid() -> None:
    grid = (1, 2, 2, 1)
    assert Board.parse("1...", "latin").fill(grid).givens == grid


@given(boards(named_layouts()), boards(named_layouts()))
def test_digests_differ_where_boards_differ(first: Board, other: Board) -> None:
    assert (first == other) == (first.digest == other.digest)


def test_the_digest_does_not_depend_on_the_order_of_units() -> None:
    small = Layout.from_units(2, ["A1 A2", "B1 B2"])
    other = Layout.from_units(2, ["B1 B2", "A1 A2"])
    assert Board.empty(small).digest == Board.empty(other).digest


def test_the_digest_is_the_same_in_every_process() -> None:
    assert Board.parse("1... ..2. .3.. ...4").digest == "28b19da229300534"


def test_boards_are_immutable() -> None:
    with pytest.raises(AttributeError):
        Board.empty(layout()).layout = layout("x")  # type: ignore[misc]  # wrong on purpose


@pytest.mark.parametrize(
    ("candidates", "message"),
    [((1, 1), "expected 4 candidate sets"), ((1, 1, 1, 4), "B2: expected values 1 to 2")],
)
def test_candidates_must_fit_the_layout(candidates: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Board(layout("latin", 2), candidates)


def test_values_must_fit_the_layout() -> None:
    latin = layout("latin", 2)
    with pytest.raises(InputError, match="A2: expected a value from 0 to 2, got 3"):
        Board.from_values(latin, [1, 3, 0, 0])
    with pytest.raises(InputError, match="expected 4 candidate sets, one for each cell, got 5"):
        Board.from_values(latin, [0] * 5)
    with pytest.raises(InputError, match="expected values from 1 to 2, got"):
        Board.from_candidates(latin, [{0}, {1}, {1}, {1}])
    with pytest.raises(LayoutError, match="expected a cell"):
        Board.empty(latin).assign("Z9", 1)


@pytest.mark.parametrize("cell", [2, "A3", "r1c3", (0, 2), np.int64(2), (np.int64(0), np.int64(2))])
def test_a_cell_is_named_in_the_same_ways_everywhere(cell: Any) -> None:
    board = Board.parse("1.3...2..3.....4")
    assert board.layout.cell(cell) == 2
    assert (board[cell], board.values(cell)) == (3, (3,))
    assert board.assign(cell, 3) == board
    assert why(board, cell, 3).cell == 2


def test_pencil_marks_are_neither_all_nor_one() -> None:
    latin = layout("latin", 3)
    assert not Board.parse("1........", latin).has_pencil_marks
    assert Board.from_candidates(latin, [{1, 2}] + [{1, 2, 3}] * 8).has_pencil_marks
    assert Board(latin, (0,) + (all_values(3),) * 8).has_pencil_marks


def test_repr_is_short_and_str_is_the_board() -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    assert repr(board) == f"<Board classic n=4, 4 givens, {board.digest}>"
    assert str(board) == "1 . | . .\n. . | 2 .\n----+----\n. 3 | . .\n. . | . 4"
