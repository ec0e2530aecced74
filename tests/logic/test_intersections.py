"""Locked candidates in any two units, and what sees all places of a value."""

from __future__ import annotations

import pytest

from tests.helpers.technique_cases import Case, consequences, steps
from tests.helpers.technique_layouts import CLASSIC, JIGSAW, KNIGHT, WINDOKU, X
from unidoku import Layout


def test_pointing_a_box_holds_a_value_within_a_row() -> None:
    (found,) = steps("pointing", Case(CLASSIC).only(1, "A1 A3", "box 1").board)
    assert found.sentence == "pointing 1 of box 1 is in row A: 1 leaves A4, A5, A6, A7, A8, A9"


@pytest.mark.parametrize(
    ("case", "found"),
    [
        (
            Case(CLASSIC).only(9, "D5 E5 F5", "box 5").without(9, "A5 B5 G5"),
            {"9 leaves C5, H5, I5"},
        ),
        (Case(X).only(4, "A1 B2", "box 1"), {"4 leaves D4, E5, F6, G7, H8, I9"}),
        (
            Case(WINDOKU).only(2, "B2 B3", "window 1"),
            {"2 leaves A1, A2, A3, B1, C1", "2 leaves B1, B5, B6, B7, B8, B9"},
        ),
    ],
    ids=["box and column", "box and diagonal", "window, box and row"],
)
def test_pointing_in_units_of_all_kinds(case: Case, found: set[str]) -> None:
    assert consequences("pointing", case.board) == found


def test_pointing_is_not_where_a_place_is_outside_the_line() -> None:
    assert not steps("pointing", Case(CLASSIC).only(1, "A1 A3 B2", "box 1").board)


@pytest.mark.parametrize("name", ["pointing", "claiming", "generalised intersection"])
def test_nothing_is_locked_in_a_unit_that_only_differs(name: str) -> None:
    small = Layout.from_units(4, ["A1 A2 B1", "A1 A2 A3 A4"], shape=(2, 4))
    assert not steps(name, Case(small).without(1, "B1").without(2, "A4").board)


@pytest.mark.parametrize(
    ("case", "found"),
    [
        (Case(CLASSIC).only(3, "E4 E6", "row E"), "3 leaves D4, D5, D6, F4, F5, F6"),
        (Case(JIGSAW).only(2, "A1 B1", "column 1"), "2 leaves A2, A3"),
        (Case(X).only(6, "G7 I9", "falling diagonal"), "6 leaves G8, G9, H7, H9, I7, I8"),
    ],
    ids=["row and box", "column and region", "diagonal and box"],
)
def test_claiming_in_units_of_all_kinds(case: Case, found: str) -> None:
    assert found in consequences("claiming", case.board)


def test_claiming_is_not_where_the_row_has_a_place_in_another_box() -> None:
    assert not steps("claiming", Case(CLASSIC).only(3, "E3 E4", "row E").board)


def test_an_intersection_is_generalised_where_one_place_sees_by_row_and_one_by_diagonal() -> None:
    (found,) = steps("generalised intersection", Case(X).only(6, "C3 C9", "row C").board)
    assert found.sentence == (
        "generalised intersection 6 of row C is in one of C3, C9: 6 leaves I9"
    )


@pytest.mark.parametrize(
    ("case", "found"),
    [
        (Case(X).only(6, "A1 A9", "row A"), {"6 leaves E5, I1, I9"}),
        (Case(KNIGHT).only(6, "B2 C3", "box 1"), {"6 leaves A4, B5, C4, D1, D3, E2"}),
    ],
    ids=["two diagonals meet", "knights"],
)
def test_an_intersection_is_generalised_wherever_cells_see_each_other(
    case: Case, found: set[str]
) -> None:
    assert consequences("generalised intersection", case.board) == found


def test_an_intersection_is_not_generalised_on_a_classic_board() -> None:
    for places, unit in (("C3 C9", "row C"), ("B2 C3", "box 1"), ("A1 A9", "row A")):
        assert not steps("generalised intersection", Case(CLASSIC).only(6, places, unit).board)
