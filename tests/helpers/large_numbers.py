"""Boards whose rules have numbers of any size, with their solutions: told by no code of Unidoku.

Each rule comes with a function that says in plain whole numbers whether displayed values keep it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from operator import eq, ge, le, ne
from typing import TypeAlias

from unidoku.core import rules
from unidoku.core.layout import Grid, Layout

BORDERS = tuple(2**bits for bits in (31, 32, 53, 60, 62, 63))
"""Where numbers of solvers end: whole numbers of 32 and of 64 bits, and floats."""

SIZES = (*(10**digits for digits in range(21)), *(b // n for b in BORDERS for n in (1, 3, 12)))

MOST_GRIDS = 1500
"""Assignments of a board that are tried, all of them."""

Ruled: TypeAlias = tuple[rules.Rule, Callable[[Sequence[int]], bool]]
"""A rule, and whether the displayed values of all cells keep it."""

SIGNS = {"=": eq, "!=": ne, "<=": le, ">=": ge}


def large_board(rng: random.Random, size: int) -> tuple[Layout, tuple[Grid, ...]]:
    """Return a layout of a few cells in a row, and all solutions, ascending.

    Args:
        rng: source of the choices.
        size: about how large the largest numbers of its rules are.
    """
    n, cells = rng.randint(2, 6), rng.randint(3, 5)
    while n**cells > MOST_GRIDS:
        n, cells = rng.randint(2, 6), rng.randint(3, 5)
    first = rng.choice([1, 1, 1, 0, 2, 999])
    unit = rng.sample(range(cells), rng.randint(0, min(n, cells)))
    secret = [rng.randrange(n) + first for _ in range(cells)]
    kinds = [_weighted_sum, _weighted_sum, _weighted_sum, _any_of, _of_total]
    ruled = [rng.choice(kinds)(rng, secret, size) for _ in range(rng.choice([1, 1, 2]))]
    units = [sorted(unit)] if unit else []
    layout_rules = [rule for rule, _ in ruled]
    layout = Layout.from_units(n, units, shape=(1, cells), rules=layout_rules, first_value=first)
    grids = (
        tuple(value - first + 1 for value in values)
        for values in product(range(first, first + n), repeat=cells)
        if _differ(values, unit) and all(keeps(values) for _, keeps in ruled)
    )
    return layout, tuple(grids)


def _differ(values: Sequence[int], cells: Sequence[int]) -> bool:
    return len({values[cell] for cell in cells}) == len(cells)


def _weighted_sum(rng: random.Random, secret: Sequence[int], size: int) -> Ruled:
    """Return a sum of weights that are large, nearly equal, or small, with a total nearby."""
    cells = _some_cells(rng, secret, 3)
    weights = [_weight(rng, size) for _ in cells]
    near = rng.choice([0, 0, 0, 1, -1, rng.randint(-size, size)])
    total = sum(w * secret[c] for w, c in zip(weights, cells, strict=True)) + near
    sign = rng.choice(["=", "=", "=", "<=", ">=", "!="])

    def keeps(values: Sequence[int]) -> bool:
        weighted = sum(w * values[c] for w, c in zip(weights, cells, strict=True))
        return bool(SIGNS[sign](weighted, total))

    return rules.WeightedSum(cells, tuple(weights), total, sign), keeps


def _weight(rng: random.Random, size: int) -> int:
    weight = rng.choice([rng.randint(1, 3), *[size + rng.randint(-3, 3)] * 3, rng.randint(1, size)])
    return (weight or 1) * rng.choice([1, 1, -1])


def _any_of(rng: random.Random, secret: Sequence[int], size: int) -> Ruled:
    (first, keeps_one), (other, keeps_other) = (_weighted_sum(rng, secret, size) for _ in range(2))
    return rules.AnyOf(
        ((first,), (other,))
    ), lambda values: keeps_one(values) or keeps_other(values)


def _of_total(rng: random.Random, secret: Sequence[int], size: int) -> Ruled:
    """Return a rule with a total that some values have, or one of any size."""
    cells = _some_cells(rng, secret, 2)
    kind, total_of, differ = rng.choice(_TOTALS)
    total = total_of([secret[cell] for cell in cells])
    if total is None or rng.random() < 0.3:
        total = rng.choice([1, -1]) * size

    def keeps(values: Sequence[int]) -> bool:
        reached = total_of([values[cell] for cell in cells])
        return (reached == total) and (not differ or _differ(values, cells))

    return kind(cells, total), keeps


def _some_cells(rng: random.Random, secret: Sequence[int], least: int) -> tuple[int, ...]:
    return tuple(rng.sample(range(len(secret)), rng.randint(least, len(secret))))


def _between(values: Sequence[int]) -> int:
    first, last = sorted((values.index(min(values)), values.index(max(values))))
    return sum(values[first + 1 : last])


def _first_values(values: Sequence[int]) -> int | None:
    """Return the sum of as many values as the first says, None if there are not as many."""
    return sum(values[: values[0]]) if 1 <= values[0] <= len(values) else None


_TOTALS: tuple[tuple[Callable[..., rules.Rule], Callable[[list[int]], int | None], bool], ...] = (
    (rules.Killer, sum, True),
    (rules.SumOfCells, sum, False),
    (rules.Product, prod, False),
    (lambda cells, total: rules.KenKen(cells, total, "*"), prod, False),
    (rules.Lunchbox, _between, True),
    (rules.XSum, _first_values, False),
)
"""Kinds of rules with a total: what makes them, what it is the total of, whether cells differ."""
