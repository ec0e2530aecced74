"""Fish, with and without fins, in units of any kinds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.technique_cases import Case, consequences, steps
from tests.helpers.technique_layouts import CLASSIC, WINDOKU, X
from tests.helpers.volume import volume
from unidoku import Board, Layout, layout
from unidoku.core.bits import set_of
from unidoku.core.caching import forget_layouts
from unidoku.logic.geometry import cells_of, geometry
from unidoku.logic.techniques.fish import in_no_template
from unidoku.testing.strategies import named_layouts, unit_systems

SIX = layout("latin", 6)

FISH = ("X-wing", "swordfish", "jellyfish", "larger fish")


def rows(case: Case, value: int, *columns: str) -> Case:
    """Leave a value these columns of rows A, B, …; a row without columns is left as it is."""
    for row, wanted in zip("ABCDEFGHI", columns, strict=False):
        if wanted:
            case.only(value, " ".join(f"{row}{column}" for column in wanted), f"row {row}")
    return case


def test_an_x_wing_in_two_rows() -> None:
    (step,) = steps("X-wing", rows(Case(CLASSIC), 4, "", "38", "", "", "", "38").board)
    assert step.sentence == (
        "X-wing of 4 in row B and row F by column 3 and column 8: "
        "4 leaves A3, A8, C3, C8, D3, D8, E3, E8, G3, G8, H3, H8, I3, I8"
    )
    assert [str(unit) for unit in step.units] == ["row B", "row F"]
    assert [str(unit) for unit in step.covers] == ["column 3", "column 8"]
    assert len(step.pattern) == 4
    assert not step.fins


def test_an_x_wing_in_rows_of_two_overlapping_grids() -> None:
    case = Case(layout("samurai", 9)).only(1, "A7 A8", "row A of grid 1")
    board = case.only(1, "G7 G8", "row G of grid 1, row A of grid 3").board
    assert (
        "of 1 in row A of grid 1 and row A of grid 3 by column 7 of grid 1 and column 8 of grid 1"
    ) in [step.reason for step in steps("X-wing", board)]


def test_an_x_wing_in_units_that_are_named_alike() -> None:
    lines = [[4 * row + column for column in range(4)] for row in range(4)]
    square = Layout.from_units(4, [*lines, *zip(*lines, strict=True)])
    board = Case(square).without(1, "A2 A3 C2 C3").board
    assert consequences("X-wing", board) == {"1 leaves B1, B4, D1, D4"}


@pytest.mark.parametrize(("name", "size"), [*zip(FISH, (2, 3, 4, 5), strict=True)])
def test_a_fish_is_not_in_units_that_only_differ(name: str, size: int) -> None:
    cycle = [f"{at + 1}{(at + 1) % size + 1}" for at in range(size)]
    case = rows(Case(layout("latin", 9)), 1, *cycle)
    assert steps(name, case.board)
    short = [unit.cells[:-1] if unit.kind == "row" else unit.cells for unit in case.layout.units]
    partial = Case(Layout.from_units(9, short))
    partial.candidates = case.candidates
    assert not steps(name, partial.board)


def test_a_finned_x_wing_leaves_what_sees_the_fin() -> None:
    (step,) = steps("finned X-wing", rows(Case(CLASSIC), 4, "", "389", "", "", "", "38").board)
    assert step.sentence == (
        "finned X-wing of 4 in row B and row F by column 3 and column 8 with fin B9: "
        "4 leaves A8, C8"
    )
    assert step.fins == ((17, 4),)
    assert len(step.pattern) == 5


def test_a_finned_jellyfish_on_a_board_with_windows() -> None:
    case = rows(Case(WINDOKU), 5, "14", "", "", "47", "", "79", "", "", "189")
    (step,) = (step for step in steps("finned jellyfish", case.board) if len(step.fins) == 1)
    assert step.consequence == "5 leaves G7, G9, H7, H9"


TWELVE_ROWS = {"A": "A1 A5", "D": "D5 D9", "G": "G9 G2", "E": "E2 E6", "J": "J6 J1 J3"}


def twelve(name: str, units: dict[str, str], kind: str = "row") -> Board:
    """Leave 7 these cells of lines of a board of twelve values."""
    case = Case(layout(name, 12))
    for line, cells in units.items():
        case.only(7, cells, f"{kind} {line}")
    return case.board


def test_a_larger_finned_fish_of_five_rows() -> None:
    fish = steps("larger finned fish", twelve("classic", TWELVE_ROWS))
    assert (
        "larger finned fish of 7 in row A, row D, row E, row G and row J by column 1, column 2, "
        "column 5, column 6 and column 9 with fin J3: 7 leaves K1, K2, L1, L2"
    ) in [step.sentence for step in fish]


def test_a_larger_finned_fish_of_five_columns() -> None:
    units = {"1": "A1 D1", "5": "D5 G5", "9": "G9 B9", "2": "B2 E2", "6": "E6 A6 C6"}
    board = twelve("classic", units, "column")
    assert "7 leaves A7, A8, B7, B8" in consequences("larger finned fish", board)


def test_a_larger_finned_fish_on_a_board_with_disjoint_groups() -> None:
    fish = steps("larger finned fish", twelve("disjoint", TWELVE_ROWS))
    assert {"J3"} in [{step.layout.names[cell] for cell, _ in step.fins} for step in fish]
    assert "7 leaves K1, K2, L1, L2" in [step.consequence for step in fish]


def test_a_larger_finned_fish_is_not_where_no_cell_sees_the_fin() -> None:
    assert not steps("larger finned fish", twelve("latin", TWELVE_ROWS))


def templates(board: Layout, places: int) -> Iterator[int]:
    """Yield all sets of places of which none see each other, with one in each full unit."""
    units = [unit.cells for unit in geometry(board).full if unit.cells & places]

    def extend(taken: int, left: int) -> Iterator[int]:
        if not left:
            if all(unit & taken for unit in units):
                yield taken
            return
        cell = cells_of(left)[0]
        left &= ~(1 << cell)
        yield from extend(taken | 1 << cell, left & ~geometry(board).sees[cell])
        yield from extend(taken, left)

    return extend(0, places)


@settings(max_examples=volume(100))
@given(st.data())
def test_the_places_refuted_are_those_that_no_template_has(data: st.DataObject) -> None:
    board = data.draw(unit_systems() | named_layouts())
    places = set_of(data.draw(st.sets(st.sampled_from(board.cells), max_size=14)))
    union = 0
    for taken in templates(board, places):
        union |= taken
    assert in_no_template(board, places) == places & ~union


def test_nothing_is_refuted_on_an_empty_board() -> None:
    assert in_no_template(X, set_of(X.cells)) == 0


def test_a_search_that_takes_too_long_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    crowded = set_of(cell for cell in SIX.cells if cell // 6 > 3 or cell % 6 < 3)
    assert in_no_template(SIX, crowded) == crowded, "four rows have three columns"
    monkeypatch.setattr("unidoku.logic.techniques.fish._MOST_TEMPLATE_NODES", 1)
    forget_layouts()
    assert in_no_template(SIX, crowded) == 0
    forget_layouts()
