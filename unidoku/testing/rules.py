"""Random rules of every kind, which a known grid keeps where one is given."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from math import prod
from types import MappingProxyType

from unidoku.core.layout import Grid, Layout
from unidoku.core.rules import (
    AnyOf,
    Arrow,
    Between,
    Contains,
    CountDistinct,
    CountingCircles,
    DiffersBy,
    DifferWhere,
    EqualityCage,
    Flatmates,
    FullRank,
    Greater,
    HiddenSkyscraper,
    Hits,
    Holds,
    Indexed,
    KenKen,
    Killer,
    Line,
    LinesDiffer,
    Lockout,
    Lunchbox,
    NonConsecutive,
    NonogramLine,
    NoThreeEqual,
    NumberedRoom,
    Pairs,
    PairSum,
    Palindrome,
    Product,
    Ratio,
    RegionCount,
    RegionRun,
    Rellik,
    Renban,
    Rule,
    SameMultiset,
    SameSum,
    Sandwich,
    Skyscraper,
    SumLine,
    SumOfCells,
    Thermo,
    WeightedSum,
    Whispers,
    XSum,
)
from unidoku.core.shapes import Pair
from unidoku.errors import LayoutError
from unidoku.testing import random_regions

__all__ = ["IMPOSSIBLE_SUMS", "KNOWN_SUMS", "RULE_KINDS", "random_rule", "with_rules"]

_LONGEST = 5
"""The most cells of a line or a cage."""

_MEETS = 0.1
"""How many of the rules speak of a cell twice, as of a line that meets itself."""

_TRIES = 20
"""Cells that are tried until the grid keeps a rule of them."""


def with_rules(rng: random.Random, one: Layout, grid: Grid | None, most: int = 4) -> Layout:
    """Return the layout with some random rules besides its own; the grid keeps them."""
    rules = (random_rule(rng, one, grid) for _ in range(rng.randint(1, most)))
    made = tuple(rule for rule in rules if rule is not None)
    return replace(one, rules=(*one.rules, *made), name="custom")


def random_rule(
    rng: random.Random, one: Layout, grid: Grid | None = None, kind: str = ""
) -> Rule | None:
    """Return a random rule of a layout of two cells or more.

    Args:
        rng: source of random numbers.
        one: the layout.
        grid: values that satisfy the rule; by default any.
        kind: one of `RULE_KINDS`; any of them if empty.

    Returns:
        None if no rule of a kind is found that the grid keeps.
    """
    if len(one) < 2:
        return None
    make = RULE_KINDS[kind or rng.choice(list(RULE_KINDS))]
    for _ in range(_TRIES):
        cells = rng.sample(one.cells, rng.randint(2, min(_LONGEST, len(one))))
        values = grid or tuple(rng.randint(1, one.n) for _ in one.cells)
        # A table speaks of the values inside, all else of those that people see.
        more = 0 if make is _own else one.first_value - 1
        if rng.random() < _MEETS:
            first, other = rng.sample(range(len(cells)), 2)
            cells[first] = cells[other]
        try:
            rule = make(rng, cells, [values[cell] + more for cell in cells], one.n).bound(one)
        except LayoutError:  # the kind takes each cell once
            continue
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


def _steps(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a line of random steps, by which the values lead to an end."""
    states = [rng.randrange(4) for _ in range(len(values) + 1)]
    steps = [(rng.randrange(4), rng.randint(1, n), rng.randrange(4)) for _ in range(4 * n)]
    steps += zip(states, values, states[1:], strict=False)
    starts, ends = (rng.sample(range(4), rng.randint(0, 2)) for _ in range(2))
    return Line(tuple(cells), (states[0], *starts), tuple(steps), (states[-1], *ends), "own")


