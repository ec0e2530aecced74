"""Batches of boards of one layout with rules: the lanes, and `single` one board at a time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

import unidoku
from measuring.boards import Cells, dug, thinned
from measuring.clock import in_turn, sample
from measuring.contestant import batch, compare, single
from measuring.families import beside, divided, lines_of, random_grid, random_walk, seen_from
from measuring.machine import say
from measuring.settings import Settings
from measuring.table import figure, table
from unidoku import Board, Layout, Request
from unidoku.core.layout import Grid
from unidoku.core.rules import (
    Arrow,
    DiffersBy,
    Greater,
    Killer,
    Ratio,
    Rule,
    Sandwich,
    Skyscraper,
    Thermo,
    Whispers,
)
from unidoku.core.transforms.implied import strengthened

__all__ = ["section"]

SOLVER = unidoku.load("native[engine=lanes]")
LANES = batch("native[engine=lanes]", "lanes")
SINGLE = single("native[engine=single]")

BOARDS = 4096
GRIDS = 40
"""Grids that keep the rules of a layout, of which its boards are made."""

GIVENS_OF_START = 3
"""Random givens of a board whose first solution is such a grid."""

ATTEMPTS = 20
"""How many such boards are tried for each grid; rules may leave few."""

HEAD = ("rules", "boards", "givens", "lanes, µs", "nodes", "single, µs", "nodes", "ratio")

TEXT = """\
Batches of {boards:,} boards of one 9×9 layout, which are grids that keep its rules, with cells
removed: at random, or as long as the solution stays the only one (*minimal*; fewer boards,
repeated). Microseconds a board at limit 2 on one thread, the median of {rounds} rounds in turn;
`single` searches a sample, one board at a time. *ratio* is its time over that of lanes. All counts
of solutions agree. Nothing is compiled for these layouts: the kernel is that of their units."""

Made: TypeAlias = tuple[Layout, list[Rule]]
"""A layout, and rules besides its own."""


def _killer(rng: random.Random, most: int | None) -> Made:
    one = unidoku.layout("classic")
    grid = random_grid(one, rng)
    cages = divided(one, rng, 5, lambda cells: len({grid[cell] for cell in cells}) == len(cells))
    chosen = cages if most is None else rng.sample(cages, most)
    return one, [Killer(tuple(cage), sum(grid[cell] for cell in cage)) for cage in chosen]


def _walks(
    rng: random.Random,
    variant: str,
    count: int,
    kind: Callable[[tuple[int, ...]], Rule],
    fits: Callable[[int, int], bool],
) -> Made:
    """Return lines of four cells, of which neighbours stand in a relation."""
    one = unidoku.layout(variant)
    grid = random_grid(one, rng, 4)

    def right(cells: Sequence[int]) -> bool:
        return all(fits(grid[a], grid[b]) for a, b in pairwise(cells))

    return one, [kind(random_walk(one, rng, right)) for _ in range(count)]


def _kropki(rng: random.Random) -> Made:
    one = unidoku.layout("classic")
    grid = random_grid(one, rng)
    pairs = [(a, b) for a in one.cells for b in beside(one, a) if a < b]
    white = tuple((a, b) for a, b in pairs if abs(grid[a] - grid[b]) == 1)
    black = tuple((a, b) for a, b in pairs if 2 * grid[a] == grid[b] or grid[a] == 2 * grid[b])
    return one, [DiffersBy(white, 1), Ratio(black, 2)]


def _greater(rng: random.Random) -> Made:
    one = unidoku.layout("anti-king")
    grid = random_grid(one, rng, 4)
    pairs = [(a, b) for a in one.cells for b in beside(one, a) if grid[a] > grid[b]]
    return one, [Greater(tuple(sorted(rng.sample(pairs, 40))))]


def _arrow(rng: random.Random) -> Made:
    one = unidoku.layout("classic")
    grid = random_grid(one, rng)
    rules: list[Rule] = []
    while len(rules) < 6:
        circle, *shaft = random_walk(one, rng, lambda _: True)
        if grid[circle] == sum(grid[cell] for cell in shaft):
            rules.append(Arrow((circle,), tuple(shaft)))
    return one, rules


def _outside(rng: random.Random, rule: Callable[[tuple[int, ...], list[int]], Rule]) -> Made:
    one = unidoku.layout("classic")
    grid = random_grid(one, rng)
    lines = rng.sample(lines_of(one), 6)
    return one, [rule(line, [grid[cell] for cell in line]) for line in lines]


def _sandwich(line: tuple[int, ...], values: list[int]) -> Rule:
    low, high = sorted((values.index(1), values.index(9)))
    return Sandwich(line, sum(values[low + 1 : high]))


FAMILIES: Mapping[str, tuple[int, Callable[[random.Random], Made]]] = MappingProxyType(
    {
        "killer, 12 cages": (18, lambda rng: _killer(rng, 12)),
        "killer, all cells": (6, lambda rng: _killer(rng, None)),
        "thermo, 8 of 4": (18, lambda rng: _walks(rng, "classic", 8, Thermo, int.__lt__)),
        "whispers, 6 of 4": (
            18,
            lambda rng: _walks(rng, "classic", 6, Whispers, lambda a, b: abs(a - b) >= 5),
        ),
        "kropki, all dots": (12, _kropki),
        "anti-king, 40 greater": (14, _greater),
        "anti-knight, thermo 6 of 4": (
            12,
            lambda rng: _walks(rng, "anti-knight", 6, Thermo, int.__lt__),
        ),
        "arrow, 6 of 3": (20, _arrow),
        "sandwich, 6 lines": (20, lambda rng: _outside(rng, _sandwich)),
        "skyscraper, 6 lines": (
            20,
            lambda rng: _outside(rng, lambda line, v: Skyscraper(line, seen_from(v))),
        ),
    }
)
"""How many givens are left at random, and what makes the layout."""


def section(settings: Settings, files: Mapping[str, Cells]) -> Iterator[str]:
    """Yield the lines of the section.

    Raises:
        DisagreementError: counts of solutions differ.
    """
    boards = settings.of(BOARDS)
    yield from ("## Rules", "")
    yield from (*TEXT.format(boards=boards, rounds=settings.rounds).splitlines(), "")
    families = list(FAMILIES.items())
    rows = []
    for name, (givens, make) in families[:2] if settings.quick else families:
        say(f"{name}: boards")
        rng, order = random.Random(name), np.random.default_rng(7)
        one, rules = make(rng)
        layout = replace(one, rules=(*one.rules, *rules))
        grids = _grids(layout, rng)
        share = 1 - givens / len(layout)
        removed = thinned(grids[np.arange(boards) % len(grids)], share, order)
        minimal = dug(layout, grids, len(layout), order)
        minimal = minimal[np.arange(boards) % len(minimal)]
        for kind, cells in (("random", removed), ("minimal", minimal)):
            say(f"{name}: {kind}")
            rows.append([name, kind, *_row(settings, name, layout, cells)])
    yield from table(HEAD, rows)


def _grids(layout: Layout, rng: random.Random) -> Cells:
    """Return grids that keep the rules, each what is found first from some random givens."""
    found: set[Grid] = set()
    for attempt in range(ATTEMPTS * GRIDS):
        values = [0] * len(layout)
        # At last with one given only, which most rules leave a grid for.
        for cell in rng.sample(layout.cells, GIVENS_OF_START if attempt < 10 * GRIDS else 1):
            values[cell] = rng.randint(1, layout.n)
        found |= set(SOLVER.solve(Board.from_values(layout, values), time_limit=1).solutions)
        if len(found) == GRIDS:
            break
    return np.array(sorted(found), np.uint8)


def _row(settings: Settings, name: str, layout: Layout, cells: Cells) -> Iterator[str]:
    """Yield the figures of one batch."""
    told = strengthened(layout, SOLVER.spec.capabilities.constraints, SOLVER.spec.terms)
    request = Request(solutions=2, keep=1)
    LANES.prepare(told, cells[:64])(request)
    chosen = sample(SINGLE, told, cells, request, settings.seconds)
    searches = {
        "lanes": LANES.prepare(told, cells),
        "single": SINGLE.prepare(told, cells[chosen]),
    }
    timed = in_turn(searches, request, settings.rounds)
    lanes, other = timed["lanes"], timed["single"]
    everything = lanes.found
    theirs = replace(
        everything, counts=everything.counts[chosen], answered=everything.answered[chosen]
    )
    compare(name, cells[chosen], "single", other.found, "lanes", theirs)
    yield figure(float((cells > 0).sum() / len(cells)))
    yield from (figure(lanes.micros), figure(lanes.found.nodes / len(cells)))
    yield from (figure(other.micros), figure(other.found.nodes / len(chosen)))
    yield figure(other.ratio(lanes))
