"""Naked and hidden sets of any size, wherever cells see each other."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from tests.helpers.technique_cases import Case, consequences, steps
from tests.helpers.technique_layouts import CLASSIC, X
from unidoku import Board, Layout, layout, solve
from unidoku.core.bits import bit, values_of

SMALL = layout("latin", 7)
HIDDEN = ("hidden pair", "hidden triple", "hidden quad", "hidden set")


def test_a_naked_pair_in_a_column() -> None:
    (step,) = steps("naked pair", Case(CLASSIC).cells((3, 7), "A4 E4").board)
    assert step.sentence == ("naked pair 3,7 in A4, E4: 3 and 7 leave B4, C4, D4, F4, G4, H4, I4")
    assert [str(unit) for unit in step.units] == ["column 4"]
    assert step.rating == 3.0


def test_a_naked_pair_in_a_unit_that_only_differs() -> None:
    small = Layout.from_units(4, ["A1 A2 A3"], shape=(1, 4))
    board = Case(small).cells((1, 2), "A1 A3").board
    assert consequences("naked pair", board) == {"1 and 2 leave A2"}


@pytest.mark.parametrize("seed", range(4))
def test_every_two_cells_with_the_same_two_values_that_exclude_something_are_a_naked_pair(
    seed: int,
) -> None:
    rng, diagonal = Random(seed), layout("x", 6)
    (grid,) = solve(Board.empty(diagonal)).solutions
    others = [rng.choice([*{1, 2, 5, 6} - {value}]) for value in grid]
    masks = tuple(bit(a) | bit(b) for a, b in zip(grid, others, strict=True))
    board = Board.of(diagonal, masks)
    expected = set()
    for first, second in combinations(diagonal.cells, 2):
        mask = board.candidates[first]
        if second in diagonal.peers[first] and mask == board.candidates[second]:
            seen = {*diagonal.peers[first]}.intersection(diagonal.peers[second])
            gone = {(cell, v) for cell in seen for v in values_of(board.candidates[cell] & mask)}
            if gone:
                expected.add(((first, second), frozenset(gone)))
    pairs = {(step.cells, frozenset(step.eliminations)) for step in steps("naked pair", board)}
    assert expected
    assert pairs == expected


def test_a_naked_triple_in_three_cells_that_no_single_unit_holds() -> None:
    case = Case(X).cells((1, 2), "A1").cells((2, 3), "A9").cells((1, 3), "E5")
    (step,) = steps("naked triple", case.board)
    assert not step.units
    assert step.consequence == (
        "1 leaves B2, C3, D4, E1, F6, G7, H8; "
        "1, 2 and 3 leave A5, I1, I9; "
        "2 leaves A2, A3, A4, A6, A7, A8; "
        "3 leaves B8, C7, D6, E9, F4, G3, H2"
    )


def test_a_naked_set_of_five_cells_on_a_large_board() -> None:
    case = Case(layout("classic", 16)).cells((11, 12, 13, 14, 15), "A1 A5 A9 A13")
    (step,) = steps("naked set", case.cells((11, 12), "A16").board)
    assert step.consequence.startswith("11 to 15 leave A2, A3, A4, A6")


def test_a_hidden_quad_in_a_region() -> None:
    case = Case(Layout.from_units(6, ["A1 A2 A3 B1 B2 B3"], shape=(2, 3)))
    for value in (1, 2, 3, 4):
        case.without(value, "B2 B3")
    assert consequences("hidden quad", case.board) == {"5 and 6 leave A1, A2, A3, B1"}


def test_a_hidden_set_on_a_large_board() -> None:
    case = Case(layout("classic", 16))
    for value in (1, 2, 3, 4, 5):
        case.only(value, "A1 E1 I1 M1 P1", "column 1")
    (step,) = steps("hidden set", case.board)
    assert step.reason == "1,2,3,4,5 of column 1 in A1, E1, I1, M1, P1"


@pytest.mark.parametrize(("name", "size"), [*zip(HIDDEN, (2, 3, 4, 5), strict=True)])
def test_a_hidden_set_is_not_in_a_unit_that_only_differs(name: str, size: int) -> None:
    partial = Layout.from_units(8, [range(7)], shape=(1, 8))
    case = Case(partial)
    for value in range(1, size + 1):
        case.without(value, " ".join(partial.names[size:7]))
    assert not steps(name, case.board)
