"""Steve Simpson's ``.non`` files: nonograms with their clues line by line, and their goal.

Blocks may have colours, by Michael Terry's extension of the format (FORMAT.md of his nonogram-db).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.errors import FormatError, InputError
from unidoku.formats.families import (
    MOST_SIDE,
    ColouredClues,
    Rest,
    coloured_nonogram,
    nonogram,
    nonogram_clues,
)
from unidoku.formats.losses import Losses, Report, Written
from unidoku.formats.puzzles import Puzzle

_BETWEEN = re.compile(r"^====+\s*$")
"""Separates the puzzles of a pack."""

_CREDITS = {"title": "name", "by": "author"}


def read(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the nonogram in a file, or those in a pack.

    Raises:
        FormatError: it is not a nonogram; the message states the place.
    """
    lines = text.splitlines()
    starts = [0, *(k + 1 for k, line in enumerate(lines) if _BETWEEN.match(line)), len(lines) + 1]
    for start, end in pairwise(starts):
        part = lines[start : end - 1]
        if any(line.strip() for line in part):
            yield _Reader(part, start + 1).puzzle()


class _Reader:
    """The lines of one puzzle, which are read one after the other."""

    def __init__(self, lines: Sequence[str], first: int) -> None:
        self._lines, self._first = lines, first
        self._at = 0
        self._report = Report()
        self._sizes: dict[str, int] = {}
        self._clues: dict[str, list[Sequence[tuple[int, str]]]] = {}
        self._entries: dict[str, str] = {}
        self._colours: dict[str, None] = {}
        self._has_look = False
        self._values: dict[str, int] = {}

    def puzzle(self) -> Puzzle:
        """Return the puzzle."""
        while self._at < len(self._lines):
            line = self._lines[self._at].strip()
            self._at += 1
            if line:
                key, _, value = line.partition(" ")
                self._key(key, value.strip())
        for key in ("width", "height", "columns", "rows"):
            if key not in self._sizes and key not in self._clues:
                raise FormatError(f"expected the key {key!r}, got none", self._first)
        board = Board.empty(self._layout())
        fields = {field: self._entries.pop(key, "") for key, field in _CREDITS.items()}
        solution = self._goal(board)
        for key in self._entries:
            self._report.drop(key)
        return Puzzle(
            board,
            fields["name"],
            self._first,
            author=fields["author"],
            solution=solution,
            losses=self._report.losses,
        )

    def _layout(self) -> Layout:
        """Return the layout: filled and blank cells, or blank ones and those of several colours."""
        if len(self._colours) < 2:
            if self._has_look or {*self._colours} - {""}:
                self._report.drop("colours")
            lengths = {
                key: [tuple([length for length, _ in line]) for line in lines]
                for key, lines in self._clues.items()
            }
            return nonogram(lengths["rows"], lengths["columns"])
        values = {colour: value for value, colour in enumerate(sorted(self._colours), start=1)}
        named = [f"{value} is {colour or 'none named'}" for colour, value in values.items()]
        if self._has_look:
            self._report.drop("the look of colours")
        self._report.read_as(f"0 is blank, of the colours {', '.join(named)}")
        self._values = values
        clues: dict[str, ColouredClues] = {
            key: [[(length, values[colour]) for length, colour in line] for line in lines]
            for key, lines in self._clues.items()
        }
        return coloured_nonogram(clues["rows"], clues["columns"], len(values))

    def _key(self, key: str, value: str) -> None:
        if key in ("width", "height"):
            self._sizes[key] = self._number(value, f"a {key}", 1, MOST_SIDE)
        elif key in ("rows", "columns"):
            self._clues[key] = [*self._lines_of(key)]
        elif key in ("color", "colour"):
            self._has_look = True
        elif key in ("catalogue", "title", "by", "copyright", "license", "goal"):
            self._entries[key] = " ".join(html.unescape(value.strip('"')).split())
        else:
            self._report.drop(f"a line that is not known: {key[:40]}")

    def _lines_of(self, key: str) -> Iterator[Sequence[tuple[int, str]]]:
        """Yield the clues of each line; a line without clues is empty, or a 0."""
        side, across = ("height", "width") if key == "rows" else ("width", "height")
        if side not in self._sizes or across not in self._sizes:
            raise self._error(f"expected width and height before {key}")
        room = self._sizes[across]
        for _ in range(self._sizes[side]):
            if self._at == len(self._lines):
                raise self._error(f"expected {self._sizes[side]} lines of {key}, got fewer")
            line = self._lines[self._at].strip().strip(",")
            self._at += 1
            blocks = [self._block(part, room) for part in line.split(",") if part.strip()]
            lengths = [length for length, _ in blocks]
            blocks = [] if lengths == [0] else blocks
            gaps = sum(colour == other for (_, colour), (_, other) in pairwise(blocks))
            if blocks and (0 in lengths or sum(lengths) + gaps > room):
                raise self._error(f"expected blocks that fit in {room} cells, got {line[:60]!r}")
            self._colours.update(dict.fromkeys([colour for _, colour in blocks]))
            yield tuple(blocks)

    def _block(self, text: str, room: int) -> tuple[int, str]:
        """Return the length of a block, and the letter of its colour."""
        match = re.fullmatch(r"\s*(\d+)\s*([a-zA-Z]?)\s*", text)
        if match is None:
            raise self._error(f"expected blocks such as 3,1,2 or 3a,1b, got {text[:40]!r}")
        return self._number(match[1], "a block", 0, room), match[2]

    def _number(self, text: str, noun: str, least: int, most: int) -> int:
        digits = text.strip()
        if not re.fullmatch(r"\d{1,6}", digits) or not least <= int(digits) <= most:
            raise self._error(f"expected {noun} from {least} to {most}, got {digits[:40]!r}")
        return int(digits)

    def _goal(self, board: Board) -> Grid | None:
        """Return the solution, if there is one that agrees with the clues."""
        goal = self._entries.pop("goal", "")
        if not goal:
            return None
        values = {"0": 0, **self._values, "1": self._values.get("", 1)}
        grid = tuple([1 + values.get(symbol, 1) for symbol in goal])
        if len(grid) != len(board.layout):
            raise FormatError(
                f"expected a goal of {len(board.layout)} cells, got {len(grid)}", self._first
            )
        if any(board.layout.broken(grid)):
            self._report.drop("the goal, which breaks the clues")
            return None
        return grid

    def _error(self, message: str) -> FormatError:
        return FormatError(message, self._first + max(self._at, 1) - 1)


def write(puzzles: Sequence[Puzzle]) -> Written:
    """Return nonograms as a file, or as a pack of several.

    Raises:
        InputError: one of them is not a nonogram.
    """
    parts, losses = [], Losses()
    for puzzle in puzzles:
        rest = Rest(puzzle)
        rows, columns = nonogram_clues(rest, ".non")
        if any(rest.givens()):
            rest.report.drop("givens")
        lines = [
            f'{key} "{_escaped(value)}"'
            for key, field in _CREDITS.items()
            if (value := getattr(puzzle, field))
        ]
        lines += [f"width {len(columns)}", f"height {len(rows)}"]
        for key, clues in (("rows", rows), ("columns", columns)):
            lines += ["", key, *(",".join(map(str, blocks)) or "0" for blocks in clues)]
        if puzzle.solution is not None:
            lines += ["", f'goal "{"".join(str(value - 1) for value in puzzle.solution)}"']
        parts.append("\n".join(lines))
        losses += rest.losses("name", "author", "solution")
    return Written("\n====\n".join(parts), losses)


def _escaped(text: str) -> str:
    """Return a text on one line, escaped as in HTML."""
    if not text.isprintable():
        raise InputError(f".non holds names of one line, got {text[:40]!r}")
    return html.escape(text)
