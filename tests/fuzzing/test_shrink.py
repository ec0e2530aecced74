from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.shrinking import shrunk
from unidoku import Board, Layout, NonConsecutive, Request, layout
from unidoku.backends.adapters.norvig import Norvig
from unidoku.fuzzing.reduce import givens_of, measure, steps
from unidoku.fuzzing.shrink import shrink, smallest_boards
from unidoku.support.ddmin import ddmin
from unidoku.support.deadline import Deadline
from unidoku.testing.strategies import boards

PARTS = range(24)

Shows = Callable[[Board], bool]


def count(board: Board) -> int:
    return Norvig().search(board, Request(solutions=3, node_limit=500)).count


@given(st.sets(st.sampled_from(PARTS)), st.sets(st.sampled_from(PARTS)), st.booleans())
def test_ddmin_returns_parts_that_show_it_none_of_which_can_be_left_out(
    wanted: set[int], other: set[int], odd: bool
) -> None:
    def shows(remaining: list[int]) -> bool:
        # Either of two sets does; where it must be odd, what shows need not show with one more.
        right = wanted <= set(remaining) or other <= set(remaining)
        return right and (not odd or len(remaining) % 2 == 1 or len(remaining) == len(PARTS))

    smallest = ddmin(PARTS, shows)
    assert shows(smallest)
    assert smallest == sorted(smallest)
    for part in smallest:
        assert not shows([chosen for chosen in smallest if chosen != part])


@given(st.integers(0, 1023))
def test_ddmin_finds_a_single_part_by_halves(wanted: int) -> None:
    tests = 0

    def shows(remaining: list[int]) -> bool:
        nonlocal tests
        tests += 1
        return wanted in remaining

    assert ddmin(range(1024), shows) == [wanted]
    assert tests <= 2 * math.log2(1024) + 1


PREDICATES: dict[str, Shows] = {
    "has no solution": lambda board: count(board) == 0,
    "has several solutions": lambda board: count(board) > 1,
    "has one solution": lambda board: count(board) == 1,
    "has two givens": lambda board: sum(map(bool, board.givens)) >= 2,
    "has a unit of two cells": lambda board: any(len(u.cells) == 2 for u in board.layout.units),
    "has pencil marks": lambda board: board.has_pencil_marks,
    "has four values": lambda board: board.layout.n >= 4,
    "has more cells than values": lambda board: len(board.layout) > board.layout.n,
}


@pytest.mark.parametrize("name", PREDICATES)
def test_what_is_shrunk_still_shows_it_and_no_step_from_it_does(name: str) -> None:
    shows = PREDICATES[name]

    @given(boards(), st.booleans())
    def check(board: Board, small: bool) -> None:
        if not shows(board):
            return
        smallest = shrunk(board, shows, small=small)
        assert shows(smallest)
        assert measure((smallest,)) <= measure((board,))
        for (smaller,) in steps((smallest,)):
            assert measure((smaller,)) >= measure((smallest,)) or not shows(smaller)

    check()


@given(boards())
def test_no_step_makes_a_board_larger_in_any_way_but_its_place(board: Board) -> None:
    for smaller in steps((board,)):
        now, then = measure(smaller), measure((board,))
        # A mark that becomes a given, or a unit that loses a cell, may change what comes last.
        assert all(a <= b for a, b in zip(now[:6], then[:6], strict=True))


@pytest.mark.parametrize(
    ("name", "givens", "n", "cells"),
    [
        ("has no solution", 1, 1, 1),
        ("has several solutions", 0, 2, 1),
        ("has two givens", 0, 1, 2),
        ("has a unit of two cells", 0, 2, 2),
        ("has pencil marks", 1, 1, 1),
        ("has four values", 0, 4, 1),
        ("has more cells than values", 0, 1, 2),
    ],
)
def test_a_large_board_shrinks_to_the_smallest_of_all(
    name: str, givens: int, n: int, cells: int
) -> None:
    full = layout("classic", 9)
    masks = [0b111111111] * 81
    masks[:9] = [1, 1, 0b11, 0b110, 2, 4, 8, 0b10101, 0b111]
    unit = Layout.from_units(9, [*full.units, [0, 80]])
    board = Board(unit, tuple(masks))
    shows = PREDICATES[name]
    several = Board.empty(full)
    smallest = shrunk(several if name == "has several solutions" else board, shows)
    assert (len(givens_of((smallest,))), smallest.layout.n, len(smallest.layout)) == (
        givens,
        n,
        cells,
    )


def test_rules_are_shrunk_pair_by_pair() -> None:
    board = Board.empty(layout("latin+non-consecutive", 4))

    def shows(tried: Board) -> bool:
        pairs = [p for r in tried.layout.rules if isinstance(r, NonConsecutive) for p in r.pairs]
        return len(tried.layout.positions) >= 2 and any(b - a == 1 for a, b in pairs)

    smallest = shrunk(board, shows)
    assert smallest.layout.rules == (NonConsecutive(((0, 1),)),)
    assert (smallest.layout.n, len(smallest.layout), smallest.layout.units) == (1, 2, ())


def test_boards_in_a_row_shrink_together_and_those_that_do_not_matter_are_dropped() -> None:
    subject = layout("classic", 4)
    clash = Board.parse("11.. .... .... ....")
    other = Board.parse("1... ..2. .3.. ...4")
    asked = (other, clash, other, Board.empty(subject))

    def shows(row: tuple[Board, ...]) -> bool:
        before = any(count(board) == 0 and board.layout == row[-1].layout for board in row[:-1])
        return before and count(row[-1]) > 0 and len(row[-1].layout.units) > 0

    for small in (True, False):
        impossible, possible = shrink(asked, shows, small=small)
        assert impossible.layout == possible.layout
        assert measure((impossible, possible))[:5] <= (2, 2, 2, 4, 2)


def test_boards_of_other_layouts_with_as_many_cells_lose_them_together() -> None:
    asked = (Board.empty(layout("classic:2x3", 6)), Board.empty(layout("classic:3x2", 6)))

    def shows(row: tuple[Board, ...]) -> bool:
        sizes = {(board.layout.n, len(board.layout)) for board in row}
        return len(row) == 2 and len(sizes) == 1 and row[0].layout.units != row[1].layout.units

    first, last = shrink(asked, shows)
    assert len(first.layout) == len(last.layout) == 1
    assert len(first.layout.units) + len(last.layout.units) == 1


def test_a_deadline_that_is_over_leaves_the_board_as_it_is() -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    assert shrunk(board, lambda _: True, Deadline(1e-9)) == board


@pytest.mark.parametrize("length", [1, 2])
def test_the_smallest_boards_come_in_order_and_none_is_larger_than_asked(length: int) -> None:
    small = smallest_boards(length, layout("classic+x", 4))
    assert list(small) == sorted(small, key=measure)
    assert {len(boards) for boards in small} == {length}
    assert max(board.layout.n for boards in small for board in boards) == 4