def _sandwich(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a sandwich; with luck the values have two crusts."""
    crusts = [at for at, value in enumerate(values) if value in (1, n)]
    inside = values[crusts[0] + 1 : crusts[-1]] if crusts else values[:1]
    return Sandwich(tuple(cells), sum(inside))


def _nonogram(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    filled = rng.randint(1, n)
    runs = [len(list(run)) for same, run in groupby(v == filled for v in values) if same]
    return NonogramLine(tuple(cells), tuple(runs), filled)


def _indexed(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return the place of a value; of a cell that may be on the line itself."""
    place = rng.randrange(len(cells))
    at = values[place] - 1
    value = cells[at] if at < len(cells) and rng.random() < 0.3 else rng.choice(cells)
    return Indexed((cells[place],), (value,), tuple(cells))


def _room(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    return NumberedRoom(tuple(cells), values[min(values[0], len(values)) - 1])


def _kenken(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a cage; one of two cells may be a difference or a ratio."""
    less, more = sorted(values[:2])
    by = rng.choice("+*-/")
    if by in "-/":
        return KenKen(tuple(cells[:2]), more - less if by == "-" else more // max(less, 1), by)
    return KenKen(tuple(cells), sum(values) if by == "+" else prod(values), by)


def _weighted(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a sum of any sign: the total of the values, or a number near it."""
    weights = tuple(rng.choice((-3, -2, -1, 1, 1, 2, 5)) for _ in cells)
    held = sum(weight * value for weight, value in zip(weights, values, strict=True))
    sign, more = rng.choice((("=", 0), ("!=", 1), ("<=", rng.randrange(3)), (">=", 0)))
    return WeightedSum(tuple(cells), weights, held + more, sign)


def _line_of_parts(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    total, loop = sum(values), rng.random() < 0.3
    if len(values) > 1 and sum(values[:-1]) == values[-1]:
        total = values[-1]
    return SumLine(tuple(cells), max(total, 1), loop)


def _circles(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return circles; with luck of values that come so often."""
    circles = [c for c, v in zip(cells, values, strict=True) if values.count(v) == v]
    return CountingCircles(tuple(circles or cells))


def _distinct(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a number of different values, with luck the right one."""
    for at, value in enumerate(values):
        if len(set(values[:at] + values[at + 1 :])) == value:  # type: ignore[operator]  # a list
            return CountDistinct((cells[at],), (*cells[:at], *cells[at + 1 :]))
    return CountDistinct((cells[0],), tuple(cells))


def _hits(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return classes of some values, of which each has one that is held."""
    held = list(dict.fromkeys(values))
    rng.shuffle(held)
    return Hits(tuple(cells), ((held[0],), *((one,) for one in held[1 : rng.randint(1, 3)])))


def _mates(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    return Flatmates(tuple(cells), values[0], rng.choice(values), values[1])


def _hidden(values: Sequence[int]) -> int:
    """Return the height of the first hidden tower, of the last one if none is hidden."""
    return next((v for at, v in enumerate(values) if at and v <= max(values[:at])), values[-1])


def _rank(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return the place of a line of one or two cells among others."""
    size = rng.randint(1, len(cells) // 2)
    cells, values = cells[: len(cells) // size * size], values[: len(cells) // size * size]
    numbers = [[*values[at : at + size]] for at in range(0, len(values), size)]
    rank = 1 + sum(number < numbers[0] for number in numbers)
    return FullRank(tuple(cells[:size]), rank, tuple(cells[size:]), ties=rng.random() < 0.5)


def _seen(values: Sequence[int]) -> int:
    return sum(value > max(values[:at], default=0) for at, value in enumerate(values))


def _ends_first(cells: Sequence[int], values: Sequence[int]) -> tuple[int, ...]:
    """Return cells in a line whose ends hold the least and the largest value."""
    order = sorted(range(len(cells)), key=values.__getitem__)
    return tuple(cells[place] for place in order)


def _halves(cells: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    half = len(cells) // 2
    return tuple(cells[:half]), tuple(cells[half : 2 * half])


def _same_values(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return two groups of cells; with luck, cells of the same value are one in each."""
    order = sorted(range(len(cells)), key=values.__getitem__)
    some = [cells[place] for place in order[len(cells) % 2 :]]
    return SameMultiset(tuple(some[::2]), tuple(some[1::2]))


def _lunchbox(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    first, last = sorted((values.index(min(values)), values.index(max(values))))
    return Lunchbox(tuple(cells), sum(values[first + 1 : last]))


def _any_of(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return some branches of rules of some of the cells, the first of which the values keep."""
    # A table speaks of the values inside, and branches in branches are seldom enough.
    unfit = {"pairs"} if rng.random() < 0.2 else {"pairs", "any-of"}
    kinds = [make for kind, make in RULE_KINDS.items() if kind not in unfit]
    branches: list[tuple[Rule, ...]] = []
    for _ in range(rng.randint(2, 3)):
        held = [rng.randint(1, n) for _ in values] if branches else values
        rules = [rng.choice(kinds)(rng, cells, held, n) for _ in range(rng.randint(1, 2))]
        branches.append(tuple(rules))
    return AnyOf(tuple(branches))


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
            "same-sum": lambda rng, cells, values, n: SameSum(tuple(cells[:1]), tuple(cells[1:])),
            "product": lambda rng, cells, values, n: Product(tuple(cells), prod(values)),
            "kenken": _kenken,
            "weighted-sum": _weighted,
            "equality-cage": lambda rng, cells, values, n: EqualityCage(
                tuple(cells[: len(cells) // 2 * 2]), max(values) + rng.randrange(2)
            ),
            "rellik": lambda rng, cells, values, n: Rellik(
                tuple(cells[: rng.randint(2, 3)]), values[0] + rng.randint(0, n)
            ),
            "hits": _hits,
            "counting-circles": _circles,
            "count-distinct": _distinct,
            "differ-where": lambda rng, cells, values, n: DifferWhere(
                (cells[0],), rng.choice(values), tuple(cells[1:])
            ),
            "sum-line": _line_of_parts,
            "flatmates": _mates,
            "full-rank": _rank,
            "hidden-skyscraper": lambda rng, cells, values, n: HiddenSkyscraper(
                tuple(cells), _hidden(values)
            ),
            "contains": lambda rng, cells, values, n: Contains(
                tuple(cells), tuple(rng.sample(values, rng.randint(1, 2))), rng.random() < 0.3
            ),
            "between": lambda rng, cells, values, n: Between(_ends_first(cells, values)),
            "lockout": lambda rng, cells, values, n: Lockout(
                tuple(cells), abs(values[0] - values[-1])
            ),
            "no-three-equal": lambda rng, cells, values, n: NoThreeEqual(tuple(cells)),
            "lines-differ": lambda rng, cells, values, n: LinesDiffer(*_halves(cells)),
            "indexed": _indexed,
            "line": _steps,
            "sandwich": _sandwich,
            "x-sum": lambda rng, cells, values, n: XSum(tuple(cells), sum(values[: values[0]])),
            "skyscraper": lambda rng, cells, values, n: Skyscraper(tuple(cells), _seen(values)),
            "numbered-room": _room,
            "nonogram": _nonogram,
            "holds": lambda rng, cells, values, n: Holds(
                tuple(cells[:2]), tuple(dict.fromkeys((*values[:2], rng.randint(1, n))))
            ),
            "same-values": _same_values,
            "lunchbox": _lunchbox,
            "connected": random_regions.connected,
            "chaos-construction": random_regions.chaos,
            "region-count": random_regions.of_a_region(RegionCount),
            "region-run": random_regions.of_a_region(RegionRun),
            "any-of": _any_of,
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
