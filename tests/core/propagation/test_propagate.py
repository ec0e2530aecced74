from __future__ import annotations

from tests.helpers.boards import EASY, NORVIG
from unidoku import Board, Layout, layout, propagate

EASY_SOLUTION = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"


def test_an_easy_board_is_solved_by_it_alone() -> None:
    solved = propagate(Board.parse(EASY))
    assert solved is not None
    assert solved.text("line") == EASY_SOLUTION


def test_norvigs_second_grid_is_left_as_in_his_display() -> None:
    left = propagate(Board.parse(NORVIG))
    assert left is not None
    row = [left.values(cell) for cell in range(9)]
    shown = ["".join(map(str, values)) for values in row]
    assert shown == ["4", "1679", "12679", "139", "2369", "269", "8", "1239", "5"]


def test_a_clash_is_a_contradiction() -> None:
    assert propagate(Board.parse("11.. .... .... ....")) is None


def test_hidden_singles_hold_in_full_units_only() -> None:
    full = Layout.from_units(3, [[0, 1, 2]], shape=(1, 3))
    left = propagate(Board.from_candidates(full, [{1, 2, 3}, {2, 3}, {2, 3}]))
    assert left is not None
    assert left.values(0) == (1,)
    partial = Layout.from_units(4, [[0, 1, 2]], shape=(1, 3))
    left = propagate(Board.from_candidates(partial, [{1, 2, 3}, {2, 3}, {2, 3}]))
    assert left is not None
    assert left.values(0) == (1, 2, 3)


def test_rules_remove_too() -> None:
    left = propagate(Board.parse("2...............", "non-consecutive"))
    assert left is None or 1 not in left.values("A2")
    row = layout("latin+non-consecutive", 5)
    left = propagate(Board.empty(row).assign("A1", 3))
    assert left is not None
    assert left.values("A2") == (1, 5)
    assert left.values("B1") == (1, 5)
