"""What is read of texts that are nearly right can be drawn, explained, solved and converted."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest

import unidoku
from tests.formats.test_hostile import READ, changed, seeds
from tests.helpers.volume import SOAK, volume
from unidoku import Board
from unidoku.errors import UnidokuError
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import FORMATS, Format
from unidoku.parallel.processes import peak_bytes

MOST_MEMORY = 500 << 20
"""Bytes, more than before the first text."""

ALWAYS: list[Callable[[Board], object]] = [
    unidoku.svg,
    partial(unidoku.explain, time_limit=0.3),
    partial(unidoku.hint, time_limit=0.3),
    partial(unidoku.solve, time_limit=0.2),
]
WRITTEN = [name for name, form in FORMATS.items() if form.writer]


def asked(ask: Callable[[], object]) -> object:
    """Return an answer, or None if there is none: nothing but our own errors is raised."""
    try:
        return ask()
    except UnidokuError:
        return None


def first_read(form: Format, text: str, guess: bool) -> Board | None:
    """Return the first board of a text that a format reads."""
    for puzzle in form.load_reader()(text, guess=guess):
        if isinstance(puzzle, Puzzle):
            return puzzle.board
    return None


@pytest.mark.volume
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("form", READ, ids=[form.name for form in READ])
def test_what_is_read_of_mutated_texts_can_be_used(form: Format) -> None:
    rng = random.Random(f"{form.name} used {SOAK}")
    texts = seeds(form, rng)
    before = peak_bytes()
    for number in range(volume(3) * (3 if SOAK else 1)):  # 3,000 of all formats in ``make soak``
        text = changed(rng.choice(texts), rng)
        board = asked(partial(first_read, form, text, bool(number % 2)))
        if isinstance(board, Board):
            for operation in ALWAYS:
                asked(partial(operation, board))
            for name in rng.sample(WRITTEN, 3):
                asked(partial(unidoku.write, board, name))
    assert peak_bytes() - before < MOST_MEMORY
