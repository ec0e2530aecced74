"""Naked and hidden sets of any size, wherever cells see each other."""

from __future__ import annotations

import pytest

from tests.helpers.technique_cases import Case, consequences, steps
from tests.helpers.technique_layouts import CLASSIC, DISJOINT, KNIGHT, WINDOKU, X
from unidoku import Layout, layout

SMALL = layout("latin", 7)
HIDDEN = ("hidden pair", "hidden triple", "hidden quad", "hidden set")


def test_a_naked_pair_in_a_column() -> None:
    (step,) = steps("naked pair", Case(CLASSIC).cells((3, 7), "A4 E4").board)
    assert step.sentence == ("naked pair 3,7 in A4, E4: 3 and 7 leave B4, C4, D4, F4, G4, H4, I4")
    assert [str(unit) for unit in step.units] == ["column 4"]
    assert step.rating == 3.0


def test_a_naked_pair_leaves_both_units_that_hold_it_in_one_step() -> None:
    (step,) = steps("naked pair", Case(CLASSIC).cells((3, 7), "A4 A6").board)
    assert step.consequence == "3 and 7 leave A1, A2, A3, A5, A7, A8, A9, B4, B5, B6, C4, C5, C6"


def test_a_naked_pair_on_a_diagonal_also_leaves_cells_that_see_it_otherwise() -> None:
    board = Case(X).cells((1, 2), "A1 I9").board
    assert consequences("naked pair", board) == {"1 and 2 leave A9, B2, C3, D4, E5, F6, G7, H8, I1"}


def test_a_naked_pair_a_knights_move_apart() -> None:
    board = Case(KNIGHT).cells((5, 6), "C4 E5").board
    assert consequences("naked pair", board) == {
        "5 and 6 leave A5, B5, C5, C6, D4, D6, E3, E4, F4, G4"
    }


def test_a_naked_pair_in_a_unit_that_only_differs() -> None:
    small = Layout.from_units(4, ["A1 A2 A3"], shape=(1, 4))
    board = Case(small).cells((1, 2), "A1 A3").board
    assert consequences("naked pair", board) == {"1 and 2 leave A2"}


def test_a_naked_pair_is_not_in_cells_that_do_not_see_each_other() -> None:
    assert not steps("naked pair", Case(CLASSIC).cells((3, 7), "A1 B5").board)


def test_a_naked_triple_is_a_chain_of_pairs() -> None:
    case = Case(CLASSIC).cells((1, 7), "A1").cells((4, 7), "A5").cells((1, 4), "A9")
    (step,) = steps("naked triple", case.board)
    assert step.sentence == (
        "naked triple 1,4,7 in A1, A5, A9: 1, 4 and 7 leave A2, A3, A4, A6, A7, A8"
    )


def test_a_value_of_a_naked_triple_leaves_all_cells_that_see_its_places() -> None:
    case = Case(CLASSIC).cells((1, 3), "A1").cells((2, 3), "A2").cells((1, 2), "A5")
    assert consequences("naked triple", case.board) == {
        "1, 2 and 3 leave A3, A4, A6, A7, A8, A9; 3 leaves B1, B2, B3, C1, C2, C3"
    }


def test_a_naked_triple_in_three_cells_that_no_single_unit_holds() -> None:
    case = Case(X).cells((1, 2), "A1").cells((2, 3), "A9").cells((1, 3), "E5")
    (step,) = steps("naked triple", case.board)
    assert not step.units
    assert step.consequence == (
        "1 leaves B2, C3, D4, E1, F6, G7, H8; "
        "1, 2 and 3 leave A5, I1, I9; "
        "2 leaves A2, A3, A4, A6, A7, A8; "
        "3 leaves B8, C7, D6, E9, F4, G3, H2"
    )


def test_a_naked_triple_is_not_in_three_cells_of_which_two_do_not_see_each_other() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1").cells((2, 3), "A9").cells((1, 3), "E5")
    assert not steps("naked triple", case.board)


