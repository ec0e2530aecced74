"""Sudoku Explainer's scale: its numbers, and that every step on it is true."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice

import pytest

from tests.helpers.boards import INKALA
from tests.helpers.volume import volume
from unidoku import generate, rate, solve
from unidoku.core.bits import values_of
from unidoku.errors import InputError, TimeLimitError, UnsupportedError
from unidoku.logic import Ending
from unidoku.logic.explainer.chains import length_addition
from unidoku.logic.explainer.finding import Finding, apply
from unidoku.logic.explainer.grid import Grid
from unidoku.logic.explainer.scale import TECHNIQUES, steps

KNOWN = {
    "......5.8..1.....9...248.......81.3...95.3...36..........7..46..3..6..1.5.....2..": "1.7",
    "4.7...6..8..2..5...6..4...3...89......67..8...7.....9.....1...4.....57.1...3....2": "2.0",
    "...27..5.324.1..9...........8...7....5..6..3.1.9.2..4.69...5.......3..29...7....5": "2.3",
    "8.......4..9......6..9.57....38.2......41..6...7...9.....2.........5...35.....182": "2.8",
    "2....57....68.......84.2..9..75..634.2..........9.3.521.....5.3............3.4.1.": "3.2",
    "....847..3.5...4...1..6...9...93.6.....6..1....9..7....6...38.42..4......7......1": "4.0",
    "...3...1..7......42.49...6.54...1..........91.8....5...3...51...2..9.3......6..49": "4.3",
    ".4..1..7.2.7..3....3....98...84....7....8..5......62.....8426....3..5..........14": "4.5",
    ".......6...3.....98.1.65.4.....47.3...7.28....1....9..189..46...5.3......3...61..": "5.7",
    "7..93...6...7....292..58.....4..78.....1...7.....2.5...5.......3.1.......8.5.6.9.": "6.4",
    ".93.1....6..3.897..........5..1......2..9.3..1.946.....7..54.3.4.8.......1.9..7..": "6.8",
    ".25...63......2...47.19........1.9....48.....9.24.......6.....5.8..4.......96.8.7": "7.2",
    "...5...8.5.9...1......2...6..6..43....2..84..8..93.........7...1.5....4.4..8.59.7": "7.7",
    "3.4.8.9......4...292.........8...7...5.71...67.34...9....27.5......6187.......2.9": "8.3",
    "....2.........5.9....7..316.8...36..2.3..97.51.4...........64...5..1...89........": "9.0",
}
"""Boards and the rating that Sukaku Explainer 1.18.1 gives them; pearl and diamond are 1.2."""


@pytest.mark.parametrize("text", KNOWN)
def test_boards_get_the_numbers_that_sukaku_explainer_gives(text: str) -> None:
    rating = rate(text, scale="explainer")
    assert rating.outcome is Ending.SOLVED
    assert str(rating) == f"{KNOWN[text]}/1.2/1.2"
    assert rating.hardest == list(rating.counts)[-1]


def test_a_board_that_forcing_chains_do_not_solve_is_harder_than_the_scale() -> None:
    grid = Grid([int(symbol) if symbol != "." else 0 for symbol in INKALA])
    first = next(steps(grid))
    assert first.technique == "dynamic forcing chain (+)"
    assert f"{first.rating:.1f}" == "9.7"


def test_chains_are_rated_by_their_length() -> None:
    added = [round(10 * length_addition(nodes)) for nodes in (6, 7, 9, 11, 15, 19, 27, 35)]
    assert added == list(range(8))


def assert_true(findings: Sequence[Finding], solution: Sequence[int]) -> None:
    """Assert that nothing that is found removes a value of the solution, or places another."""
    for finding in findings:
        for cell, values in finding.eliminations.items():
            assert solution[cell] not in values_of(values), finding
        if finding.placement:
            cell, value = finding.placement
            assert solution[cell] == value, finding


SLOW = 5
"""The number of techniques at the end of the list that are looked for in a few states only."""


@pytest.mark.volume
def test_no_finding_of_any_technique_is_wrong_on_random_boards() -> None:
    """All techniques are tried in some states, not only where the easier ones find nothing."""
    order = random.Random(1)
    for board in generate(count=volume(1), seed=order.randrange(1000), minimal=True):
        solution = solve(board).solutions[0]
        grid = Grid(board.givens)
        slow = order.randrange(40)
        for number, finding in enumerate(steps(grid)):
            assert_true([finding], solution)
            if number % 8 == 0:
                last = len(TECHNIQUES) if number // 8 == slow // 8 else -SLOW
                for find in TECHNIQUES[:last]:
                    assert_true(list(islice(find(grid), 20)), solution)
        assert all(
            not value or value == true for value, true in zip(grid.values, solution, strict=True)
        )


@pytest.mark.parametrize("text", [*KNOWN][-3:-2])
def test_each_step_changes_the_grid(text: str) -> None:
    grid = Grid([int(symbol) if symbol != "." else 0 for symbol in text])
    for finding in steps(grid):
        after = grid.copy()
        apply(finding, after)
        assert sum(map(len, map(values_of, after.candidates))) < sum(
            map(len, map(values_of, grid.candidates))
        )


def test_boards_that_the_scale_is_not_for_are_refused_with_the_reason() -> None:
    text = next(iter(KNOWN))
    with pytest.raises(UnsupportedError, match="got x with 9 values; use the scale"):
        rate(text, variant="x", scale="explainer")
    with pytest.raises(InputError, match="expected a board with one solution, got one with sev"):
        rate("." * 81, scale="explainer")
    with pytest.raises(InputError, match="techniques: the explainer's scale has its own"):
        rate(text, scale="explainer", techniques="all")  # type: ignore[call-overload]
    with pytest.raises(InputError, match="scale: expected a known one, got 'explorer'; did you"):
        rate(text, scale="explorer")  # type: ignore[call-overload]
    assert rate("11" + "." * 79, scale="explainer").outcome is Ending.CONTRADICTION


def test_a_rating_on_the_scale_ends_at_its_time_limit() -> None:
    with pytest.raises(TimeLimitError, match=r"time limit of 0\.01 s reached"):
        rate([*KNOWN][-1], scale="explainer", time_limit=0.01)
