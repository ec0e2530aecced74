"""The functions that several kinds of rules share, each compared with its definition."""

from __future__ import annotations

from itertools import product

import pytest

from unidoku import layout
from unidoku.core.bits import values_of
from unidoku.core.regions import connected_parts
from unidoku.core.rules.base import all_differ
from unidoku.core.rules.contents import table_where
from unidoku.core.rules.indexing import tables_of_places
from unidoku.core.rules.related import equal_pairs

FOUR = layout("classic", 4)


@pytest.mark.parametrize("differ", [True, False])
@pytest.mark.parametrize("number", [-1, 0, 2, 3])
def test_a_table_of_a_place_allows_the_number_there_and_perhaps_elsewhere(
    number: int, differ: bool
) -> None:
    n, places = 3, range(1, 3)
    tables = tables_of_places(n, places.start, len(places), number, differ=differ)
    for index, table in zip(places, tables, strict=True):
        for named, value in product(range(n), repeat=2):
            fits = value == number if named == index else not (differ and value == number)
            assert (value + 1 in values_of(table[named])) == fits


@pytest.mark.parametrize(
    ("cells", "differ"),
    [((0, 1, 2), True), ((0, 1, 5), True), ((0, 5, 10), False), ((0, 1, 1), False), ((), True)],
)
def test_cells_differ_if_each_two_share_a_unit(cells: tuple[int, ...], differ: bool) -> None:
    assert all_differ(cells, FOUR) is differ


def test_pairs_of_one_value_are_filled() -> None:
    assert [*equal_pairs([1, 0, 2, 1, 0, 1], range(6))] == [(0, 3), (0, 5), (3, 5)]
    assert [*equal_pairs([1, 1], [0])] == []


def test_parts_are_connected_and_in_the_order_of_their_first_cells() -> None:
    chain = [[at - 1, at + 1] for at in range(7)]
    assert connected_parts([6, 0, 4, 1, 3], chain) == [[0, 1], [3, 4], [6]]
    assert connected_parts([], chain) == []


@pytest.mark.parametrize("equal", [True, False])
@pytest.mark.parametrize("triple", [(0, 1, 2), (2, 0, 1), (1, 1, 0), (0, 1, 0)])
def test_a_table_relates_two_cells_where_a_third_has_a_value(
    triple: tuple[int, int, int], equal: bool
) -> None:
    table = table_where(3, triple, 2, equal=equal)
    assert table.cells == tuple(sorted(set(triple)))
    for row in product(range(1, 4), repeat=len(table.cells)):
        where, a, b = (row[table.cells.index(cell)] for cell in triple)
        assert (row in table.rows) == (where != 2 or (a == b) is equal)
