"""Two strong links of one value joined by a weak one, in any units."""

from __future__ import annotations

import pytest

from tests.helpers.technique_cases import Case, consequences, steps
from tests.helpers.technique_layouts import CLASSIC, DISJOINT, KNIGHT, LATIN, WINDOKU, X
from unidoku import Layout

TURBOTS = ("skyscraper", "two-string kite", "turbot fish")


def found_by(case: Case) -> dict[str, set[str]]:
    """Return the consequences of each of the three techniques that finds any."""
    found = {name: consequences(name, case.board) for name in TURBOTS}
    return {name: lines for name, lines in found.items() if lines}


def test_a_skyscraper_of_two_rows_names_its_chain_and_its_rows() -> None:
    case = Case(CLASSIC).only(1, "A1 A5", "row A").only(1, "F1 F6", "row F")
    (step,) = steps("skyscraper", case.board)
    assert step.sentence == (
        "skyscraper 1 in A5 = 1 in A1 - 1 in F1 = 1 in F6: 1 leaves B6, C6, D5, E5"
    )
    assert [str(unit) for unit in step.units] == ["row A", "row F"]
    assert [link.strong for link in step.links] == [True, False, True]


def test_a_skyscraper_of_two_columns() -> None:
    case = Case(CLASSIC).only(4, "B2 H2", "column 2").only(4, "B8 I8", "column 8")
    assert found_by(case) == {"skyscraper": {"4 leaves H7, H9, I1, I3"}}


def test_a_skyscraper_eliminates_along_the_diagonal_that_its_ends_are_on() -> None:
    case = Case(X).only(1, "B2 B5", "row B").only(1, "H5 H8", "row H")
    assert consequences("skyscraper", case.board) == {"1 leaves A1, C3, D4, E5, F6, G7, I9"}


@pytest.mark.parametrize(
    ("cells", "fires"),
    [("F1 F2 F3 F4 F5 F6 F7 F8 F9", True), ("F1 F2 F3 F4 F5 F6 F7 F8", False)],
)
def test_two_places_in_a_unit_are_a_strong_link_only_if_the_unit_is_full(
    cells: str, fires: bool
) -> None:
    units = [unit for unit in CLASSIC.units if unit.name != "row F"]
    mine = Layout.from_units(9, [*units, cells])
    case = Case(mine).only(1, "A1 A5", "row A").without(1, "F2 F3 F4 F5 F7 F8 F9")
    assert bool(found_by(case)) is fires


def test_a_kite_of_a_row_and_a_column_joined_in_a_box() -> None:
    case = Case(CLASSIC).only(1, "A1 A7", "row A").only(1, "B2 H2", "column 2")
    assert found_by(case) == {"two-string kite": {"1 leaves H7"}}


def test_a_kite_joined_in_a_window() -> None:
    case = Case(WINDOKU).only(1, "D2 D9", "row D").only(1, "C3 I3", "column 3")
    assert found_by(case) == {"two-string kite": {"1 leaves I9"}}


def test_a_kite_joined_in_a_disjoint_group() -> None:
    case = Case(DISJOINT).only(1, "A1 A6", "row A").only(1, "D4 I4", "column 4")
    assert found_by(case) == {"two-string kite": {"1 leaves G6, H6, I6"}}


def test_a_turbot_fish_of_two_rows_joined_in_a_box() -> None:
    case = Case(CLASSIC).only(1, "A1 A5", "row A").only(1, "B2 B4", "row B")
    assert found_by(case) == {"turbot fish": {"1 leaves C1, C2, C3", "1 leaves C4, C5, C6"}}


def test_a_turbot_fish_of_a_box_and_a_row() -> None:
    case = Case(CLASSIC).only(1, "A1 A5", "row A").only(1, "D1 E2", "box 4")
    assert found_by(case) == {"turbot fish": {"1 leaves E5"}}


def test_a_turbot_fish_of_two_diagonals() -> None:
    case = Case(X).only(1, "C3 I9", "falling diagonal").only(1, "C7 I1", "rising diagonal")
    assert found_by(case) == {
        "turbot fish": {
            "1 leaves C1, C2, C4, C5, C6, C8, C9",
            "1 leaves I2, I3, I4, I5, I6, I7, I8",
        }
    }


def test_a_turbot_fish_joined_by_a_knights_move_leaves_its_own_cells_alone() -> None:
    case = Case(KNIGHT).only(1, "C5 C9", "row C").only(1, "D7 I7", "column 7")
    assert found_by(case) == {"turbot fish": {"1 leaves H5, I5", "1 leaves G9, H9, I9"}}


@pytest.mark.parametrize(
    "case",
    [
        Case(LATIN).only(1, "A1 A5", "row A").only(1, "F1 F6", "row F"),
        Case(CLASSIC).only(1, "A1 A6", "row A").only(1, "D4 I4", "column 4"),
        Case(CLASSIC).only(1, "A1 A7", "row A").only(1, "A1 H1", "column 1"),
        Case(CLASSIC).only(1, "A1 A5", "row A").only(1, "D2 E3", "box 4"),
        Case(CLASSIC).only(1, "A1 A5 A9", "row A").only(1, "F1 F6", "row F"),
    ],
    ids=["no cell sees both ends", "no group", "a shared cell", "no weak link", "a third place"],
)
def test_none_of_them_is_where_the_links_are_not_joined(case: Case) -> None:
    assert not found_by(case)
