"""Rules about many lines or pairs of a grid, for which native has propagators of its own.

Its solutions are compared with those of backends that get other constraints for the same rules.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, combinations

import pytest

import unidoku
from tests.helpers.volume import volume
from unidoku import Board, Layout, Stop
from unidoku.core import rules
from unidoku.core.rules.classes import thirds
from unidoku.formats.meanings import entropic

Line = tuple[int, ...]
Grid = Sequence[int]
Make = Callable[[random.Random, Grid, int], Iterator[rules.Rule]]

SIZES = (4, 6, 6, 9)
"""Numbers of values of the grids that are drawn from."""

WRONG = 0.03
"""Share of clues that the grid need not satisfy."""


@cache
def solution(variant: str, n: int, seed: int) -> Line:
    """Return a grid of a variant, one of a few."""
    first = random.Random(seed).sample(range(1, n + 1), n)
    board = Board.from_values(unidoku.layout(variant, n), [*first, *[0] * (n * n - n)])
    return unidoku.solve(board, backend="native").solutions[0]


def lines_of(n: int) -> list[Line]:
    """Return the rows and columns of a square grid."""
    rows = [tuple(range(n * row, n * row + n)) for row in range(n)]
    return [*rows, *zip(*rows, strict=True)]


def diagonals_of(n: int) -> list[Line]:
    """Return all diagonals of two cells or more, in both directions."""
    square = [*map(divmod, range(n * n), [n] * n * n)]
    down = [[n * r + c for r, c in square if r - c == k] for k in range(2 - n, n - 1)]
    up = [[n * r + c for r, c in square if r + c == k] for k in range(1, 2 * n - 2)]
    return [*map(tuple, down + up)]


def values_on(grid: Grid, cells: Line) -> list[int]:
    """Return the values of cells."""
    return [grid[cell] for cell in cells]


def amiss(rng: random.Random) -> int:
    """Return what is added to a clue: mostly 0."""
    return rng.choice((-1, 1)) if rng.random() < WRONG else 0


def ranks(rng: random.Random, grid: Grid, n: int) -> Iterator[rules.Rule]:
    """Yield ranks among all lines, read from both ends, by either rule of ties or by both."""
    lines = [*lines_of(n), *(line[::-1] for line in lines_of(n))]
    ties = rng.choice((True, False, None))
    for line in rng.sample(lines, rng.randint(1, n)):
        others = [other for other in lines if other != line]
        number = values_on(grid, line)
        rank = 1 + sum(values_on(grid, other) < number for other in others) + amiss(rng)
        tied = rng.random() < 0.5 if ties is None else ties
        yield rules.FullRank(line, min(max(rank, 1), 4 * n), tuple(chain(*others)), ties=tied)
    if rng.random() < 0.3:
        yield from (rules.LinesDiffer(a, b) for a, b in rng.sample([*combinations(lines, 2)], n))


def sandwiches(rng: random.Random, grid: Grid, n: int) -> Iterator[rules.Rule]:
    """Yield sums between the least and largest values of lines, and of parts of them."""
    for line in rng.sample(lines_of(n), rng.randint(2, 2 * n)):
        part = line if rng.random() < 0.6 else line[: rng.randint(3, n)]
        values = values_on(grid, part)
        start, end = sorted((values.index(min(values)), values.index(max(values))))
        total = max(0, sum(values[start + 1 : end]) + amiss(rng))
        yield rules.Sandwich(part, total) if part == line else rules.Lunchbox(part, total)


def doppelgangers(rng: random.Random, grid: Grid, n: int) -> Iterator[rules.Rule]:
    """Yield that cells differ where others have values, which may be cells of these."""
    for _ in range(rng.randint(5, 25)):
        where, value = rng.choice([*enumerate(grid)])
        if rng.random() < 0.4:
            value = rng.randint(1, n)
        others = rng.sample(range(n * n), rng.randint(2, 5))
        rule = rules.DifferWhere((where,), value, tuple(others))
        if not any(rule.broken(grid)) or rng.random() < WRONG:
            yield rule


def peers_by_value(rng: random.Random, grid: Grid, n: int) -> Iterator[rules.Rule]:
    """Yield that cells as many steps apart as a value says do not both have it."""
    far: dict[int, list[tuple[int, int]]] = {}
    for a, b in combinations(range(n * n), 2):
        steps = abs(a // n - b // n) + abs(a % n - b % n)
        if steps <= n and (not grid[a] == grid[b] == steps or rng.random() < WRONG / 10):
            far.setdefault(steps, []).append((a, b))
    for steps, pairs in far.items():
        yield rules.Pairs(tuple(pairs), partial(_not_both, steps), "taxicab")


def _not_both(value: int, a: int, b: int) -> bool:
    return not a == b == value


def cages(rng: random.Random, grid: Grid, n: int) -> Iterator[rules.Rule]:
    """Yield long cages of cells that differ in the grid, some of which meet diagonals."""
    for _ in range(rng.randint(1, 4)):
        cells: dict[int, int] = {}
        for cell in rng.sample(range(n * n), n * n):
            cells.setdefault(grid[cell], cell)
        cage = tuple(rng.sample([*cells.values()], rng.randint(n // 2, n)))
        yield rules.Killer(cage, sum(values_on(grid, cage)) + amiss(rng))


def little_killers(rng: random.Random, grid: Grid, n: int) -> Iterator[rules.Rule]:
    """Yield sums of diagonals; many of the boards have no solution."""
    for line in rng.sample(diagonals_of(n), rng.randint(1, 2 * n)):
        yield rules.SumOfCells(line, max(1, sum(values_on(grid, line)) + amiss(rng)))


def entropy(rng: random.Random, grid: Grid, n: int) -> Iterator[rules.Rule]:
    """Yield lines of low, middle and high values in turns, which may pass diagonally."""
    classes = thirds(1, n)
    class_of = {value: k for k, values in enumerate(classes) for value in values}
    for _ in range(rng.randint(1, 3)):
        line = [rng.randrange(n * n)]
        for _ in range(rng.randint(2, n + 2)):
            recent = {class_of[grid[cell]] for cell in line[-2:]}
            row, column = divmod(line[-1], n)
            around = [
                n * r + c
                for r in range(max(row - 1, 0), min(row + 2, n))
                for c in range(max(column - 1, 0), min(column + 2, n))
                if n * r + c not in line and class_of[grid[n * r + c]] not in recent
            ]
            if not around:
                break
            line.append(rng.choice(around))
        if len(line) > 2:
            yield from entropic(tuple(line), classes)
            total = sum(values_on(grid, (*line,))) + amiss(rng)
            yield rules.SumOfCells(tuple(line), total)


WANTED = 5
"""Number of solutions that are asked for: sat takes seconds for each of a 9x9 with ranks."""

MAKERS: tuple[Make, ...] = (
    ranks,
    sandwiches,
    doppelgangers,
    peers_by_value,
    cages,
    little_killers,
    entropy,
)


def board(make: Make, seed: int) -> Board:
    """Return a board with rules of a kind, with some values given and some left out."""
    rng = random.Random(f"{make.__name__} {seed}")
    n = rng.choice(SIZES)
    variant = "x" if make is cages or rng.random() < 0.2 else rng.choice(("classic", "latin"))
    grid = solution(variant, n, rng.randrange(8))
    plain = unidoku.layout(variant, n)
    layout = Layout.from_units(
        n, [unit.cells for unit in plain.units], shape=(n, n), rules=[*make(rng, grid, n)]
    )
    # Diagonals alone take minutes where few values are given.
    least = 0.3 if make is little_killers else 0
    every, givens = (1 << n) - 1, least + rng.choice((0, 0.15, 0.3))
    masks = [
        1 << value - 1
        if rng.random() < givens
        else every & (1 << value - 1 | rng.getrandbits(n) | rng.getrandbits(n))
        for value in grid
    ]
    return Board.of(layout, tuple(masks))


@pytest.mark.volume
@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("backend", ["sat", "clingo"])
def test_native_finds_the_grids_that_others_find(make: Make, backend: str) -> None:
    pytest.importorskip({"clingo": "clingo", "sat": "pysat"}[backend])
    counts = []
    for seed in range(volume(4)):
        question = board(make, seed)
        expected = unidoku.solve(question, backend=backend, solutions=WANTED, time_limit=60)
        if expected.stop is Stop.TIME:  # which is rare
            continue
        result = unidoku.solve(question, backend="native", solutions=WANTED)
        assert (result.count, result.stop) == (expected.count, expected.stop), (make, seed)
        if result.stop is Stop.EXHAUSTED:
            assert {*result.solutions} == {*expected.solutions}, (make, seed)
        counts.append(result.count)
    assert any(counts)
