"""Sandwiches of all values, in the engine that looks at the sets between the ends."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations

import pytest

from tests.backends.native.alone import kinds, left, search
from tests.backends.native.checked import check_pointers
from tests.helpers.volume import volume
from unidoku import Board, Layout, Request, Sandwich, Stop
from unidoku.backends.native.single.search.kinds import Propagator

Line = tuple[int, ...]


def boards(count: int) -> Iterator[tuple[Board, list[Line]]]:
    """Yield lines with some candidates left out, and the grids by the definition."""
    for seed in range(count):
        rng = random.Random(seed)
        n, first = rng.randint(3, 6), rng.randint(0, 3)
        grid = rng.sample(range(1, n + 1), n)
        start, end = sorted((grid.index(1), grid.index(n)))
        total = sum(value + first - 1 for value in grid[start + 1 : end]) + (rng.random() < 0.1)
        rule = Sandwich(tuple(range(n)), total)
        layout = Layout.from_units(n, [range(n)], shape=(1, n), rules=[rule], first_value=first)
        every = (1 << n) - 1
        masks = [1 << value - 1 | rng.randint(0, every) | rng.randint(0, every) for value in grid]
        if rng.random() < 0.2:
            masks[rng.randrange(n)] = rng.randint(1, every)
        grids = [
            grid
            for grid in permutations(range(1, n + 1))
            if all(mask >> value - 1 & 1 for mask, value in zip(masks, grid, strict=True))
            and not any(layout.rules[0].broken(grid, first))
        ]
        yield Board.of(layout, tuple(masks)), grids


@pytest.mark.usefixtures("form")
def test_no_value_of_a_grid_is_removed_and_all_grids_are_found() -> None:
    removed = 0
    for board, grids in boards(volume(300)):
        assert kinds(board.layout) == {Propagator.UNIT, Propagator.SANDWICH}
        found = search(board, Request(solutions=1, node_limit=1))
        if found.stop is not Stop.EXHAUSTED:
            remaining = left(board)
            for grid in grids:
                assert all(
                    mask >> value - 1 & 1 for mask, value in zip(remaining, grid, strict=True)
                )
            removed += remaining != board.candidates
        assert sorted(search(board, Request(solutions=None)).solutions) == grids
    assert removed


def test_no_number_outside_of_its_arrays_is_read_or_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check_pointers(monkeypatch)
    for board, grids in boards(volume(20)):
        assert search(board, Request(solutions=None)).count == len(grids)
