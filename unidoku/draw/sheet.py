"""Sheets of puzzles for printing: several a page, and their solutions on the last pages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import NamedTuple

from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.draw.board import parts
from unidoku.draw.paint import BOARD, Theme
from unidoku.draw.place import number, printable
from unidoku.errors import InputError, nearest

__all__ = ["PAPERS", "Entry", "sheet"]

PAPERS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"a4": (595.28, 841.89), "letter": (612, 792)}
)
"""Width and height of paper in points, of which an inch has 72."""

_POINT = 0.75
"""Points in a unit of SVG, of which an inch has 96."""

_MARGIN, _GAP = 42.0, 20.0
"""Around what is printed, and between two boards, in points."""

_TITLE, _SMALL = 11.0, 8.0
"""Font sizes of the title of a puzzle, of the text below it, and of the foot."""

_HEAD = 30.0
"""What stands above a board takes so much."""

_BROADEST = 0.7
"""The width of a letter as a part of its size, on average, in Vera's bold."""

_LARGEST = 1.6
"""Points for one of a picture's own, where a page has room for more."""

_SOLUTIONS = 12
"""Solutions a page, if there are not more puzzles a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A puzzle on a sheet.

    Args:
        board: its board.
        title: what it is called; empty if it has no name.
        solution: printed at the end, None if it is not.
        all_marks: as of `unidoku.svg`.
    """

    board: Board
    title: str = ""
    solution: Grid | None = None
    all_marks: bool = False


class _Slots(NamedTuple):
    """Places for boards on a page."""

    columns: int
    rows: int
    width: float
    height: float


def sheet(
    entries: Sequence[Entry], *, per_page: int = 6, paper: str = "a4", theme: Theme = "light"
) -> list[str]:
    """Return the pages, each an SVG element of the size of the paper.

    Args:
        entries: the puzzles, numbered from 1 in this order.
        per_page: how many puzzles a page has.
        paper: a key of `PAPERS`.
        theme: colours, as those of `unidoku.svg`.

    Raises:
        InputError: there is no such paper or theme, no puzzle, or none a page.
    """
    if paper not in PAPERS:
        raise InputError(f"expected a paper, got {paper!r}; {nearest(paper, PAPERS)}")
    if per_page < 1:
        raise InputError(f"expected 1 puzzle a page or more, got {per_page}")
    if not entries:
        raise InputError("expected a puzzle for the sheet, got none")
    numbered = [*enumerate(entries, start=1)]
    solved = [one for one in numbered if one[1].solution is not None]
    made = _pages(numbered, per_page, paper, solutions=False)
    made += _pages(solved, max(_SOLUTIONS, per_page), paper, solutions=True)
    return [
        BOARD.painted(_framed(page, paper, theme, f"{foot} / {len(made)}"), theme)
        for foot, page in enumerate(made, start=1)
    ]


def _framed(inside: str, paper: str, theme: Theme, foot: str) -> str:
    """Return the SVG element of a page."""
    width, height = PAPERS[paper]
    style = f"<style>{BOARD.dark_style}</style>" if theme == "auto" else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{BOARD.name}" '
        f'width="{width / _POINT:.2f}" height="{height / _POINT:.2f}" '
        f'viewBox="0 0 {width} {height}">{style}\n'
        f'<rect class="paper" width="{width}" height="{height}"/>\n{inside}\n'
        f"{_text(width / 2, height - _MARGIN / 2, _SMALL, foot, 'caption', 'middle')}\n</svg>"
    )


def _pages(
    entries: Sequence[tuple[int, Entry]], per_page: int, paper: str, *, solutions: bool
) -> list[str]:
    """Return what is on each page; all pages have their boards in the places of the first."""
    if not entries:
        return []
    slots = _slots(min(per_page, len(entries)), paper)
    made = []
    for start in range(0, len(entries), per_page):
        drawn: list[str] = []
        for place, (count, entry) in enumerate(entries[start : start + per_page]):
            row, column = divmod(place, slots.columns)
            left = _MARGIN + column * (slots.width + _GAP)
            top = _MARGIN + row * (slots.height + _GAP)
            drawn += _entry(count, entry, (left, top), slots, solutions=solutions)
        made.append("\n".join(drawn))
    return made


def _slots(count: int, paper: str) -> _Slots:
    """Return the places in which so many square boards are largest."""
    width, height = (side - 2 * _MARGIN for side in PAPERS[paper])
    found = []
    for columns in range(1, count + 1):
        rows = math.ceil(count / columns)
        wide, high = (width + _GAP) / columns - _GAP, (height + _GAP) / rows - _GAP
        found.append((min(wide, high - _HEAD), -columns, _Slots(columns, rows, wide, high)))
    return max(found)[-1]


def _entry(
    count: int, entry: Entry, place: tuple[float, float], slots: _Slots, *, solutions: bool
) -> Iterator[str]:
    """Yield a board with its number and what it is called."""
    left, top = place
    layout = entry.board.layout
    grid = entry.solution if solutions else None
    box, drawn = parts(entry.board, grid, all_marks=entry.all_marks)
    title = f"Solution {count}" if solutions else f"{count}. {entry.title}".rstrip(". ")
    told = "" if solutions or layout.name == "classic" else layout.name
    yield _text(left, top + _TITLE, _TITLE, _cut(title, slots.width, _TITLE), "given", "start")
    yield _text(left, top + 2 * _TITLE, _SMALL, _cut(told, slots.width, _SMALL), "caption", "start")
    scale = min(slots.width / box.width, (slots.height - _HEAD) / box.height, _LARGEST)
    down = top + _HEAD - scale * box.top
    yield f'<g transform="translate({left - scale * box.left:.2f} {down:.2f}) scale({scale:.4f})">'
    yield from drawn
    yield "</g>"


def _cut(said: str, width: float, size: float) -> str:
    """Return a text that fits in a width in a broad font, its end left out where it does not."""
    most = int(width / (_BROADEST * size))
    return said if len(said) <= most else said[: max(most - 1, 0)] + "…"


def _text(x: float, y: float, size: float, said: str, kind: str, anchor: str) -> str:
    """Return a text; what no picture can have, such as a control character, is ``?`` in it."""
    at = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {at}>{escape(printable(said))}</text>'
