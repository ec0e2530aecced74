"""Makers of random rules: each returns a rule of cells that their values keep, or nearly.

A maker takes the cells in the order of the rule, their displayed values, and the number of values
of the layout. With luck the values keep the rule; the caller checks that.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate, combinations, groupby, pairwise
from math import prod

from unidoku.core.constraints.primitives import Pair
from unidoku.core.rules import (
    Arrow,
    CountDistinct,
    CountingCircles,
    DiffersBy,
    Flatmates,
    FullRank,
    Greater,
    Hits,
    Holds,
    Indexed,
    KenKen,
    Line,
    Lunchbox,
    NonogramLine,
    NumberedRoom,
    Pairs,
    PairSum,
    Ratio,
    Rellik,
    Renban,
    Rule,
    SameMultiset,
    SameSum,
    Sandwich,
    SumLine,
    Thermo,
    WeightedSum,
)

SHORT = 5
"""Up to this many cells some makers leave some out: random values seldom suit more."""

_MOST_OF_RELLIK = 11
"""Cells whose subsets the checker can all look at."""


def neighbour_pairs(cells: Sequence[int]) -> tuple[Pair, ...]:
    """Return each cell with the one after it."""
    return tuple(pairwise(cells))


def pairs(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a relation of random values, in which those of neighbours stand."""
    table = [rng.getrandbits(n) | rng.getrandbits(n) for _ in range(n)]
    for a, b in pairwise(values):
        table[a - 1] |= 1 << b - 1
    return Pairs(neighbour_pairs(cells), tuple(table), "own")


