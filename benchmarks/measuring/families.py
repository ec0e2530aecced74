"""Boards with rules, of seven families, made at random: each has one solution.

A hidden grid keeps all rules. Where a board has another solution, a cage on which they differ is
split, or a cell where they do becomes a given.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, groupby, pairwise
from math import prod
from types import MappingProxyType

import unidoku
from unidoku import Board, Layout
from unidoku.core.layout import Grid
from unidoku.core.rules import (
    DiffersBy,
    Greater,
    Killer,
    LinesDiffer,
    NonogramLine,
    NoThreeEqual,
    Product,
    Ratio,
    Renban,
    Rule,
    Sandwich,
    Skyscraper,
    SumOfCells,
    Thermo,
    Whispers,
)

Made = tuple[Layout, Grid]
"""A layout with rules, and a grid that keeps them."""

_SOLVER = "sat[solver=cadical195]"


def family(name: str, count: int, seed: int = 1) -> Iterator[Board]:
    """Yield so many boards of a family, always the same ones of a seed."""
    rng = random.Random(f"{name} {seed}")
    make = FAMILIES[name]
    for _ in range(count):
        yield _proper(*make(rng), rng)


def _proper(layout: Layout, grid: Grid, rng: random.Random) -> Board:
    """Return a board of the layout whose one solution is the grid."""
    solver = unidoku.load(_SOLVER)
    givens = [0] * len(layout)
    while True:
        board = Board.from_values(layout, givens)
        found = solver.solve(board, solutions=2).solutions
        others = [other for other in found if other != grid]
        if not others:
            return board
        wrong = [cell for cell in layout.cells if others[0][cell] != grid[cell]]
        if (split := _split(layout, grid, wrong)) is not None:
            layout = split
        else:
            cell = rng.choice(wrong)
            givens[cell] = grid[cell]


def _split(layout: Layout, grid: Grid, wrong: Sequence[int]) -> Layout | None:
    """Return the layout with the largest wrong killer cage in two parts; None if it has none."""
    cages = [rule for rule in layout.rules if isinstance(rule, Killer) and len(rule.cage) > 1]
    cages = [rule for rule in cages if {*rule.cage} & {*wrong}]
    if not cages:
        return None
    cage = max(cages, key=lambda rule: len(rule.cage))
    first = next(cell for cell in cage.cage if cell in wrong)
    part = [first, *[cell for cell in cage.cage if cell in neighbours(layout, first)][:1]]
    part = part[: len(cage.cage) // 2]
    parts = (part, [cell for cell in cage.cage if cell not in part])
    new = [Killer(tuple(cells), sum(grid[cell] for cell in cells)) for cells in parts]
    return replace(layout, rules=(*[rule for rule in layout.rules if rule != cage], *new))


def neighbours(layout: Layout, cell: int, *, corners: bool = False) -> list[int]:
    """Return the neighbours of a cell."""
    row, column = layout.positions[cell]
    steps = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r or c) and (corners or not r * c)]
    places = [(row + r, column + c) for r, c in steps]
    return [layout.cell_at[position] for position in places if position in layout.cell_at]


def random_grid(layout: Layout, rng: random.Random, givens: int = 8) -> Grid:
    """Return a random grid of a layout: what is found first from some random givens."""
    solver = unidoku.load(_SOLVER)
    while True:
        values = [0] * len(layout)
        for cell in rng.sample(layout.cells, givens):
            values[cell] = rng.randint(1, layout.n)
        if found := solver.solve(Board.from_values(layout, values)).solutions:
            return found[0]


def divided(
    layout: Layout, rng: random.Random, most: int, fits: Callable[[list[int]], bool]
) -> list[list[int]]:
    """Divide the cells into regions of neighbours, of two to so many cells where they fit."""
    free = set(layout.cells)
    regions = []
    while free:
        # A cell with few free neighbours would be left alone by others.
        cell = min(free, key=lambda cell: (len(free & {*neighbours(layout, cell)}), rng.random()))
        free.remove(cell)
        region = [cell]
        size = rng.randint(2, most)
        while len(region) < size:
            more = {other for cell in region for other in neighbours(layout, cell)} & free
            options = [other for other in sorted(more) if fits([*region, other])]
            if not options:
                break
            region.append(rng.choice(options))
            free.remove(region[-1])
        regions.append(sorted(region))
    return regions


def _killer(rng: random.Random) -> Made:
    layout = unidoku.layout("classic", 9)
    grid = random_grid(layout, rng)

    def fits(cells: list[int]) -> bool:
        return len({grid[cell] for cell in cells}) == len(cells)

    cages = divided(layout, rng, 5, fits)
    rules = [Killer(tuple(cage), sum(grid[cell] for cell in cage)) for cage in cages]
    return replace(layout, rules=tuple(rules)), grid


def _kenken(rng: random.Random) -> Made:
    layout = unidoku.layout("latin", 7)
    grid = random_grid(layout, rng)
    rules = [_operation(tuple(cage), grid, rng) for cage in divided(layout, rng, 4, lambda _: True)]
    return replace(layout, rules=tuple(rules)), grid


def _operation(cage: tuple[int, ...], grid: Grid, rng: random.Random) -> Rule:
    """Return what KenKen says of a cage: its sum or product; of two cells also the others."""
    values = sorted(grid[cell] for cell in cage)
    rules: list[Rule] = [SumOfCells(cage, sum(values))]
    if len(cage) > 1:
        rules.append(Product(cage, prod(values)))
    if len(cage) == 2:
        rules.append(DiffersBy(((cage[0], cage[1]),), values[1] - values[0]))
        if values[1] % values[0] == 0:
            rules.append(Ratio(((cage[0], cage[1]),), values[1] // values[0]))
    return rng.choice(rules)


def _futoshiki(rng: random.Random) -> Made:
    layout = unidoku.layout("latin", 8)
    grid = random_grid(layout, rng)
    pairs = [(a, b) for a in layout.cells for b in neighbours(layout, a) if grid[a] > grid[b]]
    return replace(layout, rules=(Greater(tuple(sorted(rng.sample(pairs, 40)))),)), grid


def lines_of(layout: Layout) -> list[tuple[int, ...]]:
    """Return the rows and the columns of a rectangle."""
    places = layout.positions
    rows = [tuple(c for c in layout.cells if places[c][0] == row) for row in range(layout.rows)]
    return rows + [
        tuple(c for c in layout.cells if places[c][1] == at) for at in range(layout.columns)
    ]


def _skyscrapers(rng: random.Random) -> Made:
    layout = unidoku.layout("latin", 7)
    grid = random_grid(layout, rng)
    lines = [side for line in lines_of(layout) for side in (line, line[::-1])]
    rules = [Skyscraper(line, seen_from([grid[cell] for cell in line])) for line in lines]
    return replace(layout, rules=tuple(rules)), grid


def seen_from(values: Sequence[int]) -> int:
    """Return how many of the values are larger than all before them."""
    return sum(value > max(values[:at], default=0) for at, value in enumerate(values))


def _nonogram(rng: random.Random) -> Made:
    layout = Layout.from_units(2, [], shape=(15, 15))
    grid = tuple(2 if rng.random() < 0.55 else 1 for _ in layout.cells)
    rules = []
    for line in lines_of(layout):
        runs = [(value, len(list(run))) for value, run in groupby(grid[cell] for cell in line)]
        rules.append(NonogramLine(line, tuple(size for value, size in runs if value == 2), 2))
    return replace(layout, rules=tuple(rules)), grid


def _takuzu(rng: random.Random) -> Made:
    side = 10
    layout = Layout.from_units(2, [], shape=(side, side))
    lines = lines_of(layout)
    rules: list[Rule] = [NoThreeEqual(line) for line in lines]
    rules += [SumOfCells(line, side + side // 2) for line in lines]
    for same in (lines[:side], lines[side:]):
        rules += [LinesDiffer(a, b) for a, b in combinations(same, 2)]
    rng.shuffle(rules)  # or all boards would have one layout, whose models are kept
    layout = replace(layout, rules=tuple(rules))
    return layout, random_grid(layout, rng, 12)


def _lines(rng: random.Random) -> Made:
    layout = unidoku.layout("classic", 9)
    grid = random_grid(layout, rng)
    walks = (
        (6, Thermo, lambda walk: all(grid[a] < grid[b] for a, b in pairwise(walk))),
        (5, Whispers, lambda walk: all(abs(grid[a] - grid[b]) >= 5 for a, b in pairwise(walk))),
        (4, Renban, lambda walk: _in_a_run([grid[cell] for cell in walk])),
    )
    rules: list[Rule] = []
    for count, kind, fits in walks:
        rules += [kind(random_walk(layout, rng, fits)) for _ in range(count)]
    for line in rng.sample(lines_of(layout), 5):
        values = [grid[cell] for cell in line]
        low, high = sorted((values.index(1), values.index(9)))
        rules.append(Sandwich(line, sum(values[low + 1 : high])))
    return replace(layout, rules=tuple(rules)), grid


def _in_a_run(values: Sequence[int]) -> bool:
    """Tell whether values may be the first of a run: different, and within four."""
    full = len(values) < 4 or max(values) - min(values) == 3
    return full and len({*values}) == len(values) and max(values) - min(values) < 4


def random_walk(
    layout: Layout, rng: random.Random, fits: Callable[[Sequence[int]], bool]
) -> tuple[int, ...]:
    """Return four cells, each beside the one before, that fit, as their first cells do."""
    while True:
        walk = [rng.choice(layout.cells)]
        while len(walk) < 4:
            near = [c for c in neighbours(layout, walk[-1], corners=True) if c not in walk]
            options = [cell for cell in near if fits([*walk, cell])]
            if not options:
                break
            walk.append(rng.choice(options))
        else:
            return tuple(walk)


FAMILIES: Mapping[str, Callable[[random.Random], Made]] = MappingProxyType(
    {
        "killer": _killer,
        "KenKen": _kenken,
        "futoshiki": _futoshiki,
        "skyscrapers": _skyscrapers,
        "nonograms": _nonogram,
        "takuzu": _takuzu,
        "lines": _lines,
    }
)
"""What makes a board of each family."""
