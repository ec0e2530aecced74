"""Shapes: one form for what says the same, moves and renamings, and what they remove."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unidoku import Board, Layout, Pairs, Relation, layout, propagate
from unidoku.core.bits import values_of
from unidoku.core.shapes import (
    Pair,
    Table,
    backwards,
    images,
    merged,
    moved,
    renamed,
    shifts,
    tabulated,
)
from unidoku.core.symmetry import is_reversible
from unidoku.testing import brute_force
from unidoku.testing.strategies import boards, related_cells, tables

N = 4
PAIRS = st.lists(st.sampled_from(list(itertools.permutations(range(4), 2))), min_size=1).map(tuple)
RELATIONS = st.builds(Relation, tables(N), PAIRS)


def allowed(relations: list[Relation]) -> set[tuple[int, ...]]:
    """The values of four cells that are in all relations."""
    return {
        grid
        for grid in itertools.product(range(1, N + 1), repeat=4)
        if all(
            relation.table[grid[a] - 1] >> grid[b] - 1 & 1
            for relation in relations
            for a, b in relation.pairs
        )
    }


@given(st.lists(RELATIONS, max_size=3), st.randoms())
def test_what_says_the_same_has_one_form(relations: list[Relation], order: random.Random) -> None:
    told = [
        Relation(backwards(one.table), ((b, a),)) if order.random() < 0.5 else one
        for relation in relations
        for a, b in relation.pairs
        for one in [Relation(relation.table, ((a, b),))]
    ]
    order.shuffle(told)
    assert merged(told) == merged(relations)
    assert merged(merged(told)) == merged(told)
    assert allowed(list(merged(told))) == allowed(relations)


@given(RELATIONS, st.permutations(range(4)), st.permutations(range(1, N + 1)))
def test_moved_and_renamed_shapes_allow_the_moved_and_renamed_values(
    relation: Relation, cells: list[int], names: list[int]
) -> None:
    image = renamed(moved(relation, cells), [0, *names])
    expected = set()
    for grid in allowed([relation]):
        there = [0] * 4
        for cell, value in enumerate(grid):
            there[cells[cell]] = names[value - 1]
        expected.add(tuple(there))
    assert allowed([image]) == expected


@given(tables(5), st.integers(1, 31))
def test_an_image_is_what_some_value_may_stand_beside(table: Table, mask: int) -> None:
    beside = {w for v in values_of(mask) for w in values_of(table[v - 1])}
    assert set(values_of(images(table)[mask])) == beside


@given(tables(5))
def test_shifts_forbid_what_the_table_does(table: Table) -> None:
    forbidden = {
        (v, v + more)
        for more, values in shifts(table)
        for v in range(1, 6)
        if values >> v - 1 & 1 and 1 <= v + more <= 5
    }
    rows = Relation(table, ()).rows
    assert forbidden == set(itertools.product(range(1, 6), repeat=2)) - set(rows)


def test_equal_tables_are_one_object() -> None:
    tables = [tabulated(9, lambda a, b: a != b) for _ in range(2)]
    assert tables[0] is tables[1]


@given(boards(related_cells().filter(lambda one: one.n ** len(one) < 5000)))
def test_propagation_removes_nothing_that_is_in_a_solution(board: Board) -> None:
    left, truth = propagate(board), list(brute_force(board))
    assert left is not None or not truth
    for grid in truth:
        assert left is not None
        assert all(mask >> value - 1 & 1 for mask, value in zip(left.candidates, grid, strict=True))


def test_a_value_without_a_partner_goes_before_any_cell_is_decided() -> None:
    row = Layout.from_units(
        5, [], shape=(1, 3), rules=[Pairs(((0, 1), (1, 2)), lambda a, b: a < b)]
    )
    left = propagate(Board.empty(row))
    assert left is not None
    assert [left.values(cell) for cell in row.cells] == [(1, 2, 3), (2, 3, 4), (3, 4, 5)]


@pytest.mark.parametrize(
    ("related", "reversible"),
    [(lambda a, b: abs(a - b) > 2, True), (lambda a, b: a < b, False), (lambda a, b: a != 3, True)],
)
def test_values_may_be_counted_backwards_where_the_tables_stay_the_same(
    related: object, reversible: bool
) -> None:
    row = Layout.from_units(5, [], shape=(1, 2), rules=[Pairs(((0, 1),), related)])  # type: ignore[arg-type]
    assert is_reversible(row) == reversible


def test_layouts_share_the_tables_of_their_units() -> None:
    ruled = layout("non-consecutive", 9)
    pairs: tuple[Pair, ...] = ((0, 1),)
    other = Layout(9, ruled.units, ruled.positions, (Pairs(pairs, lambda a, b: a > b),))
    assert ruled.base is other.base
    assert ruled.peers is other.peers
    assert ruled.base.base is ruled.base
    assert ruled.base == layout("classic", 9)
    assert [str(unit) for unit in other.full_units] == [str(unit) for unit in ruled.full_units]


def test_the_shapes_of_rules_that_say_the_same_are_equal() -> None:
    named = layout("latin+non-consecutive", 4)
    backwards_pairs = tuple((b, a) for a, b in named.rules[0].pairs)  # type: ignore[attr-defined]  # it is of that kind
    own = Pairs(backwards_pairs, lambda a, b: abs(a - b) != 1)
    assert Layout(4, named.units, named.positions, (own,)).shapes == named.shapes
