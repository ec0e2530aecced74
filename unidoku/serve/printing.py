"""Puzzles for a class: made one by one, and printed on pages that the browser prints."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from unidoku.analysis.on_sheets import with_solution, with_words
from unidoku.draw import Entry, Head, sheet
from unidoku.errors import TimeLimitError
from unidoku.formats import Puzzle
from unidoku.generation import generate
from unidoku.serve.answering import Answer, Report, solver, wait_for_solver
from unidoku.serve.describing import picture_of, puzzle_of
from unidoku.serve.document import content_of, text_of
from unidoku.serve.protocol import Request
from unidoku.support.deadline import Deadline, check_time_limit
from unidoku.support.page import page, read_part

if TYPE_CHECKING:
    from unidoku.serve.workbench import Workbench

_SECONDS = 120.0
"""Time limit of making puzzles."""

_SECONDS_EACH = 5.0
"""Time limit for the level of a puzzle that is printed, and for its solution."""


def make(workbench: Workbench, request: Request, report: Report) -> Answer:
    """Make puzzles of a size and a level; each is reported when it is there."""
    fields = request.fields
    n, level, count = fields["size"], fields.get("level", "any"), fields.get("count", 1)
    deadline = Deadline(_SECONDS)
    puzzles: list[Answer] = []
    rng = random.Random(time.time_ns())
    while len(puzzles) < count:
        try:
            (board,) = generate(
                n=n,
                count=1,
                symmetry=fields.get("symmetry", "none"),
                difficulty=None if level == "any" else level,
                seed=rng.randrange(1 << 30),
                time_limit=deadline.limit,
            )
        except TimeLimitError:
            break
        puzzle = Puzzle(board, "", 1)
        puzzles.append({"text": text_of(puzzle), "picture": picture_of(board), "level": level})
        report({"made": puzzles[-1:]})
    return {"made": [], "count": len(puzzles)}


def print_(workbench: Workbench, request: Request, report: Report) -> Answer:
    """Make a page for printing; it is fetched like that of a comparison."""
    fields = request.fields
    texts = fields.get("texts")
    puzzles = [content_of(t).puzzle for t in texts] if texts else [puzzle_of(workbench.state)]
    if fields.get("answers"):
        wait_for_solver()
    entries = [_entry(puzzle, fields) for puzzle in puzzles]
    head = Head(heading=fields.get("heading", ""), name_line=fields.get("name_line", False))
    pages = sheet(entries, per_page=fields.get("per_page", 4), theme="light", head=head)
    key = workbench.keep_page(
        page(
            title=head.heading or "Puzzles",
            body="\n".join(pages),
            data={},
            style=read_part(__name__.rpartition(".")[0] + ".page", "print.css"),
        ),
        instead=fields.get("instead", ""),
    )
    unsolved = [number for number, entry in enumerate(entries, start=1) if not entry.solution]
    return {"page": key, "unsolved": unsolved if fields.get("answers") else []}


def _entry(puzzle: Puzzle, fields: Mapping[str, Any]) -> Entry:
    """Return the entry of a puzzle with what the fields ask for; printed pages have no fog."""
    check_time_limit()  # raises once it is cancelled
    entry = Entry(
        board=puzzle.board,
        title=puzzle.name,
        puzzle=replace(puzzle, fog=None),
        symbols=tuple(fields.get("symbols", "").split()),
    )
    rules, level = fields.get("rules", False), fields.get("level", False)
    entry = with_words(entry, rules=rules, level=level, time_limit=_SECONDS_EACH)
    if not fields.get("answers"):
        return entry
    if puzzle.solution is not None:
        return replace(entry, solution=puzzle.solution)
    return with_solution(entry, solver(), time_limit=_SECONDS_EACH)[0]


JOBS = {"make": make, "print": print_}
"""What the page asks for a class, by the name of the command."""
