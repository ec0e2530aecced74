"""Random rules of every kind, which a known grid keeps where one is given."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

from unidoku.core.layout import Grid, Layout
from unidoku.core.rules import (
    Arrow,
    DiffersBy,
    Greater,
    Killer,
    NonConsecutive,
    Pairs,
    PairSum,
    Palindrome,
    Ratio,
    Renban,
    Rule,
    SumOfCells,
    Thermo,
    Whispers,
)
from unidoku.core.shapes import Pair

__all__ = ["IMPOSSIBLE_SUMS", "KNOWN_SUMS", "RULE_KINDS", "random_rule", "with_rules"]

_LONGEST = 5
"""The most cells of a line or a cage."""

_TRIES = 20
"""Cells that are tried until the grid keeps a rule of them."""


def with_rules(rng: random.Random, one: Layout, grid: Grid | None, most: int = 4) -> Layout:
    """Return the layout with some random rules besides its own; the grid keeps them."""
    rules = (random_rule(rng, one, grid) for _ in range(rng.randint(1, most)))
    made = tuple(rule for rule in rules if rule is not None)
    return replace(one, rules=(*one.rules, *made), name="custom")


def random_rule(rng: random.Random, one: Layout, grid: Grid | None = None) -> Rule | None:
    """Return a random rule of a layout of two cells or more.

    Args:
        rng: where chance comes from.
        one: the layout.
        grid: values that keep the rule; any if not given.

    Returns:
        None if no rule of a kind is found that the grid keeps.
    """
    if len(one) < 2:
        return None
    make = RULE_KINDS[rng.choice(list(RULE_KINDS))]
    for _ in range(_TRIES):
        cells = rng.sample(one.cells, rng.randint(2, min(_LONGEST, len(one))))
        values = grid or tuple(rng.randint(1, one.n) for _ in one.cells)
        # A table speaks of the values inside, all else of those that people see.
        more = 0 if make is _own else one.first_value - 1
        rule = make(rng, cells, [values[cell] + more for cell in cells], one.n).bound(one)
        if grid is None or not any(True for _ in rule.broken(grid, one.first_value)):
            return rule
    return None


def _pairs(cells: Sequence[int]) -> tuple[Pair, ...]:
    return tuple(pairwise(cells))


def _own(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a relation of random values, in which those of neighbours stand."""
    table = [rng.getrandbits(n) | rng.getrandbits(n) for _ in range(n)]
    for a, b in pairwise(values):
        table[a - 1] |= 1 << b - 1
    return Pairs(_pairs(cells), tuple(table), "own")


def _arrow(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return an arrow, with luck from the cell whose value is the sum of some others."""
    order = sorted(range(len(cells)), key=lambda place: -values[place])
    circle = cells[order[0]]
    shaft = [cells[place] for place in order[1:]]
    return Arrow((circle,), tuple(shaft[: rng.randint(1, len(shaft))]))


def _thermo(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    order = sorted(range(len(cells)), key=values.__getitem__)
    return Thermo(tuple(cells[place] for place in order), rng.random() < 0.3)


RULE_KINDS: Mapping[str, Callable[[random.Random, Sequence[int], Sequence[int], int], Rule]] = (
    MappingProxyType(
        {
            "non-consecutive": lambda rng, cells, values, n: NonConsecutive(_pairs(cells)),
            "greater": lambda rng, cells, values, n: Greater(
                ((cells[0], cells[1]) if values[0] > values[1] else (cells[1], cells[0]),)
            ),
            "difference": lambda rng, cells, values, n: DiffersBy(
                ((cells[0], cells[1]),), abs(values[0] - values[1]) or 1, never=rng.random() < 0.2
            ),
            "ratio": lambda rng, cells, values, n: Ratio(
                ((cells[0], cells[1]),), rng.choice((2, 2, 3)), never=rng.random() < 0.5
            ),
            "pair-sum": lambda rng, cells, values, n: PairSum(
                ((cells[0], cells[1]),), values[0] + values[1], never=rng.random() < 0.2
            ),
            "pairs": _own,
            "thermo": _thermo,
            "whisper": lambda rng, cells, values, n: Whispers(
                tuple(cells), min(abs(a - b) for a, b in pairwise(values)) or 1
            ),
            "palindrome": lambda rng, cells, values, n: Palindrome(tuple(cells)),
            "renban": lambda rng, cells, values, n: Renban(tuple(cells[:3])),
            "killer": lambda rng, cells, values, n: Killer(
                tuple(cells), None if rng.random() < 0.1 else sum(values)
            ),
            "sum": lambda rng, cells, values, n: SumOfCells(
                (*cells, cells[0]) if (twice := rng.random() < 0.2) else tuple(cells),
                sum(values) + twice * values[0],
            ),
            "arrow": _arrow,
        }
    )
)
"""The kinds of rules: each makes one of cells and the values that they may hold."""

KNOWN_SUMS: tuple[tuple[Rule, ...], ...] = (
    (Killer((0, 1, 2), 7), Killer((3, 4, 5), 8)),
    (SumOfCells((1, 2, 5), 9), Arrow((4,), (0, 5)), Killer((0, 2), 5)),
    (SumOfCells((0, 0, 4, 5, 3), 12), Renban((2, 3, 4)), Killer((0, 4))),
    (Arrow((0, 1), (2, 3, 4, 5)), SumOfCells((5,), 3)),
)
"""Rules of six cells in a row and four values that some values keep."""

IMPOSSIBLE_SUMS: tuple[tuple[Rule, ...], ...] = (
    (Killer((0, 1, 2), 5),),
    (SumOfCells((1, 4, 5), 13),),
    (SumOfCells((5,), 5),),
    (Killer((0, 1), 4), Killer((0, 1), 5)),
)
"""The same that none keep."""
