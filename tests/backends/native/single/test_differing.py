"""Cells that may not have some values in common, always or where another holds a value."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from tests.backends.native.alone import in_a_row, kinds, search
from tests.backends.native.checked import check_pointers
from tests.helpers.volume import volume
from unidoku import Board, Request
from unidoku.backends.native.single.build import rows
from unidoku.backends.native.single.build.differing import Differing
from unidoku.backends.native.single.build.layout_tables import tables_of
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.core.bits import bits_of, set_of
from unidoku.core.rules import DifferWhere, Pairs

LENGTHS = (34, 64, 65, 97)
"""Numbers of cells, in blocks of 32."""


def _not_both(value: int, a: int, b: int) -> bool:
    return not a == b == value


def test_no_number_outside_of_its_arrays_is_read_or_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def searched(length: int) -> list[tuple[int, float]]:
        tables_of.cache_clear()
        pairs = tuple((cell, cell + 1) for cell in range(length - 1))
        apart = [Pairs(pairs, partial(_not_both, value)) for value in range(1, 4)]
        last = length - 1
        where = [DifferWhere((last,), 3, (0, 31, 32)), DifferWhere((0,), 1, (last, last - 1))]
        line = in_a_row(length, 4, [*apart, *where])
        assert kinds(line) >= {Propagator.VALUE_PEERS, Propagator.DIFFER_WHERE}
        results = []
        for seed in range(volume(4)):
            rng = Random(seed)
            masks = tuple(rng.choice((15, 7, 14, 6, 9, 3)) for _ in range(length))
            result = search(Board.of(line, masks), Request(solutions=2, node_limit=100))
            results.append((result.count, result.statistics["nodes"]))
        return results

    monkeypatch.setattr(rows, "FEWEST_ALIKE", 1)
    expected = [*map(searched, LENGTHS)]
    check_pointers(monkeypatch)
    assert [*map(searched, LENGTHS)] == expected
    tables_of.cache_clear()
    assert any(count for results in expected for count, _ in results)


def test_cells_on_sets_that_overlap_are_grouped_by_parts_of_these() -> None:
    units = [set_of(cells) for cells in ((0, 1, 2), (2, 3, 4, 5), (5, 6, 7), (8, 9))]
    cells = set_of(range(9))
    ways = Differing(units).ways(cells)
    assert [[0, 1], [2, 3, 4, 5], [6, 7], [8]] in [sorted(way) for way in ways]
    assert {len(way) for way in ways} == {4}
    for way in ways:
        assert sorted(cell for group in way for cell in group) == bits_of(cells)
        assert all(any(set_of(group) & ~unit == 0 for unit in units) for group in way)
