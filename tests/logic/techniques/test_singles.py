"""Full house, hidden single and naked single."""

from __future__ import annotations

import pytest

from tests.helpers.technique_cases import consequences, steps
from tests.helpers.technique_layouts import JIGSAW
from unidoku import Board, Layout, layout

SMALL = layout("classic", 4)
X = layout("x", 4)
CROWDED = Layout.from_units(3, ["A1 A2", "A1 B1"], shape=(2, 2))
PARTIAL = Layout.from_units(4, ["A1 A2 A3", "B1 B2 B3 B4"], shape=(2, 4))


@pytest.mark.parametrize(
    ("board", "placements"),
    [
        (Board.parse("12345678." + 72 * "."), {"A9 is 9"}),
        (Board.parse("123......456......78." + 60 * "."), {"C3 is 9"}),
        (Board.parse("1... .2.. .... ...3", X), {"C3 is 4"}),
        (Board.parse("123. .... .... ....", JIGSAW), {"A4 is 4", "B1 is 4"}),
    ],
    ids=["row", "box", "diagonal", "region"],
)
def test_full_house_fills_the_last_cell_of_a_unit(board: Board, placements: set[str]) -> None:
    assert consequences("full house", board) == placements


def test_full_house_is_not_in_a_unit_that_only_differs() -> None:
    board = Board.from_values(PARTIAL, (1, 2, 0, 0, 0, 0, 0, 0))
    assert not steps("full house", board)


def test_full_house_is_not_where_two_cells_are_empty() -> None:
    assert not steps("full house", Board.parse("1234567.." + 72 * "."))


def test_hidden_single_is_the_last_place_in_a_box() -> None:
    rows = [".........", "...1.....", "......1..", ".1......."] + 4 * ["........."] + ["..1......"]
    step = steps("hidden single", Board.parse("".join(rows)))[0]
    assert (step.sentence, step.rating) == ("hidden single 1 in box 1: A1 is 1", 1.2)


@pytest.mark.parametrize(
    ("board", "placements"),
    [
        (Board.parse("12345678." + 72 * "."), {"A9 is 9"}),
        (Board.parse("..3. .2.. .... 1..."), {"A1 is 4"}),
        (Board.parse(".2.. .3.. .... ...4", X), {"A1 is 1", "D2 is 1"}),
        (Board.from_values(CROWDED, (0, 1, 2, 0)), {"A1 is 3"}),
    ],
    ids=["one unit", "several units", "diagonal", "units that only differ"],
)
def test_naked_single_sees_its_values_in_units_of_all_kinds(
    board: Board, placements: set[str]
) -> None:
    assert consequences("naked single", board) == placements
