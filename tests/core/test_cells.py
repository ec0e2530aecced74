"""Cells as people write them: names, runs, paths, lists, rows and columns."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unidoku import FormatError, Layout, layout
from unidoku.core.cells import cells_from, pairs_from, text_of_cells, texts_of_pairs
from unidoku.testing.strategies import named_layouts, unit_systems

NINE = layout("classic", 9)
HOLED = Layout.from_units(4, [], positions=[(0, 0), (0, 1), (0, 3), (2, 0), (2, 1)])
LARGE = layout("latin", 30)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("A1", (0,)),
        ("a1 R1C2", (0, 1)),
        ("r1c1, r2c1", (0, 9)),
        ("A1-A4", (0, 1, 2, 3)),
        ("A4-A1", (3, 2, 1, 0)),
        ("A1-C1", (0, 9, 18)),
        ("A1-C3", (0, 10, 20)),
        ("C1-A3", (18, 10, 2)),
        ("A1-A3-C3", (0, 1, 2, 11, 20)),
        ("r1c1-r1c3 B1", (0, 1, 2, 9)),
        (["A1-A2", "C1"], (0, 1, 18)),
        ("row 1", tuple(range(9))),
        ("row 1 left", tuple(range(9))),
        ("Row A right", tuple(range(8, -1, -1))),
        ("column 2 bottom", tuple(range(73, 0, -9))),
        ("column 2 top", tuple(range(1, 81, 9))),
        ("A1 A1", (0, 0)),
    ],
)
def test_cells_are_read_as_people_write_them(text: object, cells: tuple[int, ...]) -> None:
    assert cells_from(NINE, text) == cells


def test_rows_and_columns_leave_holes_out() -> None:
    assert cells_from(HOLED, "row 1 right") == (2, 1, 0)
    assert cells_from(HOLED, "row C") == (3, 4)
    assert cells_from(HOLED, "column 1") == (0, 3)
    assert cells_from(LARGE, "row 30 right")[0] == 899


@pytest.mark.parametrize(
    ("small", "text", "message"),
    [
        (NINE, "J1", "expected a cell from A1 to I9, got 'J1'"),
        (NINE, "A" + "1" * 5000, "expected a cell from A1 to I9, got 'A1111"),
        (NINE, "A1-A10", "got 'A10' in 'A1-A10'"),
        (NINE, "A1-B3", "expected a run in a row, a column or a diagonal, got 'A1-B3'"),
        (NINE, "A1-A1", "expected a run"),
        (NINE, "", "got ''"),
        (NINE, 7, "expected cells such as 'A1 A2', 'A1-A4' or 'row 3', got 7"),
        (NINE, [1], r"got [1]"),
        (NINE, [["A1"]], r"got [['A1']]"),
        (NINE, "row 10", "expected a row from 1 to 9, got 'row 10'"),
        (NINE, "row 0", "expected a row from 1 to 9, got 'row 0'"),
        (NINE, "row 1 top", "expected a row from the left or the right, got 'row 1 top'"),
        (NINE, "column A", "expected a column from 1 to 9"),
        (HOLED, "A1-A4", "there is a hole in 'A1-A4'"),
        (HOLED, "row 2", "expected a row from 1 to 3, got 'row 2'"),
    ],
)
def test_what_are_no_cells_is_told(small: Layout, text: object, message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        cells_from(small, text)


def test_pairs_are_lists_of_two_cells_or_all_side_by_side() -> None:
    assert pairs_from(NINE, [["A1", "A2"], "B1 C1", "D1-D2"]) == ((0, 1), (9, 18), (27, 28))
    assert len(pairs_from(NINE, "neighbours")) == 144
    assert texts_of_pairs(NINE, pairs_from(NINE, "neighbours")) == "neighbours"
    with pytest.raises(FormatError, match="expected pairs of two cells, got 3 cells in 'A1-A3'"):
        pairs_from(NINE, ["A1-A3"])
    with pytest.raises(FormatError, match=r"expected pairs of cells such as .* got 'A1 A2'"):
        pairs_from(NINE, "A1 A2")


def test_a_straight_run_is_written_by_its_ends() -> None:
    assert text_of_cells(NINE, (0, 1, 2, 3)) == "A1-A4"
    assert text_of_cells(NINE, (0, 10, 20, 11, 2)) == "A1-C3 B3 A3"
    assert text_of_cells(NINE, (0, 1)) == "A1 A2"
    assert text_of_cells(HOLED, (0, 1, 2)) == "A1 A2 A4"


@given(st.data())
def test_any_cells_are_read_back(data: st.DataObject) -> None:
    item = data.draw(named_layouts() | unit_systems() | st.sampled_from([HOLED, LARGE]))
    cells = st.sampled_from(item.cells)
    lists = tuple(data.draw(st.lists(cells, min_size=1)))
    assert cells_from(item, text_of_cells(item, lists)) == lists
    pairs = tuple(data.draw(st.lists(st.tuples(cells, cells), min_size=1)))
    assert pairs_from(item, texts_of_pairs(item, pairs)) == pairs
