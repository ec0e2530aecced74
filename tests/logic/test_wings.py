"""Wings: XY-wing, XYZ-wing and W-wing, wherever cells see each other."""

from __future__ import annotations

import pytest

from tests.helpers.technique_cases import Case, consequences, steps
from tests.helpers.technique_layouts import CLASSIC, DISJOINT, KNIGHT, NON_CONSECUTIVE, WINDOKU, X
from unidoku import Board, Layout


def wing(layout: Layout, pivot: str, first: str, second: str, values: str = "12 13 23") -> Board:
    """Leave three cells the values of three words."""
    case = Case(layout)
    for cell, left in zip((pivot, first, second), values.split(), strict=True):
        case.cells(map(int, left), cell)
    return case.board


def w_wing(layout: Layout, cells: str, ends: str, unit: str) -> Board:
    """Leave two cells 1 and 2, and 1 two places in a unit."""
    return Case(layout).cells((1, 2), cells).only(1, ends, unit).board


def test_an_xy_wing_names_its_pivot_first() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1").cells((1, 3), "A5").cells((2, 3), "B2")
    (step,) = steps("XY-wing", case.board)
    assert step.sentence == (
        "XY-wing 1,2 in A1 with 1,3 in A5 and 2,3 in B2: 3 leaves A2, A3, B4, B5, B6"
    )
    assert [link.strong for link in step.links] == [True, False, True, False, True]


@pytest.mark.parametrize(
    ("board", "found"),
    [
        (wing(CLASSIC, "A1", "A5", "E1"), {"3 leaves E5"}),
        (wing(X, "E5", "A1", "C7"), {"3 leaves A7, A8, A9, C1, C2, C3, G7, I1"}),
        (wing(KNIGHT, "E5", "C4", "E9"), {"3 leaves C8, C9, E3, E4"}),
        (wing(CLASSIC, "E5", "C4", "E9"), set()),  # the pivot does not see C4
        (wing(CLASSIC, "A1", "A5", "B2", "12 13 13"), set()),
        (wing(NON_CONSECUTIVE, "A1", "A5", "B2", "15 17 57"), {"7 leaves A2, A3, B4, B5, B6"}),
    ],
    ids=["lines", "diagonals", "knights", "no knights", "pincers alike", "beside a rule"],
)
def test_an_xy_wing_is_wherever_its_pivot_sees_two_pincers(board: Board, found: set[str]) -> None:
    assert consequences("XY-wing", board) == found


def test_an_xy_wing_needs_only_units_in_which_cells_differ() -> None:
    pairs = Layout.from_units(3, ["A1 A2", "A2 A3", "A1 A4", "A3 A4"], shape=(1, 4))
    case = Case(pairs).cells((1, 2), "A2").cells((1, 3), "A1").cells((2, 3), "A3")
    assert consequences("XY-wing", case.board) == {"3 leaves A4"}


def test_an_xyz_wing_names_its_pivot_first() -> None:
    case = Case(CLASSIC).cells((1, 2, 3), "A1").cells((1, 3), "A5").cells((2, 3), "B2")
    (step,) = steps("XYZ-wing", case.board)
    assert step.sentence == ("XYZ-wing 1,2,3 in A1 with 1,3 in A5 and 2,3 in B2: 3 leaves A2, A3")


@pytest.mark.parametrize(
    ("board", "found"),
    [
        (wing(X, "E5", "A1", "C7", "123 13 23"), {"3 leaves A9, C3, G7, I1"}),
        (wing(WINDOKU, "D4", "B2", "D9", "123 13 23"), {"3 leaves D2, D3"}),
        (wing(CLASSIC, "A1", "A5", "E1", "123 13 23"), set()),
    ],
    ids=["diagonal", "window", "no cell sees the pivot too"],
)
def test_an_xyz_wing_takes_from_what_sees_all_three(board: Board, found: set[str]) -> None:
    assert consequences("XYZ-wing", board) == found


def test_a_w_wing_names_its_chain_and_the_unit_of_its_link() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1 B9").only(1, "F1 F9", "row F")
    (step,) = steps("W-wing", case.board)
    assert step.sentence == (
        "W-wing 2 in A1 = 1 in A1 - 1 in F1 = 1 in F9 - 1 in B9 = 2 in B9: "
        "2 leaves A7, A8, A9, B1, B2, B3"
    )
    assert [str(unit) for unit in step.units] == ["row F"]


@pytest.mark.parametrize(
    ("board", "found"),
    [
        (w_wing(X, "A1 B9", "E5 E9", "row E"), {"2 leaves A7, A8, A9, B1, B2, B3, I9"}),
        (w_wing(DISJOINT, "A1 B9", "G4 G9", "row G"), {"2 leaves A7, A8, A9, B1, B2, B3"}),
        (w_wing(CLASSIC, "A1 B9", "F1 F5", "row F"), set()),
        (w_wing(CLASSIC, "A1 F9", "B2 C3", "box 1"), set()),
        (w_wing(CLASSIC, "A1 A9", "F1 F9", "row F"), set()),
    ],
    ids=["diagonal", "disjoint group", "one end", "ends at one cell", "cells see each other"],
)
def test_a_w_wing_needs_an_end_of_its_link_at_each_cell(board: Board, found: set[str]) -> None:
    assert consequences("W-wing", board) == found
