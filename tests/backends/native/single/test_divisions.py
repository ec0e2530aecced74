"""Regions that are to be found, in the engine that treats all of a division at once."""

from __future__ import annotations

import random

import pytest

import unidoku
from unidoku import Board, ChaosConstruction, Layout, Pairs, RegionCount, RegionRun
from unidoku.core.layout import Grid
from unidoku.core.rules import Rule

pytestmark = pytest.mark.usefixtures("form")

N = 4
FIRST = N * N
NUMBERS = tuple(range(FIRST, 2 * FIRST))
LATIN = [unit.cells for unit in unidoku.layout("latin", N).units]
SINGLE = "native[engine=single]"
TWO_ROWS = [1, 2, 3, 4, 3, 4, 1, 2] + [0] * (FIRST + 8)


def square(*rules: Rule) -> Board:
    """A Latin square, and below it the numbers of its regions."""
    chaos = ChaosConstruction(tuple(range(FIRST)), NUMBERS, N)
    return Board.empty(Layout.from_units(N, LATIN, shape=(2 * N, N), rules=[chaos, *rules]))


def grids_of(board: Board) -> set[Grid]:
    """Return all grids, which another engine finds too, each once."""
    result = unidoku.solve(board, solutions=None, backend=SINGLE)
    other = unidoku.solve(board, solutions=None, backend="sat")
    assert result.count == len({*result.solutions}) == other.count
    assert {*result.solutions} == {*other.solutions}
    return {*result.solutions}


def arms(start: int, count: int) -> tuple[int, ...]:
    """So many arms from a cell to the sides of the square."""
    row, column = divmod(start, N)
    lines = (
        [row * N + c for c in range(column, N)],
        [r * N + column for r in range(row, N)],
        [row * N + c for c in range(column, -1, -1)],
        [r * N + column for r in range(row, -1, -1)],
    )
    return tuple(FIRST + cell for line in lines[:count] for cell in line)


def clue(rng: random.Random) -> Rule:
    """A run, a count, or two cells in the same region or not."""
    start, number = rng.randrange(FIRST), rng.randrange(FIRST)
    others = [cell for cell in NUMBERS if cell != FIRST + start]
    match rng.randrange(4):
        case 0 | 1:
            return RegionRun((number,), arms(start, rng.randint(1, 4)), rng.random() < 0.3)
        case 2:
            near = (FIRST + start, *rng.sample(others, rng.randint(1, 5)))
            return RegionCount((number,), near, rng.random() < 0.3)
        case _:
            pair = (FIRST + start, rng.choice(others))
            same = rng.random() < 0.5
            return Pairs((pair,), lambda a, b: (a == b) == same)


@pytest.mark.parametrize("seed", range(6))
def test_clues_about_regions_have_the_solutions_that_other_engines_find(seed: int) -> None:
    rng = random.Random(seed)
    rules = [clue(rng) for _ in range(rng.randint(3, 5))]
    board = square(*rules)
    grids = unidoku.solve(board, solutions=30, backend="sat").solutions
    if grids:  # with a few values and numbers there are few solutions
        grid = rng.choice(grids)
        cells = {*rng.sample(range(FIRST), 3), *rng.sample(NUMBERS, seed % 3)}
        values = [value if cell in cells else 0 for cell, value in enumerate(grid)]
        board = Board.from_values(board.layout, values)
    grids_of(board)


def test_regions_are_numbered_in_order_whichever_was_found_first() -> None:
    whole = Board.from_values(square().layout, [1, 2, 3, 4, 2, 1, 4, 3] + [0] * 24)
    grids = set(unidoku.solve(whole, solutions=None, backend=SINGLE).solutions)
    assert all(list(dict.fromkeys(grid[FIRST:])) == [1, 2, 3, 4] for grid in grids)
    for number in range(1, N + 1):
        board = whole.assign(FIRST + 9, number)
        result = unidoku.solve(board, solutions=None, backend=SINGLE)
        assert set(result.solutions) == {grid for grid in grids if grid[FIRST + 9] == number}


@pytest.mark.parametrize(
    "rule",
    [
        RegionCount((2,), (FIRST + 2, 10, *NUMBERS[4:8])),
        RegionCount((FIRST + 9,), (FIRST + 2, *NUMBERS[4:8])),
        RegionRun((2,), (FIRST + 2, FIRST + 3, 10, 11)),
        Pairs(((2, FIRST + 15),), lambda a, b: a == b),
        Pairs(((0, FIRST + 15), (1, FIRST + 12)), lambda a, b: a != b),
    ],
)
def test_regions_are_told_apart_by_clues_that_compare_their_numbers_with_other_cells(
    rule: Rule,
) -> None:
    assert grids_of(Board.from_values(square(rule).layout, TWO_ROWS))


def test_regions_are_told_apart_by_a_unit_that_has_other_cells_too() -> None:
    layout = square().layout
    mixed = Layout.from_units(N, [*LATIN, (3, FIRST + 15)], shape=(2 * N, N), rules=layout.rules)
    assert grids_of(Board.from_values(mixed, TWO_ROWS))


def test_a_cell_that_no_neighbour_joins_is_refuted_without_a_guess() -> None:
    alone = square(RegionRun((0,), arms(5, 4)), RegionCount((0,), (FIRST, FIRST + 1, FIRST + 4)))
    result = unidoku.solve(alone.assign(0, 1), backend=SINGLE)
    assert (result.count, result.statistics["nodes"]) == (0, 1)


def test_a_run_through_parts_of_one_region_is_as_long_as_it_can_be() -> None:
    # The last cells are in one region with the first row, whichever that is.
    same = Pairs(((FIRST, FIRST + 3),), lambda a, b: a == b)
    board = square(same, RegionRun((0,), (*NUMBERS[:4],)))
    assert {grid[0] for grid in grids_of(board)} == {4}
