"""Hidden units and equal sets: what they are, and what the law of leftovers makes of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.helpers.technique_cases import ORACLE, Case, consequences, steps
from tests.helpers.technique_layouts import DISJOINT, WINDOKU
from tests.helpers.volume import volume
from unidoku import Board, Layout, Request, layout
from unidoku.core.bits import set_of
from unidoku.core.variants import Variant
from unidoku.logic.geometry import cells_of
from unidoku.logic.techniques.leftovers import equal_sets, hidden_units, impossible
from unidoku.testing.strategies import boards

LAW = "law of leftovers"
JIGSAW = Variant.parse("jigsaw:111222311122333442334444555666555666").layout(6)
"""Regions 1 and 2 are rows A and B, with C6 instead of B1."""


def names(layout: Layout, cells: int) -> str:
    return " ".join(layout.names[cell] for cell in cells_of(cells))


def hidden(layout: Layout) -> dict[str, str]:
    return {unit.name: names(layout, set_of(unit.cells)) for unit in hidden_units(layout)}


def test_windoku_has_five_more_units() -> None:
    units = hidden(WINDOKU)
    assert units["row B, C, D - window 1, 2"] == "B1 B5 B9 C1 C5 C9 D1 D5 D9"
    assert units["column 6, 7, 8 - window 2, 4"] == "A6 A7 A8 E6 E7 E8 I6 I7 I8"
    assert "A1 A5 A9 E1 E5 E9 I1 I5 I9" in units.values()
    assert len(units) == 5


def test_sixteen_by_sixteen_windoku_has_seven_more_units() -> None:
    assert len(hidden(layout("windoku", 16))) == 7


@pytest.mark.parametrize("variant", ["classic", "x", "latin", "disjoint", "anti-knight", "samurai"])
def test_layouts_whose_units_say_it_all_have_no_hidden_units(variant: str) -> None:
    assert hidden_units(layout(variant, 9)) == ()


@pytest.mark.parametrize("variant", ["classic", "x", "latin"])
def test_nothing_follows_where_rows_columns_and_boxes_say_it_all(variant: str) -> None:
    assert not steps(LAW, Board.empty(layout(variant, 9)).assign("A1", 5))
    assert equal_sets(layout(variant, 9)) == ()


def test_a_window_without_a_cell_is_no_unit_to_take_away() -> None:
    """A partial unit holds a value at most once, which is not enough to leave one over."""
    units = [unit for unit in WINDOKU.units if unit.name != "window 2"]
    partial = next(unit for unit in WINDOKU.units if unit.name == "window 2").cells[1:]
    near = Layout.from_units(9, [*units, partial], shape=(9, 9))
    assert "row B, C, D - window 1, 2" not in hidden(near)
    assert not steps(LAW, Board.empty(near).assign("B1", 5).assign("B5", 6))


def test_regions_that_are_rows_except_a_cell_make_hidden_units_with_that_cell() -> None:
    units = hidden(JIGSAW)
    assert units["row A, B - region 1"] == "A4 A5 A6 B1 B5 B6"
    assert impossible(JIGSAW) == ""


@pytest.mark.parametrize(
    "text", ["111222311122333442334444555666555666", "111111222222333444333444555666555666"]
)
def test_hidden_units_hold_every_value_in_every_solution(text: str) -> None:
    jigsaw = Variant.parse("jigsaw:" + text).layout(6)
    for grid in ORACLE.search(Board.empty(jigsaw), Request(solutions=20)).solutions:
        for unit in hidden_units(jigsaw):
            assert {grid[cell] for cell in unit.cells} == set(range(1, 7))
        for equal in equal_sets(jigsaw):
            over = sorted(grid[cell] for cell in cells_of(equal.over))
            assert over == sorted(grid[cell] for cell in cells_of(equal.owing)), str(equal)


def test_a_jigsaw_that_needs_one_value_twice_in_a_column_is_impossible() -> None:
    jigsaw = Variant.parse("jigsaw:111222111224333442333444555666555666").layout(6)
    assert impossible(jigsaw) == (
        "C6 sees all cells that may hold its value, B6: region 2 against row A, B - region 1"
    )
    assert not ORACLE.search(Board.empty(jigsaw), Request()).count


def test_a_value_placed_in_a_hidden_unit_leaves_the_rest_of_it() -> None:
    texts = consequences(LAW, Board.empty(WINDOKU).assign("B1", 5))
    assert "5 leaves C5, C9, D5, D9" in texts


def test_a_naked_and_a_hidden_pair_of_a_hidden_unit() -> None:
    case = Case(WINDOKU).cells((1, 2), "B1 C5")
    assert any("C9, D1, D5, D9" in words for words in consequences(LAW, case.board))
    rest = "B5 B9 C1 C9 D1 D5 D9"
    case = Case(WINDOKU).without(1, rest).without(2, rest)
    assert "3 to 9 leave B1, C5" in consequences(LAW, case.board)


def test_a_hidden_unit_of_a_jigsaw_confines_a_value_to_a_region() -> None:
    assert "3 leaves A4, A5, A6" in consequences(LAW, Board.empty(JIGSAW).assign("B1", 3))


def test_a_value_without_a_place_in_one_of_two_equal_sets_leaves_the_other() -> None:
    equal = equal_sets(DISJOINT)[0]
    case = Case(DISJOINT).without(1, names(DISJOINT, equal.over))
    by_these_sets = [step for step in steps(LAW, case.board) if step.reason.endswith(str(equal))]
    assert {pair for step in by_these_sets for pair in step.eliminations} == {
        (cell, 1) for cell in cells_of(equal.owing)
    }


def test_a_value_placed_in_one_equal_set_takes_the_only_place_in_the_other() -> None:
    equal = equal_sets(DISJOINT)[0]
    placed, only = cells_of(equal.over)[0], cells_of(equal.owing)[0]
    case = Case(DISJOINT).cells((1,), DISJOINT.names[placed])
    case.without(1, names(DISJOINT, equal.owing & ~(1 << only)))
    assert any((only, 1) in step.placements for step in steps(LAW, case.board))


def test_equal_sets_say_nothing_while_a_place_is_left_that_a_cell_does_not_see() -> None:
    equal = equal_sets(DISJOINT)[0]
    *rest, last = cells_of(equal.over)
    case = Case(DISJOINT).without(1, names(DISJOINT, set_of(rest)))
    gone = {pair for step in steps(LAW, case.board) for pair in step.eliminations}
    unseen = set(cells_of(equal.owing)) - DISJOINT.peers[last]
    assert unseen
    assert not gone & {(cell, 1) for cell in unseen}


@settings(max_examples=volume(20))
@given(boards())
def test_a_layout_that_is_said_to_be_impossible_has_no_grid(board: Board) -> None:
    if impossible(board.layout):
        assert not ORACLE.search(Board.empty(board.layout), Request()).count
