from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unidoku import Board, Layout, is_solution, layout, verify
from unidoku.backends.native.single.search.kinds import Returned
from unidoku.core.verify.boards import faults_of
from unidoku.errors import InputError
from unidoku.testing.strategies import boards

GRID = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)


EMPTY = Board.parse("." * 16)


@pytest.mark.parametrize(
    ("board", "grid", "faults"),
    [
        (Board.parse("1... ..1. .1.. ...1"), GRID, []),
        (Board.parse("2... .... .... ...."), GRID, ["A1: 1 is not among its candidates"]),
        (
            Board.from_candidates(EMPTY.layout, [{2, 3, 4}] + [{1, 2, 3, 4}] * 15),
            GRID,
            ["A1: 1 is not among its candidates"],
        ),
        (
            EMPTY,
            (2, 1, *GRID[2:]),
            ["column 1: 2 appears 2 times", "column 2: 1 appears 2 times"],
        ),
        (EMPTY, GRID[:-1], ["expected 16 values, one for each cell, got 15"]),
        (EMPTY, (0, *GRID[1:]), ["A1: 0 is not a value from 1 to 4"]),
        (EMPTY, (5, *GRID[1:]), ["A1: 5 is not a value from 1 to 4"]),
        (EMPTY, (True, *GRID[1:]), ["A1: True is not a value from 1 to 4"]),
    ],
)
def test_what_is_wrong_with_a_grid_is_said(
    board: Board, grid: tuple[int, ...], faults: list[str]
) -> None:
    assert verify(board, grid) == faults


def test_a_broken_rule_is_refused() -> None:
    assert "A1 and A2 hold no consecutive values, but A1 is 1 and A2 is 2" in verify(
        Board.parse("." * 16, "non-consecutive"), GRID
    )


@given(boards(), st.data())
def test_it_says_what_the_definition_says(board: Board, data: st.DataObject) -> None:
    layout: Layout = board.layout
    grid = tuple(data.draw(st.integers(1, layout.n)) for _ in layout.cells)
    differs = all(
        grid[a] != grid[b] for unit in layout.units for a in unit.cells for b in unit.cells if a < b
    )
    allowed = all(grid[cell] in board.values(cell) for cell in layout.cells)
    assert is_solution(board, grid) == (differs and allowed)


