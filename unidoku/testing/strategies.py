"""Boards made by hypothesis: random unit systems, and boards on them.

Sizes are kept small enough for every backend to decide every board at once.
"""

from __future__ import annotations

from hypothesis import strategies as st

from unidoku.core.bits import all_values
from unidoku.core.board import Board
from unidoku.core.layout import Layout, Position
from unidoku.core.variants import Variant, layout, overlap

__all__ = ["boards", "named_layouts", "unit_systems"]


def named_layouts() -> st.SearchStrategy[Layout]:
    """Layouts of named variants, up to 6 values."""
    names = ["classic", "latin", "x", "disjoint", "anti-knight", "anti-king", "windoku"]
    small = st.sampled_from(names).map(lambda name: layout(name, 4))
    six = st.sampled_from(["classic", "x", "classic:3x2", "disjoint"]).map(lambda v: layout(v, 6))
    return small | six


@st.composite
def _partial_units(draw: st.DrawFn) -> Layout:
    """Any sets of cells: most of them only differ, some are full."""
    n = draw(st.integers(2, 5))
    cells = draw(st.integers(n, 16))
    unit = st.lists(st.integers(0, cells - 1), min_size=2, max_size=n, unique=True)
    return Layout.from_units(n, draw(st.lists(unit, max_size=10)), shape=(1, cells))


@st.composite
def _random_regions(draw: st.DrawFn) -> Layout:
    """A Latin square with a partition into regions that need not hang together."""
    n = draw(st.integers(2, 5))
    cells = draw(st.permutations(range(n * n)))
    regions = [""] * (n * n)
    for place, cell in enumerate(cells):
        regions[cell] = "ABCDE"[place // n]
    return Variant.parse("jigsaw:" + "".join(regions)).layout(n)


@st.composite
def _overlapping_grids(draw: st.DrawFn) -> Layout:
    """Two or three squares, laid over each other anyhow."""
    n = draw(st.integers(2, 4))
    corner = st.tuples(st.integers(0, n), st.integers(0, n))
    square = layout(draw(st.sampled_from(["latin", "classic"])) if n == 4 else "latin", n)
    corners: list[Position] = draw(st.lists(corner, min_size=2, max_size=3, unique=True))
    top = min(row for row, _ in corners)
    left = min(column for _, column in corners)
    return overlap([(square, (row - top, column - left)) for row, column in corners])


def unit_systems() -> st.SearchStrategy[Layout]:
    """Layouts of random units: partial units, random regions, overlapping grids."""
    return st.one_of(_partial_units(), _random_regions(), _overlapping_grids())


@st.composite
def boards(draw: st.DrawFn, layouts: st.SearchStrategy[Layout] | None = None) -> Board:
    """Boards with some cells given or pencil-marked: with no, few or many solutions."""
    chosen = draw(unit_systems() if layouts is None else layouts)
    candidates = [all_values(chosen.n)] * len(chosen)
    cells = draw(st.lists(st.integers(0, len(chosen) - 1), max_size=len(chosen) // 2, unique=True))
    for cell in cells:
        given = draw(st.booleans())
        mask = 1 << draw(st.integers(0, chosen.n - 1))
        candidates[cell] = mask if given else draw(st.integers(1, all_values(chosen.n))) | mask
    return Board(chosen, tuple(candidates))
