"""Regions that are to be found: what is known of small grids, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

import pytest

import unidoku
from tests.helpers.connected import hangs_together
from unidoku import Board, Layout, Region, Relation, Sets
from unidoku.core import rules as r
from unidoku.core.constraints.connected import pairs_in_rows
from unidoku.core.constraints.primitives import digit_sets
from unidoku.core.layout import Grid
from unidoku.core.transforms.implied import implied_constraints, with_implied
from unidoku.errors import LayoutError
from unidoku.testing.truth import ConstraintRule

BACKENDS = ("native[engine=single]", "native[engine=python]", "sat", "cp-sat")


def divisions(cells: frozenset[int], size: int, columns: int) -> Iterator[list[set[int]]]:
    """Yield the ways to divide cells into connected regions of one size, by all sets of cells."""
    if not cells:
        yield []
        return
    first = min(cells)
    for others in combinations(sorted(cells - {first}), size - 1):
        region = {first, *others}
        if hangs_together({divmod(cell, columns) for cell in region}):
            for rest in divisions(cells - region, size, columns):
                yield [region, *rest]


def numbered(regions: list[set[int]]) -> Grid:
    """The number of the region of each cell."""
    number = {cell: k for k, region in enumerate(regions, 1) for cell in region}
    return tuple(number[cell] for cell in sorted(number))


def shown(n: int, units: list[tuple[int, ...]], *rules: r.Rule, hidden: bool = False) -> Board:
    """A square, and the numbers of its regions, below it or hidden."""
    whole, numbers = range(n * n), range(n * n, 2 * n * n)
    chaos = r.ChaosConstruction(tuple(whole), tuple(numbers), n)
    below = [(1 << n) - 1] * n * n if hidden else []
    shape = (n if hidden else 2 * n, n)
    layout = Layout.from_units(n, units, shape=shape, hidden=below, rules=[chaos, *rules])
    return Board.empty(layout)


@pytest.mark.parametrize(("n", "known"), [(2, 2), (3, 10), (4, 117)])
def test_a_square_falls_into_as_many_connected_regions_as_are_known(n: int, known: int) -> None:
    """The number of ways to divide a square of n by n cells, OEIS A172477."""
    ways = [numbered(way) for way in divisions(frozenset(range(n * n)), n, n)]
    assert len(set(ways)) == len(ways) == known
    cells = tuple(range(n * n))
    rule = r.ChaosConstruction(tuple(cell + n * n for cell in cells), cells, n, n)
    constraints = rule.constraints(Layout.from_units(n, [], shape=(2 * n, n)))
    alone = tuple(
        replace(first, others=()) if isinstance(first, Region) else first for first in constraints
    )
    square = Board.empty(
        Layout.from_units(n, [], shape=(n, n), rules=[ConstraintRule(cells, alone)])
    )
    for backend in BACKENDS:
        result = unidoku.solve(square, solutions=None, backend=backend)
        assert (result.count, set(result.solutions)) == (known, set(ways))


@pytest.mark.parametrize("backend", BACKENDS)
def test_regions_and_values_of_latin_squares_are_those_of_brute_force(backend: str) -> None:
    n = 3
    square = unidoku.layout("latin", n)
    latin = unidoku.solve(Board.empty(square), solutions=None).solutions
    right = {
        (*grid, *numbered(way))
        for grid in latin
        for way in divisions(frozenset(range(n * n)), n, n)
        if all(len({grid[cell] for cell in region}) == n for region in way)
    }
    units = [unit.cells for unit in square.units]
    result = unidoku.solve(shown(n, units), solutions=None, backend=backend)
    assert result.count == len(result.solutions) == len(right) == 72
    assert set(result.solutions) == right
    seen = unidoku.solve(shown(n, units, hidden=True), solutions=None, backend=backend)
    assert set(seen.solutions) == {grid[: n * n] for grid in right} == set(latin)
    assert seen.count == 12


@pytest.mark.parametrize("backend", BACKENDS)
def test_clues_count_cells_of_a_region_and_runs_along_arms(backend: str) -> None:
    n, first = 3, 9
    units = [unit.cells for unit in unidoku.layout("latin", n).units]
    everything = unidoku.solve(shown(n, units), solutions=None).solutions
    at = [first + cell for cell in range(9)]
    arms = (*at[4:6], at[4], at[1], at[4], at[3], at[4], at[7])
    clues: list[tuple[r.Rule, Callable[[Grid], bool]]] = [
        (r.RegionCount((0,), tuple(at[:4])), lambda g: g[0] == g[9:13].count(g[9])),
        (r.RegionCount((8,), tuple(at[:4]), True), lambda g: g[8] == g[10:13].count(g[9])),
        (r.RegionRun((4,), arms), lambda g: g[4] == 1 + [g[k] for k in arms[1::2]].count(g[13])),
        (r.RegionRun((4,), arms, True), lambda g: g[4] == [g[k] for k in arms[1::2]].count(g[13])),
        (
            r.RegionRun((2,), tuple(at[2::3])),
            lambda g: g[2] == 1 + (g[11] == g[14]) * (1 + (g[14] == g[17])),
        ),
    ]
    for rule, keeps in clues:
        right = {g for g in everything if keeps(g)}
        result = unidoku.solve(shown(n, units, rule), solutions=None, backend=backend)
        assert {grid[: 2 * n * n] for grid in result.solutions} == right
        assert result.count == len(right)


def test_a_region_may_be_one_of_several_branches() -> None:
    item = r.Connected(tuple(range(6)), (1,), 3, 3)
    other = r.Connected(tuple(range(6)), (2,), 3, 2)
    row = Layout.from_units(2, [], shape=(2, 3), rules=[r.AnyOf(((item,), (other,)))])
    for backend in BACKENDS:
        assert unidoku.count(Board.empty(row), backend=backend).count == 10 + 7


def test_cells_whose_regions_are_equal_are_told_to_differ() -> None:
    n, first = 4, 16
    together = r.Pairs(((first, first + 1), (first + 1, first + 5)), lambda a, b: a == b)
    board = shown(n, [], together)
    assert [*implied_constraints(board.layout)] == [Sets((0, 1, 5), digit_sets(n, 3, 0, n * n))]
    assert Sets((0, 1, 5), digit_sets(n, 3, 0, n * n)) in with_implied(board.layout).constraints
    # Of equal cells that need not lie in a region nothing follows.
    cells, others = tuple(range(4)), tuple(range(4, 8))
    region = Region(cells, 0b0111, pairs_in_rows(cells, 2), 1, 3, others)
    equal = Relation(tuple(1 << value for value in range(n)), ((0, 1), (1, 2)))
    row = Layout.from_units(
        n, [], shape=(1, 8), rules=[ConstraintRule((*cells, *others), (region, equal))]
    )
    assert not [*implied_constraints(row)]


def test_what_has_no_form_for_regions_refuses_them_by_name() -> None:
    board = shown(2, [])
    for backend in ("exact-cover", "logic"):
        with pytest.raises(unidoku.UnsupportedError, match="does not support connected regions"):
            unidoku.solve(board, backend=backend)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: r.ChaosConstruction((0, 1), (2,), 1),
            "expected the same number of cells in both, got 2 and 1",
        ),
        (lambda: r.ChaosConstruction((0, 1, 2), (3, 4, 5), 3, 2), "a multiple of 2 cells, got 3"),
        (
            lambda: r.ChaosConstruction((0, 1), (2, 3), 0),
            "columns: expected at least 1, got 0",
        ),
        (lambda: r.Connected((0, 1), (1,), 1, 0), "count: expected at least 1, got 0"),
        (lambda: r.Connected((0, 0), (1,), 1), "expected each cell once"),
        (
            lambda: Layout.from_units(
                2, [], shape=(1, 6), rules=[r.ChaosConstruction((0, 1, 2), (3, 4, 5), 3, 1)]
            ),
            "expected at most 2 regions, numbered by the values, got 3",
        ),
        (
            lambda: Layout.from_units(
                2, [], shape=(1, 6), rules=[r.RegionRun((0,), (1, 2, 3, 1, 4))]
            ),
            "expected arms of up to 2 cells, as many as there are values, got one of 3",
        ),
    ],
)
def test_regions_that_cannot_be_are_refused(make: object, message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        make()  # type: ignore[operator]  # it makes a rule or a layout
