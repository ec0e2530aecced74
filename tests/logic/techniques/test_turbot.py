"""Two strong links of one value joined by a weak one, in any units."""

from __future__ import annotations

import pytest

from tests.helpers.technique_cases import Case, consequences, steps
from tests.helpers.technique_layouts import CLASSIC, X
from tests.logic.test_where import TURBOTS
from unidoku import Layout


def test_a_skyscraper_of_two_rows_names_its_chain_and_its_rows() -> None:
    case = Case(CLASSIC).only(1, "A1 A5", "row A").only(1, "F1 F6", "row F")
    (step,) = steps("skyscraper", case.board)
    assert step.sentence == (
        "skyscraper 1 in A5 = 1 in A1 - 1 in F1 = 1 in F6: 1 leaves B6, C6, D5, E5"
    )
    assert [str(unit) for unit in step.units] == ["row A", "row F"]
    assert [link.strong for link in step.links] == [True, False, True]


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
    turbots = [name for name in TURBOTS if steps(name, case.board)]
    assert bool(turbots) is fires
