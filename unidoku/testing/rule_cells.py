"""Cells for random rules of any length, chosen so that a known grid keeps many of the rules.

Cells that are drawn at random seldom suit a long rule: twenty of them are no palindrome, and six of
them rarely differ. So a pool of cells is drawn from all cells, from a unit or along a path, and
each kind of rule takes the cells whose values suit it, in an order of its own.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import exp, log
from typing import TypeAlias

from unidoku.core.layout import Layout

Ints: TypeAlias = tuple[int, ...]
"""Cells, or the values of cells."""

_SHORT = 5
"""Most cells of a short rule."""

_SHORT_SHARE = 0.4
"""Share of short rules; the logarithms of the other lengths are uniform."""

_OF_DIFFERENT = (
    *("killer", "rellik", "lunchbox", "equality-cage", "flatmates", "renban", "nabner", "thermo"),
)
"""The kinds of rules whose cells must differ."""

Suit = Callable[[random.Random, list[int], Ints, int], list[int]]
"""Function of a pool, the value of each cell and a number: at most so many cells that suit."""


def random_length(rng: random.Random, most: int, kind: str, n: int) -> int:
    """Return a number of cells from 2 to the most: short, middle or long.

    If the cells of the kind must differ, the number is n at most.
    """
    most = min(most, n) if kind in _OF_DIFFERENT else most
    if most <= _SHORT or rng.random() < _SHORT_SHARE:
        return rng.randint(2, min(_SHORT, most))
    return round(exp(rng.uniform(log(_SHORT), log(most))))


def suited_cells(
    rng: random.Random, layout: Layout, values: Ints, kind: str, length: int
) -> list[int]:
    """Return up to ``length`` cells, which suit the kind of rule if the pool contains such cells.

    Args:
        rng: source of random numbers.
        layout: the layout.
        values: the displayed value of each cell.
        kind: the kind of rule.
        length: the number of cells, at least 2.

    Returns:
        At least two cells; fewer than ``length`` if no more of them suit the kind.
    """
    pool = _pool(rng, layout, length)
    if kind not in _SUITS:
        return pool[:length]
    cells = _SUITS[kind](rng, pool, values, length)
    return cells if len(cells) > 1 else pool[:length]


def _pool(rng: random.Random, layout: Layout, length: int) -> list[int]:
    """Return all cells in random order; first may come those of a unit or of a path."""
    order = rng.sample(layout.cells, len(layout))
    begin: Iterable[int] = ()
    match rng.choice(("anywhere", "unit", "path")):
        case "unit" if layout.units:
            begin = rng.choice(layout.units).cells
        case "path":
            begin = _path(rng, layout, length)
    return list(dict.fromkeys((*begin, *order)))


def _path(rng: random.Random, layout: Layout, length: int) -> Iterator[int]:
    """Yield cells that touch their predecessor, until no neighbour is left."""
    cell_at = {position: cell for cell, position in enumerate(layout.positions)}
    row, column = rng.choice(layout.positions)
    for _ in range(length):
        yield cell_at.pop((row, column))
        around = [(row + down, column + right) for down, right in _NEIGHBOURS]
        ways = [position for position in around if position in cell_at]
        if not ways:
            return
        row, column = rng.choice(ways)


_NEIGHBOURS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))


def _different(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """One cell of each value."""
    cells: dict[int, int] = {}
    for cell in pool:
        cells.setdefault(values[cell], cell)
    return list(cells.values())[:length]


def _run(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """One cell for each of some consecutive values, in random order."""
    cells = {values[cell]: cell for cell in _different(rng, pool, values, len(pool))}
    starts = [value for value in cells if value - 1 not in cells]
    runs = []
    for start in starts:
        last = start
        while last + 1 in cells:
            last += 1
        runs.append((start, last))
    first, last = rng.choice([run for run in runs if run[1] > run[0]] or runs)
    first += rng.randint(0, max(last - first + 1 - length, 0))
    run_cells = [cells[value] for value in range(first, min(last + 1, first + length))]
    return rng.sample(run_cells, len(run_cells))


def _between(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """A cell of the lowest value, one of the highest, and cells of values between them."""
    low, high = min(values[cell] for cell in pool), max(values[cell] for cell in pool)
    inside = [cell for cell in pool if low < values[cell] < high]
    ends = [next(cell for cell in pool if values[cell] == end) for end in {low, high}]
    return [*ends, *inside][:length]


def _outside(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """Two ends, and between them cells whose values are not between those of the ends."""
    first = pool[0]
    near = sorted(pool[1:], key=lambda cell: abs(values[cell] - values[first]))
    last = next((cell for cell in near if values[cell] != values[first]), near[0])
    low, high = sorted((values[first], values[last]))
    rest = [c for c in pool if c not in (first, last) and not low <= values[c] <= high]
    return [first, *rest[: max(length - 2, 0)], last]


def _crusts(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """A cell of the lowest value, one of the highest, and others, in random order."""
    cells = _between(rng, pool, values, length)
    return rng.sample(cells, len(cells))


def _mirrored(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """Cells whose values read the same from both ends."""
    pairs = list(_alike(pool, values))[: length // 2]
    rest = set(pool).difference(*pairs)
    middle = [next(cell for cell in pool if cell in rest)] if rest and length % 2 else []
    return [*[pair[0] for pair in pairs], *middle, *[pair[1] for pair in reversed(pairs)]]


def _in_pairs(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """Pairs of cells of the same value."""
    pairs = list(_alike(pool, values))[: max(length // 2, 1)]
    return [cell for pair in pairs for cell in pair]


def _alike(pool: Iterable[int], values: Ints) -> Iterator[tuple[int, int]]:
    """Yield pairs of cells of the same value."""
    alone: dict[int, int] = {}
    for cell in pool:
        other = alone.pop(values[cell], None)
        if other is None:
            alone[values[cell]] = cell
        else:
            yield other, cell


def _chain(fits: Callable[[int, int], bool]) -> Suit:
    """Return a function that chooses cells which each fit their predecessor."""

    def suit(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
        chain = pool[:1]
        for cell in pool[1:]:
            if len(chain) < length and fits(values[chain[-1]], values[cell]):
                chain.append(cell)
        return chain

    return suit


def _as_often(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """Cells of some values: of each value v, v cells."""
    cells: defaultdict[int, list[int]] = defaultdict(list)
    for cell in pool:
        cells[values[cell]].append(cell)
    order = [value for value in cells if 0 < value <= len(cells[value])]
    chosen: list[int] = []
    for value in rng.sample(order, len(order)):
        if len(chosen) + value <= max(length, value):
            chosen += cells[value][:value]
    return chosen


def _with_their_number(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """A cell, and others that have as many different values as its value says."""
    for index, cell in enumerate(pool[:length]):
        others = [other for other in pool if other != cell]
        different = list(dict.fromkeys(values[other] for other in others))
        if 0 < (wanted := values[cell]) <= min(len(different), length - 1):
            chosen = set(different[:wanted])
            first = list(_different(rng, others, values, wanted))
            rest = [other for other in others if values[other] in chosen and other not in first]
            return [pool[index], *[*first, *rest][: length - 1]]
    return pool[:length]


def _equal_parts(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """Consecutive parts that have the same sum."""
    total = rng.randint(max(values[cell] for cell in pool), 2 * max(values[cell] for cell in pool))
    line: list[int] = []
    remaining = list(pool)
    while remaining and len(line) < length:
        part, rest = _summing(remaining, values, total)
        if not part:
            break
        line += part
        remaining = rest
    return line


def _two_sums(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """Some cells, then others with the same sum."""
    half = pool[: rng.randint(1, max(length // 2, 1))]
    others, _ = _summing(pool[len(half) :], values, sum(values[cell] for cell in half))
    return [*half, *others] if others else pool[:length]


def _summing(pool: Iterable[int], values: Ints, total: int) -> tuple[list[int], list[int]]:
    """Return cells with a sum, taken greedily (none if that fails), and the other cells."""
    part, rest = [], []
    for cell in pool:
        if 0 < values[cell] <= total:
            part.append(cell)
            total -= values[cell]
        else:
            rest.append(cell)
    return (part, rest) if not total else ([], [*part, *rest])


def _apart(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """Cells of values that are neither equal nor consecutive."""
    chosen: list[int] = []
    for cell in sorted(pool, key=values.__getitem__):
        if not chosen or values[cell] - values[chosen[-1]] > 1:
            chosen.append(cell)
    return rng.sample(chosen, min(length, len(chosen)))


def _between_two(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """Two cells of the largest values, and small ones that have the same sum."""
    *others, first, last = sorted(pool, key=values.__getitem__)
    remaining, chosen = values[first] + values[last], [first, last]
    while others and remaining and len(chosen) < length:
        fits = [cell for cell in others if 0 < values[cell] <= remaining]
        exact = [cell for cell in fits if values[cell] == remaining]
        if not fits:
            break
        cell = exact[0] if exact and len(chosen) > _SHORT else fits[0]
        others.remove(cell)
        chosen.append(cell)
        remaining -= values[cell]
    return chosen


def _sum_among(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """A cell of the largest value, and small ones that have that sum."""
    *others, largest = sorted(pool, key=values.__getitem__)
    remaining, chosen = values[largest], [largest]
    for cell in others:
        if 0 <= values[cell] <= remaining and len(chosen) < length:
            chosen.append(cell)
            remaining -= values[cell]
    return chosen


def _sum_and_digits(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """Cells with the digits of a number, and others whose sum is that number."""
    for size in range(length, 1, -1):
        shaft = pool[: size - 1]
        digits = str(max(sum(values[cell] for cell in shaft), 0))
        others = pool[size - 1 :]
        circle: list[int] = []
        for digit in map(int, digits):
            other = next((c for c in others if values[c] == digit and c not in circle), None)
            if other is not None:
                circle.append(other)
        if len(circle) == len(digits):
            return [*circle, *shaft]
    return pool[:length]


def _counting(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """A cell with a number, and others: so many of them have the value of their first."""
    regions = pool[: max(length - 1, 1)]
    first = values[regions[0]]
    alike = sum(values[cell] == first for cell in regions)
    for cell in pool[len(regions) :]:
        if values[cell] == alike:
            return [cell, *regions]
    return pool[:length]


def _running(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """A cell with a number, and others: so many of them, from the first on, have one value."""
    number, start, *rest = pool
    alike = [cell for cell in rest if values[cell] == values[start]]
    unlike = [cell for cell in rest if values[cell] != values[start]]
    run = alike[: max(values[number] - 1, 0)]
    return [number, start, *run, *unlike][: max(length, len(run) + 3)]


def _numbered(rng: random.Random, pool: list[int], values: Ints, length: int) -> list[int]:
    """Equally many cells of each value from 1 to a number, and as many other cells."""
    regions = rng.randint(1, 3)
    count = max(length // (2 * regions), 1)
    chosen: list[int] = []
    for number in range(1, regions + 1):
        chosen += [cell for cell in pool if values[cell] == number][:count]
    rest = [cell for cell in pool if not 1 <= values[cell] <= regions]
    return [*chosen, *rest[: max(length - len(chosen), 0)]]


_SUITS: Mapping[str, Suit] = {
    **dict.fromkeys(_OF_DIFFERENT, _different),
    "renban": _run,
    "between": _between,
    "lockout": _outside,
    "sandwich": _crusts,
    "palindrome": _mirrored,
    "same-values": _in_pairs,
    "clone": _in_pairs,
    "nabner": _apart,
    "double-arrow": _between_two,
    "ambiguous-arrow": _sum_among,
    "non-consecutive": _chain(lambda a, b: abs(a - b) != 1),
    **dict.fromkeys(("whisper", "greater"), _chain(lambda a, b: a != b)),
    "ratio": _chain(lambda a, b: 2 * a != b != 0 and 2 * b != a != 0),
    "counting-circles": _as_often,
    "count-distinct": _with_their_number,
    "sum-line": _equal_parts,
    "same-sum": _two_sums,
    "arrow": _sum_and_digits,
    "chaos-construction": _numbered,
    "region-count": _counting,
    "region-run": _running,
}
"""The choice of cells by kind of rule; any cells suit the other kinds, such as sums."""
