"""What every sentence of a step avoids: cells that are not there, and what only programs read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given

from unidoku import Board, Layout, layout
from unidoku.core.names import names_by_number, row_letter
from unidoku.core.rules import CountingCircles
from unidoku.errors import TimeLimitError
from unidoku.files.puzzles import puzzles_in
from unidoku.files.source import Source
from unidoku.logic import State, Step, usual, walk_through
from unidoku.logic.facts import in_runs
from unidoku.support.deadline import Deadline
from unidoku.testing.strategies import boards, ruled_layouts

EXAMPLES = Path(__file__).parents[2] / "examples" / "rules"

_FOR_PROGRAMS = re.compile(r"[{}<>_]{2}|\bNone\b|\w=\w|\bobject at\b|0b\d|\w\(\w|[A-Z][a-z]+\(")
"""Placeholders, Python's names and values, and calls."""

_SLIPS = re.compile(r"  | [,;:)]|\( |\(\)|,,|::|; ;|\.\.|: ?$|: ;|^[ ,:;]| are are | is is ")
"""What a sentence has where a part of it is missing."""


def faults(sentence: str, layout: Layout) -> Iterator[str]:
    """Yield what is wrong with a sentence about a board of a layout."""
    names = {*layout.names[: len(layout)], *names_by_number(layout.positions, 0)}
    for cell in re.findall(r"\b(?:[A-Z][0-9]+|r[0-9]+c[0-9]+)\b", sentence):
        if cell not in names:
            yield f"no cell {cell}"
    rows = {row_letter(row, layout.rows) for row in range(layout.rows)}
    for row in re.findall(r"\brow ([A-Z])\b", sentence):
        if row not in rows:
            yield f"no row {row}"
    for number in re.findall(r"#(\d+)", sentence):
        if int(number) > len(layout.hidden):
            yield f"no hidden cell #{number} in the puzzle"
    if match := _FOR_PROGRAMS.search(sentence) or _SLIPS.search(sentence):
        yield f"{match[0]!r}"


def check(steps: list[Step], board: Board) -> None:
    """Refuse faults in the sentences of steps, and in the words of their rules and units."""
    for step in steps:
        words = (rule.words for rule in step.rules)
        units = (str(unit) for unit in (*step.units, *step.covers))
        for text in (step.sentence, *words, *units):
            assert not [*faults(text, board.layout)], text


@given(boards(ruled_layouts()))
def test_sentences_of_all_techniques_are_for_people(board: Board) -> None:
    clock = Deadline(0.3)
    state = State.start(board, lambda: clock.check("words"))
    if state.contradiction:
        assert not [*faults(state.contradiction, board.layout)], state.contradiction
    for technique in usual():
        try:
            check([*islice(technique.steps(state), 3)], board)
        except TimeLimitError:
            return


@pytest.mark.parametrize("name", ["chaos-construction", "full-ranks", "counting", "sandwich"])
def test_walkthroughs_speak_of_cells_that_are_drawn(name: str) -> None:
    walk(EXAMPLES / f"{name}.toml", 0.4)


@pytest.mark.thorough
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_walkthroughs_of_examples_of_all_kinds_are_for_people(path: Path) -> None:
    walk(path, 20)


def walk(path: Path, seconds: float) -> None:
    for puzzle in puzzles_in(Source(str(path)), lambda *_: None):
        walkthrough = walk_through(puzzle.board, time_limit=seconds)
        assert walkthrough.steps
        check([*walkthrough.steps], puzzle.board)


def test_a_hidden_cell_is_told_by_what_it_means() -> None:
    row = Layout.from_units(
        3, [[0, 1, 2]], shape=(2, 3), rules=[CountingCircles((3, 4, 5))], name="circles"
    )
    walkthrough = walk_through(Board.parse("... 1..", row))
    assert "1 is in a circle" in walkthrough.steps[0].sentence


def test_runs_of_values_with_two_digits_are_told_one_by_one() -> None:
    assert in_runs(layout("schroedinger", 4), [1, 2, 3, 4, 5, 6, 7, 8]) == "0 to 4, 01, 02 and 03"
