from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.volume import volume
from unidoku import Board, Layout, Unit, is_solution, layout
from unidoku.backends.adapters.norvig import Norvig
from unidoku.backends.base import Request
from unidoku.core.rules import Greater, Thermo
from unidoku.core.verify.arrays import wrong_grids
from unidoku.testing.strategies import named_layouts, ruled_layouts, unit_systems

GRID = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)


def wrong(board_layout: Layout, cells: list[list[int]], grids: list[list[int]]) -> list[int]:
    indices = wrong_grids(board_layout, np.array(cells, np.uint8), np.array(grids, np.uint8))
    return [int(index) for index in indices]


def test_solutions_are_not_named() -> None:
    givens = [1, *[0] * 15]
    assert wrong(layout("classic", 4), [givens, [0] * 16], [list(GRID), list(GRID)]) == []
    assert wrong_grids(layout(), np.zeros((0, 81), np.uint8), np.zeros((0, 81), np.uint8)).size == 0


def test_each_wrong_grid_is_named_by_its_index() -> None:
    ignores_a_given = [2, *[0] * 15]
    nothing = [0] * 16
    swapped = [2, 1, *GRID[2:]]
    missing = [0, *GRID[1:]]
    too_large = [5, *GRID[1:]]
    grids = [list(GRID), list(GRID), swapped, missing, too_large, list(GRID)]
    cells = [nothing, ignores_a_given, nothing, nothing, nothing, nothing]
    assert wrong(layout("classic", 4), cells, grids) == [1, 2, 3, 4]


@settings(max_examples=volume(30))
@given(ruled_layouts(), st.integers(0, 2**32))
def test_rules_are_kept_and_broken_by_many_grids_as_by_each_alone(small: Layout, seed: int) -> None:
    free = Layout(small.n, (), small.positions, small.rules, first_value=small.first_value)
    grids = np.random.default_rng(seed).integers(1, small.n + 1, (60, len(small)), np.uint8)
    alone = [any(True for _ in free.broken(grid)) for grid in grids.tolist()]
    nothing = np.zeros_like(grids)
    assert wrong_grids(free, nothing, grids).tolist() == np.flatnonzero(alone).tolist()


def test_a_rule_that_is_not_ours_is_asked_of_each_grid() -> None:
    class Rising(Thermo):
        """A rule that looks at cells which it does not name."""

        def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
            yield from () if list(values) == sorted(values) else (self.line,)

    small = Layout.from_units(4, [], shape=(1, 4), rules=[Rising((0, 1)), Thermo((2, 3))])
    grids = [[1, 2, 3, 4], [1, 2, 4, 3], [1, 2, 1, 2], [1, 2, 2, 3]]
    assert wrong(small, [[0] * 4] * 4, grids) == [1, 2]


def test_a_rule_that_is_not_ours_is_asked_about_all_its_pairs_together() -> None:
    class GreaterOnce(Greater):
        """A rule of which one pair at most may rise."""

        def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
            rising = [(a, b) for a, b in self.pairs if values[a] < values[b]]
            yield from rising[1:]

    small = Layout.from_units(4, [], shape=(1, 4), rules=[GreaterOnce(((0, 1), (2, 3)))])
    assert wrong(small, [[0] * 4] * 2, [[1, 2, 2, 1], [1, 2, 3, 4]]) == [1]


def test_cells_without_units_must_hold_values_too() -> None:
    loose = Layout.from_units(3, [[0, 1]], shape=(1, 3))
    assert wrong(loose, [[0, 0, 0]] * 4, [[1, 2, 3], [1, 2, 0], [1, 2, 4], [1, 2, 255]]) == [
        1,
        2,
        3,
    ]


@pytest.mark.parametrize("n", [1, 2, 7, 8, 15, 16, 31, 32, 63, 64, 65, 100, 127, 128, 144])
def test_any_size_up_to_the_largest_is_checked(n: int) -> None:
    latin = layout("latin", n)
    grid = [(row + column) % n + 1 for row in range(n) for column in range(n)]
    beyond = [n + 1 if value == n else value for value in grid]
    grids = [grid, beyond] + [
        [other if cell == index else value for cell, value in enumerate(grid)]
        for index in {0, n * n - 1}
        for other in {1 + grid[index] % n, 0, 255}
        if other != grid[index]
    ]
    assert wrong(latin, [[0] * n * n] * len(grids), grids) == list(range(1, len(grids)))


@pytest.mark.parametrize("n", [9, 70, 144])
def test_units_smaller_than_n_are_checked(n: int) -> None:
    row = Layout.from_units(n, [Unit(tuple(range(n - 1)))], shape=(1, n - 1))
    grid = list(range(2, n + 1))
    twice = [*grid[:-1], grid[0]]
    assert wrong(row, [[0] * (n - 1)] * 2, [grid, twice]) == [1]


def test_many_blocks_are_one_answer() -> None:
    grids = np.tile(np.array(GRID, np.uint8), (100_000, 1))
    grids[[3, 50_000, 99_999], 0] = 2
    cells = np.zeros_like(grids)
    assert wrong_grids(layout("classic", 4), cells, grids).tolist() == [3, 50_000, 99_999]


def test_arrays_of_other_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="expected two arrays of shape"):
        wrong_grids(layout(), np.zeros((2, 81), np.uint8), np.zeros((1, 81), np.uint8))


@given(unit_systems() | named_layouts(), st.data())
def test_it_agrees_with_the_checker_of_single_grids(
    board_layout: Layout, data: st.DataObject
) -> None:
    result = Norvig().search(Board.empty(board_layout), Request(solutions=3, node_limit=1000))
    grids = [list(grid) for grid in result.solutions]
    cell = st.integers(0, len(board_layout) - 1)
    value = st.integers(0, board_layout.n + 1)
    for grid in [*grids, [1] * len(board_layout)]:
        mutated = list(grid)
        for position, other in data.draw(st.lists(st.tuples(cell, value), max_size=3)):
            mutated[position] = other
        grids.append(mutated)
    cells = []
    for grid in grids:
        remaining = data.draw(st.sets(cell, max_size=4))
        cells.append(
            [
                grid[k] if k in remaining and grid[k] <= board_layout.n else 0
                for k in range(len(grid))
            ]
        )
        if data.draw(st.booleans()):
            cells[-1][data.draw(cell)] = data.draw(st.integers(1, board_layout.n))
    expected = [
        index
        for index, grid in enumerate(grids)
        if not is_solution(Board.from_values(board_layout, cells[index]), grid)
    ]
    assert wrong(board_layout, cells, grids) == expected
