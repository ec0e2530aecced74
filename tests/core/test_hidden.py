"""Hidden cells: part of a layout and its rules, of no text, picture or grid."""

from __future__ import annotations

import itertools
import json
import pickle
import random
from dataclasses import replace

import pytest
from hypothesis import given

import unidoku
from unidoku import Board, Layout, LayoutError, layout
from unidoku.core import rules as r
from unidoku.core.canonical import canonical
from unidoku.core.constraints.primitives import Sets
from unidoku.core.hidden import expanded, expanded_layout
from unidoku.core.portable import board_from_table, table_of_board
from unidoku.core.propagation.propagate import propagate
from unidoku.core.symmetry import cell_symmetries, is_reversible, random_symmetry
from unidoku.core.verify.boards import is_solution, verify
from unidoku.draw import svg
from unidoku.formats import Puzzle
from unidoku.formats.toml.file import read_toml, write_toml
from unidoku.testing.strategies import boards, hidden_layouts
from unidoku.testing.truth import brute_force

ROW = Layout.from_units(
    4, ["A1 A2 #1"], shape=(1, 3), hidden=[0b0111, 0b1000], rules=[r.Arrow((4,), (0, 1))]
)
"""Three cells, of which the first two sum to 4 and differ from a hidden one of 1, 2 or 3."""


def test_hidden_cells_are_told_apart_by_their_values() -> None:
    other = replace(ROW, hidden=(0b0111, 0b1100))
    assert other != ROW
    assert Board.empty(other).digest != Board.empty(ROW).digest
    assert len(ROW) == 3
    assert ROW.names == ("A1", "A2", "A3", "#1", "#2")
    assert [ROW.cell("#2"), ROW.cell("a3")] == [4, 2]


@pytest.mark.parametrize("name", ["#0", "#3", "#", "#x", "B1"])
def test_a_hidden_cell_that_is_not_there_has_no_name(name: str) -> None:
    with pytest.raises(LayoutError, match="expected a cell from A1 to A3"):
        ROW.cell(name)


@pytest.mark.parametrize("mask", [0, 16, -1])
def test_a_hidden_cell_holds_some_value(mask: int) -> None:
    with pytest.raises(LayoutError, match="expected sets of values from 1 to 4 for hidden cells"):
        Layout(4, (), ((0, 0),), hidden=(mask,))


def test_units_and_rules_speak_of_cells_that_are_there() -> None:
    with pytest.raises(LayoutError, match=r"expected cells 0 to 4, got \[4, 5\]"):
        replace(ROW, rules=(r.Killer((4, 5), 3),))


def test_a_layout_without_hidden_cells_is_its_own_expansion() -> None:
    square = layout("classic", 4)
    board = Board.empty(square)
    assert expanded_layout(square) is square
    assert expanded(board) is board


@given(boards(hidden_layouts()))
def test_boards_with_hidden_cells_are_written_and_read(board: Board) -> None:
    (puzzle,) = read_toml(write_toml([Puzzle(board, "x", 1)]).text)
    assert puzzle.board == board
    assert svg(board)
    assert str(board)
    assert board.layout.broken(board.givens) is not None


@pytest.mark.parametrize(
    "rules",
    [
        [r.ChaosConstruction((1,), (3,), 1, 1), r.EqualityCage((1, 3), 2)],
        [r.ChaosConstruction((4, 2), (3, 4), 1, 1)],
    ],
)
def test_rules_of_cells_that_are_numbers_of_regions_are_left_out_of_drawings(
    rules: list[r.Rule],
) -> None:
    assert svg(Board.empty(Layout.from_units(2, [], shape=(1, 3), hidden=[1, 1], rules=rules)))


@given(boards(hidden_layouts()))
def test_nothing_is_lost_that_a_solution_holds(board: Board) -> None:
    solutions = list(brute_force(board))
    left = propagate(board)
    assert left is not None or not solutions
    for grid in solutions:
        assert verify(board, grid) == []
        assert left is not None
        assert left.layout is board.layout
        assert all(mask >> value - 1 & 1 for mask, value in zip(left.candidates, grid, strict=True))
    if board.problems():
        assert not solutions


def test_a_grid_is_wrong_if_it_is_whatever_is_hidden() -> None:
    board = Board.empty(ROW)
    assert verify(board, (1, 3, 2)) == []
    assert verify(board, (1, 1, 2)) == ["unit: 1 appears 2 times"]
    assert is_solution(expanded(board), (1, 3, 2, 2, 4))
    assert not is_solution(expanded(board), (1, 3, 2, 3, 4)), "the hidden values are looked at"
    with_rule = Board.empty(replace(ROW, rules=(r.SumOfCells((0, 3, 4), 5),)))
    (violation,) = verify(with_rule, (4, 1, 1))
    assert "A1 #1 #2 sum to 5" in violation


