from __future__ import annotations

import unidoku
from tests.helpers.boards import EASY
from unidoku import Board, Request, layout
from unidoku.backends.adapters.norvig import Norvig


def test_an_easy_board_takes_one_node_and_no_failure() -> None:
    board = Board.parse(EASY)
    statistics = Norvig().search(board, Request()).statistics
    assert statistics["nodes"] == 1
    assert statistics["failures"] == 0
    assert statistics["eliminations"] == 81 * 8


def test_a_clashing_board_fails_at_the_root() -> None:
    statistics = Norvig().search(Board.parse("11.. .... .... ...."), Request()).statistics
    assert (statistics["nodes"], statistics["failures"]) == (1, 1)


def test_the_smallest_value_is_tried_first() -> None:
    result = Norvig().search(Board.empty(layout("classic", 4)), Request(solutions=1))
    assert result.solutions[0][:4] == (1, 2, 3, 4)


def test_a_full_board_of_64_values_is_checked_in_time() -> None:
    n, k = 64, 8
    grid = [(r % k * k + r // k + c) % n + 1 for r in range(n) for c in range(n)]
    board = Board.from_values(layout("classic", n), grid)
    result = unidoku.load("norvig").solve(board, solutions=2, time_limit=60)
    assert result.unique is True
