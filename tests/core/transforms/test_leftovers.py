"""The law of leftovers, against the grids of random jigsaws."""

from __future__ import annotations

from random import Random

import pytest

import unidoku
from unidoku import Board, Layout, Stop
from unidoku.core.bits import bits_of, set_of
from unidoku.core.regions import random_map
from unidoku.core.transforms.leftovers import cells_apart, leftovers, no_grid_fits

NATIVE = unidoku.load("native[engine=single]")
SAT = unidoku.load("sat")

IMPOSSIBLE = (6, 24, 49, 107)
"""Seeds of jigsaws without a grid: to refute the second takes `native` ten million nodes."""


def jigsaw(n: int, seed: object) -> Layout:
    return unidoku.layout(f"jigsaw:{random_map(n, Random(seed))}", n)  # type: ignore[arg-type]


def test_what_is_left_over_holds_the_same_values_in_every_grid() -> None:
    for seed in range(5):
        layout = jigsaw(7, seed)
        pairs = [*leftovers(layout)]
        assert len(pairs) > 5
        for grid in NATIVE.solve(Board.empty(layout), solutions=5).solutions:
            for pair in pairs:
                over, under = (sorted(grid[cell] for cell in cells) for cells in pair)
                assert over == under


def test_cells_apart_differ_in_every_grid() -> None:
    eliminated = 0
    for seed in range(10):
        layout = jigsaw(5, seed)
        grids = NATIVE.solve(Board.empty(layout), solutions=200).solutions
        if no_grid_fits(layout):
            assert not grids
            continue
        same = [0] * len(layout)  # for each cell, those that hold its value in some grid
        for grid in grids:
            places = [0] * (layout.n + 1)  # of each value
            for cell, value in enumerate(grid):
                places[value] |= 1 << cell
            same = [known | places[value] for known, value in zip(same, grid, strict=True)]
        for cell, apart in enumerate(cells_apart(layout)):
            peers = set_of(layout.peers[cell])
            assert apart & peers == peers
            assert apart & same[cell] == 0
            eliminated += len(bits_of(apart ^ peers))
    assert eliminated > 50


@pytest.mark.parametrize("seed", IMPOSSIBLE)
def test_a_search_that_finds_nothing_asks_whether_any_grid_fits(seed: int) -> None:
    layout = jigsaw(9, f"impossible {seed}")
    assert no_grid_fits(layout)
    assert SAT.solve(Board.empty(layout)).stop is Stop.EXHAUSTED
    result = NATIVE.solve(Board.empty(layout), solutions=2)
    assert (result.count, result.stop) == (0, Stop.EXHAUSTED)
    assert result.statistics["nodes"] < 10_000


def test_jigsaws_with_a_grid_are_not_refuted() -> None:
    for seed in range(10):
        layout = jigsaw(9, seed)
        assert no_grid_fits(layout) == (NATIVE.solve(Board.empty(layout)).count == 0)


def test_regular_boxes_leave_nothing_over_that_tells_cells_apart() -> None:
    for layout in (unidoku.layout(), unidoku.layout("classic", 6), unidoku.layout("latin", 25)):
        assert cells_apart(layout) == [set_of(peers) for peers in layout.peers]
