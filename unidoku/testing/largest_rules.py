"""Empty boards with the largest rule of each kind: their models take longest to build."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import product

from unidoku.core import rules
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.rules import Rule
from unidoku.core.variants import layout
from unidoku.testing.rules import RULE_KINDS

N = 9
"""Values of the boards that have none in their name."""

CELLS = tuple(range(N * N))
GRID = tuple((row * 3 + row // 3 + column) % N + 1 for row, column in product(range(N), repeat=2))
REGIONS = tuple(range(N * N, 2 * N * N))
"""The hidden cells with the numbers of the regions."""


def largest_board(name: str) -> Board:
    """Return the empty board of a name in `LARGEST`."""
    return Board.empty(LARGEST[name]())


_CHAINS = ("between", "lockout", "skyscraper", "sandwich", "x-sum", "nonogram", "sum-line")


def _with(*added: Rule, n: int = N) -> Layout:
    return replace(layout("classic", n), rules=added)


def _long(kind: str) -> Layout:
    """Return a layout with a rule of all cells, as the maker of random rules makes it."""
    return _with(RULE_KINDS[kind](random.Random(1), CELLS, GRID, N).bind(layout("classic", N)))


def _in_regions(n: int, *others: Rule) -> Layout:
    """Return a layout whose regions are to be found, with other rules about them."""
    cells = n * n
    hidden = ((1 << n) - 1,) * cells
    numbers = tuple(range(cells, 2 * cells))
    chaos = rules.ChaosConstruction(tuple(range(cells)), numbers, n)
    return replace(layout("latin", n), hidden=hidden, rules=(chaos, *others))


def _sums(branches: int) -> rules.AnyOf:
    """Return alternatives of sums, each of more cells than the one before."""
    return rules.AnyOf(
        tuple((rules.SumOfCells(CELLS[: 20 + k], 5 * (20 + k)),) for k in range(branches))
    )


def _rows(cells: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [cells[start : start + N] for start in range(0, len(cells), N)]


def _ranks() -> Iterator[Rule]:
    """Yield a rank for each row and column, from both ends: each clue of a full rank."""
    lines = [*_rows(CELLS), *[CELLS[column::N] for column in range(N)]]
    lines += [line[::-1] for line in lines]
    numbers = [[GRID[cell] for cell in line] for line in lines]
    for line, number in zip(lines, numbers, strict=True):
        others = tuple(cell for other in lines if other != line for cell in other)
        rank = 1 + sum(other < number for other in numbers)
        yield rules.FullRank(line, rank, others, ties=True)


_SPECIAL: Mapping[str, Callable[[], Layout]] = {
    "any-of": lambda: _with(_sums(61)),
    "any-of of two sums": lambda: _with(_sums(2)),
    "any-of of chains": lambda: _with(
        rules.AnyOf(
            tuple((RULE_KINDS[kind](random.Random(1), CELLS, GRID, N),) for kind in _CHAINS)
        )
    ),
    "chaos-construction": lambda: _in_regions(N),
    "chaos-construction 12x12": lambda: _in_regions(12),
    "connected": lambda: _with(rules.Connected(CELLS, (1, 2, 3, 4), N)),
    "count-distinct": lambda: _with(rules.CountDistinct((0,), CELLS[1:])),
    "counting-circles": lambda: _with(rules.CountingCircles(CELLS[:45])),
    "equality-cage": lambda: _with(rules.EqualityCage(CELLS[:80], 5)),
    "full-rank": lambda: _with(next(_ranks())),
    "full-rank of all lines": lambda: _with(*_ranks()),
    "hits": lambda: _with(rules.Hits(CELLS, tuple((value,) for value in range(1, N)))),
    "holds": lambda: _with(rules.Holds(CELLS[:17], (1, 1, 2, 2, 3, 3, 4, 5, 6))),
    "kenken": lambda: _with(rules.KenKen(CELLS, sum(GRID), "+")),
    "killer": lambda: _with(rules.Killer(CELLS[:9], 45)),
    "product": lambda: _with(RULE_KINDS["product"](random.Random(1), CELLS[:20], GRID[:20], N)),
    "region-count": lambda: _in_regions(N, rules.RegionCount((0,), REGIONS)),
    "region-run": lambda: _in_regions(
        N, *[rules.RegionRun((cell,), line) for cell, line in enumerate(_rows(REGIONS))]
    ),
    "rellik": lambda: _with(rules.Rellik(CELLS[:16], 200)),
    "renban": lambda: _with(rules.Renban(CELLS[:9])),
    "weighted-sum": lambda: _with(rules.WeightedSum(CELLS, tuple(range(-40, 41)), 0)),
    "weighted-sum of large weights": lambda: _with(
        rules.WeightedSum(CELLS[::9], tuple(11**k for k in range(9)), 10**9)
    ),
    "sum 25x25": lambda: replace(
        layout("classic", 25), rules=(rules.SumOfCells(tuple(range(625)), 25 * 25 * 13),)
    ),
    "no rule, latin 25x25": lambda: layout("latin", 25),
    "no rule, classic 36x36": lambda: layout("classic", 36),
}

LARGEST: Mapping[str, Callable[[], Layout]] = {
    **{kind: partial(_long, kind) for kind in RULE_KINDS if kind not in _SPECIAL},
    **_SPECIAL,
}
"""Layouts by a name that begins with the kind of rule, each with rules of as many cells as can be.
"""
