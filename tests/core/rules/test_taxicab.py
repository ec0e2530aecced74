"""Taxicab: equal digits that are a number of steps apart, their own or a given one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, permutations, product

import pytest

import unidoku
from unidoku import Board, LayoutError, Taxicab, layout
from unidoku.core.layout import Grid
from unidoku.formats.sentences import rules_text

CELLS = [*product(range(4), repeat=2)]


@cache
def latin_squares() -> list[tuple[Grid, ...]]:
    return [
        rows
        for rows in product(permutations(range(1, 5)), repeat=4)
        if all(len(set(column)) == 4 for column in zip(*rows, strict=True))
    ]


@pytest.mark.parametrize(
    ("rule", "forbids"),
    [
        (Taxicab(), lambda value, steps: value == steps),
        (Taxicab(values=(2,)), lambda value, steps: value == steps == 2),
        (Taxicab(steps=2), lambda value, steps: steps == 2),
        (Taxicab(steps=4), lambda value, steps: steps == 4),
        (Taxicab(steps=3, values=(2, 4)), lambda value, steps: steps == 3 and value in (2, 4)),
    ],
)
def test_as_many_squares_are_found_as_have_no_equal_digits_so_far_apart(
    rule: Taxicab, forbids: Callable[[int, int], bool]
) -> None:
    wanted = sum(
        not any(
            rows[a][b] == rows[c][d] and forbids(rows[a][b], abs(a - c) + abs(b - d))
            for (a, b), (c, d) in combinations(CELLS, 2)
        )
        for rows in latin_squares()
    )
    board = Board.empty(layout("latin", 4).with_rules(rule))
    for label in ("native", "sat", "exact-cover"):
        assert unidoku.count(board, limit=600, backend=label).count == wanted
    (puzzle,) = unidoku.read(unidoku.write(board, "toml").text, format="toml")
    assert puzzle.board == board


def test_its_sentence_and_its_line_in_a_file_say_which_digits_are_how_far_apart() -> None:
    board = Board.empty(layout("latin", 5).with_rules(Taxicab(steps=3, values=(5,))))
    assert '{ kind = "taxicab", steps = 3, values = [5] }' in unidoku.write(board, "toml").text
    assert "Two cells that are 3 steps apart, along rows and columns, do not both hold 5." in (
        rules_text(board)
    )


def test_cells_are_at_least_a_step_apart() -> None:
    with pytest.raises(LayoutError, match="taxicab: steps: expected at least 1, got 0"):
        Taxicab(steps=0)
