"""The rule of 45: what it tells follows, and is what one finds by hand."""

from __future__ import annotations

from functools import lru_cache

from hypothesis import given

from unidoku import Board, Killer, Layout, Sum, SumOfCells, Thermo, layout, propagate, solve
from unidoku.backends.lower import lower, narrowed
from unidoku.core.deduce import deduced
from unidoku.core.shapes import Sets, digit_sets
from unidoku.core.simplify import simplified
from unidoku.core.verify import is_solution
from unidoku.testing.strategies import cages

SQUARE = layout("latin", 4)


def with_cages(*rules: Killer | SumOfCells) -> Layout:
    """The latin square of four values with cages; its cells are numbered by rows."""
    return Layout(4, SQUARE.units, SQUARE.positions, rules)


@lru_cache(maxsize=2)
def squares(n: int) -> tuple[tuple[int, ...], ...]:
    """All latin squares of n values."""
    return solve(Board.empty(layout("latin", n)), solutions=None).solutions


def grids_of(one: Layout) -> list[tuple[int, ...]]:
    """The latin squares that keep the rules, by the checker alone."""
    return [grid for grid in squares(one.n) if is_solution(Board.empty(one), grid)]


def test_what_cages_leave_over_of_a_row_is_a_given() -> None:
    one = with_cages(Killer((0, 1, 2), 7))
    assert deduced(one).candidates[3] == 0b100
    assert lower(one).candidates[3] == 0b100
    assert narrowed(Board.empty(one)).givens[3] == 3
    assert narrowed(Board.empty(one), deductions=False) == Board.empty(one)


def test_what_sticks_out_of_a_column_is_a_sum() -> None:
    two = with_cages(SumOfCells((0, 4, 5), 7), SumOfCells((8, 9, 12, 13), 10))
    found = [shape for shape in deduced(two).shapes if set(cells_of(shape)) == {5, 9, 13}]
    assert found == [Sets((5, 9, 13), digit_sets(4, 3, 7, 7))]


def cells_of(shape: object) -> tuple[int, ...]:
    """The cells of a sum or of sets."""
    return shape.cells if isinstance(shape, Sum | Sets) else ()


def test_two_rows_tell_what_one_does_not() -> None:
    one = with_cages(SumOfCells((0, 1, 4, 5), 9), SumOfCells((2, 3, 6), 9))
    assert deduced(one).candidates[7] == 0b10


def test_layouts_without_sums_are_left_as_they_are() -> None:
    rising = Layout(4, SQUARE.units, SQUARE.positions, (Thermo((0, 1, 2)),))
    assert deduced(rising) is simplified(rising)
    assert deduced(SQUARE).shapes == ()


@given(cages())
def test_all_that_is_deduced_holds_in_every_solution(one: Layout) -> None:
    """Cages that cover a square, with and without a solution."""
    told = deduced(one)
    assert len(squares(one.n)) == {3: 12, 4: 576}[one.n]
    left = propagate(Board.empty(one))
    for grid in grids_of(one):
        assert all(mask >> v - 1 & 1 for mask, v in zip(told.candidates, grid, strict=True))
        assert left is not None
        assert all(mask >> v - 1 & 1 for mask, v in zip(left.candidates, grid, strict=True))
        for shape in told.shapes:
            match shape:
                case Sum(cells, weights, low, high):
                    total = sum(w * grid[c] for c, w in zip(cells, weights, strict=True))
                    assert low <= total <= high
                case Sets(cells, masks):
                    assert sum(1 << grid[c] - 1 for c in cells) in masks
                case _:
                    pass
