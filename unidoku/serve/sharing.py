"""The puzzle as others get it: links with their losses, pictures, rules in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unidoku.errors import InputError, UnsupportedError, nearest
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import FORMATS
from unidoku.formats.sentences import rules_text
from unidoku.serve.answering import Answer, Question, Report, deadline_of, limited_count
from unidoku.serve.describing import picture_of, puzzle_of, reason
from unidoku.serve.document import State
from unidoku.serve.edits import Message
from unidoku.support.deadline import check_time_limit

_LINKS = ("sudokupad", "f-puzzles", "iss-link", "penpa", "toml")
"""The formats that the dialog of links shows first."""


def links(state: State, message: Message, report: Report) -> Answer:
    """Answer with the puzzle in each format that can hold it, with what is lost in each."""
    deadline = deadline_of(message)
    puzzle = puzzle_of(state)
    result = limited_count(puzzle.board, 2, deadline, keep=1)
    solution = result.solutions[0] if result.unique else None
    whole = replace(puzzle, solution=solution, losses=type(puzzle.losses)())
    links: list[Answer] = []
    for name in (*_LINKS, *(name for name in FORMATS if name not in _LINKS)):
        check_time_limit()  # raises once it is cancelled
        if (link := _link(name, whole)) is not None:
            links.append(link)
    return {"unique": result.unique, "links": links}


def sentences(state: State, message: Message, report: Report) -> Answer:
    """Answer with the rules in the sentences of setters, a line each."""
    return {"text": rules_text(puzzle_of(state).board)}


def picture(state: State, message: Message, report: Report) -> Answer:
    """Answer with the puzzle as a format will show it: written, read again, and drawn."""
    name = message["format"]
    if name not in FORMATS:
        raise InputError(f"format: {nearest(name, FORMATS)}")
    link = _link(name, puzzle_of(state))
    if link is None or "error" in link:
        raise InputError("expected a format that can hold the puzzle")
    seen = next(iter(FORMATS[name].load_reader()(link["text"], guess=False)))
    if not isinstance(seen, Puzzle):
        raise InputError(f"cannot be read again: {', '.join(seen.reasons)}")
    return {"picture": picture_of(seen), "rules": seen.rules_text or rules_text(seen.board)}


def _link(name: str, puzzle: Puzzle) -> Answer | None:
    form = FORMATS[name]
    if not form.writer:
        return None
    try:
        written = form.load_writer()([puzzle])
    except (InputError, UnsupportedError) as error:
        return {"format": name, "about": form.summary, "error": reason(error)}
    return {
        "format": name,
        "about": form.summary,
        "text": written.text,
        "losses": [*written.losses.lines()],
    }


QUESTIONS: Mapping[str, Question] = {"links": links, "picture": picture, "sentences": sentences}
"""What is asked for others, by the name of the command."""
