"""Two colours spread along strong links, or along equal cells of two candidates."""

from __future__ import annotations

from tests.helpers.technique_cases import Case, steps
from tests.helpers.technique_layouts import CLASSIC
from unidoku import Layout


def test_simple_colouring_traps_what_sees_both_colours() -> None:
    case = Case(CLASSIC).only(1, "A1 A5", "row A").only(1, "A5 G5", "column 5")
    (step,) = steps("simple colouring", case.only(1, "G3 G5", "row G").board)
    assert step.sentence == (
        "simple colouring 1 in all of A1, G5 or in all of A5, G3: 1 leaves B3, C3, H1, I1"
    )
    assert len(step.links) == 3
    assert all(link.strong for link in step.links)


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
