"""Random layouts: named variants, random regions, partial units, overlapping grids."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from unidoku.core.bits import all_values, bit, is_single, values_of
from unidoku.core.layout import Grid, Layout, Position, Unit
from unidoku.core.propagate import eliminate
from unidoku.core.variants import Variant, layout, overlap

__all__ = ["KINDS", "Made", "random_layout", "random_size", "transposed"]

_WEIGHTS = MappingProxyType(
    {2: 6, 3: 8, 4: 14, 5: 7, 6: 8, 7: 4, 8: 4, 9: 6, 10: 2, 11: 1, 12: 2, 13: 1, 14: 1, 15: 1}
)
"""How often each size comes, against 2 for any other: small boards are decided fast."""

_TRIES = 3
"""Dives for a solution; a layout in which all of them fail is taken without one."""

_HARD = 7
"""From this n on layouts that hold no pattern are hard."""

_LARGE = 9
"""The largest n for which a dive is cheap enough, some milliseconds."""


class Made(NamedTuple):
    """A layout, and a solution of it where one came cheaply.

    Args:
        layout: the layout.
        grid: the solution.
        hard: whether boards of it with few givens may take long to decide.
    """

    layout: Layout
    grid: Grid | None
    hard: bool = False


def random_size(order: random.Random, sizes: range) -> int:
    """Return a size, the small ones far more often than the large."""
    return order.choices(sizes, [_WEIGHTS.get(n, 2) for n in sizes])[0]


def random_layout(order: random.Random, n: int) -> tuple[str, Made]:
    """Return a layout for values 1 to n, or fewer where its kind has no such size.

    Args:
        order: where the chance comes from.
        n: at least 1.

    Returns:
        The name of its kind in `KINDS`, and the layout.
    """
    kind = order.choice(list(KINDS))
    return kind, KINDS[kind](order, n)


def _latin(order: random.Random, n: int) -> Made:
    return Made(layout("latin", n), _pattern(order, n, (1, n)))


def _classic(order: random.Random, n: int) -> Made:
    box = _random_box(order, n)
    return Made(layout(f"classic:{box[0]}x{box[1]}", n), _pattern(order, n, box))


def _variant(order: random.Random, n: int) -> Made:
    """A base with one or two of the additions that exist in its size."""
    n = min(n, 12)
    box = _random_box(order, n)
    names = ["x", "anti-knight", "anti-king"]
    base = "latin"
    if min(box) > 1 or order.random() < 0.3:
        base = f"classic:{box[0]}x{box[1]}"
        names += ["disjoint"]
        names += ["windoku"] * (box[0] == box[1])
        names += ["centre-dot"] * (box[0] % 2 == box[1] % 2 == 1)
        names += ["asterisk", "girandola"] * (n == 9)
    added = order.sample(names, order.choice((1, 1, 1, 2)))
    return _found(order, layout("+".join([base, *added]), n))


def _rule(order: random.Random, n: int) -> Made:
    n = min(n, order.choice((6, 10)))
    box = _random_box(order, n)
    base = order.choice(["latin", f"classic:{box[0]}x{box[1]}"])
    found = _found(order, layout(f"{base}+non-consecutive", n))
    return found._replace(hard=n >= _HARD)


def _connected_regions(order: random.Random, n: int) -> Made:
    """A jigsaw whose regions hang together: swaps of cells at their borders, from the rows.

    Half of them swap cells of one value only, so that a known grid stays a solution.
    """
    grid = _pattern(order, n, _random_box(order, n)) if order.random() < 0.5 else None
    region = [cell // n for cell in range(n * n)]
    for _ in range(4 * n * n):
        a, b = order.randrange(n * n), order.randrange(n * n)
        if region[a] == region[b] or (grid is not None and grid[a] != grid[b]):
            continue
        region[a], region[b] = region[b], region[a]
        if not (_connected(region, n, region[a]) and _connected(region, n, region[b])):
            region[a], region[b] = region[b], region[a]
    made = _jigsaw(region, n)
    return _found(order, made) if grid is None else Made(made, grid)


def _any_regions(order: random.Random, n: int) -> Made:
    """A jigsaw whose regions are any cells; half of them fit a known grid."""
    region = [0] * (n * n)
    if n < _HARD and order.random() < 0.5:
        cells = order.sample(range(n * n), n * n)
        for place, cell in enumerate(cells):
            region[cell] = place // n
        return _found(order, _jigsaw(region, n))
    grid = _pattern(order, n, (1, n))
    for value in range(1, n + 1):
        holders = [cell for cell, held in enumerate(grid) if held == value]
        for place, cell in enumerate(order.sample(holders, n)):
            region[cell] = place
    return Made(_jigsaw(region, n), grid, hard=n >= _HARD)


def _partial_units(order: random.Random, n: int) -> Made:
    """Any cells with holes between them, and units of any of them; they fit a known grid."""
    n = min(n, order.choice((6, 16)))
    rows, columns = order.randint(1, 4), order.randint(2, 6)
    places = [(row, column) for row in range(rows) for column in range(columns)]
    positions = sorted(order.sample(places, order.randint(2, len(places))))
    grid = tuple(order.randint(1, n) for _ in positions)
    units = []
    for _ in range(order.choice((0, 1, 2, 4, 8))):
        one_each: dict[int, int] = {}
        for cell in order.sample(range(len(grid)), len(grid)):
            one_each.setdefault(grid[cell], cell)
        cells = list(one_each.values())
        units.append(cells[: order.choice((1, 2, 3, n))])
    return Made(Layout.from_units(n, units, positions=positions), grid)


def _some_units(order: random.Random, n: int) -> Made:
    """A square from which some units and some cells are gone: full units beside partial ones."""
    whole = _classic(order, n) if order.random() < 0.5 else _latin(order, n)
    kept = order.choice((0.5, 0.8, 0.95))
    cells = [cell for cell in whole.layout.cells if order.random() < max(kept, 0.8)] or [0]
    number = {cell: place for place, cell in enumerate(cells)}
    units = []
    for unit in whole.layout.units:
        held = tuple(number[cell] for cell in unit.cells if cell in number)
        if held and order.random() < kept:
            units.append(Unit(held, unit.kind, unit.name))
    positions = [whole.layout.positions[cell] for cell in cells]
    fewer = Layout.from_units(n, units, positions=positions)
    return Made(fewer, whole.grid and tuple(whole.grid[cell] for cell in cells))


def _overlapping(order: random.Random, n: int) -> Made:
    """Two or three squares laid over each other anyhow."""
    n = min(n, order.choice((4, 6, 9)))
    square = (_classic if order.random() < 0.5 else _latin)(order, n).layout
    reach = n if n < 7 else 3
    corners: list[Position] = [(0, 0)]
    for _ in range(order.choice((1, 1, 2)) if n < 7 else 1):
        corners.append((order.randint(0, reach), order.randint(0, reach)))
    return _found(order, overlap([(square, corner) for corner in dict.fromkeys(corners)]))


def _samurai(order: random.Random, n: int) -> Made:
    """Five squares; another overlap where n has no box or there would be too many cells."""
    return _found(order, layout("samurai", n)) if n in (4, 6) else _overlapping(order, n)


KINDS: Mapping[str, Callable[[random.Random, int], Made]] = MappingProxyType(
    {
        "latin": _latin,
        "classic": _classic,
        "variant": _variant,
        "rule": _rule,
        "connected regions": _connected_regions,
        "any regions": _any_regions,
        "partial units": _partial_units,
        "some units": _some_units,
        "overlapping": _overlapping,
        "samurai": _samurai,
    }
)
"""The kinds of layouts: each makes one from chance and a size."""


def transposed(one: Layout) -> Layout:
    """Return the layout with rows for columns."""
    places = sorted((column, row) for row, column in one.positions)
    number = {place: cell for cell, place in enumerate(places)}
    moved = [number[column, row] for row, column in one.positions]
    units = [
        Unit(tuple(sorted(moved[cell] for cell in unit.cells)), unit.kind, unit.name)
        for unit in one.units
    ]
    rules = [rule.moved(moved) for rule in one.rules]
    return Layout.from_units(one.n, units, positions=places, rules=rules)


def _random_box(order: random.Random, n: int) -> tuple[int, int]:
    """Return rows and columns of a box of n cells; seldom a line, unless n is a prime."""
    heights = [height for height in range(2, n) if n % height == 0]
    if not heights or order.random() < 0.1:
        heights = [1, n]
    height = order.choice(heights)
    return height, n // height


def _pattern(order: random.Random, n: int, box: tuple[int, int]) -> Grid:
    """Return a solution of the square with such boxes: a shifted pattern, shuffled."""
    height, width = box
    rows = _shuffled(order, n, height)
    columns = _shuffled(order, n, width)
    values = order.sample(range(1, n + 1), n)
    return tuple(
        values[(width * (row % height) + row // height + column) % n]
        for row in rows
        for column in columns
    )


def _shuffled(order: random.Random, n: int, size: int) -> list[int]:
    """Return the n lines with bands of so many shuffled, and the lines within each."""
    bands = order.sample(range(n // size), n // size)
    return [band * size + line for band in bands for line in order.sample(range(size), size)]


def _jigsaw(region: list[int], n: int) -> Layout:
    return Variant.parse("jigsaw:" + " ".join(map(str, region))).layout(n)


def _connected(region: list[int], n: int, which: int) -> bool:
    """Tell whether the cells of a region hang together by their sides."""
    cells = {cell for cell, held in enumerate(region) if held == which}
    reached = [cells.pop()]
    while reached:
        cell = reached.pop()
        near = {cell - n, cell + n}
        near |= {cell - 1} if cell % n else set()
        near |= {cell + 1} if cell % n < n - 1 else set()
        reached += near & cells
        cells -= near
    return not cells


def _found(order: random.Random, made: Layout) -> Made:
    """Look for a solution by random dives with propagation."""
    if made.n > _LARGE:
        return Made(made, None)
    for _ in range(_TRIES):
        if (grid := _dive(order, made)) is not None:
            return Made(made, grid)
    return Made(made, None)


def _dive(order: random.Random, made: Layout) -> Grid | None:
    """Guess at a cell with few candidates until all are filled; a wrong guess is taken back."""
    everything = all_values(made.n)
    candidates = [everything] * len(made)
    while True:
        unfilled = [cell for cell in made.cells if not is_single(candidates[cell])]
        if not unfilled:
            return tuple(mask.bit_length() for mask in candidates)
        cell = min(order.sample(unfilled, min(8, len(unfilled))), key=lambda c: candidates[c])
        value = order.choice(values_of(candidates[cell]))
        tried = candidates.copy()
        if not eliminate(made, tried, [(cell, everything & ~bit(value))]):
            tried = candidates.copy()
            if not eliminate(made, tried, [(cell, bit(value))]):
                return None
        candidates = tried