def test_a_naked_triple_is_not_reported_around_a_naked_pair() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1 A5").cells((1, 2, 3), "A9")
    assert consequences("naked pair", case.board) == {"1 and 2 leave A2, A3, A4, A6, A7, A8, A9"}
    assert not steps("naked triple", case.board)


def test_a_naked_quad_in_a_column() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1").cells((2, 3), "D1").cells((3, 4), "F1")
    assert consequences("naked quad", case.cells((1, 2, 4), "I1").board) == {
        "1, 2, 3 and 4 leave B1, C1, E1, G1, H1; 3 leaves D2, D3, E2, E3, F2, F3"
    }


def test_a_naked_quad_in_a_window() -> None:
    board = Case(WINDOKU).cells((1, 2, 3, 4), "B2 B4 D2 D4").board
    assert consequences("naked quad", board) == {"1, 2, 3 and 4 leave B3, C2, C3, C4, D3"}


def test_a_naked_quad_in_a_disjoint_group() -> None:
    board = Case(DISJOINT).cells((6, 7, 8, 9), "A1 A4 D7 G7").board
    assert consequences("naked quad", board) == {"6, 7, 8 and 9 leave A7, D1, D4, G1, G4"}


def test_a_naked_quad_is_not_in_four_cells_with_five_values() -> None:
    case = Case(CLASSIC).cells((1, 2, 3), "A1 A4").cells((3, 4, 5), "A6 A8")
    assert not steps("naked quad", case.board)


def test_a_naked_set_of_five_cells() -> None:
    board = Case(SMALL).cells((1, 2, 3, 4, 5), "A1 A2 A4 A5 A7").board
    (step,) = steps("naked set", board)
    assert step.consequence == "1, 2, 3, 4 and 5 leave A3, A6"
    assert step.rating == 5.6


def test_a_naked_set_of_six_cells_rates_higher_than_one_of_five() -> None:
    board = Case(SMALL).cells((1, 2, 3, 4, 5, 6), "B3 C3 D3 E3 F3 G3").board
    (step,) = steps("naked set", board)
    assert step.consequence == "1, 2, 3, 4, 5 and 6 leave A3"
    assert step.rating == 6.5


def test_a_naked_set_of_five_cells_on_a_large_board() -> None:
    case = Case(layout("classic", 16)).cells((11, 12, 13, 14, 15), "A1 A5 A9 A13")
    (step,) = steps("naked set", case.cells((11, 12), "A16").board)
    assert step.consequence.startswith("11, 12, 13, 14 and 15 leave A2, A3, A4, A6")


def test_a_naked_set_is_not_in_five_cells_of_which_two_do_not_see_each_other() -> None:
    board = Case(SMALL).cells((1, 2, 3, 4, 5), "A1 A2 A4 A5 B7").board
    assert not steps("naked set", board)


def test_a_hidden_pair_in_a_row() -> None:
    board = Case(CLASSIC).only(3, "A4 A8", "row A").only(7, "A4 A8", "row A").board
    (step,) = steps("hidden pair", board)
    assert step.sentence == (
        "hidden pair 3,7 of row A in A4, A8: 1, 2, 4, 5, 6, 8 and 9 leave A4, A8"
    )


def test_a_hidden_pair_in_two_units_is_one_step() -> None:
    case = Case(CLASSIC).only(3, "A4 A6", "row A, box 2").only(7, "A4 A6", "row A, box 2")
    assert len(steps("hidden pair", case.board)) == 1


def test_a_hidden_pair_on_a_diagonal() -> None:
    case = Case(X).only(1, "B2 H8", "falling diagonal").only(2, "B2 H8", "falling diagonal")
    assert consequences("hidden pair", case.board) == {"3, 4, 5, 6, 7, 8 and 9 leave B2, H8"}


def test_a_hidden_pair_in_a_window() -> None:
    case = Case(WINDOKU).only(1, "F7 H6", "window 4").only(2, "F7 H6", "window 4")
    assert consequences("hidden pair", case.board) == {"3, 4, 5, 6, 7, 8 and 9 leave F7, H6"}


