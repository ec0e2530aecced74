"""Random layouts: named variants, random regions, partial units, overlapping grids.

The fuzzer's boards and those of `unidoku.testing.strategies` are made on them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from unidoku.core.bits import all_values, bit, is_single, values_of
from unidoku.core.board import Board
from unidoku.core.hidden import expanded
from unidoku.core.layout import Grid, Layout, Position, Unit
from unidoku.core.propagation.propagate import eliminate, propagate
from unidoku.core.regions import random_regions
from unidoku.core.units import Square
from unidoku.core.variants import ADDITIONS, RULES, Variant, layout, overlap
from unidoku.errors import LayoutError

_WEIGHTS = dict(enumerate((6, 8, 14, 7, 8, 4, 4, 6, 2, 1, 2, 1, 1, 1), start=2))
"""Weight of each size from 2 on, 2 for all others: small boards are decided fast."""

_TRIES = 3
"""Dives for a solution; if all of them fail, the layout has no known solution."""

_HARD = 7
"""From this n on boards of arbitrary regions or of rules are hard to decide."""

_LARGE = 9
"""The largest n for which a dive takes a few milliseconds only."""

_EXCHANGES = 2
"""Attempts to exchange two cells of a jigsaw, per cell of the board."""


class RandomLayout(NamedTuple):
    """A layout, with a solution if one was found cheaply."""

    layout: Layout
    grid: Grid | None = None
    hard: bool = False  # whether boards of it with few givens may take long to decide


def random_size(rng: random.Random, sizes: range) -> int:
    """Return a size; small sizes are far more frequent."""
    return rng.choices(sizes, [_WEIGHTS.get(n, 2) for n in sizes])[0]


def random_layout(
    rng: random.Random, n: int, kinds: Sequence[str] = ()
) -> tuple[str, RandomLayout]:
    """Return a kind and a layout of it for n values, or for fewer if n is too large for the kind.

    Args:
        rng: source of random numbers.
        n: number of values.
        kinds: kinds to choose from; by default all of `LAYOUT_KINDS`.
    """
    kind = rng.choice(kinds or list(LAYOUT_KINDS))
    return kind, LAYOUT_KINDS[kind](rng, n)


def _latin(rng: random.Random, n: int) -> RandomLayout:
    return RandomLayout(layout("latin", n), _pattern(rng, n, (1, n)))


def _classic(rng: random.Random, n: int) -> RandomLayout:
    box = _random_box(rng, n)
    return RandomLayout(layout(f"classic:{box[0]}x{box[1]}", n), _pattern(rng, n, box))


def _variant(rng: random.Random, n: int) -> RandomLayout:
    """A base with one or two of the additions that exist in its size."""
    n = min(n, 12)
    box = _random_box(rng, n)
    base = "latin"
    if min(box) > 1 or rng.random() < 0.3:
        base = f"classic:{box[0]}x{box[1]}"
    names = additions(base, n)
    added = rng.sample(names, min(rng.choice((1, 1, 1, 2)), len(names)))
    return with_solution(rng, layout("+".join([base, *added]), n))


@lru_cache(maxsize=256)
def additions(base: str, n: int) -> tuple[str, ...]:
    """Return the names of the additional units that a base has in a size.

    >>> additions("latin", 4)
    ('x', 'anti-knight', 'anti-king')
    """
    square = Variant.parse(base).square(n)
    return tuple(name for name in ADDITIONS if _exists(name, square))


def _exists(addition: str, square: Square) -> bool:
    try:
        return bool(ADDITIONS[addition](square))
    except LayoutError:
        return False


def _rule(rng: random.Random, n: int) -> RandomLayout:
    n = min(n, rng.choice((6, 10)))
    box = _random_box(rng, n)
    base = rng.choice(["latin", f"classic:{box[0]}x{box[1]}"])
    source = with_solution(rng, layout(f"{base}+{rng.choice(list(RULES))}", n))
    return source._replace(hard=n >= _HARD)


def _connected_regions(rng: random.Random, n: int) -> RandomLayout:
    """A jigsaw with connected regions; in half of them a known grid stays a solution."""
    has_solution = n > _LARGE or rng.random() < 0.5
    grid = _pattern(rng, n, _random_box(rng, n)) if has_solution else None
    jigsaw = _jigsaw(random_regions(n, rng, grid=grid, exchanges=_EXCHANGES), n)
    source = with_solution(rng, jigsaw) if grid is None else RandomLayout(jigsaw, grid)
    return source._replace(hard=n > _LARGE)


def _any_regions(rng: random.Random, n: int) -> RandomLayout:
    """A jigsaw whose regions are any cells; half of them fit a known grid."""
    region = [0] * (n * n)
    if n < _HARD and rng.random() < 0.5:
        cells = rng.sample(range(n * n), n * n)
        for index, cell in enumerate(cells):
            region[cell] = index // n
        return with_solution(rng, _jigsaw(region, n))
    grid = _pattern(rng, n, (1, n))
    for value in range(1, n + 1):
        holders = [cell for cell, other in enumerate(grid) if other == value]
        for index, cell in enumerate(rng.sample(holders, n)):
            region[cell] = index
    return RandomLayout(_jigsaw(region, n), grid, hard=n >= _HARD)


def _partial_units(rng: random.Random, n: int) -> RandomLayout:
    """Random cells with holes between them, in random units that fit a known grid."""
    n = min(n, rng.choice((6, 16)))
    rows, columns = rng.randint(1, 4), rng.randint(2, 6)
    places = [(row, column) for row in range(rows) for column in range(columns)]
    positions = sorted(rng.sample(places, rng.randint(2, len(places))))
    grid = tuple(rng.randint(1, n) for _ in positions)
    units = []
    for _ in range(rng.choice((0, 1, 2, 4, 8))):
        one_each: dict[int, int] = {}
        for cell in rng.sample(range(len(grid)), len(grid)):
            one_each.setdefault(grid[cell], cell)
        cells = list(one_each.values())
        units.append(cells[: rng.choice((1, 2, 3, n))])
    return RandomLayout(Layout.from_units(n, units, positions=positions), grid)


def _some_units(rng: random.Random, n: int) -> RandomLayout:
    """A square without some of its units and cells: some units are full, others partial."""
    whole = _classic(rng, n) if rng.random() < 0.5 else _latin(rng, n)
    share = rng.choice((0.5, 0.8, 0.95))
    cells = [cell for cell in whole.layout.cells if rng.random() < max(share, 0.8)] or [0]
    new_cell = {cell: index for index, cell in enumerate(cells)}
    units = []
    for unit in whole.layout.units:
        remaining = tuple(new_cell[cell] for cell in unit.cells if cell in new_cell)
        if remaining and rng.random() < share:
            units.append(Unit(remaining, unit.kind, unit.name))
    positions = [whole.layout.positions[cell] for cell in cells]
    fewer = Layout.from_units(n, units, positions=positions)
    return RandomLayout(fewer, whole.grid and tuple(whole.grid[cell] for cell in cells))


def _overlapping(rng: random.Random, n: int) -> RandomLayout:
    """Two or three squares that overlap at random."""
    n = min(n, rng.choice((4, 6, 9)))
    square = (_classic if rng.random() < 0.5 else _latin)(rng, n).layout
    reach = n if n < 7 else 3
    corners: list[Position] = [(0, 0)]
    for _ in range(rng.choice((1, 1, 2)) if n < 7 else 1):
        corners.append((rng.randint(0, reach), rng.randint(0, reach)))
    return with_solution(rng, overlap([(square, corner) for corner in dict.fromkeys(corners)]))


def _samurai(rng: random.Random, n: int) -> RandomLayout:
    """A samurai of five squares if n is 4 or 6; two or three squares otherwise."""
    return with_solution(rng, layout("samurai", n)) if n in (4, 6) else _overlapping(rng, n)


LAYOUT_KINDS: Mapping[str, Callable[[random.Random, int], RandomLayout]] = {
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
"""The kinds of layouts, each with its function of a source of random numbers and a size."""


def transposed(layout: Layout) -> Layout:
    """Return the layout with rows and columns exchanged."""
    positions = sorted((column, row) for row, column in layout.positions)
    cell_at = {position: cell for cell, position in enumerate(positions)}
    moved = [cell_at[column, row] for row, column in layout.positions]
    units = [
        Unit(tuple(sorted(moved[cell] for cell in unit.cells)), unit.kind, unit.name)
        for unit in layout.units
    ]
    moved += range(len(moved), len(moved) + len(layout.hidden))
    return Layout.from_units(
        layout.n,
        units,
        positions=positions,
        rules=[rule.moved(moved) for rule in layout.rules],
        first_value=layout.first_value,
        hidden=layout.hidden,
    )


def _random_box(rng: random.Random, n: int) -> tuple[int, int]:
    """Return the height and width of a box of n cells; rarely a line, unless n is a prime."""
    heights = [height for height in range(2, n) if n % height == 0]
    if not heights or rng.random() < 0.1:
        heights = [1, n]
    height = rng.choice(heights)
    return height, n // height


def _pattern(rng: random.Random, n: int, box: tuple[int, int]) -> Grid:
    """Return a solution of the square with these boxes: a shifted pattern, shuffled."""
    height, width = box
    rows = _shuffled(rng, n, height)
    columns = _shuffled(rng, n, width)
    values = rng.sample(range(1, n + 1), n)
    return tuple(
        values[(width * (row % height) + row // height + column) % n]
        for row in rows
        for column in columns
    )


def _shuffled(rng: random.Random, n: int, size: int) -> list[int]:
    """Return the n lines with their bands of ``size`` lines shuffled, and the lines in each."""
    bands = rng.sample(range(n // size), n // size)
    return [band * size + line for band in bands for line in rng.sample(range(size), size)]


def _jigsaw(region: list[int], n: int) -> Layout:
    return Variant.parse("jigsaw:" + " ".join(map(str, region))).layout(n)


def with_solution(rng: random.Random, layout: Layout) -> RandomLayout:
    """Return the layout with a solution, if a few random dives with propagation find one.

    Above 9 values no dive is made.
    """
    whole = Board.empty(layout)
    if layout.conceals:
        # Hidden cells may be known from the start, and others follow.
        propagated = propagate(expanded(whole))
        if propagated is None:
            return RandomLayout(layout, None, hard=layout.n >= _HARD)
        whole = propagated
    for _ in range(_TRIES if layout.n <= _LARGE else 0):
        if (grid := _guessed(rng, whole)) is not None:
            return RandomLayout(layout, grid[: len(layout)])
    return RandomLayout(layout, None, hard=layout.n >= _HARD)


def _guessed(rng: random.Random, board: Board) -> Grid | None:
    """Guess at cells with few candidates until all are filled; None after two wrong guesses."""
    layout, candidates = board.layout, list(board.candidates)
    everything = all_values(layout.n)
    while True:
        unfilled = [cell for cell in layout.cells if not is_single(candidates[cell])]
        if not unfilled:
            return tuple(mask.bit_length() for mask in candidates)
        cell = min(
            rng.sample(unfilled, min(8, len(unfilled))), key=lambda c: candidates[c].bit_count()
        )
        value = rng.choice(values_of(candidates[cell]))
        tried = candidates.copy()
        if not eliminate(layout, tried, [(cell, everything & ~bit(value))]):
            tried = candidates.copy()
            if not eliminate(layout, tried, [(cell, bit(value))]):
                return None
        candidates = tried
