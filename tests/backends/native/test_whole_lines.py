"""Lines that have ranks, or a sum between two ends, each treated as a whole by the engine."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, permutations, product

import pytest

import unidoku
from tests.backends.native.alone import grids, kinds, left, search
from tests.backends.native.boards import SINGLE
from tests.backends.native.checked import check_pointers
from tests.helpers.volume import volume
from unidoku import Board, FullRank, Layout, Lunchbox, Request, Sandwich, Stop
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.core.rules import LinesDiffer, Rule

Line = tuple[int, ...]


def ranked(line: Line, lines: list[Line], grid: Line, *, ties: bool) -> FullRank:
    """Return the rank that a line has in a grid."""
    others = [other for other in lines if other != line]
    number = [grid[cell] for cell in line]
    rank = 1 + sum([grid[cell] for cell in other] < number for other in others)
    return FullRank(line, rank, tuple(chain(*others)), ties=ties)


def in_a_square(rng: random.Random) -> tuple[Layout, Line]:
    """All lines of a Latin square, from both ends, where each value begins four lines."""
    n = 3
    grid = rng.choice(SQUARES)
    rows = [tuple(range(n * row, n * row + n)) for row in range(n)]
    lines = [*rows, *zip(*rows, strict=True)]
    both = [*lines, *(line[::-1] for line in lines)]
    rules: list[Rule] = [
        ranked(line, both, grid, ties=rng.random() < 0.5)
        for line in rng.sample(both, rng.randint(1, 4))
    ]
    layout = Layout.from_units(n, lines, shape=(n, n), rules=rules)
    return layout, grid


ORDERS = [*permutations((1, 2, 3))]

SQUARES = [
    rows[0] + rows[1] + rows[2]
    for rows in product(ORDERS, repeat=3)
    if all(len({*column}) == 3 for column in zip(*rows, strict=True))
]


def begun_alike(rng: random.Random) -> tuple[Layout, Line]:
    """Lines of which each value begins two, with further cells that need not differ from these."""
    first = [*rng.choice(ORDERS), *rng.choice(ORDERS)]
    grid = (*first, *(rng.randint(1, 3) for _ in range(3)))
    lines = [(cell, *rng.sample(range(6, 9), 2)) for cell in range(6)]
    rules = [ranked(line, lines, grid, ties=rng.random() < 0.5) for line in rng.sample(lines, 2)]
    return Layout.from_units(3, [(0, 1, 2), (3, 4, 5)], shape=(1, 9), rules=rules), grid


def anywhere(rng: random.Random) -> tuple[Layout, Line]:
    """Lines of cells most of which need not differ, some of which cross."""
    n, size = rng.randint(2, 4), 6
    length = rng.randint(1, 3)
    grid = tuple(rng.randint(1, n) for _ in range(size))
    lines = rng.sample([*permutations(range(size), length)], rng.randint(2, 5))
    lines += rng.choices(lines, k=rng.randint(0, 1))  # which then counts twice
    pairs = [rng.sample(range(size), 2) for _ in range(3)]
    units = [pair for pair in pairs if grid[pair[0]] != grid[pair[1]]]
    rules = [
        ranked(line, lines, grid, ties=rng.random() < 0.5)
        for line in rng.sample(lines, rng.randint(1, len(lines)))
    ]
    return Layout.from_units(n, units, shape=(1, size), rules=rules), grid


def between_ends(rng: random.Random) -> tuple[Layout, Line]:
    """A line with a sum between its ends: a full unit, or some cells that differ."""
    n, first = rng.randint(3, 6), rng.randint(0, 3)
    size = rng.choice((n, rng.randint(3, n)))
    grid = tuple(rng.sample(range(1, n + 1), size))
    start, end = sorted((grid.index(min(grid)), grid.index(max(grid))))
    total = sum(value + first - 1 for value in grid[start + 1 : end]) + (rng.random() < 0.1)
    cells = tuple(range(size))
    rule: Rule = Sandwich(cells, total) if size == n else Lunchbox(cells, total)
    units = [cells] * (size == n)
    layout = Layout.from_units(n, units, shape=(1, size), rules=[rule], first_value=first)
    return layout, grid


Make = Callable[[random.Random], tuple[Layout, Line]]


def boards(make: Make, count: int) -> Iterator[Board]:
    """Yield boards, most of which have a solution, with some candidates left out."""
    for seed in range(count):
        rng = random.Random(seed)
        layout, grid = make(rng)
        every = (1 << layout.n) - 1
        masks = [1 << value - 1 | rng.randint(0, every) | rng.randint(0, every) for value in grid]
        if rng.random() < 0.1:
            masks[rng.randrange(len(masks))] = rng.randint(1, every)
        yield Board.of(layout, tuple(masks))


MAKERS = [
    *((make, Propagator.RANK, 100) for make in (in_a_square, begun_alike, anywhere)),
    (between_ends, Propagator.SANDWICH, 300),
]
"""What makes a board, the constraint that its rules become, and how many boards are tried."""


@pytest.mark.usefixtures("form")
@pytest.mark.parametrize(("make", "kind", "number"), MAKERS)
def test_no_value_of_a_grid_is_removed_and_all_grids_are_found(
    make: Make, kind: Propagator, number: int
) -> None:
    removed = 0
    for board in boards(make, volume(number)):
        assert kind in kinds(board.layout)
        assert Propagator.AUTOMATON not in kinds(board.layout)
        expected = grids(board)
        result = search(board, Request(solutions=1, node_limit=1))
        if result.stop is not Stop.EXHAUSTED:
            remaining = left(board)
            for grid in expected:
                assert all(
                    mask >> value - 1 & 1 for mask, value in zip(remaining, grid, strict=True)
                )
            removed += remaining != board.candidates
        every = search(board, Request(solutions=None))
        assert sorted(every.solutions) == expected
    assert removed


@pytest.mark.parametrize("make", [make for make, _, _ in MAKERS])
def test_no_number_outside_of_its_arrays_is_read_or_written(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [search(board, Request()) for board in boards(make, volume(10))]
    check_pointers(monkeypatch)
    for board, result in zip(boards(make, volume(10)), expected, strict=True):
        checked = search(board, Request())
        assert (checked.count, checked.statistics["nodes"]) == (
            result.count,
            result.statistics["nodes"],
        )


def test_lines_of_a_square_differ_unless_they_cross_in_the_same_place() -> None:
    rows = [tuple(range(4 * row, 4 * row + 4)) for row in range(4)]
    columns = [*zip(*rows, strict=True)]
    cases = [
        (rows[0], rows[1], False),
        (rows[0], columns[0], True),
        (rows[0], columns[1], False),
        (rows[1], columns[2][::-1], True),
        (rows[1], rows[1][::-1], False),
    ]
    squares = SINGLE.solve(Board.empty(unidoku.layout("latin", 4)), solutions=None).solutions
    for line, other, may_be_equal in cases:
        layout = Layout.from_units(
            4, [*rows, *columns], shape=(4, 4), rules=[LinesDiffer(line, other)]
        )
        assert (Propagator.APART in kinds(layout)) == may_be_equal
        count = SINGLE.solve(Board.empty(layout), solutions=None).count
        equal = sum(
            all(grid[a] == grid[b] for a, b in zip(line, other, strict=True)) for grid in squares
        )
        assert count == 576 - equal


def test_a_cell_that_a_line_reads_twice_does_not_differ_from_itself() -> None:
    ranked_line = FullRank((3, 2), 1, (0, 0), ties=True)  # 21 is less than 22
    square = replace(unidoku.layout("latin", 2), rules=(ranked_line,))
    assert SINGLE.solve(Board(square, (2, 3, 3, 3))).solutions == ((2, 1, 1, 2),)
