"""Fish of which the bases and the covers are of any kinds."""

from __future__ import annotations

from tests.helpers.technique_cases import Case, steps
from tests.helpers.technique_layouts import CLASSIC, WINDOKU, X


def found(name: str, case: Case, value: int, **bases: str) -> dict[str, str]:
    """Leave a value some places in the bases, and return the consequence of each reason."""
    for unit, places in bases.items():
        case.only(value, places, unit.replace("_", " "))
    return {step.reason: step.consequence for step in steps(name, case.board)}


def test_a_mutant_x_wing_in_both_diagonals() -> None:
    case = Case(X)
    assert found("mutant X-wing", case, 4, falling_diagonal="B2 H8", rising_diagonal="B8 H2") == {
        "of 4 in falling diagonal, rising diagonal by row B, row H": (
            "4 leaves B1, B3, B4, B5, B6, B7, B9, H1, H3, H4, H5, H6, H7, H9"
        ),
        "of 4 in falling diagonal, rising diagonal by column 2, column 8": (
            "4 leaves A2, A8, C2, C8, D2, D8, E2, E8, F2, F8, G2, G8, I2, I8"
        ),
    }


def test_a_mutant_x_wing_in_a_box_and_a_diagonal() -> None:
    assert found("mutant X-wing", Case(X), 1, box_7="G2 H1", falling_diagonal="B2 H8") == {
        "of 1 in box 7, falling diagonal by row H, column 2": (
            "1 leaves A2, C2, D2, E2, F2, H4, H5, H6, H7, H9"
        )
    }


def test_a_mutant_x_wing_in_a_window_and_a_row() -> None:
    assert found("mutant X-wing", Case(WINDOKU), 7, window_4="G6 G8 H7", row_I="I4 I5 I7") == {
        "of 7 in window 4, row I by box 8, box 9": "7 leaves G4, G5, G9, H4, H5, H9"
    }


def test_a_mutant_x_wing_is_not_in_bases_that_share_a_place() -> None:
    bases = {"falling_diagonal": "B2 E5 H8", "rising_diagonal": "B8 E5 H2"}
    assert not found("mutant X-wing", Case(X), 4, **bases)


def test_a_mutant_swordfish_in_two_rows_and_a_column() -> None:
    case = Case(CLASSIC)
    assert found("mutant swordfish", case, 5, row_B="B4 B7", row_H="H4 H9", column_8="C8 G8") == {
        "of 5 in row B, row H, column 8 by box 3, box 9, column 4": (
            "5 leaves A4, A7, A9, C4, C7, C9, D4, E4, F4, G4, G7, G9, I4, I7, I9"
        )
    }


def test_a_mutant_swordfish_leaves_a_place_of_a_base_that_is_in_two_covers() -> None:
    case = Case(CLASSIC)
    bases = {"box_3": "A8 B9", "box_6": "D7 D9 F9", "column_5": "A5 D5"}
    assert found("mutant swordfish", case, 5, **bases) == {
        "of 5 in box 3, box 6, column 5 by row A, row D, column 9": (
            "5 leaves A1, A2, A3, A4, A6, D1, D2, D3, D4, D6, D9, G9, H9, I9"
        )
    }


def test_a_mutant_swordfish_on_a_board_with_diagonals() -> None:
    bases = {"falling_diagonal": "B2 E5", "row_B": "B2 B7", "row_H": "H5 H7"}
    assert not found("mutant swordfish", Case(X), 5, **bases), "B2 is in two bases"
    bases = {"falling_diagonal": "C3 E5", "row_B": "B3 B7", "row_H": "H5 H7"}
    assert "of 5 in row B, row H, falling diagonal by column 3, column 5, column 7" in found(
        "mutant swordfish", Case(X), 5, **bases
    )


def test_a_mutant_swordfish_is_not_where_a_place_is_in_no_cover() -> None:
    bases = {"row_B": "B4 B7", "row_H": "H4 H9", "column_8": "C8 E8 G8"}
    assert not found("mutant swordfish", Case(CLASSIC), 5, **bases)


def test_a_mutant_jellyfish_in_four_boxes() -> None:
    bases = {"box_7": "G1 H2 I2", "box_9": "G8 G9 H7", "row_A": "A6 A7", "row_B": "B2 B4 B5 B7"}
    assert found("mutant jellyfish", Case(CLASSIC), 5, **bases) == {
        "of 5 in box 1, box 3, box 7, box 9 by row C, row G, column 2, column 7": (
            "5 leaves C2, C4, C5, C6, C7, D2, D7, E2, E7, F2, F7, G4, G5, G6"
        )
    }


def test_a_mutant_jellyfish_leaves_a_place_of_a_base_that_is_in_two_covers() -> None:
    bases = {"box_1": "B1 B2 C3", "box_2": "A6 B4 B6", "box_4": "D2 E3 F3", "box_5": "D4 D5 E6"}
    reasons = found("mutant jellyfish", Case(CLASSIC), 5, **bases)
    reason = "of 5 in box 1, box 2, box 4, box 5 by row B, row D, column 3, column 6"
    assert "B6" in reasons[reason]


def test_a_mutant_jellyfish_in_windows() -> None:
    bases = {"window_2": "C7 D6", "window_3": "F3 H3", "window_4": "F8 G7", "row_I": "I2 I6"}
    reasons = found("mutant jellyfish", Case(WINDOKU), 5, **bases)
    reason = "of 5 in window 2, window 3, window 4, row I by box 7, row F, column 6, column 7"
    assert "H1" in reasons[reason]


def test_a_mutant_jellyfish_is_not_where_a_place_is_in_no_cover() -> None:
    bases = {
        "box_7": "G1 H2 I2",
        "box_9": "G8 G9 H7",
        "row_A": "A1 A6 A7",
        "row_B": "B2 B4 B5 B7",
    }
    assert not found("mutant jellyfish", Case(CLASSIC), 5, **bases)
