"""Values that people write from 0 or elsewhere: what they see changes, what is solved does not."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unidoku
from tests.helpers.boards import WIKIPEDIA
from unidoku import Board, FormatError, Layout, LayoutError, Request, layout, load, solve, verify
from unidoku.core import rules
from unidoku.core.batch import Batch
from unidoku.core.symmetry import random_symmetry
from unidoku.core.verify.arrays import wrong_grids
from unidoku.draw import svg
from unidoku.formats.lines import LineReader, write_lines
from unidoku.testing.strategies import boards, first_values, named_layouts, ruled_layouts


def shifted(small: Layout, first_value: int) -> Layout:
    return replace(small, first_value=first_value)


def test_a_rule_speaks_of_the_values_that_people_see() -> None:
    row = Layout.from_units(3, [], shape=(1, 2), first_value=0)
    layout_rules: list[rules.Rule] = [
        rules.PairSum(((0, 1),), 1),
        rules.Killer((0, 1), 1),
        rules.SumOfCells((0, 1), 1),
    ]
    for rule in layout_rules:
        result = solve(Board.empty(replace(row, rules=(rule,))), solutions=None)
        assert sorted(result.solutions) == [(1, 2), (2, 1)]
    rising = replace(row, rules=(rules.Thermo((0, 1)), rules.SumOfCells((0, 1), 3)))
    assert solve(Board.empty(rising)).text("line") == "12"


@pytest.mark.parametrize("first_value", [0, 5, 100])
def test_a_sudoku_of_other_values_has_the_same_solutions(first_value: int) -> None:
    usual = Board.parse(WIKIPEDIA)
    other = Board(shifted(usual.layout, first_value), usual.candidates)
    assert solve(other).solutions == solve(usual).solutions
    thin = Board.parse("1...............", "latin")
    wide = Board(shifted(thin.layout, first_value), thin.candidates)
    assert unidoku.count(wide).count == unidoku.count(thin).count == 144


def test_zero_is_a_value_where_values_begin_with_it_and_only_a_mark_is_empty() -> None:
    small = shifted(layout("latin", 4), 0)
    board = Board.parse("0..3 .... .... 3..0", small)
    assert board.givens == (1, 0, 0, 4, *[0] * 8, 4, 0, 0, 1)
    assert board.text("line") == "0..3........3..0"
    with pytest.raises(FormatError, match=r"expected 0 to 3 or one symbol for empty, got '4'"):
        Board.parse("0..4 .... .... 3..0", small)
    assert Board.parse("5..8 0000 0000 8005".replace(".", "0"), shifted(small, 5)).givens[:4] == (
        (1, 0, 0, 4)
    )


def test_ten_values_from_0_are_a_digit_each() -> None:
    small = Layout.from_units(10, [range(10)], shape=(1, 10), first_value=0)
    assert Board.from_values(small, range(1, 11)).text("line") == "0123456789"
    assert Board.parse("01234.6789", small).givens == (1, 2, 3, 4, 5, 0, 7, 8, 9, 10)


other_boards = st.builds(
    lambda board, first: Board(shifted(board.layout, first), board.candidates),
    boards() | boards(named_layouts()),
    first_values(),
) | boards(ruled_layouts())


@given(other_boards)
def test_a_text_is_read_back_as_the_same_board(board: Board) -> None:
    plain = Board.from_values(board.layout, board.givens)
    for form in ("line", "framed"):
        assert Board.parse(plain.text(form), board.layout) == plain
    if board.has_pencil_marks:
        assert Board.parse(board.text("candidates"), board.layout) == board


@given(other_boards)
def test_symmetric_images_keep_the_first_value(board: Board) -> None:
    symmetry = random_symmetry(board.layout, random.Random(1))
    image = symmetry.board(board)
    assert image.layout == board.layout
    assert symmetry.inverse.board(image) == board


@given(other_boards, st.randoms())
def test_lines_of_many_are_read_as_single_boards_are(board: Board, chance: random.Random) -> None:
    small = board.layout
    grids = np.array(
        [[chance.randint(0, small.n) for _ in small.cells] for _ in range(5)], np.uint8
    )
    lines = write_lines(small, grids).splitlines()
    assert [line.decode() for line in lines] == [
        Board.from_values(small, grid).text("line") for grid in grids.tolist()
    ]
    read: Batch = LineReader(small).read(lines)
    for index, line in enumerate(lines):
        if index not in read.invalid and index not in read.boards:
            assert read.cells[index].tolist() == grids[index].tolist(), line
    if small.first_value == 0:
        assert b"0" not in write_lines(small, grids * 0, empty="0")


@given(boards(ruled_layouts()))
def test_backends_agree_whatever_the_first_value(board: Board) -> None:
    if board.layout.n ** len(board.layout) > 20_000:
        return
    grids = np.array(
        [*itertools.product(range(1, board.layout.n + 1), repeat=len(board.layout))], np.uint8
    )
    right = [grid for grid in map(tuple, grids.tolist()) if not verify(board, grid)]
    cells = np.tile(np.array(board.givens, np.uint8), (len(grids), 1))
    if not board.has_pencil_marks and 0 not in board.candidates:
        assert len(wrong_grids(board.layout, cells, grids)) == len(grids) - len(right)
    for name in ("native", "norvig", "sat", "exact-cover"):
        solver = load(name)
        attempt = solver.attempt(board, Request(solutions=None))
        if attempt.refused and name == "exact-cover":
            continue  # which supports no alternatives
        assert sorted(attempt.result_or_raise(solver.label, board).solutions) == right, name


def test_layouts_of_other_values_differ_and_share_their_tables() -> None:
    usual = layout("classic", 9)
    zero = shifted(usual, 0)
    assert zero != usual
    assert hash(zero) != hash(usual)
    assert zero.base.peers is zero.peers
    assert Board.empty(zero).digest != Board.empty(usual).digest
    assert "values from 0" in repr(zero)
    assert "values" not in repr(usual)
    assert Board.empty(zero).record()["first_value"] == 0


@pytest.mark.parametrize("first_value", [-1, 1000])
def test_a_first_value_has_at_most_three_digits(first_value: int) -> None:
    with pytest.raises(LayoutError, match="expected a first value from 0 to 999"):
        Layout.from_units(2, [], first_value=first_value)


def test_messages_steps_pictures_and_json_show_the_values_that_people_write() -> None:
    small = shifted(layout("latin", 3), 0)
    twice = Board.parse("00. ... ...", small)
    assert str(twice.problems()[0]) == "row A: A1 and A2 are both 0"
    assert verify(twice, (1, 1, 2, 2, 3, 1, 3, 1, 2))[0] == "row A: 0 appears 2 times"
    board = Board.parse("01. ... ...", small)
    assert ">0<" in svg(board)
    step = unidoku.hint(board)
    assert step is not None
    assert str(step) == "full house in row A: A3 is 2"
    grid = solve(board).record()["solutions"][0]
    assert grid[:3] == [0, 1, 2]
    assert "B1 (" in " ".join(unidoku.check(board).reasons)
    assert " or 3)" not in " ".join(unidoku.check(board).reasons)


def test_grids_of_different_first_values_are_not_laid_over_each_other() -> None:
    small = layout("classic", 4)
    with pytest.raises(LayoutError, match="one first value"):
        unidoku.overlap([(small, (0, 0)), (shifted(small, 0), (2, 2))])


def test_binary_boards_have_no_units_and_more_cells_than_values() -> None:
    """Of two zeros and two ones a line there are 90 squares."""
    lines = [range(4 * k, 4 * k + 4) for k in range(4)] + [range(k, 16, 4) for k in range(4)]
    layout_rules = [rules.SumOfCells(tuple(line), 2) for line in lines]
    board = Board.empty(Layout.from_units(2, [], shape=(4, 4), rules=layout_rules, first_value=0))
    assert unidoku.count(board).count == 90
    assert unidoku.count(Board.parse("01.. .... .... ....", board.layout)).count == 30


def test_a_row_may_have_fewer_cells_than_there_are_values() -> None:
    square = layout("latin", 3)
    board = Board.empty(Layout.from_units(4, square.units, shape=(3, 3), first_value=0))
    assert unidoku.count(board).count == 1056
    assert set(solve(board).text("line")) <= set("0123")
