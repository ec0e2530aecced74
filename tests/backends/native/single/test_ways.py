"""The ways in which single looks at relations and lines differ in time and in nothing else."""

from __future__ import annotations

from random import Random

import pytest

from tests.backends.native.alone import in_a_row, kinds, left, search, tables
from unidoku import Board, Layout, Request, Stop, layout
from unidoku.backends.native.single import boards as single
from unidoku.backends.native.single.build import rows
from unidoku.backends.native.single.build.layout_tables import tables_of
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.backends.native.single.search.registers import Register
from unidoku.core.rules import Holds, Killer, Pairs

pytestmark = pytest.mark.usefixtures("form")


def test_many_pairs_without_a_common_value_are_rows_of_their_cells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def pairs(apart: int, value: int) -> Pairs:
        cells = tuple((cell, cell + apart) for cell in range(70 - apart))
        return Pairs(cells, lambda a, b: not a == b == value)

    def line() -> Layout:
        return in_a_row(70, 3, [pairs(1, 1), pairs(2, 2), pairs(33, 3), pairs(35, 2)])

    assert kinds(in_a_row(70, 3, [pairs(1, 1)])) == {Propagator.EXCLUSION}
    boards, of_kinds = [], []
    for seed in range(60):
        rng = Random(seed)
        boards.append([rng.choice((7, 7, 7, 7, 3, 5, 6, 1, 2, 4)) for _ in range(70)])
    for fewest, kind in ((100, Propagator.VALUE_PEERS), (10_000, Propagator.EXCLUSION)):
        monkeypatch.setattr(rows, "FEWEST_ALIKE", fewest)
        tables_of.cache_clear()
        layout = line()
        assert kinds(layout) == {kind}
        results = []
        for masks in boards:
            result = search(Board.of(layout, tuple(masks)), Request(solutions=1, node_limit=1))
            is_impossible = result.stop is Stop.EXHAUSTED
            results.append(None if is_impossible else left(Board.of(layout, tuple(masks))))
        of_kinds.append(results)
    tables_of.cache_clear()
    assert of_kinds[0] == of_kinds[1]
    assert 0 < of_kinds[0].count(None) < 60


def test_a_relation_in_which_only_a_decided_cell_tells_anything_waits_for_one() -> None:
    apart = in_a_row(2, 4, [Pairs(((0, 1),), lambda a, b: a + b != 5)])
    near = in_a_row(2, 4, [Pairs(((0, 1),), lambda a, b: abs(a - b) < 2)])
    assert kinds(apart) == {Propagator.EXCLUSION}
    assert kinds(near) == {Propagator.RELATION}
    assert left(Board.of(apart, (0b0110, 0b1111))) == (0b0110, 0b1111)
    assert left(Board.of(apart, (0b0010, 0b1111))) == (0b0010, 0b1011)
    assert left(Board.of(apart, (0b1111, 0b1000))) == (0b1110, 0b1000)
    assert left(Board.of(near, (0b1001, 0b1111))) == (0b1001, 0b1111)
    assert left(Board.of(near, (0b0001, 0b1111))) == (0b0001, 0b0011)
    result = search(Board.of(apart, (0b0110, 0b1111)), Request(node_limit=1))
    assert result.statistics["propagations"] == 0


def test_a_relation_that_excludes_one_way_only_is_of_two_kinds() -> None:
    """One value of the first excludes one of the second; that one is excluded by several."""
    layout = in_a_row(2, 4, [Pairs(((0, 1),), lambda a, b: a < 3 or b == 1)])
    assert kinds(layout) == {Propagator.RELATION}
    odd = in_a_row(2, 4, [Pairs(((0, 1),), lambda a, b: a != 2 or b in (1, 4))])
    assert kinds(odd) == {Propagator.EXCLUSION, Propagator.RELATION}
    assert left(Board.of(odd, (0b0010, 0b1111))) == (0b0010, 0b1001)
    assert left(Board.of(odd, (0b1111, 0b0110))) == (0b1101, 0b0110)


def test_what_rules_leave_of_a_cell_is_taken_at_the_beginning_of_each_search() -> None:
    layout = in_a_row(3, 4, [Holds((0,), (2,)), Killer((1, 2), 4)])
    for candidates in ((0b1111, 0b1111, 0b1111), (0b0011, 0b0001, 0b1110)):
        assert left(Board.of(layout, candidates))[0] == 0b0010


def test_tables_begin_with_a_line_of_the_cache_and_small_constraints_come_first() -> None:
    chosen = layout("classic", 9)
    cages = [Killer((0, 1, 2, 3, 4), 20), Killer((9, 10, 11), 10), Killer((27, 28, 29, 30), 21)]
    ruled = Layout.from_units(9, chosen.units, shape=(9, 9), rules=cages)
    layout_tables = tables(ruled)
    memory = single.Memory(layout_tables)
    assert {
        memory.registers[register] % 64 for register in (Register.DATA_AT, Register.CANDIDATES_AT)
    } == {0}
    constraints, rows, data = layout_tables.arrays[:3]
    sizes = [
        data[row] for kind, row in zip(constraints, rows, strict=True) if kind == Propagator.SETS
    ]
    assert sizes == [3, 4, 5]


def test_units_of_boxes_and_lines_do_not_see_across_others() -> None:
    assert Propagator.ACROSS in kinds(layout("anti-knight", 9))
    assert Propagator.ACROSS not in kinds(layout("classic", 9))
