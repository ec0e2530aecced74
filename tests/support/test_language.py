"""Texts in other languages: catalogues without gaps, and every sentence about rules in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import unidoku
from unidoku import Board, layout
from unidoku.core.rules import Killer, Lockout, Modular, SumLine, Thermo, Whispers
from unidoku.formats.sentences import rules_text
from unidoku.logic.levels import LEVELS
from unidoku.support.language import LANGUAGES, catalogue, in_language, message, translated

OTHERS = LANGUAGES[1:]
EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "rules").glob("*.toml"))
VARIANTS = ("classic", "latin", "x", "windoku", "disjoint", "anti-knight", "samurai")
WITH_CELLS = re.compile(r"r\d+c\d+|#\d")


def fields(text: str) -> set[str]:
    return {*re.findall(r"\{(\w+)\}", text)}


def boards() -> list[Board]:
    nine = layout("classic", 9)
    line = (0, 1, 2)
    several = [Lockout(line, 3), Lockout(line, 4), SumLine(line, 7), SumLine(line, 8)]
    several += [Whispers(line, 3), Whispers(line, 4), Whispers(line, 5)]
    several += [Killer(line), Killer((9, 10), 5), Modular(line, 2), Modular(line, 4)]
    found = [puzzle.board for path in EXAMPLES for puzzle in unidoku.read(path)]
    found += [Board.empty(layout(name)) for name in VARIANTS]
    return [*found, Board.empty(nine.with_rules(*several))]


def test_catalogues_have_the_same_messages_with_the_same_fields() -> None:
    first, *others = (catalogue(name) for name in OTHERS)
    for other in others:
        assert other.keys() == first.keys()
    for name in OTHERS:
        for english, target in catalogue(name).items():
            assert target
            assert fields(target) <= fields(english), english


@pytest.mark.parametrize("name", OTHERS)
def test_every_sentence_about_rules_with_a_picture_is_translated(name: str) -> None:
    for board in boards():
        english = rules_text(board).splitlines()
        with in_language(name):
            other = rules_text(board).splitlines()
        left = [line for line in english if line in other and not WITH_CELLS.search(line)]
        assert left == []
        assert len(other) == len(english)


@pytest.mark.parametrize("name", OTHERS)
def test_levels_and_the_words_of_sheets_are_translated(name: str) -> None:
    assert {*LEVELS, "Name", "Date", "Solution {number}"} <= catalogue(name).keys()


def test_a_text_without_translation_stays_english() -> None:
    with in_language("fr"):
        assert translated("Something else.") == "Something else."
        assert message("Solution {number}", number=2) == "Solution 2"
        board = Board.empty(layout("classic", 4).with_rules(Thermo((0, 1))))
        assert "thermomètre" in rules_text(board)
    assert "thermometer" in rules_text(board)