@pytest.mark.parametrize("side", [2, 3, 4, 5, 9])
def test_a_wrong_value_is_seen_however_many_values_and_cells_there_are(side: int) -> None:
    n = side * side
    rows = [side * (row % side) + row // side for row in range(n)]
    known = tuple((row + column) % n + 1 for row in rows for column in range(n))
    board = Board.empty(layout("classic", n))
    assert verify(board, known) == []
    for cell in {0, 1, n, len(known) // 2, len(known) - 1}:
        for value in {-1, 0, 1, 8, 9, n, n + 1, 255, 256} - {known[cell]}:
            assert verify(board, (*known[:cell], value, *known[cell + 1 :])), (cell, value)
        refused = Board(board.layout, _without(board.candidates, cell, known[cell]))
        assert len(verify(refused, known)) == 1


def _without(candidates: tuple[int, ...], cell: int, value: int) -> tuple[int, ...]:
    fewer = candidates[cell] & ~(1 << (value - 1))
    return (*candidates[:cell], fewer, *candidates[cell + 1 :])


def test_boards_of_more_cells_than_a_byte_counts_are_checked() -> None:
    chosen = Layout.from_units(2, [[0, 1], [298, 299]], shape=(1, 300))
    grid = [1, 2] * 150
    assert verify(Board.empty(chosen), grid) == []
    grid[299] = 1
    assert len(verify(Board.empty(chosen), grid)) == 1


@pytest.mark.parametrize(("n", "size"), [(2, 2), (3, 3), (4, 4), (4, 3), (5, 5), (9, 3)])
def test_of_all_rows_of_values_those_that_differ_are_right(n: int, size: int) -> None:
    board = Board.empty(Layout.from_units(n, [range(size)], shape=(1, size)))
    for row in product(range(n + 1), repeat=size):
        assert is_solution(board, row) == (0 not in row and len({*row}) == size)


@given(st.data(), st.sampled_from([6, 7, 9, 10, 11, 12, 13, 14, 25]))
def test_a_row_of_all_values_with_others_in_it_is_refused(data: st.DataObject, n: int) -> None:
    """With several wrong cells at once, whichever values come how often."""
    row = data.draw(st.lists(st.integers(1, n), min_size=n, max_size=n))
    seed = data.draw(st.integers(0, (1 << n) - 1))
    item = [*range(1, n + 1)]
    board = Board.empty(Layout.from_units(n, [range(n)], shape=(1, n)))
    mixed = [row[at] if seed >> at & 1 else item[at] for at in range(n)]
    for values in (row, mixed):
        assert is_solution(board, tuple(values)) == (sorted(values) == item)


@pytest.mark.parametrize("size", [2, 3, 6, 7, 10, 11, 12, 13, 14, 15, 25, 36])
def test_a_row_with_one_value_twice_is_refused_wherever_the_two_are(size: int) -> None:
    item = [*range(1, size + 1)]
    board = Board.empty(Layout.from_units(size, [range(size)], shape=(1, size)))
    for a, b in permutations(range(size), 2):
        assert not is_solution(board, (*item[:a], item[b], *item[a + 1 :])), (a, b)
    assert is_solution(board, tuple(item))


@pytest.mark.parametrize(
    "odd", [True, 1.0, "", "1", b"\x01", None, (), 1 << 40, Returned.ENOUGH, np.uint8(1)]
)
def test_what_is_no_plain_int_is_no_value_of_a_backend(odd: object) -> None:
    board = Board.parse("." * 16)
    wrong: Any = (odd, *GRID[1:])
    assert faults_of(board, wrong) == [f"A1: {odd!r} is not a value from 1 to 4"]


@pytest.mark.parametrize(
    ("grid", "fault"),
    [
        ((*GRID[:-1], *[True] * 5), "expected 16 values, one for each cell, got 20"),
        ((True, np.uint32(2), *GRID[2:]), "A1: True is not a value from 1 to 4"),
        ((257, *GRID[1:]), "A1: 257 is not a value from 1 to 4"),
        ((b"", *GRID[1:]), "A1: b'' is not a value from 1 to 4"),
    ],
)
def test_values_of_other_types_do_not_make_up_for_each_other(grid: Any, fault: str) -> None:
    """Marshalled, five times True is as long as one int, and True and a uint32 as two."""
    assert faults_of(Board.parse("." * 16), grid)[0] == fault


@pytest.mark.parametrize(
    "form",
    [
        list,
        np.array,
        lambda grid: np.array(grid, np.uint8).reshape(4, 4),
        lambda grid: tuple(np.array(grid)),
        lambda grid: [list(grid[at : at + 4]) for at in (0, 4, 8, 12)],
        lambda grid: [float(value) for value in grid],
        lambda grid: "".join(map(str, grid)),
        lambda grid: Board.from_values(layout("classic", 4), grid),
        lambda grid: pandas.DataFrame(np.array(grid).reshape(4, 4)),
    ],
)
def test_a_grid_may_come_in_any_form_of_a_board(form: Callable[[tuple[int, ...]], Any]) -> None:
    board = Board.parse("1... ..1. .1.. ...1")
    assert verify(board, form(GRID)) == []
    assert is_solution(board, form(GRID))
    assert verify(board, form((2, 1, *GRID[2:])))[0] == "A1: 2 is not among its candidates"


@pytest.mark.parametrize("grid", [5, None, b"1234", np.array(5), object()])
def test_what_is_no_grid_is_one_error(grid: Any) -> None:
    with pytest.raises(InputError, match="expected a grid: values, rows of values or a text, got"):
        is_solution(Board.parse("." * 16), grid)


def test_units_of_several_sizes_are_checked_each() -> None:
    """The quick check has the cells of all units in one number, those of one size in a row."""
    units = [[0, 1, 2, 3], [4, 5, 6, 7], [0, 4], [1, 5], [2, 5, 7], [3, 6, 7]]
    board = Board.empty(Layout.from_units(4, units, shape=(2, 4)))
    for rest in product(range(1, 5), repeat=6):
        grid = (1, 2, *rest)
        right = all(len({grid[cell] for cell in unit}) == len(unit) for unit in units)
        assert is_solution(board, grid) == right