def test_a_hidden_pair_is_not_where_one_value_has_a_third_place() -> None:
    case = Case(CLASSIC).only(3, "A4 A8", "row A").only(7, "A4 A8 A9", "row A")
    assert not steps("hidden pair", case.board)


def test_a_hidden_triple_in_a_box() -> None:
    case = Case(CLASSIC).only(1, "D4 E5", "box 5").only(2, "E5 F6", "box 5")
    assert consequences("hidden triple", case.only(3, "D4 F6", "box 5").board) == {
        "4, 5, 6, 7, 8 and 9 leave D4, E5, F6"
    }


def test_a_hidden_triple_in_a_disjoint_group() -> None:
    case = Case(DISJOINT)
    for value in (1, 2, 3):
        case.only(value, "B2 B5 E8", "disjoint group 5")
    assert consequences("hidden triple", case.board) == {"4, 5, 6, 7, 8 and 9 leave B2, B5, E8"}


def test_a_hidden_triple_in_a_row_of_one_of_overlapping_grids() -> None:
    case = Case(layout("samurai", 9))
    for value in (7, 8, 9):
        case.only(value, "G10 G11 G12", "row A of grid 3")
    assert len(steps("hidden triple", case.board)) == 1


def test_a_hidden_quad_in_a_row() -> None:
    case = Case(CLASSIC)
    for value in (1, 2, 3, 4):
        case.only(value, "E1 E3 E6 E8", "row E")
    assert consequences("hidden quad", case.board) == {"5, 6, 7, 8 and 9 leave E1, E3, E6, E8"}


def test_a_hidden_quad_on_a_diagonal() -> None:
    case = Case(X)
    for value in (1, 2, 3, 4):
        case.only(value, "A9 C7 G3 I1", "rising diagonal")
    assert consequences("hidden quad", case.board) == {"5, 6, 7, 8 and 9 leave A9, C7, G3, I1"}


def test_a_hidden_quad_in_a_region() -> None:
    case = Case(Layout.from_units(6, ["A1 A2 A3 B1 B2 B3"], shape=(2, 3)))
    for value in (1, 2, 3, 4):
        case.without(value, "B2 B3")
    assert consequences("hidden quad", case.board) == {"5 and 6 leave A1, A2, A3, B1"}


def test_a_hidden_set_of_five_values() -> None:
    case = Case(SMALL)
    for value in (1, 2, 3, 4, 5):
        case.without(value, "C1 C2")
    (step,) = steps("hidden set", case.board)
    assert step.consequence == "6 and 7 leave C3, C4, C5, C6, C7"
    assert step.rating == 6.0


def test_a_hidden_set_of_six_values_rates_higher_than_one_of_five() -> None:
    case = Case(layout("latin", 8))
    for value in (1, 2, 3, 4, 5, 6):
        case.without(value, "C1 C2")
    (step,) = steps("hidden set", case.board)
    assert step.consequence == "7 and 8 leave C3, C4, C5, C6, C7, C8"
    assert step.rating == 6.9


def test_a_hidden_set_on_a_large_board() -> None:
    case = Case(layout("classic", 16))
    for value in (1, 2, 3, 4, 5):
        case.only(value, "A1 E1 I1 M1 P1", "column 1")
    (step,) = steps("hidden set", case.board)
    assert step.reason == "1,2,3,4,5 of column 1 in A1, E1, I1, M1, P1"


@pytest.mark.parametrize(("name", "size"), [*zip(HIDDEN, (2, 3, 4, 5), strict=True)])
def test_a_hidden_set_is_not_in_a_unit_that_only_differs(name: str, size: int) -> None:
    partial = Layout.from_units(8, [range(7)], shape=(1, 8))
    case = Case(partial)
    for value in range(1, size + 1):
        case.without(value, " ".join(partial.names[size:7]))
    assert not steps(name, case.board)
