"""The steps that make a puzzle: numbers, grids, digging, walking."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.volume import volume
from unidoku import Board, Layout, layout, load
from unidoku.core.verify.boards import verify
from unidoku.generation.dig import dig, minimality
from unidoku.generation.grids import RandomTable, random_grids
from unidoku.generation.oracle import Cells, Oracle
from unidoku.generation.request import SYMMETRIES, clue_counts, orbits
from unidoku.generation.walk import neighbours
from unidoku.testing.strategies import unit_systems

SMALL = layout("classic", 4)


def oracle(where: Layout = SMALL) -> Oracle:
    return Oracle(load("native"), where)


def numbers(seed: int, *shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
    return np.random.default_rng(seed).integers(0, 1 << 32, shape, np.uint32)


def grids(where: Layout, count: int, seed: int = 1) -> Cells:
    return random_grids(oracle(where), numbers(seed, count, len(where), where.n))


@given(st.integers(0, 2**64 - 1), st.integers(1, 40), st.integers(0, 10**12))
def test_a_row_of_numbers_is_the_same_in_any_part_of_the_table(
    seed: int, width: int, first: int
) -> None:
    table = RandomTable(seed, width)
    whole = table.rows(first, 9)
    assert whole.shape == (9, width)
    assert (table.rows(first + 4, 3) == whole[4:7]).all()


def test_rows_and_seeds_differ() -> None:
    rows = np.concatenate([RandomTable(seed, 8).rows(0, 50) for seed in (1, 2)])
    assert len(np.unique(rows, axis=0)) == 100


@given(unit_systems(), st.integers(0, 100))
@settings(max_examples=volume(10))
def test_full_grids_are_solutions_of_the_empty_board(where: Layout, seed: int) -> None:
    empty = Board.empty(where)
    can_be_filled = load("sat").solve(empty).count
    for row in grids(where, 3, seed).tolist():
        if can_be_filled:
            assert not list(verify(empty, tuple(row)))
        else:
            assert not any(row)


def test_every_full_grid_of_a_small_board_comes_about_as_often() -> None:
    distinct, times = np.unique(grids(SMALL, 288 * 20), axis=0, return_counts=True)
    assert len(distinct) == 288
    # The board has two kinds of grids, of 96 and 192; within each all are equally likely.
    assert times.min() > 3
    assert times.max() < 60


def test_batches_and_single_grids_are_the_same() -> None:
    order = numbers(1, 6, 16, 4)
    together = random_grids(oracle(), order)
    one_by_one = [random_grids(oracle(), order[k : k + 1])[0] for k in range(6)]
    assert (together == one_by_one).all()


@pytest.mark.parametrize("symmetry", ["none", "rotational", "full"])
def test_digging_several_at_once_leaves_what_one_after_the_other_leaves(symmetry: str) -> None:
    where = layout("x", 6)
    groups = orbits(where, symmetry)
    full = grids(where, 4)
    order = numbers(2, 4, len(groups))
    dug = dig(oracle(where), full, groups, order, np.zeros(4, np.intp))
    for grid, priority, given_cells in zip(full, order, dug, strict=True):
        cells = grid.copy()
        for group in priority.argsort(kind="stable"):
            trial = cells.copy()
            trial[list(groups[group])] = 0
            if oracle(where).ask(trial[None]).unique[0]:
                cells = trial
        assert (cells == given_cells).all()


def test_digging_stops_at_the_number_of_clues_asked_for() -> None:
    where = layout("classic", 6)
    asked = np.array([20, 25, 36])
    dug = dig(oracle(where), grids(where, 3), orbits(where, "none"), numbers(3, 3, 36), asked)
    assert np.count_nonzero(dug, axis=1).tolist() == asked.tolist()


def test_a_given_that_can_go_is_no_proof_of_minimality() -> None:
    minimal = np.array([Board.parse("1... ..2. .3.. ...4").givens], np.uint8)
    grid = load("sat").solve(Board.parse("1... ..2. .3.. ...4")).solutions[0]
    loose = minimal.copy()
    loose[0, 1] = grid[1]
    yes, no = minimality(oracle(), np.concatenate([minimal, loose]))
    assert yes.tolist() == [True, False]
    assert no.tolist() == [False, True]


def test_neighbours_are_the_boards_that_one_given_more_makes_unique() -> None:
    rest = np.array([Board.parse("1... ..2. .3.. ....").givens], np.uint8)
    boards = neighbours(oracle(), rest, np.random.default_rng(1))
    expected = []
    for cell in np.flatnonzero(rest[0] == 0):
        for value in range(1, 5):
            board = rest[0].copy()
            board[cell] = value
            if load("norvig").solve(Board.from_values(SMALL, board.tolist()), solutions=2).unique:
                expected.append(board.tolist())
    assert sorted(boards.tolist()) == sorted(expected) != []


def test_a_quarter_turn_moves_four_cells_and_keeps_the_centre() -> None:
    sizes = sorted(map(len, orbits(layout("classic"), "quarter")))
    assert sizes == [1] + [4] * 20


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_orbits_hold_every_cell_once(symmetry: str) -> None:
    where = layout("samurai", 4)
    cells = [cell for orbit in orbits(where, symmetry) for cell in orbit]
    assert sorted(cells) == list(where.cells)


@given(st.lists(st.integers(1, 4), max_size=8))
def test_clue_counts_are_the_sums_of_orbits(sizes: list[int]) -> None:
    sums = {0}
    for size in sizes:
        sums |= {total + size for total in sums}
    assert clue_counts(sizes) == tuple(sorted(sums))
