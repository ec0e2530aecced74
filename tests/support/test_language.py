"""Texts in other languages: catalogues without gaps, and steps and rules written from them."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

import unidoku
from tests.helpers.messages import PACKAGE, fields_of, has_words, messages, messages_of_page
from unidoku import Board, layout
from unidoku.core.rules import Even, Killer, Lockout, Modular, Odd, SumLine, Thermo, Whispers
from unidoku.core.rules.base import KINDS, UNNAMED
from unidoku.core.rules.doubler import _NOUNS
from unidoku.core.rules.order import TIMES
from unidoku.core.unit import LABELLED
from unidoku.core.variants import ADDITIONS, BASES, PLACEMENTS
from unidoku.formats.kind_sentences import MARKS, SIDES
from unidoku.formats.losses import Losses
from unidoku.formats.sentences import rules_text
from unidoku.logic import TECHNIQUES, State, Walkthrough
from unidoku.logic.catalogue import LEVELS
from unidoku.logic.ruled.clues import ORDINALS
from unidoku.logic.show.page import OF_SCRIPT, SHAPES
from unidoku.logic.show.terminal import MEANINGS
from unidoku.logic.show.words import summary
from unidoku.logic.walkthrough import walkthrough_from
from unidoku.serve.page import index
from unidoku.support.deadline import Deadline
from unidoku.support.language import (
    LANGUAGES,
    NAMES,
    PAGE,
    ROOMS,
    catalogue,
    in_language,
    message,
    room_of,
)

OTHERS = LANGUAGES[1:]
EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "rules").glob("*.toml"))
VARIANTS = ("classic", "latin", "x", "windoku", "disjoint", "anti-knight", "samurai")
NUMBERED = re.compile(r"\{\d\}")
USUAL = [row for row in TECHNIQUES if row.rating < 4.5 and not row.needs_uniqueness]
SMALL = 40
"""The most cells of a board that is walked."""

FACTS = re.compile(r"\b[A-I]\d\b|\d+")
"""The cells and numbers of a sentence."""

CELLS = re.compile(r"r\d+c\d+|#\d")

WRONG_SPACE = re.compile(r"(?<!\u202f)[;:!?](?=\s|$)|« | »")
"""A sign that French writes behind a narrow space that does not break, without one."""


@cache
def boards() -> list[Board]:
    nine = layout("classic", 9)
    line = (0, 1, 2)
    several = [Lockout(line, 3), Lockout(line, 4), SumLine(line, 7), SumLine(line, 8)]
    several += [Whispers(line, 3), Whispers(line, 4), Whispers(line, 5)]
    several += [Killer(line), Killer((9, 10), 5), Modular(line, 2), Modular(line, 4)]
    examples = [puzzle.board for path in EXAMPLES for puzzle in unidoku.read(path)]
    examples += [Board.empty(layout(name)) for name in VARIANTS]
    return [*examples, Board.empty(nine.with_rules(*several))]


def test_catalogues_have_the_same_messages_with_the_same_fields() -> None:
    plain = [{text for text in catalogue(name) if "|" not in text} for name in OTHERS]
    assert plain[0] == plain[1]
    for name in OTHERS:
        for english, target in catalogue(name).items():
            assert target
            text, _, form = english.partition("|")
            assert fields_of(target) <= fields_of(text), english
            if text in messages():
                assert fields_of(target) == fields_of(text), english
            assert not form or text in catalogue(name), english


@pytest.mark.parametrize(("name", "other"), [("de", r"\bFeld"), ("fr", r"\bcellule")])
def test_cells_have_one_name_in_each_language(name: str, other: str) -> None:
    texts = [*catalogue(name).values(), *room_of(name, PAGE).values()]
    assert [text for text in texts if re.search(other, text)] == []


def test_no_message_is_twice_in_a_file() -> None:
    for path in sorted((PACKAGE / "support" / "languages").rglob("*.json")):
        pairs = json.loads(path.read_text("utf-8"), object_pairs_hook=list)
        assert len(pairs) == len(dict(pairs)) > 5, path


def test_french_has_a_narrow_space_before_high_signs() -> None:
    rooms = [room_of("fr", room) for room in (*ROOMS, PAGE)]
    assert [text for room in rooms for text in room.values() if WRONG_SPACE.search(text)] == []


@pytest.mark.parametrize("name", OTHERS)
def test_every_message_of_the_code_is_translated(name: str) -> None:
    assert len(messages()) > 150
    known = catalogue(name)
    missing = [(text, path.name) for text, path in messages().items() if text not in known]
    assert [(text, file) for text, file in missing if has_words(text)] == []


def chosen_words() -> set[str]:
    """Return the messages that the code chooses from tables."""
    words = {row.name for row in TECHNIQUES} | {*ORDINALS, *MEANINGS.values(), *OF_SCRIPT}
    words |= {meaning for _, meaning in SHAPES} | {Odd.kind, Even.kind, *LABELLED}
    words |= {"dropped", "approximated", "guessed", "reading"}  # the kinds of what is lost
    words |= {"name", "author", "solution", "rules_text", "cosmetics", "fog", "numbers"}
    words |= {"units that are not rows or columns"}
    words |= {UNNAMED, *TIMES.values(), "{count} times"} | {
        "and",
        "unit",
        "diagonal",
        "falling diagonal",
        "rising diagonal",
        "; ",
    }
    words |= {*SIDES.values(), *MARKS, *LEVELS, *_NOUNS.values(), "multiplier"}
    return words - {""}


@pytest.mark.parametrize("name", OTHERS)
def test_the_words_that_the_code_chooses_from_are_translated(name: str) -> None:
    assert chosen_words() - catalogue(name).keys() == set()


def test_no_translation_is_of_a_message_that_the_code_does_not_have() -> None:
    known = messages().keys() | chosen_words()
    for room in ROOMS:
        texts = {text.partition("|")[0] for text in room_of("de", room)}
        assert texts - known == set()


@pytest.mark.parametrize("name", OTHERS)
def test_every_variant_and_kind_of_rules_has_a_name(name: str) -> None:
    names = room_of(name, NAMES)
    variants = {*BASES, *ADDITIONS, *PLACEMENTS, "custom", "own", "units", "non-consecutive"}
    assert (variants | KINDS.keys()) - names.keys() == set()
    assert names.keys() == room_of(OTHERS[0], NAMES).keys()
    rules = [Killer((0, 1)), Thermo((2, 3))]
    board = Board.empty(layout("jigsaw:1122112233443344+x", 4).with_rules(*rules))
    with in_language(name):
        picture = unidoku.svg(board)
    assert names["killer"] in picture
    assert names["jigsaw"] in picture
    assert "1122" not in picture
    assert "jigsaw+x with killer and thermo board, 4 values" in unidoku.svg(board)


@pytest.mark.parametrize("name", OTHERS)
def test_every_text_of_the_workbench_is_translated(name: str) -> None:
    known = room_of(name, PAGE)
    assert messages_of_page() - known.keys() == set()
    assert known.keys() == room_of(OTHERS[0], PAGE).keys()
    for english, target in known.items():
        assert set(NUMBERED.findall(target)) == set(NUMBERED.findall(english)), english
    with in_language(name):
        page = index()
    assert f'<html lang="{name}">' in page
    assert known["Tell more"] in page
    assert known["Tell more"] not in index()


@cache
def walked_boards() -> list[Walkthrough]:
    """Return how boards are solved, in English."""
    starts = (State.start(board) for board in boards() if len(board.layout) <= SMALL)
    return [walkthrough_from(start, USUAL, Deadline(None)) for start in starts]


@pytest.mark.parametrize("name", OTHERS)
def test_steps_and_what_ends_them_say_the_same_in_each_language(name: str) -> None:
    techniques: set[str] = set()
    for english in walked_boards():
        with in_language(name):
            other = walkthrough_from(english.states[0], USUAL, Deadline(None))
            words = summary(other)
        assert FACTS.findall(words) == FACTS.findall(summary(english))
        for ours, theirs in zip(english.steps, other.steps, strict=True):
            with in_language(name):
                sentence = theirs.sentence
            assert sentence != ours.sentence
            assert name != "fr" or not WRONG_SPACE.search(sentence)
            assert sorted(FACTS.findall(sentence)) == sorted(FACTS.findall(ours.sentence))
            techniques.add(ours.technique)
    assert len(techniques) > 20


@pytest.mark.parametrize("name", OTHERS)
def test_every_sentence_about_rules_with_a_picture_is_translated(name: str) -> None:
    for board in boards():
        english = rules_text(board).splitlines()
        with in_language(name):
            other = rules_text(board).splitlines()
        names = tuple((getattr(rule, "name", None) or "\n").lower() for rule in board.layout.rules)
        same = [line for line in english if line in other and not line.lower().startswith(names)]
        left = [line for line in same if has_words(CELLS.sub("", line))]
        assert left == []
        assert len(other) == len(english)


@pytest.mark.parametrize("name", OTHERS)
def test_levels_and_the_words_of_sheets_are_translated(name: str) -> None:
    assert {*LEVELS, "Name", "Date", "Solution {number}"} <= catalogue(name).keys()


def test_a_text_without_translation_stays_english() -> None:
    with in_language("fr"):
        assert message("Something else.") == "Something else."
        assert message("Solution {number}", number=2) == "Solution 2"
        board = Board.empty(layout("classic", 4).with_rules(Thermo((0, 1))))
        assert "thermomètre" in rules_text(board)
    assert "thermometer" in rules_text(board)


def test_what_is_lost_most_often_is_translated() -> None:
    losses = Losses(dropped=("author", "rules: thermo, killer", "unknown key 'x'"))
    with in_language("de"):
        author, kinds, other = losses.lines()
    assert (author, other) == ("weggelassen: Autor", "weggelassen: unknown key 'x'")
    assert kinds == "weggelassen: Regeln: Thermometer, Killer"
    with in_language("fr"):
        assert next(losses.lines()) == "laissé de côté\u202f: auteur"
