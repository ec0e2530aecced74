"""Lines between whose ends the cells have a sum, in the engine that looks at the sets of these."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from tests.backends.native.alone import kinds, left, search
from tests.backends.native.checked import check_pointers
from tests.helpers.volume import volume
from unidoku import Board, Layout, Lunchbox, Request, Sandwich, Stop
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.core.bits import values_of
from unidoku.core.rules import Rule

Line = tuple[int, ...]


def layout_of(rng: random.Random, n: int, grid: Line, first: int) -> Layout:
    """Return a line that fits the grid: a full unit, or some cells that differ."""
    size = len(grid)
    start, end = sorted((grid.index(min(grid)), grid.index(max(grid))))
    total = sum(value + first - 1 for value in grid[start + 1 : end]) + (rng.random() < 0.1)
    full = size == n
    cells = tuple(range(size))
    rule: Rule = Sandwich(cells, total) if full else Lunchbox(cells, total)
    units = [range(size)] if full else []
    return Layout.from_units(n, units, shape=(1, size), rules=[rule], first_value=first)


def boards(count: int) -> Iterator[tuple[Board, list[Line]]]:
    """Yield lines with some candidates left out, and the grids by the definition."""
    for seed in range(count):
        rng = random.Random(seed)
        n, first = rng.randint(3, 6), rng.randint(0, 3)
        size = rng.choice((n, rng.randint(3, n)))
        grid = tuple(rng.sample(range(1, n + 1), size))
        layout = layout_of(rng, n, grid, first)
        every = (1 << n) - 1
        masks = [1 << value - 1 | rng.randint(0, every) | rng.randint(0, every) for value in grid]
        if rng.random() < 0.2:
            masks[rng.randrange(size)] = rng.randint(1, every)
        grids = [
            grid
            for grid in product(*map(values_of, masks))
            if len({*grid}) == size and not any(layout.rules[0].broken(grid, first))
        ]
        yield Board.of(layout, tuple(masks)), grids


@pytest.mark.usefixtures("form")
def test_no_value_of_a_grid_is_removed_and_all_grids_are_found() -> None:
    removed = 0
    for board, grids in boards(volume(300)):
        assert Propagator.SANDWICH in kinds(board.layout)
        assert Propagator.AUTOMATON not in kinds(board.layout)
        found = search(board, Request(solutions=1, node_limit=1))
        if found.stop is not Stop.EXHAUSTED:
            remaining = left(board)
            for grid in grids:
                both = zip(remaining, grid, strict=True)
                assert all(mask >> value - 1 & 1 for mask, value in both)
            removed += remaining != board.candidates
        assert sorted(search(board, Request(solutions=None)).solutions) == grids
    assert removed


def test_no_number_outside_of_its_arrays_is_read_or_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check_pointers(monkeypatch)
    for board, grids in boards(volume(20)):
        assert search(board, Request(solutions=None)).count == len(grids)
