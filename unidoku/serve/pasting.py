"""Reads what somebody pastes: a text in any format, never a file, in a process with limits."""

from __future__ import annotations

from dataclasses import replace

from unidoku.errors import FormatError
from unidoku.formats import Puzzle, read_puzzles
from unidoku.formats.catalogue import recognised
from unidoku.parallel.killable import confinable
from unidoku.support.cancel import Cancel

MOST_PUZZLES = 1000
"""The most puzzles of one text."""


@confinable()
def read_pasted(
    text: str,
    *,
    guess: bool = False,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
) -> list[Puzzle]:
    """Return the puzzles of a text: a link, a file's content, a board.

    A text is never taken for the name of a file. Rules may be taken from pictures and words if
    ``guess``; the limits of a confined process are those of `unidoku.solve`.

    Raises:
        FormatError: it is no puzzle.
    """
    form = recognised(text.encode(errors="replace"))
    if form is None:
        return read_puzzles(text)[:MOST_PUZZLES]
    puzzles: list[Puzzle] = []
    for puzzle in form.load_reader()(text, guess=guess):
        if not isinstance(puzzle, Puzzle):
            raise FormatError(f"not known here: {', '.join(puzzle.reasons)}")
        puzzles.append(replace(puzzle, line=1))
        if len(puzzles) == MOST_PUZZLES:
            break
    return puzzles
