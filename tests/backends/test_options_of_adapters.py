"""Options of adapters: each changes the search, and none the answer."""

from __future__ import annotations

import pytest

import unidoku
from unidoku import Board, Request
from unidoku.core.layout import Layout
from unidoku.testing import brute_force

HARD = "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4."


@pytest.mark.parametrize(
    "label",
    [
        "clingo[configuration=frumpy]",
        "clingo[heuristic=berkmin]",
        "clingo[heuristic=unit]",
        "clingo[encoding=counts]",
        "z3[encoding=counts]",
        "z3[phase=negative]",
        "z3[phase=caching]",
        "z3[phase=random]",
    ],
)
def test_options_change_the_search(label: str) -> None:
    board = Board.parse(HARD)
    request = Request(solutions=2, seed=1)
    default = unidoku.load(label.partition("[")[0]).search(board, request)
    other = unidoku.load(label).search(board, request)
    assert other.solutions == default.solutions
    assert other.statistics["nodes"] != default.statistics["nodes"]


@pytest.mark.parametrize(
    "label",
    [
        "clingo[encoding=pairs]",
        "clingo[encoding=counts]",
        "z3[encoding=clauses]",
        "z3[encoding=counts]",
    ],
)
def test_every_encoding_finds_what_brute_force_finds(label: str) -> None:
    units = [[0, 1, 2], [2, 3], [1, 4, 5], [0, 3, 4]]
    board = Board.empty(Layout.from_units(3, units, shape=(2, 3)))
    found = unidoku.load(label).solve(board, solutions=None)
    assert sorted(found.solutions) == sorted(brute_force(board))
