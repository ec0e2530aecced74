"""Two colours spread along strong links, or along equal cells of two candidates."""

from __future__ import annotations

import pytest

from tests.helpers.technique_cases import Case, consequences, steps
from tests.helpers.technique_layouts import CLASSIC, DISJOINT, WINDOKU, X
from unidoku import Layout


def test_simple_colouring_traps_what_sees_both_colours() -> None:
    case = Case(CLASSIC).only(1, "A1 A5", "row A").only(1, "A5 G5", "column 5")
    (step,) = steps("simple colouring", case.only(1, "G3 G5", "row G").board)
    assert step.sentence == (
        "simple colouring 1 in all of A1, G5 or in all of A5, G3: 1 leaves B3, C3, H1, I1"
    )
    assert len(step.links) == 3
    assert all(link.strong for link in step.links)


def test_simple_colouring_empties_a_colour_of_which_two_cells_see_each_other() -> None:
    case = Case(CLASSIC).only(1, "A1 A5", "row A").only(1, "A1 G1", "column 1")
    case = case.only(1, "G1 G6", "row G").only(1, "G6 C6", "column 6")
    assert consequences("simple colouring", case.board) == {"1 leaves A5, C6, G1"}


def test_simple_colouring_along_a_diagonal() -> None:
    case = Case(X).only(1, "B2 H8", "falling diagonal").only(1, "H1 H8", "row H")
    assert consequences("simple colouring", case.only(1, "H1 D1", "column 1").board) == {
        "1 leaves B8, D2, E2, F2"
    }


def test_simple_colouring_in_a_window() -> None:
    case = Case(WINDOKU).only(1, "B2 D4", "window 1").only(1, "D4 D9", "row D")
    assert consequences("simple colouring", case.only(1, "D9 H9", "column 9").board) == {
        "1 leaves H2"
    }


def test_simple_colouring_spreads_along_several_strong_links_alone() -> None:
    single = Case(CLASSIC).only(1, "A1 A2", "row A")
    weak = Case(CLASSIC).only(1, "A1 A5", "row A").only(1, "F1 F6", "row F")
    for case in (single, weak):
        assert not steps("simple colouring", case.board)


def test_simple_colouring_does_not_spread_in_a_unit_that_only_differs() -> None:
    units = [unit for unit in CLASSIC.units if unit.name != "column 5"]
    mine = Layout.from_units(9, [*units, "A5 B5 C5 D5 E5 F5 G5 H5"])
    case = Case(mine).only(1, "A1 A5", "row A").without(1, "B5 C5 D5 E5 F5 H5")
    assert not steps("simple colouring", case.only(1, "G3 G5", "row G").board)


def test_simple_colouring_stands_an_odd_ring_of_links_on_a_board_without_solutions() -> None:
    ring = Layout.from_units(2, ["A1 A2", "A2 A3", "A1 A3"], shape=(1, 3))
    assert steps("simple colouring", Case(ring).board)


def test_a_remote_pair_names_its_cells_in_order() -> None:
    (step,) = steps("remote pair", Case(CLASSIC).cells((1, 2), "A1 A5 F5 F8").board)
    assert step.sentence == "remote pair 1,2 in A1, A5, F5, F8: 1 and 2 leave A8, F1"
    assert [link.strong for link in step.links] == [True, False, True, False, True, False, True]


def test_a_remote_pair_of_six_cells() -> None:
    found = consequences("remote pair", Case(CLASSIC).cells((1, 2), "A1 A5 F5 F8 H8 H3").board)
    assert "1 and 2 leave A3, B3, C3, G1, H1, I1" in found


@pytest.mark.parametrize(
    ("layout", "cells", "found"),
    [
        (WINDOKU, "B2 D4 D9 I9", {"1 and 2 leave B9, I2"}),
        (X, "A1 E5 E8 F8", {"1 and 2 leave A8, F1, F6, H8"}),
        (DISJOINT, "A1 D4 D9 H9", {"1 and 2 leave A9, B3, G7, H1"}),
        (CLASSIC, "A1 A5 F5", set()),
    ],
    ids=["window", "diagonal", "disjoint group", "an even number of links"],
)
def test_a_remote_pair_goes_through_units_of_all_kinds(
    layout: Layout, cells: str, found: set[str]
) -> None:
    assert consequences("remote pair", Case(layout).cells((1, 2), cells).board) == found


def test_a_remote_pair_is_not_where_one_cell_has_a_third_candidate() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1 A5 F8").cells((1, 2, 3), "F5")
    assert not steps("remote pair", case.board)
