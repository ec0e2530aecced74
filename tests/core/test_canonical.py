from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.boards import NORVIG
from tests.helpers.volume import volume
from unidoku import Board, Layout, Request, layout
from unidoku.backends.adapters.norvig import Norvig
from unidoku.core.canonical import canonical, canonical_digest
from unidoku.core.symmetry import random_symmetry
from unidoku.testing.strategies import boards, named_layouts

SMALL = st.sampled_from(
    [
        layout("latin", 3),
        layout("latin", 4),
        layout("classic", 4),
        layout("x", 4),
        layout("windoku", 4),
        layout("non-consecutive", 4),
        layout("latin+non-consecutive", 5),
        layout("classic", 6),
    ]
)


def count(board: Board) -> int:
    return Norvig().search(board, Request(solutions=50, node_limit=2000)).count


@st.composite
def in_a_row(draw: st.DrawFn) -> Board:
    n = draw(st.integers(1, 5))
    cells = draw(st.integers(1, 6))
    unit = st.sets(st.integers(0, cells - 1), min_size=1, max_size=n)
    subject = Layout.from_units(n, draw(st.lists(unit, max_size=4)), shape=(1, cells))
    masks = draw(st.lists(st.integers(0, (1 << n) - 1), min_size=cells, max_size=cells))
    return Board(subject, tuple(masks))


@settings(max_examples=volume(40))
@given(boards(SMALL), st.randoms(use_true_random=False))
def test_symmetric_images_of_a_board_have_one_canonical_form(
    board: Board, order: random.Random
) -> None:
    image = random_symmetry(board.layout, order).board(board)
    assert canonical(image) == canonical(board)


@given(in_a_row(), st.randoms(use_true_random=False))
def test_cells_in_one_row_may_change_places_and_the_units_go_along(
    board: Board, order: random.Random
) -> None:
    small = board.layout
    places = order.sample(small.cells, len(small))
    names = order.sample(range(small.n), small.n)
    masks = [0] * len(small)
    for cell, mask in enumerate(board.candidates):
        masks[places[cell]] = sum(1 << names[v] for v in range(small.n) if mask >> v & 1)
    units = [[places[cell] for cell in unit.cells] for unit in small.units]
    other = Board(Layout.from_units(small.n, units, shape=(1, len(small))), tuple(masks))
    assert canonical(other) == canonical(board)


@settings(max_examples=volume(40))
@given(boards() | boards(named_layouts()) | in_a_row())
def test_the_canonical_form_of_a_canonical_form_is_itself(board: Board) -> None:
    once = canonical(board)
    assert canonical(once) == once


@given(boards() | in_a_row())
def test_a_board_and_its_canonical_form_have_as_many_solutions(board: Board) -> None:
    assert count(canonical(board)) == count(board)


@given(boards(st.just(layout("classic", 4))), boards(st.just(layout("classic", 4))))
def test_boards_with_different_counts_have_different_canonical_forms(
    first: Board, other: Board
) -> None:
    if count(first) != count(other):
        assert canonical_digest((first,)) != canonical_digest((other,))


@pytest.mark.parametrize("seed", range(3))
def test_beyond_the_symmetries_that_can_all_be_tried_the_form_is_still_its_own(seed: int) -> None:
    order = random.Random(seed)
    board = Board.parse(NORVIG)
    image = random_symmetry(board.layout, order).board(board)
    once = canonical(image)
    assert canonical(once) == once
    assert Norvig().search(once, Request(solutions=2)).count == 1


def test_boards_in_a_row_are_named_by_all_of_them() -> None:
    first, other = Board.parse("1... .... .... ...."), Board.parse("1... 2... .... ....")
    digests = {
        canonical_digest(row) for row in [(first,), (other,), (first, other), (other, first)]
    }
    assert len(digests) == 4
