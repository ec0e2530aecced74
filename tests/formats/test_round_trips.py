"""Boards written in a format and read back are the same, or the report says what is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.meaning import meaning
from tests.volume import volume
from unidoku import Board, InputError, layout
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import FORMATS
from unidoku.testing.boards import random_board
from unidoku.testing.layouts import RandomLayout
from unidoku.testing.rules import random_rule
from unidoku.testing.strategies import boards, hidden_layouts, ruled_layouts

BOTH = [name for name, form in FORMATS.items() if form.reader and form.writer]

SQUARES = [("classic", 4), ("x", 4), ("latin", 5), ("classic+anti-king", 6), ("anti-knight", 9)]


@st.composite
def squares(draw: st.DrawFn) -> Board:
    """Squares of named variants with some rules, as most formats hold them."""
    rng = draw(st.randoms(use_true_random=True))
    one = layout(*draw(st.sampled_from(SQUARES)))
    rules = [random_rule(rng, one) for _ in range(rng.randint(0, 4))]
    made = replace(one, rules=(*one.rules, *[rule for rule in rules if rule is not None]))
    return random_board(rng, RandomLayout(made))


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.volume
def test_a_board_comes_back_or_its_losses_are_named(name: str) -> None:
    form = FORMATS[name]
    read, write = form.load_reader(), form.load_writer()

    @settings(max_examples=volume(10), deadline=None)
    @given(squares() | squares() | boards(ruled_layouts()) | boards(hidden_layouts()))
    def holds(board: Board) -> None:
        puzzle = Puzzle(board, "a name", 1)
        try:
            written = write([puzzle])
        except InputError as error:
            assert "holds" in str(error), error  # noqa: PT017 - what it holds is said
            return
        if "name" in written.losses.dropped:  # of what else is lost nothing follows
            puzzle = replace(puzzle, name="")
            written = write([puzzle])
        (back,) = read(written.text)
        assert isinstance(back, Puzzle)
        assert back.name == puzzle.name
        assert not back.losses or written.losses.dropped
        if meaning(back.board) != meaning(board):
            assert written.losses.dropped, (board.layout.rules, back.board.layout.rules)

    holds()


def test_every_format_with_both_is_tried() -> None:
    assert {"toml", "json", "f-puzzles", "f-puzzles-json"} <= set(BOTH)