def arrow(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return an arrow, with luck from cells whose number is the sum of all others, or of some."""
    number = 0
    for size in range(1, min(4, len(cells))):
        number = 10 * number + values[size - 1]
        if number == sum(values[size:]):
            return Arrow(tuple(cells[:size]), tuple(cells[size:]))
    order = sorted(range(len(cells)), key=lambda place: -values[place])
    circle = cells[order[0]]
    shaft = [cells[place] for place in order[1:]]
    return Arrow((circle,), tuple(shaft[: rng.randint(1, len(shaft))]))


def thermo(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a thermometer of rising values; of more cells than values, a slow one."""
    order = sorted(range(len(cells)), key=values.__getitem__)
    slow = rng.random() < 0.3 or len(cells) > n
    return Thermo(tuple(cells[place] for place in order), slow)


def greater(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return pairs of neighbours, of which the larger comes first."""
    neighbours = pairwise(zip(cells, values, strict=True))
    return Greater(tuple((a, b) if v > w else (b, a) for (a, v), (b, w) in neighbours))


def difference(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return the pairs that differ by as much as the first, or pairs that never do."""
    by = abs(values[0] - values[1]) or 1
    never = rng.random() < 0.2
    return DiffersBy(_first_and(cells, values, lambda v, w: (abs(v - w) == by) != never), by, never)


def ratio(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return the pairs in a ratio, or pairs that never are."""
    by, never = rng.choice((2, 2, 3)), rng.random() < 0.5
    return Ratio(
        _first_and(cells, values, lambda v, w: (v == by * w or w == by * v) != never), by, never
    )


def pair_sum(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return the pairs with the sum of the first, or pairs that never have it."""
    total, never = values[0] + values[1], rng.random() < 0.2
    return PairSum(_first_and(cells, values, lambda v, w: (v + w == total) != never), total, never)


def _first_and(
    cells: Sequence[int], values: Sequence[int], fits: Callable[[int, int], bool]
) -> tuple[Pair, ...]:
    """Return the pair of the first two cells, and the other pairs whose values fit."""
    first, *others = combinations(zip(cells, values, strict=True), 2)
    pairs = [(a, b) for (a, v), (b, w) in others if a != b and fits(v, w)]
    return ((first[0][0], first[1][0]), *pairs[: len(cells)])


def renban(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return all cells if their values are in a row, and otherwise three, with luck in a row."""
    fits = len({*values}) == len(values) == max(values) - min(values) + 1
    return Renban(tuple(cells if fits else cells[:3]))


def same_sum(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return two parts, with luck of the same sum."""
    sizes = range(1, len(cells))
    size = next((k for k in sizes if sum(values[:k]) == sum(values[k:])), 1)
    return SameSum(tuple(cells[:size]), tuple(cells[size:]))


def rellik(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return two or three cells, or up to eleven; with luck none of these have the total."""
    if len(cells) <= SHORT:
        return Rellik(tuple(cells[: rng.randint(2, 3)]), values[0] + rng.randint(0, n))
    cells, values = cells[:_MOST_OF_RELLIK], values[:_MOST_OF_RELLIK]
    sums = {0}
    for value in values:
        sums |= {total + value for total in sums}
    others = [total for total in range(1, sum(values) + n) if total not in sums]
    return Rellik(tuple(cells), rng.choice(others or [1]))


def holds(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return two cells, or all of many, that hold one of their values or of others."""
    held = 2 if len(cells) <= SHORT else len(cells)
    return Holds(tuple(cells[:held]), tuple(dict.fromkeys((*values[:held], rng.randint(1, n)))))


def line(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a line of random steps, by which the values lead to an end."""
    states = [rng.randrange(4) for _ in range(len(values) + 1)]
    steps = [(rng.randrange(4), rng.randint(1, n), rng.randrange(4)) for _ in range(4 * n)]
    steps += zip(states, values, states[1:], strict=False)
    starts, ends = (rng.sample(range(4), rng.randint(0, 2)) for _ in range(2))
    return Line(tuple(cells), (states[0], *starts), tuple(steps), (states[-1], *ends), "own")


def sandwich(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a sandwich; with luck the values have two crusts."""
    crusts = [at for at, value in enumerate(values) if value in (1, n)]
    if len(crusts) != 2:  # the least and the largest value may be others
        crusts = [at for at, value in enumerate(values) if value in (min(values), max(values))]
    inside = values[crusts[0] + 1 : crusts[-1]] if crusts else values[:1]
    return Sandwich(tuple(cells), sum(inside))


def nonogram(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return the runs of one value."""
    filled = rng.randint(1, n)
    runs = [len(list(run)) for same, run in groupby(v == filled for v in values) if same]
    return NonogramLine(tuple(cells), tuple(runs), filled)


def indexed(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return the place of a value; of a cell that may be on the line itself."""
    place = rng.randrange(len(cells))
    at = values[place] - 1
    value = cells[at] if at < len(cells) and rng.random() < 0.3 else rng.choice(cells)
    return Indexed((cells[place],), (value,), tuple(cells))


def numbered_room(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return the value at the place that the first cell says; with luck there is one."""
    return NumberedRoom(tuple(cells), values[min(values[0], len(values)) - 1])


def kenken(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a cage; one of two cells may be a difference or a ratio."""
    less, more = sorted(values[:2])
    by = rng.choice("+*-/")
    if by in "-/":
        return KenKen(tuple(cells[:2]), more - less if by == "-" else more // max(less, 1), by)
    return KenKen(tuple(cells), sum(values) if by == "+" else prod(values), by)


def weighted_sum(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a sum of any sign: the total of the values, or a number near it."""
    weights = tuple(rng.choice((-3, -2, -1, 1, 1, 2, 5)) for _ in cells)
    held = sum(weight * value for weight, value in zip(weights, values, strict=True))
    sign, more = rng.choice((("=", 0), ("!=", 1), ("<=", rng.randrange(3)), (">=", 0)))
    return WeightedSum(tuple(cells), weights, held + more, sign)


def sum_line(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a line of parts of the smallest sum that divides it, if only into one part."""
    loop = rng.random() < 0.3
    total = next(filter(partial(_divides, values), accumulate(values)), sum(values))
    return SumLine(tuple(cells), max(total, 1), loop)


def _divides(values: Sequence[int], total: int) -> bool:
    """Return whether values in a row are parts that each have the sum."""
    part = 0
    for value in values:
        part = (0 if part == total else part) + value
        if part > total:
            return False
    return part == total


def counting_circles(
    rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int
) -> Rule:
    """Return circles; with luck of values that come so often."""
    circles = [c for c, v in zip(cells, values, strict=True) if values.count(v) == v]
    return CountingCircles(tuple(circles or cells))


def count_distinct(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a number of different values, with luck the right one."""
    for at, value in enumerate(values):
        if len(set(values[:at] + values[at + 1 :])) == value:  # type: ignore[operator]  # a list
            return CountDistinct((cells[at],), (*cells[:at], *cells[at + 1 :]))
    return CountDistinct((cells[0],), tuple(cells))


def hits(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return classes of some values, of which each has one that is held."""
    held = list(dict.fromkeys(values))
    rng.shuffle(held)
    return Hits(tuple(cells), ((held[0],), *((one,) for one in held[1 : rng.randint(1, 3)])))


def flatmates(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return flatmates of the first value."""
    return Flatmates(tuple(cells), values[0], rng.choice(values), values[1])


def hidden_height(values: Sequence[int]) -> int:
    """Return the height of the first hidden tower, of the last one if none is hidden."""
    return next((v for at, v in enumerate(values) if at and v <= max(values[:at])), values[-1])


def full_rank(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return the place of a line of one or two cells among others."""
    size = rng.randint(1, len(cells) // 2)
    cells, values = cells[: len(cells) // size * size], values[: len(cells) // size * size]
    numbers = [[*values[at : at + size]] for at in range(0, len(values), size)]
    rank = 1 + sum(number < numbers[0] for number in numbers)
    return FullRank(tuple(cells[:size]), rank, tuple(cells[size:]), ties=rng.random() < 0.5)


def seen(values: Sequence[int]) -> int:
    """Return how many values are larger than all before them."""
    return sum(value > max(values[:at], default=0) for at, value in enumerate(values))


def ends_first(cells: Sequence[int], values: Sequence[int]) -> tuple[int, ...]:
    """Return cells in a line whose ends hold the least and the largest value."""
    order = sorted(range(len(cells)), key=values.__getitem__)
    return tuple(cells[place] for place in order)


def halves(cells: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return two lines of as many cells."""
    half = len(cells) // 2
    return tuple(cells[:half]), tuple(cells[half : 2 * half])


def same_values(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return two groups of cells; with luck, cells of the same value are one in each."""
    order = sorted(range(len(cells)), key=values.__getitem__)
    some = [cells[place] for place in order[len(cells) % 2 :]]
    return SameMultiset(tuple(some[::2]), tuple(some[1::2]))


def lunchbox(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return the sum between the smallest and the largest value."""
    first, last = sorted((values.index(min(values)), values.index(max(values))))
    return Lunchbox(tuple(cells), sum(values[first + 1 : last]))
