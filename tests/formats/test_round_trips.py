"""Boards written in a format and read back are the same, or the report says what is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unidoku
from tests.formats.test_catalogue import BOARD, OTHERS, PLAIN
from tests.helpers.meaning import meaning
from tests.helpers.volume import volume
from unidoku import Board, InputError, Killer, Thermo, layout
from unidoku.cli import main
from unidoku.core.rules.base import KINDS
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import FORMATS, recognised
from unidoku.formats.families import nonogram
from unidoku.testing.boards import random_board
from unidoku.testing.layouts import RandomLayout
from unidoku.testing.rules import RULE_KINDS, random_rule
from unidoku.testing.strategies import boards, hidden_layouts, ruled_layouts

BOTH = [name for name, form in FORMATS.items() if form.reader and form.writer]

SQUARES = [("classic", 4), ("x", 4), ("latin", 5), ("classic+anti-king", 6), ("anti-knight", 9)]


@st.composite
def squares(draw: st.DrawFn) -> Board:
    """Squares of named variants with some rules, as most formats hold them."""
    rng = draw(st.randoms(use_true_random=True))
    small = layout(*draw(st.sampled_from(SQUARES)))
    rules = [random_rule(rng, small) for _ in range(rng.randint(0, 4))]
    result = replace(small, rules=(*small.rules, *[rule for rule in rules if rule is not None]))
    return random_board(rng, RandomLayout(result))


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
        if name != "sdk":  # which is shown by the ending of a file only
            recognised_form = recognised(written.text.encode())
            assert recognised_form is not None, written.text
            (detected,) = recognised_form.load_reader()(written.text)
            assert isinstance(detected, Puzzle)
            assert detected.board == back.board
        assert not back.losses or written.losses.dropped
        if meaning(back.board) != meaning(board):
            assert written.losses.dropped, (board.layout.rules, back.board.layout.rules)

    holds()


RULED = ("toml", "f-puzzles-json", "iss", "scl", "penpa", "ipuz", "tatham")
"""Formats of boards with rules, one for each family."""


@pytest.mark.parametrize("name", RULED)
def test_a_rule_of_every_kind_comes_back_or_its_loss_is_named(name: str) -> None:
    assert {*RULE_KINDS} == {*KINDS}
    rng = Random(name)
    for kind in RULE_KINDS:
        small = rng.choice((layout("classic", 4), layout("latin", 5)))
        rule = random_rule(rng, small, None, kind)
        assert rule is not None, kind
        board = Board.empty(small.with_rules(rule))
        try:
            written = unidoku.write(board, name)
        except InputError as error:
            assert "holds" in str(error), error  # noqa: PT017 - what it holds is said
            continue
        (back,) = unidoku.read(written.text, format=name)
        if meaning(back.board) != meaning(board) and not written.losses.dropped:
            first, second = (unidoku.count(each, limit=2000).count for each in (board, back.board))
            assert first == second, (rule, back.board.layout.rules)
        elif written.losses.dropped and name in ("toml", "scl", "penpa"):
            assert rule.kind in " ".join(written.losses.dropped), rule


SECOND = {
    "hodoku": Board.parse("2" + "." * 80),
    "tatham": Board.parse("2... .... .... ...."),
    "non": Board.empty(nonogram([(2,), (1,)], [(1,), (2,)])),
}


@pytest.mark.parametrize("name", [name for name, form in FORMATS.items() if form.writer])
def test_two_puzzles_in_a_file_are_read_as_two_or_refused(name: str, tmp_path: Path) -> None:
    """Commands read back what they wrote, whatever the ending of the file."""
    first = OTHERS.get(name, BOARD)
    ruled = layout("classic", 4).with_rules(Killer((4, 5), 5), Thermo((0, 1, 2)))
    second = SECOND.get(name) or (first if name in PLAIN else Board.empty(ruled))
    for ending in (".json", ".toml", ".iss", ".txt"):
        file = tmp_path / f"two{ending}"
        try:
            unidoku.write([first, second], file, format=name)
        except InputError as error:
            assert "holds one puzzle, got 2" in str(error)  # noqa: PT017 - what is refused
            return
        assert [puzzle.board for puzzle in unidoku.read(file)] == [first, second], ending
        assert main(["convert", str(file), "--to", "toml"]) == 0


@pytest.mark.parametrize(
    "text", [".Or.~R1C1_1.End", ".And.~R1C1_1.End", "..~R1C1_1", "..AntiKing", ".Shape~9x9"]
)
def test_strings_of_iss_are_recognised_by_any_beginning(text: str) -> None:
    form = recognised(text.encode())
    assert form is not None
    assert form.name == "iss"
    assert len(unidoku.read(text)) == 1


@pytest.mark.parametrize(
    ("text", "name", "kinds"),
    [
        (".Diagonal~1.Diagonal~-1", "x", {"diagonal"}),
        (".Windoku", "windoku", {"window"}),
        (".AntiKnight.Diagonal~1.Diagonal~-1", "x+anti-knight", {"anti-knight", "diagonal"}),
        (".DisjointSets", "disjoint", {"disjoint"}),
        (".Diagonal~1", "classic with units", {"diagonal"}),
        (".Diagonal~1.Diagonal~-1.AllDifferent~R1C1~R2C3~R4C5", "x with units", {"different"}),
    ],
)
def test_units_that_a_reader_recognises_have_their_names(
    text: str, name: str, kinds: set[str]
) -> None:
    (puzzle,) = unidoku.read(f".Shape~9x9{text}", format="iss")
    layout = puzzle.board.layout
    assert layout.name == name
    assert {unit.kind for unit in layout.units} >= kinds
    written = unidoku.write(puzzle, "toml").text
    assert f'variant = "{name.removesuffix(" with units")}"' in written
    assert written.count("units = [") == name.endswith("with units")
    (back,) = unidoku.read(written, format="toml")
    assert back.board == puzzle.board
