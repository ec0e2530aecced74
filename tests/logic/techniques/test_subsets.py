"""Naked and hidden sets of any size, wherever cells see each other."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from tests.helpers.technique_cases import Case, steps
from unidoku import Board, layout, solve
from unidoku.core.bits import bit, values_of

SMALL = layout("latin", 7)
HIDDEN = ("hidden pair", "hidden triple", "hidden quad", "hidden set")


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


def test_a_naked_set_of_five_cells_on_a_large_board() -> None:
    case = Case(layout("classic", 16)).cells((11, 12, 13, 14, 15), "A1 A5 A9 A13")
    (step,) = steps("naked set", case.cells((11, 12), "A16").board)
    assert step.consequence.startswith("11 to 15 leave A2, A3, A4, A6")
