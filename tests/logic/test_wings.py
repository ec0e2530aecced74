"""Wings: XY-wing, XYZ-wing and W-wing, wherever cells see each other."""

from __future__ import annotations

from tests.helpers.technique_cases import Case, consequences, steps
from tests.helpers.technique_layouts import CLASSIC, DISJOINT, KNIGHT, NON_CONSECUTIVE, WINDOKU, X
from unidoku import Layout


def test_an_xy_wing_names_its_pivot_first() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1").cells((1, 3), "A5").cells((2, 3), "B2")
    (step,) = steps("XY-wing", case.board)
    assert step.sentence == (
        "XY-wing 1,2 in A1 with 1,3 in A5 and 2,3 in B2: 3 leaves A2, A3, B4, B5, B6"
    )
    assert [link.strong for link in step.links] == [True, False, True, False, True]


def test_an_xy_wing_across_a_row_and_a_column() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1").cells((1, 3), "A5").cells((2, 3), "E1")
    assert consequences("XY-wing", case.board) == {"3 leaves E5"}


def test_an_xy_wing_along_both_diagonals() -> None:
    case = Case(X).cells((1, 2), "E5").cells((1, 3), "A1").cells((2, 3), "C7")
    assert consequences("XY-wing", case.board) == {"3 leaves A7, A8, A9, C1, C2, C3, G7, I1"}


def test_an_xy_wing_with_a_pincer_a_knights_move_away() -> None:
    case = Case(KNIGHT).cells((1, 2), "E5").cells((1, 3), "C4").cells((2, 3), "E9")
    assert consequences("XY-wing", case.board) == {"3 leaves C8, C9, E3, E4"}
    case = Case(CLASSIC).cells((1, 2), "E5").cells((1, 3), "C4").cells((2, 3), "E9")
    assert not steps("XY-wing", case.board), "without knights the pivot does not see C4"


def test_an_xy_wing_needs_only_units_in_which_cells_differ() -> None:
    pairs = Layout.from_units(3, ["A1 A2", "A2 A3", "A1 A4", "A3 A4"], shape=(1, 4))
    case = Case(pairs).cells((1, 2), "A2").cells((1, 3), "A1").cells((2, 3), "A3")
    assert consequences("XY-wing", case.board) == {"3 leaves A4"}


def test_an_xy_wing_is_not_where_both_pincers_share_the_same_value_with_the_pivot() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1").cells((1, 3), "A5 B2")
    assert not steps("XY-wing", case.board)


def test_an_xyz_wing_names_its_pivot_first() -> None:
    case = Case(CLASSIC).cells((1, 2, 3), "A1").cells((1, 3), "A5").cells((2, 3), "B2")
    (step,) = steps("XYZ-wing", case.board)
    assert step.sentence == ("XYZ-wing 1,2,3 in A1 with 1,3 in A5 and 2,3 in B2: 3 leaves A2, A3")


def test_an_xyz_wing_on_a_diagonal() -> None:
    case = Case(X).cells((1, 2, 3), "E5").cells((1, 3), "A1").cells((2, 3), "C7")
    assert consequences("XYZ-wing", case.board) == {"3 leaves A9, C3, G7, I1"}


def test_an_xyz_wing_in_a_window() -> None:
    case = Case(WINDOKU).cells((1, 2, 3), "D4").cells((1, 3), "B2").cells((2, 3), "D9")
    assert consequences("XYZ-wing", case.board) == {"3 leaves D2, D3"}


def test_an_xyz_wing_spares_cells_that_see_the_pincers_and_not_the_pivot() -> None:
    case = Case(CLASSIC).cells((1, 2, 3), "A1").cells((1, 3), "A5").cells((2, 3), "E1")
    assert not steps("XYZ-wing", case.board)


def test_a_w_wing_names_its_chain_and_the_unit_of_its_link() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1 B9").only(1, "F1 F9", "row F")
    (step,) = steps("W-wing", case.board)
    assert step.sentence == (
        "W-wing 2 in A1 = 1 in A1 - 1 in F1 = 1 in F9 - 1 in B9 = 2 in B9: "
        "2 leaves A7, A8, A9, B1, B2, B3"
    )
    assert [str(unit) for unit in step.units] == ["row F"]


def test_a_w_wing_whose_link_sees_one_of_its_cells_along_a_diagonal() -> None:
    case = Case(X).cells((1, 2), "A1 B9").only(1, "E5 E9", "row E")
    assert consequences("W-wing", case.board) == {"2 leaves A7, A8, A9, B1, B2, B3, I9"}


def test_a_w_wing_whose_link_sees_one_of_its_cells_in_a_disjoint_group() -> None:
    case = Case(DISJOINT).cells((1, 2), "A1 B9").only(1, "G4 G9", "row G")
    assert consequences("W-wing", case.board) == {"2 leaves A7, A8, A9, B1, B2, B3"}


def test_a_w_wing_is_not_where_one_end_of_the_link_sees_neither_cell() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1 B9").only(1, "F1 F5", "row F")
    assert not steps("W-wing", case.board)


def test_a_w_wing_is_not_where_both_ends_of_the_link_see_the_same_cell() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1 F9").only(1, "B2 C3", "box 1")
    assert not steps("W-wing", case.board)


def test_a_w_wing_is_not_where_the_two_cells_see_each_other() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1 A9").only(1, "F1 F9", "row F")
    assert not steps("W-wing", case.board)


def test_wings_hold_beside_a_rule_on_neighbours() -> None:
    case = Case(NON_CONSECUTIVE).cells((1, 5), "A1").cells((1, 7), "A5").cells((5, 7), "B2")
    assert consequences("XY-wing", case.board) == {"7 leaves A2, A3, B4, B5, B6"}