def test_where_cells_are_hidden_no_symmetry_is_claimed() -> None:
    assert cell_symmetries(ROW) == ()
    assert not is_reversible(ROW)
    plain = replace(ROW, rules=())
    same = random_symmetry(plain, random.Random(1))
    assert list(same.cells) == [0, 1, 2]
    assert same.values == (0, 1, 2, 3, 4)
    assert canonical(Board.empty(plain)) == Board.empty(plain)


def test_what_a_rule_says_of_hidden_cells_is_not_drawn() -> None:
    shown = Layout(4, (), ROW.positions, (r.Killer((0, 1), 4),))
    with_hidden = replace(shown, hidden=(15,), rules=(r.Killer((0, 1), 4), r.Killer((2, 3), 4)))
    assert svg(Board.empty(with_hidden)) == svg(Board.empty(shown))


def test_areas_are_drawn_and_say_nothing() -> None:
    plain = Layout.from_units(2, [], shape=(2, 2))
    parted = replace(plain, areas=((0, 1), (2, 3)))
    assert parted == plain
    assert svg(Board.empty(parted)) != svg(Board.empty(plain))
    assert unidoku.count(Board.empty(parted)).count == 16
    again = board_from_table(json.loads(json.dumps(table_of_board(Board.empty(parted)))))
    assert again.layout.areas == parted.areas
    assert pickle.loads(pickle.dumps(parted)).areas == parted.areas


def test_an_expanded_layout_is_its_own_expansion() -> None:
    rules = [
        r.FullRank((0, 1), 2, (2, 3, 1, 2)),
        r.CountingCircles((0, 1, 2)),
        r.Arrow((4,), (0, 1)),
    ]
    small = Layout.from_units(
        3, [], shape=(1, 4), hidden=[7], rules=[*rules, r.AnyOf(((rules[0],),))]
    )
    whole = expanded_layout(small)
    assert len(whole) == 4 + 1 + 2 + 3 + 2
    assert expanded_layout(whole) is whole


def test_a_line_among_all_lines_of_a_square_begins_with_what_its_place_says() -> None:
    rows = [tuple(range(4 * row, 4 * row + 4)) for row in range(4)]
    lines = [*rows, *zip(*rows, strict=True)]
    lines += [line[::-1] for line in lines]
    others = tuple(itertools.chain.from_iterable(line for line in lines if line != rows[1]))
    for rank in range(1, 17):
        ranked = r.FullRank(rows[1], rank, others, ties=True)
        whole = expanded_layout(replace(layout("latin", 4), rules=(ranked,)))
        assert Sets((4,), (1 << (rank - 1) // 4,)) in whole.constraints
        among_two = expanded_layout(
            replace(layout("latin", 4), rules=(replace(ranked, others=rows[0]),))
        )
        assert not any(
            isinstance(constraint, Sets) and 4 in constraint.cells
            for constraint in among_two.constraints
        )


def test_a_rule_with_cells_of_its_own_hides_them() -> None:
    small = Layout.from_units(3, [], shape=(1, 3), rules=[r.CountingCircles((0, 1, 2))])
    whole = expanded_layout(small)
    assert (len(small), small.names, len(whole)) == (3, ("A1", "A2", "A3"), 6)
    assert expanded_layout(whole) is whole
    counting = {
        g for g in itertools.product((1, 2, 3), repeat=3) if all(g.count(v) == v for v in g)
    }
    assert set(brute_force(Board.empty(small))) == counting
    assert set(unidoku.solve(Board.empty(small), solutions=None).solutions) == counting


def test_steps_of_logic_speak_of_hidden_cells_as_the_puzzle_does() -> None:
    small = Layout.from_units(3, [[0, 1, 2]], shape=(1, 2), hidden=[0b100])
    board = Board.from_values(small, [1, 0])
    path = unidoku.explain(board)
    assert path.states[-1].board.layout.names == ("A1", "A2", "#1")
    assert [str(step) for step in path.steps] == ["full house in unit: A2 is 2"]
    assert unidoku.hint(board) == path.steps[0]


def test_candidates_of_hidden_cells_are_no_part_of_the_answer() -> None:
    board = Board.empty(ROW)
    assert unidoku.true_candidates(board).to_dict() == {
        "A1": (1, 3),
        "A2": (1, 3),
        "A3": (1, 2, 3, 4),
    }
    assert unidoku.backbone(board) == (0, 0, 0)
