"""Boards made by hypothesis, by the generator of the fuzzer.

Hypothesis draws, and shrinks, the kind of layout, its size and the style of the board; the rest
follows from a random generator that it seeds. Sizes are kept small enough for every backend to
decide every board at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.variants import layout
from unidoku.extras import command, not_installed
from unidoku.testing.boards import STYLES, random_board
from unidoku.testing.layouts import LAYOUT_KINDS, RandomLayout, additions, with_solution

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise not_installed("these strategies need hypothesis", command("testing")) from error

__all__ = ["boards", "named_layouts", "unit_systems"]

_UNIT_SYSTEMS = (
    "partial units",
    "any regions",
    "overlapping",
    "some units",
    "connected regions",
)
"""Kinds of layouts whose units are random."""


def named_layouts() -> st.SearchStrategy[Layout]:
    """Layouts of named variants, of 4 and 6 values."""
    fours = ["classic", "latin", *additions("classic", 4)]
    sixes = ["classic", "classic:3x2", *additions("classic", 6)]
    small = st.sampled_from(fours).map(lambda name: layout(name, 4))
    return small | st.sampled_from(sixes).map(lambda name: layout(name, 6))


@st.composite
def _random_layouts(draw: st.DrawFn, kinds: Sequence[str]) -> RandomLayout:
    kind = draw(st.sampled_from(kinds))
    n = draw(st.integers(2, 4 if kind == "overlapping" else 5))
    return LAYOUT_KINDS[kind](draw(st.randoms(use_true_random=True)), n)


def unit_systems() -> st.SearchStrategy[Layout]:
    """Layouts of random units: partial units, random regions, overlapping grids."""
    return _random_layouts(_UNIT_SYSTEMS).map(lambda made: made.layout)


@st.composite
def boards(draw: st.DrawFn, layouts: st.SearchStrategy[Layout] | None = None) -> Board:
    """Boards with some cells given or pencil-marked: with no, few or many solutions.

    Args:
        draw: supplied by hypothesis.
        layouts: layouts of the boards; `unit_systems` if not given.
    """
    if layouts is None:
        made = draw(_random_layouts(_UNIT_SYSTEMS))
    else:
        made = with_solution(draw(st.randoms(use_true_random=True)), draw(layouts))
    style = draw(st.sampled_from(list(STYLES)))
    return random_board(draw(st.randoms(use_true_random=True)), made, style)
