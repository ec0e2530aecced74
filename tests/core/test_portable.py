"""Boards as plain tables: what goes into a file comes out of it."""

from __future__ import annotations

import json
import pickle
import tomllib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unidoku import Board, Layout, layout
from unidoku.core.portable import (
    board_from_table,
    grid_from_text,
    table_of_board,
    table_of_layout,
    text_of_grid,
)
from unidoku.errors import FormatError
from unidoku.testing.strategies import (
    boards,
    first_values,
    hidden_layouts,
    named_layouts,
    ruled_layouts,
)


def read_back(layout: Layout) -> Layout:
    table = table_of_board(Board.empty(layout))
    return board_from_table(json.loads(json.dumps(table))).layout


@given(boards() | boards(named_layouts() | ruled_layouts() | hidden_layouts()), first_values())
def test_any_board_comes_back_from_json_and_from_a_pickle(board: Board, first_value: int) -> None:
    for first in {board.layout.first_value, first_value}:
        board = Board(replace(board.layout, first_value=first), board.candidates)
        read = board_from_table(json.loads(json.dumps(table_of_board(board))))
        for again in (read, pickle.loads(pickle.dumps(board))):
            assert again == board
            assert (hash(again), again.digest) == (hash(board), board.digest)
            assert list(map(str, again.layout.units)) == list(map(str, board.layout.units))


@pytest.mark.parametrize(
    ("variant", "n"), [("samurai", 9), ("x+windoku", 9), ("non-consecutive", 9), ("classic", 36)]
)
def test_a_named_variant_is_written_by_its_name(variant: str, n: int) -> None:
    table = table_of_layout(layout(variant, n))
    assert table == {"variant": variant, "n": n}
    assert read_back(layout(variant, n)) is layout(variant, n)


def test_a_jigsaw_is_written_with_its_units() -> None:
    jigsaw = layout("jigsaw:AABBAABBCCDDCCDD", 4)
    table = table_of_layout(jigsaw)
    assert "variant" not in table
    assert read_back(jigsaw) == jigsaw


@given(st.integers(1, 144).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n)))))
def test_grids_of_all_sizes_come_back_from_their_text(sized: tuple[int, list[int]]) -> None:
    n, values = sized
    assert grid_from_text(text_of_grid(tuple(values), n), n) == tuple(values)


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"variant": "nonsense", "n": 4, "givens": ""},
        {"variant": "classic", "n": 4, "givens": "1"},
        {"variant": "classic", "n": 4, "givens": "?" * 16},
        {"variant": "classic", "n": 4},
        {"variant": "classic", "n": 4, "candidates": "many"},
        {"name": "x", "n": 2, "units": [["row"]], "shape": [1]},
        {"name": "x", "n": 2, "units": [], "shape": [1, 2], "rules": [{"kind": "cage"}]},
    ],
)
def test_what_is_no_board_is_refused(table: dict[str, Any]) -> None:
    with pytest.raises(FormatError, match="expected"):
        board_from_table(table)


def test_a_table_is_fit_for_toml() -> None:
    text = 'variant = "classic"\nn = 4\ngivens = "1.....2..3.....4"\n'
    board = board_from_table(tomllib.loads(text))
    assert board == Board.parse("1... ..2. .3.. ...4")
