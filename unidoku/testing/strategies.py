"""Hypothesis strategies for layouts and boards, made by the generator of the fuzzer.

Hypothesis draws, and shrinks, the kind of layout, its size and the style of the board; the rest
comes from a random generator that it seeds. The boards are so small that every backend decides them
at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from unidoku.core.board import Board
from unidoku.core.constraints.primitives import Masks, tabulated
from unidoku.core.hidden import expanded_layout
from unidoku.core.layout import Layout
from unidoku.core.rules import Killer, Pairs, Rule, SumOfCells
from unidoku.core.variants import layout
from unidoku.support.extras import command, not_installed
from unidoku.testing.boards import STYLES, random_board
from unidoku.testing.layouts import LAYOUT_KINDS, RandomLayout, additions, with_solution
from unidoku.testing.rules import with_rules

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise not_installed("these strategies need hypothesis", command("testing")) from error

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
def _random_layouts(draw: st.DrawFn) -> RandomLayout:
    kind = draw(st.sampled_from(_UNIT_SYSTEMS))
    n = draw(st.integers(2, 4 if kind == "overlapping" else 5))
    return LAYOUT_KINDS[kind](draw(st.randoms(use_true_random=True)), n)


def unit_systems() -> st.SearchStrategy[Layout]:
    """Layouts of random units: partial units, random regions, overlapping grids."""
    return _random_layouts().map(lambda source: source.layout)


_RELATED: tuple[Callable[[int, int], bool], ...] = (
    lambda a, b: abs(a - b) != 1,
    lambda a, b: abs(a - b) > 1,
    lambda a, b: a < b,
    lambda a, b: a == b,
    lambda a, b: a == 2 * b or b == 2 * a,
)


def tables(n: int) -> st.SearchStrategy[Masks]:
    """Relations of n values: random ones, and those of common rules."""
    known = st.sampled_from([tabulated(n, related) for related in _RELATED])
    return known | st.tuples(*[st.integers(0, (1 << n) - 1)] * n)


@st.composite
def related_cells(draw: st.DrawFn) -> Layout:
    """Layouts of random units in which random pairs of cells are related by random tables."""
    system = draw(unit_systems().filter(lambda layout: len(layout) > 1))
    pairs = st.permutations(system.cells).map(lambda order: (order[0], order[1]))
    rules = [
        Pairs(tuple(draw(st.lists(pairs, min_size=1, max_size=6))), draw(tables(system.n)))
        for _ in range(draw(st.integers(1, 2)))
    ]
    return replace(system, rules=tuple(rules))


@st.composite
def ruled_layouts(draw: st.DrawFn) -> Layout:
    """Layouts of random units with random rules of every kind, and with any first value.

    If a solution is known, either it satisfies the rules, or they are arbitrary.
    """
    source = draw(_random_layouts().filter(lambda source: len(source.layout) > 1))
    shifted = replace(source.layout, first_value=draw(first_values()))
    grid = draw(st.sampled_from((None, source.grid)))
    return with_rules(draw(st.randoms(use_true_random=True)), shifted, grid)


@st.composite
def hidden_layouts(draw: st.DrawFn) -> Layout:
    """Layouts of a few cells in a row and hidden cells, with random units and rules."""
    rng, n = draw(st.randoms(use_true_random=True)), draw(st.integers(2, 3))
    hidden = draw(st.lists(st.integers(1, (1 << n) - 1), min_size=1, max_size=2))
    size = draw(st.integers(2, 3))
    cells = range(size + len(hidden))
    units = [
        rng.sample(cells, rng.randint(2, min(n, len(cells)))) for _ in range(rng.randint(0, 2))
    ]
    whole = Layout.from_units(
        n, units, shape=(1, size), hidden=hidden, first_value=draw(first_values())
    )
    rules = with_rules(rng, expanded_layout(whole), None, most=2).rules
    return replace(whole, rules=rules)


def first_values() -> st.SearchStrategy[int]:
    """Numbers displayed for the value 1: usually 1."""
    return st.sampled_from((1, 1, 0, 5, 97))


@st.composite
def cages(draw: st.DrawFn) -> Layout:
    """Latin squares of three or four values, covered by cages of a grid; few totals are wrong."""
    rng = draw(st.randoms(use_true_random=True))
    square = layout("latin", rng.choice((3, 4)))
    n, cells = square.n, rng.sample(square.cells, len(square))
    shifts, names = rng.sample(range(n), n), rng.sample(range(1, n + 1), n)
    grid = [names[(shifts[row] + column) % n] for row, column in square.positions]
    rules: list[Rule] = []
    while cells:
        cage = tuple(cells.pop() for _ in range(min(rng.randint(1, 4), len(cells))))
        total = sum(grid[cell] for cell in cage) + (rng.random() < 0.05)
        differ = len({grid[cell] for cell in cage}) == len(cage)
        rules.append(Killer(cage, total) if differ else SumOfCells(cage, total))
    return Layout(n, square.units, square.positions, tuple(rules))


@st.composite
def boards(draw: st.DrawFn, layouts: st.SearchStrategy[Layout] | None = None) -> Board:
    """Boards with some cells given or pencil-marked: with no, few or many solutions.

    Args:
        draw: supplied by hypothesis.
        layouts: layouts of the boards; by default `unit_systems`.
    """
    if layouts is None:
        source = draw(_random_layouts())
    else:
        source = with_solution(draw(st.randoms(use_true_random=True)), draw(layouts))
    style = draw(st.sampled_from(list(STYLES)))
    return random_board(draw(st.randoms(use_true_random=True)), source, style)
