"""The rule of 45: what it tells follows, and is what one finds by hand."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_

from hypothesis import given

from unidoku import Board, Layout, Relation, Sum, layout, propagate, solve
from unidoku.core import rules as r
from unidoku.core.bits import values_of
from unidoku.core.constraints.primitives import Sets, digit_sets
from unidoku.core.transforms.implied import implied_constraints, with_implied
from unidoku.core.transforms.innies_outies import remainders
from unidoku.core.transforms.lower import lower, narrowed
from unidoku.core.transforms.simplify import simplified
from unidoku.core.verify.boards import is_solution
from unidoku.testing.strategies import cages

SQUARE = layout("latin", 4)


def with_cages(*rules: r.Killer | r.SumOfCells) -> Layout:
    """The latin square of four values with cages; its cells are numbered by rows."""
    return Layout(4, SQUARE.units, SQUARE.positions, rules)


@lru_cache(maxsize=2)
def squares(n: int) -> tuple[tuple[int, ...], ...]:
    """All latin squares of n values."""
    return solve(Board.empty(layout("latin", n)), solutions=None).solutions


@given(cages())
def test_remainders_of_few_cells_are_those_of_all(layout: Layout) -> None:
    every = list(remainders(layout))
    few = [remainder for remainder in every if (remainder.left | remainder.over).bit_count() <= 3]
    assert list(remainders(layout, most_cells=3)) == few
    for remainder in every:
        assert sum(remainder.cages) == reduce(or_, remainder.cages)  # no two share a cell


def test_what_cages_leave_over_of_a_row_is_a_given() -> None:
    small = with_cages(r.Killer((0, 1, 2), 7))
    stronger = with_implied(small)
    assert lower(stronger).candidates[3] == 0b100
    assert narrowed(Board.empty(stronger)).givens[3] == 3
    assert narrowed(Board.empty(small)) == Board.empty(small)


def test_what_sticks_out_of_a_column_is_a_sum() -> None:
    two = with_cages(r.SumOfCells((0, 4, 5), 7), r.SumOfCells((8, 9, 12, 13), 10))
    sums = [
        constraint
        for constraint in simplified(with_implied(two)).constraints
        if set(cells_of(constraint)) == {5, 9, 13}
    ]
    assert sums == [Sets((5, 9, 13), digit_sets(4, 3, 7, 7))]


def cells_of(constraint: object) -> tuple[int, ...]:
    """The cells of a sum or of sets."""
    return constraint.cells if isinstance(constraint, Sum | Sets) else ()


def test_two_rows_tell_what_one_does_not() -> None:
    small = with_cages(r.SumOfCells((0, 1, 4, 5), 9), r.SumOfCells((2, 3, 6), 9))
    assert simplified(with_implied(small)).candidates[7] == 0b10


def test_layouts_without_sums_are_left_as_they_are() -> None:
    rising = Layout(4, SQUARE.units, SQUARE.positions, (r.Thermo((0, 1, 2)),))
    assert with_implied(rising) is rising
    assert with_implied(SQUARE) is SQUARE


@given(cages())
def test_all_that_is_deduced_holds_in_every_solution(small: Layout) -> None:
    """Cages that cover a square, with and without a solution."""
    stronger = simplified(with_implied(small))
    assert len(squares(small.n)) == {3: 12, 4: 576}[small.n]
    left = propagate(Board.empty(small))
    for grid in (grid for grid in squares(small.n) if is_solution(Board.empty(small), grid)):
        assert all(mask >> v - 1 & 1 for mask, v in zip(stronger.candidates, grid, strict=True))
        assert left is not None
        assert all(mask >> v - 1 & 1 for mask, v in zip(left.candidates, grid, strict=True))
        for constraint in stronger.constraints:
            match constraint:
                case Sum(cells, weights, low, high):
                    total = sum(w * grid[c] for c, w in zip(cells, weights, strict=True))
                    assert low <= total <= high
                case Sets(cells, masks):
                    assert sum(1 << grid[c] - 1 for c in cells) in masks
                case _:
                    pass


def test_implied_sums_change_the_constraints_of_a_layout_only() -> None:
    small = replace(layout("classic", 9), rules=(r.SumOfCells(tuple(range(8)), 44),))
    stronger = with_implied(small)
    assert stronger != small
    assert small != stronger
    assert stronger == with_implied(replace(small, name="another"))
    assert with_implied(stronger) is stronger
    assert (stronger.base, stronger.rules, len(stronger.constraints)) == (
        small.base,
        small.rules,
        2,
    )
    assert Board.empty(stronger).digest == Board.empty(small).digest
    again = pickle.loads(pickle.dumps(stronger))
    assert (again, hash(again), again.constraints) == (
        stronger,
        hash(stronger),
        stronger.constraints,
    )


def test_what_a_backend_replaces_in_a_layout_with_what_follows_is_a_plain_layout() -> None:
    square = layout("latin", 4)
    cage = replace(square, rules=(r.Killer((0, 1, 2), 6), r.Killer((4, 5), 3)))
    stronger = with_implied(cage)
    assert stronger is not cage
    fewer = replace(stronger, rules=cage.rules[:1])
    assert type(fewer) is Layout
    assert fewer == replace(cage, rules=cage.rules[:1])


def test_no_more_is_told_than_is_served() -> None:
    small = with_cages(r.SumOfCells((0,), 1))
    assert {type(each) for each in simplified(with_implied(small)).constraints} == {Sets}
    assert with_implied(small, frozenset({Relation})) is small


def test_pairs_of_a_known_sum_are_cages() -> None:
    five = layout("latin", 5)
    stronger = with_implied(replace(five, rules=(r.PairSum(((0, 1), (2, 3)), 6),)))
    assert simplified(stronger).candidates[4] == 0b100


def test_a_cage_of_which_a_row_has_the_larger_part_tells_of_the_rest() -> None:
    small = with_cages(r.SumOfCells((0, 1, 2, 4), 8))
    assert Sum.of([(3, 1), (4, -1)], 2, 2) in implied_constraints(small, terms=3)


def test_three_rows_tell_what_two_do_not() -> None:
    small = replace(layout("latin", 7), rules=(r.SumOfCells(tuple(range(1, 21)), 81),))
    assert list(implied_constraints(small, units=2)) == []
    assert list(implied_constraints(small, units=3)) == [Sum.of([(0, 1)], 3, 3)]


def test_a_sum_that_others_say_already_is_not_told_again() -> None:
    """Two rows leave over what each of them does."""
    small = with_cages(r.SumOfCells((0, 1, 2), 6), r.SumOfCells((4, 5), 3))
    for units in (1, 2):
        sums = implied_constraints(small, units=units, terms=3)
        assert [cells_of(each) for each in sums] == [(3,), (6, 7)]


def test_cells_any_two_of_which_are_apart_hold_one_of_few_sets() -> None:
    """A line on which all values differ by two or more: six values, of which 1, 3 and 5 go."""
    six = layout("latin", 6)
    apart = r.Pairs(tuple(combinations((0, 1, 7), 2)), lambda a, b: abs(a - b) > 1)
    small = replace(six, rules=(apart,))
    (implied,) = implied_constraints(small)
    assert isinstance(implied, Sets)
    assert implied.cells == (0, 1, 7)
    assert sorted(map(values_of, implied.masks)) == [(1, 3, 5), (1, 3, 6), (1, 4, 6), (2, 4, 6)]


def test_of_cells_that_differ_and_no_more_nothing_is_told() -> None:
    small = with_cages(r.Killer((0, 5, 10), None))
    assert list(implied_constraints(small)) == []


def test_cells_that_differ_by_rules_and_are_as_many_as_values_hold_each_of_them() -> None:
    line = (0, 5, 10, 15)  # a diagonal; no unit
    differ = r.Pairs(tuple(combinations(line, 2)), lambda a, b: a != b)
    chosen = replace(layout("classic", 4), rules=(differ,))
    assert Sets(line, (0b1111,)) in list(implied_constraints(chosen))
