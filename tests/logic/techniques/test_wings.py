"""Wings: XY-wing, XYZ-wing and W-wing, wherever cells see each other."""

from __future__ import annotations

from tests.helpers.technique_cases import Case, consequences, steps
from tests.helpers.technique_layouts import CLASSIC
from unidoku import Layout


def test_an_xy_wing_names_its_pivot_first() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1").cells((1, 3), "A5").cells((2, 3), "B2")
    (step,) = steps("XY-wing", case.board)
    assert step.sentence == (
        "XY-wing 1,2 in A1 with 1,3 in A5 and 2,3 in B2: 3 leaves A2, A3, B4, B5, B6"
    )
    assert [link.strong for link in step.links] == [True, False, True, False, True]


def test_an_xy_wing_needs_only_units_in_which_cells_differ() -> None:
    pairs = Layout.from_units(3, ["A1 A2", "A2 A3", "A1 A4", "A3 A4"], shape=(1, 4))
    case = Case(pairs).cells((1, 2), "A2").cells((1, 3), "A1").cells((2, 3), "A3")
    assert consequences("XY-wing", case.board) == {"3 leaves A4"}


def test_a_w_wing_names_its_chain_and_the_unit_of_its_link() -> None:
    case = Case(CLASSIC).cells((1, 2), "A1 B9").only(1, "F1 F9", "row F")
    (step,) = steps("W-wing", case.board)
    assert step.sentence == (
        "W-wing 2 in A1 = 1 in A1 - 1 in F1 = 1 in F9 - 1 in B9 = 2 in B9: "
        "2 leaves A7, A8, A9, B1, B2, B3"
    )
    assert [str(unit) for unit in step.units] == ["row F"]
