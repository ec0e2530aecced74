"""Sheets of puzzles for printing: several on each page, and their solutions on the last pages."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.draw.board import layout_name, parts, with_regions
from unidoku.draw.paint import BOARD, DARK_STYLE, Theme
from unidoku.draw.strokes import number
from unidoku.errors import InputError, nearest
from unidoku.formats.puzzles import Puzzle
from unidoku.support.language import message
from unidoku.support.text import printable

PAPERS: Mapping[str, tuple[float, float]] = {"a4": (595.28, 841.89), "letter": (612, 792)}
"""Width and height of paper in points, of which an inch has 72."""

_POINT = 0.75
"""Points for each unit of SVG, of which an inch has 96."""

_MARGIN, _GAP = 42.0, 20.0
"""The margin of a page, and the space between two boards, in points."""

_TITLE, _SMALL = 11.0, 8.0
"""Font sizes of a puzzle's title, of the text below it, and of the page's foot."""

_HEAD = 30.0
"""The height of the text above a board."""

_HEADING, _LEADING = 16.0, 10.5
"""The font size of a page's heading, and the distance of lines of rules."""

_BROADEST = 0.7
"""The average width of a letter as a share of its font size, in Vera's bold."""

_LARGEST = 1.6
"""Points for each unit of the picture, if the page has enough room."""

_SOLUTIONS = 12
"""Solutions on a page, if there are not more puzzles on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A puzzle on a sheet.

    Args:
        board: its board.
        title: name of the puzzle; empty if it has no name.
        puzzle: the puzzle, for its cosmetics and its fog; None for none.
        solution: solution to print at the end; None if there is none to print.
        answer: the board that the solution is printed on; by default the same.
        regions: the number of the region of each cell of the solution, if the puzzle asks for them.
        level: its level of difficulty; empty if it is not printed.
        rules: the rules in words; empty if they are not printed.
        all_marks: the argument of `unidoku.svg`.
        symbols: what is drawn for each value, such as a star; none for the values.
    """

    board: Board
    title: str = ""
    puzzle: Puzzle | None = None
    solution: Grid | None = None
    answer: Board | None = None
    regions: Grid | None = None
    level: str = ""
    rules: str = ""
    all_marks: bool = False
    symbols: tuple[str, ...] = ()

    def solved_board(self) -> Board:
        """Return the board on which the solution is drawn."""
        board = self.answer or self.board
        return board if self.regions is None else with_regions(board, self.regions)


