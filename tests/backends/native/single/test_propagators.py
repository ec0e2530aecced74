"""Each propagator against all grids of some cells: it removes no value of any of them.

One that finds all deductions of its constraint removes all other values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from operator import mul
from random import Random

import pytest

from tests.backends.native.alone import grids, kinds, left, search
from tests.backends.native.shaped import shaped
from tests.helpers.volume import volume
from unidoku import Board, Layout, Request, Stop
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.core import rules as r
from unidoku.core.bits import mask_of
from unidoku.core.constraints.automaton import machine_of, machine_of_steps
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Region,
    Relation,
    SameValues,
    Sets,
    Sum,
    Table,
)

pytestmark = pytest.mark.usefixtures("form")

Unit = tuple[int, ...]
Case = tuple[int, int, Sequence[Unit], Sequence[r.Rule | Constraint]]
"""Number of values and cells, the units, and the rules."""


def relation(rng: Random) -> Case:
    n = rng.randint(3, 9)
    table = tuple(rng.randrange(1, 1 << n) for _ in range(n))
    return n, 2, (), [Relation(table, ((0, 1),))]


def exclusion(rng: Random) -> Case:
    n = rng.randint(3, 9)
    others = rng.sample(range(n), n)
    table = tuple((1 << n) - 1 & ~(1 << other) for other in others)
    return n, 3, (), [Relation(table, ((0, 1), (1, 2)))]


def unit(rng: Random) -> Case:
    n = rng.randint(3, 5)
    return n, n, [tuple(range(n))], []


def overlapping(rng: Random) -> Case:
    """Two units that share cells, and smaller ones across them."""
    n, shared = rng.randint(3, 4), rng.randint(1, 2)
    units = [tuple(range(n)), (*range(shared), *range(n, 2 * n - shared))]
    units += [tuple(rng.sample(range(2 * n - shared), 2)) for _ in range(2)]
    return n, 2 * n - shared, units, []


def across(rng: Random) -> Case:
    """A full unit, and cells that see several of its cells."""
    pairs = [(cell, other) for cell in (4, 5) for other in rng.sample(range(4), 3)]
    return 4, 6, [(0, 1, 2, 3), *pairs], []


def band(rng: Random) -> Case:
    boxes = [(0, 1, 4, 5), (2, 3, 6, 7)]
    return 4, 8, [(0, 1, 2, 3), (4, 5, 6, 7), *boxes], []


def sets(rng: Random) -> Case:
    n, size = rng.choice(((4, 3), (6, 3), (7, 2), (18, 2)))
    masks = {mask_of(rng.sample(range(1, n + 1), size)) for _ in range(rng.randint(1, 20))}
    return n, size, (), [Sets(tuple(range(size)), tuple(sorted(masks)))]


def weighted(rng: Random, size: int, n: int, weights: Sequence[int], width: int) -> Sum:
    middle = sum(map(mul, weights, (rng.randint(1, n) for _ in range(size))))
    return Sum(tuple(range(size)), tuple(weights), middle, middle + rng.randint(0, width))


def short_sum(rng: Random) -> Case:
    size, n = rng.randint(2, 3), rng.randint(3, 9)
    weights = [rng.choice((1, 1, -1, 2, -3)) for _ in range(size)]
    return n, size, (), [weighted(rng, size, n, weights, 2)]


def long_sum(rng: Random) -> Case:
    size, n = rng.randint(4, 5), rng.randint(2, 4)
    weights = [rng.choice((1, 1, 1, -1, 2, -3)) for _ in range(size)]
    return n, size, (), [weighted(rng, size, n, weights, 2)]


def sum_of_groups(rng: Random) -> Case:
    """Cells that differ sum up to more than their least values do."""
    n, size = rng.randint(4, 6), rng.randint(4, 5)
    sign = rng.choice((1, -1))
    cells = rng.sample(range(size), size)
    units = [tuple(cells[: rng.randint(2, min(size, n))]), tuple(cells[-2:])]
    return n, size, units, [weighted(rng, size, n, [sign] * size, 1)]


def required(rng: Random) -> Case:
    once, twice = rng.sample(range(1, 5), 2)
    return 4, 5, [(0, 1), (2, 4)], [r.Contains((0, 1, 2, 3), (once, twice, twice))]


def times(rng: Random) -> Case:
    least, value = rng.randint(0, 2), rng.randint(1, 3)
    most = least + rng.randint(0, 1)

    def step(count: int, read: int) -> int | None:
        if read != value:
            return count
        return count + 1 if count < most else None

    machine = machine_of_steps(3, 0, step, lambda count: count >= least)
    return 3, 5, [(0, 1), (2, 3)][: rng.randint(0, 2)], [Automaton((0, 1, 2, 3, 4), machine)]


def hits(rng: Random) -> Case:
    values = rng.sample(range(1, 7), 6)
    return 6, 4, (), [r.Hits((0, 1, 2, 3), (tuple(values[:2]), tuple(values[2:4]), (values[4],)))]


def matching(rng: Random) -> Case:
    pair = SameValues((0, 1, 2), (3, 4, 5))
    return rng.randint(4, 5), 6, [(0, 1, 2), (3, 4, 5)], [pair]


def counted(rng: Random) -> Case:
    return 4, 6, (), [SameValues((0, 1, 2), (3, 4, 5))]


def apart(rng: Random) -> Case:
    return 3, 6, (), [r.LinesDiffer((0, 1, 2), (3, 4, 5))]


def differ_where(rng: Random) -> Case:
    first, *others = rng.sample(range(3), 3)
    return 4, 3, (), [r.DifferWhere((first,), rng.randint(1, 4), tuple(others))]


def indexed(rng: Random) -> Case:
    index, value, *line = rng.sample(range(5), 5)
    return 4, 5, (), [r.Indexed((index,), (value,), (*line, rng.choice((index, value, line[0]))))]


def table(rng: Random) -> Case:
    n, size = rng.randint(2, 6), rng.randint(2, 4)
    rows = {tuple(rng.randint(1, n) for _ in range(size)) for _ in range(rng.randint(1, 40))}
    return n, size, (), [Table(tuple(range(size)), tuple(sorted(rows)))]


def automaton(rng: Random, *again: int) -> Case:
    n, states = rng.randint(2, 4), rng.choice((2, 5, 12, 40, 70))
    steps = [
        (rng.randrange(states), rng.randint(1, n), rng.randrange(states))
        for _ in range(rng.choice((2, 4)) * states)
    ]
    ends = rng.sample(range(states), max(1, states // 3))
    return n, 4, (), [Automaton((0, 1, 2, 3, *again), machine_of(n, [0], ends, steps))]


def repeating(rng: Random) -> Case:
    return automaton(rng, 1)


def region(rng: Random) -> Case:
    pairs = [*pairwise(range(3)), *pairwise(range(3, 6)), (0, 3), (1, 4), (2, 5)]
    low = rng.randint(1, 4)
    mask = rng.randint(1, 6)
    return 3, 6, (), [Region(tuple(range(6)), mask, tuple(pairs), low, low + 1, ())]


def alternatives(rng: Random) -> Case:
    def part() -> Constraint:
        cells = tuple(rng.sample(range(4), 2))
        total = rng.randint(2, 8)
        return Sum(cells, (1, 1), total, total)

    branches = tuple(tuple(part() for _ in range(rng.randint(1, 2))) for _ in range(3))
    return 4, 4, (), [Or(branches)]


def division(rng: Random) -> Case:
    return 3, 12, (), [r.ChaosConstruction(tuple(range(6)), tuple(range(6, 12)), 3, 3)]


def run(rng: Random) -> Case:
    _, _, _, (chaos,) = division(rng)
    return 3, 13, (), [chaos, r.RegionRun((12,), (6, 7, 8))]


def alike(rng: Random) -> Case:
    _, _, _, (chaos,) = division(rng)
    return 3, 13, (), [chaos, r.RegionCount((12,), (7, 6, 8, 10))]


Make = Callable[[Random], Case]

EXACT: dict[Make, Propagator] = {
    relation: Propagator.RELATION,
    exclusion: Propagator.EXCLUSION,
    short_sum: Propagator.SUM,
    long_sum: Propagator.SUM,
    differ_where: Propagator.DIFFER_WHERE,
    table: Propagator.TABLE,
    automaton: Propagator.AUTOMATON,
}
"""Propagators that find all deductions, with the kind of their constraint."""

SOUND: dict[Make, Propagator] = {
    unit: Propagator.UNIT,
    overlapping: Propagator.SAME,
    across: Propagator.ACROSS,
    band: Propagator.BAND,
    sets: Propagator.SETS,
    sum_of_groups: Propagator.SUM,
    required: Propagator.REQUIRED,
    times: Propagator.TIMES,
    hits: Propagator.HITS,
    matching: Propagator.MATCHING,
    counted: Propagator.COUNTED,
    apart: Propagator.APART,
    indexed: Propagator.INDEXED,
    repeating: Propagator.REPEATING,
    region: Propagator.REGION,
    alternatives: Propagator.OR,
    division: Propagator.DIVISION,
    run: Propagator.RUN,
    alike: Propagator.ALIKE,
}
"""The others."""


def boards(make: Make) -> Iterator[Board]:
    """Yield boards with some candidates left out."""
    for seed in range(volume(120)):
        rng = Random(seed)
        n, size, units, rules = make(rng)
        shaped_rules = [rule if isinstance(rule, r.Rule) else shaped(rule) for rule in rules]
        layout = Layout.from_units(n, units, shape=(1, size), rules=shaped_rules)
        open_cells = 6 if n < 5 else 4
        masks = []
        for cell in range(size):
            mask = rng.randrange(1, 1 << n) | rng.randrange(1, 1 << n)
            masks.append(mask if cell < open_cells else 1 << rng.randrange(n))
        rng.shuffle(masks)
        yield Board.of(layout, tuple(masks))


@pytest.mark.parametrize("make", [*EXACT, *SOUND], ids=lambda make: make.__name__)
def test_a_propagator_removes_no_value_of_a_grid(make: Make) -> None:
    kind, met = (EXACT | SOUND)[make], 0
    for board in boards(make):
        met += kind in kinds(board.layout)
        united = [0] * len(board.candidates)
        for grid in grids(board):
            united = [mask | 1 << value - 1 for mask, value in zip(united, grid, strict=True)]
        result = search(board, Request(solutions=1, node_limit=1))
        if result.stop is Stop.EXHAUSTED:
            assert not any(united), board.layout.rules
        elif result.stop is Stop.NODES:
            masks = left(board)
            assert all(union & ~mask == 0 for union, mask in zip(united, masks, strict=True))
            assert make in SOUND or masks == tuple(united), board.layout.rules
        else:
            assert any(united)
    assert met
