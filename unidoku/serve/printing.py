"""Puzzles for a class: made one by one, and printed on pages that the browser prints."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from unidoku.analysis.rate import rate
from unidoku.backends.base import Limits
from unidoku.core.board import Board
from unidoku.draw import svg
from unidoku.errors import InputError, TimeLimitError
from unidoku.formats import Puzzle
from unidoku.formats.sentences import rules_text
from unidoku.generation import generate
from unidoku.serve.describing import picture_of, puzzle_of
from unidoku.serve.document import content_of, text_of
from unidoku.serve.protocol import Request
from unidoku.serve.questions import Answer, Report, solver
from unidoku.support.deadline import Deadline
from unidoku.support.page import page, read_part

if TYPE_CHECKING:
    from unidoku.serve.workbench import Workbench

_SECONDS = 120.0
"""Time limit of making puzzles."""

_RATED = 5.0
"""Seconds for the level of a puzzle that is printed."""

_COLUMNS = {1: 1, 2: 1, 4: 2, 6: 2, 9: 3, 12: 3}
"""Columns of a page, by the number of puzzles on it."""


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
    if texts := fields.get("texts"):
        puzzles = [content_of(text).puzzle for text in texts]
    else:
        puzzles = [puzzle_of(workbench.state)]
    key = workbench.keep_page(
        sheet(
            puzzles,
            heading=fields.get("heading", ""),
            per_page=fields.get("per_page", 4),
            has_name=fields.get("name_line", False),
            has_rules=fields.get("rules", False),
            has_level=fields.get("level", False),
            has_answers=fields.get("answers", False),
            symbols=fields.get("symbols", ""),
        )
    )
    return {"page": key}


def sheet(
    puzzles: Sequence[Puzzle],
    *,
    heading: str,
    per_page: int,
    has_name: bool,
    has_rules: bool,
    has_level: bool,
    has_answers: bool,
    symbols: str,
) -> str:
    """Return a page of HTML whose parts are pages of paper.

    Args:
        puzzles: the puzzles.
        heading: what is written above each page.
        per_page: puzzles on a page, a key of the table of columns.
        has_name: whether each page has a line for a name and a date.
        has_rules: whether the rules are written below a puzzle.
        has_level: whether its level is written beside its number.
        has_answers: whether pages with solutions follow.
        symbols: symbols in place of the values, separated by blanks; empty for none.

    Raises:
        InputError: the number of puzzles on a page, or of symbols, is not possible.
    """
    if per_page not in _COLUMNS:
        raise InputError(f"per_page: expected one of {[*_COLUMNS]}, got {per_page}")
    marks = symbols.split()
    for puzzle in puzzles:
        if marks and len(marks) < puzzle.board.layout.n:
            raise InputError(f"symbols: expected {puzzle.board.layout.n}, got {len(marks)}")
    name = '<p class="name">Name <i></i> Date <i></i></p>' if has_name else ""
    head = f"<header><h1>{escape(heading)}</h1>{name}</header>"
    parts = [
        _item(number, puzzle, marks, has_rules=has_rules, has_level=has_level)
        for number, puzzle in enumerate(puzzles, start=1)
    ]
    pages = [_paper(head, parts[at : at + per_page], per_page) for at in _starts(parts, per_page)]
    if has_answers:
        small = max(per_page, 6)
        answers = [_answer(number, puzzle, marks) for number, puzzle in enumerate(puzzles, start=1)]
        title = "<header><h1>Solutions</h1></header>"
        pages += [_paper(title, answers[at : at + small], small) for at in _starts(answers, small)]
    return page(
        title=heading or "Puzzles",
        body="".join(pages),
        data={},
        style=read_part(__name__.rpartition(".")[0] + ".page", "print.css"),
    )


def _starts(parts: Sequence[str], per_page: int) -> range:
    return range(0, len(parts), per_page)


def _paper(head: str, parts: Sequence[str], per_page: int) -> str:
    columns = _COLUMNS[per_page]
    style = f"paper columns-{columns} rows-{per_page // columns}"
    puzzles = f'<div class="puzzles">{"".join(parts)}</div>'
    return f'<article class="{style}">{head}{puzzles}</article>'


def _item(
    number: int, puzzle: Puzzle, marks: Sequence[str], *, has_rules: bool, has_level: bool
) -> str:
    level = f' <span class="level">{_level(puzzle.board)}</span>' if has_level else ""
    rules = puzzle.rules_text or rules_text(puzzle.board) if has_rules else ""
    words = "".join(f"<p>{escape(line)}</p>" for line in rules.splitlines() if line.strip())
    title = escape(f"{number}. {puzzle.name}".rstrip(". "))
    drawn = _with_symbols(svg(replace(puzzle, fog=None), theme="light"), puzzle.board, marks)
    return f'<section><h2>{title}{level}</h2>{drawn}<div class="rules">{words}</div></section>'


def _answer(number: int, puzzle: Puzzle, marks: Sequence[str]) -> str:
    grid = puzzle.solution
    if grid is None:
        limits = Limits(solutions=1, time_limit=_RATED)
        grid = next(iter(solver().solve(puzzle.board, **limits).solutions), None)
    drawn = "no solution found in time" if grid is None else svg(puzzle.board, grid, theme="light")
    return f"<section><h2>{number}</h2>{_with_symbols(drawn, puzzle.board, marks)}</section>"


def _level(board: Board) -> str:
    try:
        return rate(board, time_limit=_RATED).level
    except TimeLimitError:
        return ""


def _with_symbols(drawn: str, board: Board, marks: Sequence[str]) -> str:
    """Return a picture with symbols in place of its large digits."""
    if not marks:
        return drawn
    by_value = dict(zip(board.layout.shown[1:], map(escape, marks), strict=False))

    def symbol(found: re.Match[str]) -> str:
        return f"{found[1]}{by_value.get(found[2], found[2])}</text>"

    return re.sub(r'(<text [^>]*font-size="2\d[^>]*>)([^<]*)</text>', symbol, drawn)


JOBS = {"make": make, "print": print_}
"""What the page asks for a class, by the name of the command."""