class _Slots(NamedTuple):
    """Positions of boards on a page."""

    columns: int
    rows: int
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What is printed above the puzzles of each page.

    Args:
        heading: the heading; empty for none.
        date: the date beside it; empty for none.
        name_line: whether pages of puzzles have a line for a name, and one for the date if that is
            not printed.
    """

    heading: str = ""
    date: str = ""
    name_line: bool = False

    def height(self) -> float:
        """Return its height in points."""
        return (_HEADING + 8) * bool(self.heading or self.date) + 26.0 * self.name_line

    def drawn(self, width: float, *, solutions: bool) -> Iterator[str]:
        """Yield its texts and lines."""
        right = width - _MARGIN
        top = _MARGIN + _HEADING * 0.8
        if self.heading or self.date:
            heading = _cut(self.heading, (width - 2 * _MARGIN) * 0.75, _HEADING)
            yield _text(_MARGIN, top, _HEADING, heading, "given", "start")
            yield _text(right, top, _TITLE, self.date, "caption", "end")
            top += _HEADING + 8
        if self.name_line and not solutions:
            yield from _line_for(message("Name"), _MARGIN, right - (0 if self.date else 160), top)
            if not self.date:
                yield from _line_for(message("Date"), right - 140, right, top)


def _line_for(words: str, left: float, right: float, top: float) -> Iterator[str]:
    """Yield a word, and a line on which a hand writes."""
    yield _text(left, top, _TITLE, words, "caption", "start")
    start = left + _TITLE * _BROADEST * (len(words) + 1)
    yield f'<path class="sign" d="M{number(start)} {number(top + 2)}H{number(right)}"/>'


def sheet(
    entries: Sequence[Entry],
    *,
    per_page: int = 6,
    paper: str = "a4",
    theme: Theme = "light",
    head: Head | None = None,
) -> list[str]:
    """Return the pages, each an SVG element of the size of the paper.

    Args:
        entries: the puzzles, numbered from 1 in this order.
        per_page: number of puzzles on a page.
        paper: a key of `PAPERS`.
        theme: the theme, as in `unidoku.svg`.
        head: what is printed above the puzzles; None for nothing.

    Raises:
        InputError: there is no such paper or theme, no puzzle, less than one puzzle on a page, or
            a puzzle with fewer symbols than values.
    """
    if paper not in PAPERS:
        raise InputError(f"expected a paper, got {paper!r}; {nearest(paper, PAPERS)}")
    if per_page < 1:
        raise InputError(f"expected 1 puzzle a page or more, got {per_page}")
    if not entries:
        raise InputError("expected a puzzle for the sheet, got none")
    for entry in entries:
        if entry.symbols and len(entry.symbols) < entry.board.layout.n:
            n = entry.board.layout.n
            raise InputError(f"symbols: expected {n}, one for each value, got {len(entry.symbols)}")
    numbered = [*enumerate(entries, start=1)]
    solved = [entry for entry in numbered if entry[1].solution is not None]
    head = head or Head()
    pages = _pages(numbered, per_page, paper, head, solutions=False)
    pages += _pages(solved, max(_SOLUTIONS, per_page), paper, head, solutions=True)
    return [
        BOARD.painted(_framed(page, paper, theme, f"{foot} / {len(pages)}"), theme)
        for foot, page in enumerate(pages, start=1)
    ]


def _framed(inside: str, paper: str, theme: Theme, foot: str) -> str:
    """Return the SVG element of a page."""
    width, height = PAPERS[paper]
    style = DARK_STYLE if theme == "auto" else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{BOARD.name}" '
        f'width="{width / _POINT:.2f}" height="{height / _POINT:.2f}" '
        f'viewBox="0 0 {width} {height}">{style}\n'
        f'<rect class="paper" width="{width}" height="{height}"/>\n{inside}\n'
        f"{_text(width / 2, height - _MARGIN / 2, _SMALL, foot, 'caption', 'middle')}\n</svg>"
    )


def _pages(
    entries: Sequence[tuple[int, Entry]], per_page: int, paper: str, head: Head, *, solutions: bool
) -> list[str]:
    """Return the content of each page; boards have the same positions on all pages."""
    if not entries:
        return []
    above = head.height()
    slots = _slots(min(per_page, len(entries)), paper, above)
    pages = []
    for start in range(0, len(entries), per_page):
        drawn = [*head.drawn(PAPERS[paper][0], solutions=solutions)]
        for index, (count, entry) in enumerate(entries[start : start + per_page]):
            row, column = divmod(index, slots.columns)
            left = _MARGIN + column * (slots.width + _GAP)
            top = _MARGIN + above + row * (slots.height + _GAP)
            drawn += _entry(count, entry, (left, top), slots, solutions=solutions)
        pages.append("\n".join(drawn))
    return pages


def _slots(count: int, paper: str, above: float) -> _Slots:
    """Return the positions at which this number of square boards is largest, below the head."""
    width, height = (side - 2 * _MARGIN for side in PAPERS[paper])
    height -= above
    fits = []
    for columns in range(1, count + 1):
        rows = math.ceil(count / columns)
        wide, high = (width + _GAP) / columns - _GAP, (height + _GAP) / rows - _GAP
        fits.append((min(wide, high - _HEAD), -columns, _Slots(columns, rows, wide, high)))
    return max(fits)[-1]


def _entry(
    count: int, entry: Entry, corner: tuple[float, float], slots: _Slots, *, solutions: bool
) -> Iterator[str]:
    """Yield a board with its number and title."""
    left, top = corner
    layout = entry.board.layout
    grid = entry.solution if solutions else None
    board = entry.solved_board() if solutions else entry.board
    marks, symbols = entry.all_marks, entry.symbols
    box, drawn = parts(board, grid, all_marks=marks, puzzle=entry.puzzle, symbols=symbols)
    title = f"{count}. {entry.title}".rstrip(". ")
    if solutions:
        title = message("Solution {number}", number=count)
    yield _text(left, top + _TITLE, _TITLE, _cut(title, slots.width, _TITLE), "given", "start")
    is_named = not entry.rules and layout.name != "classic"
    words = [entry.level and message(entry.level), layout_name(layout) if is_named else ""]
    below = "" if solutions else " · ".join(filter(None, words))
    yield _text(
        left, top + 2 * _TITLE, _SMALL, _cut(below, slots.width, _SMALL), "caption", "start"
    )
    lines = [] if solutions else _wrapped(entry.rules, slots.width, slots.height)
    for index, line in enumerate(lines):
        baseline = top + 2 * _TITLE + (index + bool(below)) * _LEADING
        yield _text(left, baseline, _SMALL, line, "clue", "start")
    header = _HEAD + max(len(lines) + bool(below) - 1, 0) * _LEADING
    scale = min(slots.width / box.width, (slots.height - header) / box.height, _LARGEST)
    down = top + header - scale * box.top
    yield f'<g transform="translate({left - scale * box.left:.2f} {down:.2f}) scale({scale:.4f})">'
    yield from drawn
    yield "</g>"


def _wrapped(words: str, width: float, height: float) -> list[str]:
    """Return a text in lines that fit into a width, at most half of a height."""
    most = max(int(width / (_BROADEST * 0.86 * _SMALL)), 8)
    lines = [part for line in words.splitlines() for part in textwrap.wrap(line, most) or [""]]
    room = max(int(height / 2 / _LEADING), 1)
    return lines if len(lines) <= room else [*lines[: room - 1], "…"]


def _cut(words: str, width: float, size: float) -> str:
    """Return a text, cut at its end if it is wider than this in a broad font."""
    most = int(width / (_BROADEST * size))
    return words if len(words) <= most else words[: max(most - 1, 0)] + "…"


def _text(x: float, y: float, size: float, words: str, kind: str, anchor: str) -> str:
    """Return a text; characters that pictures cannot contain, such as controls, become ``?``."""
    look = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {look}>{escape(printable(words))}</text>'
