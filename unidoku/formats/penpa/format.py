"""Penpa+: links that contain a square grid with numbers, edges, cages, thermometers, arrows.

The text is compressed with deflate and written in base64. Its points are numbered on a grid with a
frame of two cells on each side: first all cells, then the lower right corner of each cell, and so
on. See https://github.com/swaroopg92/penpa-edit.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from unidoku.core.regions import connected_parts
from unidoku.core.rules import Killer, Thermo
from unidoku.errors import FormatError
from unidoku.formats.cosmetics import Cosmetic, Place, merged
from unidoku.formats.draft import (
    Draft,
    json_object,
    one_line,
    readable,
    several_lines,
    whole_number,
)
from unidoku.formats.frame import MOST_SIDE
from unidoku.formats.lzstring import LARGEST
from unidoku.formats.meanings import arrow
from unidoku.formats.penpa.cosmetics import cosmetics_of, texts_at
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.sudokupad.cosmetics import cosmetics_of as pictures_left
from unidoku.formats.sudokupad.cosmetics import draw
from unidoku.formats.sudokupad.guess import guess_rules
from unidoku.formats.sudokupad.payload import unpacked
from unidoku.formats.sudokupad.pictures import Pictures
from unidoku.support.schema import shown

FORM = "Penpa+"

_LINK = re.compile(r"[#&?]p=([A-Za-z0-9+/=%_-]+)")

TYPES = ("square", "sudoku", "kakuro")
"""The types of grids with square cells."""

SHORT: Mapping[str, str] = {
    "z": "zZ",
    '"qa"': "z9",
    '"pu_q"': "zQ",
    '"pu_a"': "zA",
    '"grid"': "zG",
    '"edit_mode"': "zM",
    '"surface"': "zS",
    '"line"': "zL",
    '"lineE"': "zE",
    '"wall"': "zW",
    '"cage"': "zC",
    '"number"': "zN",
    '"symbol"': "zY",
    '"special"': "zP",
    '"board"': "zB",
    '"command_redo"': "zR",
    '"command_undo"': "zU",
    '"command_replay"': "z8",
    '"numberS"': "z1",
    '"freeline"': "zF",
    '"freelineE"': "z2",
    '"thermo"': "zT",
    '"arrows"': "z3",
    '"direction"': "zD",
    '"squareframe"': "z0",
    '"polygon"': "z5",
    '"deletelineE"': "z4",
    '"killercages"': "z6",
    '"nobulbthermo"': "z7",
    '"__a"': "z_",
    "null": "zO",
}
"""Abbreviations, in the order in which they are replaced."""

ESCAPES = (("%2C", ","), ("%2D", "\n"), ("%2E", "&"), ("%2F", "="))
"""Symbols of the rules in words that have another meaning in the text, and what stands for them."""

THICK = 2
"""The style of the edges that separate regions."""

FRAME = 2
"""Cells of the frame on each side."""

OWN_LINE = 24
"""The line with the puzzle itself in links of Unidoku; Penpa+ reads fewer lines."""

_PLAIN, _MARKS = ("1", "10", "5", "6"), "7"
"""Styles of numbers that are one value, and styles of small numbers."""

_READ = (
    "number",
    "numberS",
    "lineE",
    "killercages",
    "thermo",
    "arrows",
    "cage",
    "line",
    "symbol",
    "surface",
)
_SILENT = ("command_redo", "command_undo", "command_replay")


def read_penpa(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the puzzle in a link, or in the text after ``p=`` in it.

    Raises:
        FormatError: the text is not valid.
    """
    text = text.strip()
    match = _LINK.search(text)
    lines = _unpacked(match[1] if match else text).split("\n")
    yield _Reader(lines, has_answer="&a=" in text).puzzle(guess=guess)


def _unpacked(packed: str) -> str:
    try:
        plain = unquote(packed).replace("-", "+").replace("_", "/").rstrip("=")
        data = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
        opened = zlib.decompressobj(-zlib.MAX_WBITS)
        content = opened.decompress(data, LARGEST)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise FormatError(f"expected a link of {FORM}: {error}") from error
    if opened.unconsumed_tail:
        raise FormatError(f"expected a link of {FORM} of at most {LARGEST:,} bytes, got more")
    text = content.decode("utf-8", "replace")
    for long, short in [*SHORT.items()][::-1]:
        text = text.replace(short, long)
        if len(text) > 4 * LARGEST:
            raise FormatError(f"expected a link of {FORM} of at most {LARGEST:,} bytes, got more")
    return text


def _colours(lines: Sequence[str]) -> Mapping[str, Any]:
    """Return the colours of parts of the drawing; none if the link has none."""
    with contextlib.suppress(FormatError):
        return json_object(lines[14], FORM) if len(lines) > 14 else {}
    return {}


class _Reader:
    """The lines of a link: the first describes the grid, the fourth the setter's drawing."""

    def __init__(self, lines: Sequence[str], *, has_answer: bool) -> None:
        head = lines[0].split(",")
        numbers = [whole_number(part) for part in head[1:3]]
        if head[0] not in TYPES or len(numbers) < 2 or len(lines) < 4:
            raise FormatError(f"expected a square grid of {FORM}, got {shown(one_line(head[0]))}")
        width, height = (number or 0 for number in numbers)
        if not (1 <= width <= MOST_SIDE + 20 and 1 <= height <= MOST_SIDE + 20):
            raise FormatError(f"expected up to {MOST_SIDE} rows and columns, got {height}x{width}")
        self.across = width + 2 * FRAME
        self.points = self.across * (height + 2 * FRAME)
        self.drawing = json_object(lines[3], FORM)
        self.colours = _colours(lines)
        self.lost: Counter[str] = Counter()
        self.packed = lines[OWN_LINE] if len(lines) > OWN_LINE else ""
        top, left, rows, columns = self._frame(lines, width, height)
        self.top, self.left = top, left
        self.draft = draft = Draft(FORM, rows, columns)
        for part in head[3:]:
            if part.startswith("Title: "):
                draft.name = one_line(part[len("Title: ") :].replace("%2C", ","))
            elif part.startswith("Author: "):
                draft.author = one_line(part[len("Author: ") :].replace("%2C", ","))
        text = (*head, *[""] * 19)[18]
        for code, symbol in ESCAPES:
            text = text.replace(code, symbol)
        draft.rules_text = several_lines(text)
        if has_answer:
            draft.report.drop("the answer that is checked")

    def _frame(self, lines: Sequence[str], width: int, height: int) -> tuple[int, int, int, int]:
        """Return the first row and column of the grid within its margins, and their numbers."""
        try:
            space = [whole_number(margin) or 0 for margin in json.loads(lines[1])]
        except (ValueError, TypeError, RecursionError):
            space = []
        top, bottom, left, right = (*space, 0, 0, 0, 0)[:4]
        rows, columns = height - top - bottom, width - left - right
        if min(top, bottom, left, right) < 0 or not (0 < rows <= MOST_SIDE >= columns > 0):
            raise FormatError(f"expected up to {MOST_SIDE} rows and columns within the margins")
        return top, left, rows, columns

    def cell(self, point: object) -> int | None:
        """Return the cell of a point; None if it is outside the grid."""
        number = whole_number(point)
        if number is None or not 0 <= number < self.points:
            return None
        row = number // self.across - FRAME - self.top
        column = number % self.across - FRAME - self.left
        return row * self.draft.columns + column if self.draft.inside(row, column) else None

    def place(self, point: object) -> Place | None:
        """Return the row and the column of a point, from 1; None if it is not a point.

        An E after the number of a point means a text there that is no value.
        """
        number = whole_number(point.removesuffix("E") if isinstance(point, str) else point)
        if number is None or not 0 <= number < 4 * self.points:
            return None
        block, index = divmod(number, self.points)
        down, right = ((0.0, 0.0), (0.5, 0.5), (0.5, 0.0), (0.0, 0.5))[block]
        row, column = divmod(index, self.across)
        return row - FRAME - self.top + 1 + down, column - FRAME - self.left + 1 + right

    @readable(FORM)
    def puzzle(self, *, guess: bool = False) -> Puzzle:
        """Return the puzzle: the one that Unidoku has written into the link, or what is drawn."""
        if self.packed:
            try:
                return self._own()
            except FormatError as error:
                self.draft.report.drop(f"the rules that Unidoku has written: {error}")
        draft, drawing = self.draft, self.drawing
        draft.report.read_as(
            f"values are 1 to {draft.high}, rows and columns differ: the format does not state it"
        )
        self._numbers(drawing.get("number"))
        self._edges(drawing.get("lineE"))
        cages = [*self._cages(drawing.get("killercages"))]
        totals = self._totals(drawing.get("numberS"), cages)
        for index, cells in enumerate(cages):
            draft.add(Killer(tuple(cells), totals.get(index) or None))
        for line in self._lines("thermo"):
            draft.add(Thermo(tuple(line)))
        for circle, *shaft in self._lines("arrows"):
            draft.add(*arrow([circle], shaft, draft))
        if drawing.get("cage") and not cages:
            draft.report.drop("pictures: cage")
        for key, value in drawing.items():
            if key not in _READ and key not in _SILENT and value:
                draft.report.drop(f"pictures: {one_line(key)}")
        for loss, count in self.lost.items():
            draft.report.drop(f"{loss} ({count})")
        pictures = [*cosmetics_of(draft, drawing, self.colours, self.place), *draft.cosmetics]
        if pictures and not guess:
            draft.report.approximate(f"pictures: {len(pictures)} are drawn, without a meaning")
        draft.cosmetics = merged(self._guessed(pictures) if guess else pictures)
        return draft.puzzle()

    def _guessed(self, cosmetics: Sequence[Cosmetic]) -> list[Cosmetic]:
        """Add the rules that pictures probably mean, as for SudokuPad, and return the others."""
        pictures = Pictures()
        for cosmetic in cosmetics:
            draw(pictures, cosmetic)
        others = guess_rules(self.draft, pictures.parts, self.draft.rules_text.lower())
        return pictures_left(self.draft, others)

    def _own(self) -> Puzzle:
        """Return the puzzle that Unidoku has written into the link, with the texts of the link."""
        draft = self.draft
        shape = (draft.rows, draft.columns)
        puzzle = unpacked(self.packed, shape, self._filling(self.drawing.get("number")))
        return replace(
            puzzle,
            name=draft.name,
            author=draft.author,
            rules_text=draft.own_rules_text(puzzle.board),
        )

    def _filling(self, numbers: object) -> dict[int, int]:
        """Return the numbers that fill cells."""
        values: dict[int, int] = {}
        for point, entry in _table(numbers):
            cell = self.cell(point)
            is_plain = isinstance(entry, list) and len(entry) > 2 and str(entry[2]) in _PLAIN
            value = whole_number(entry[0]) if is_plain else None
            if cell is not None and value is not None:
                values[cell] = value
        return values

    def _numbers(self, numbers: object) -> None:
        draft = self.draft
        for point, entry in _table(numbers):
            cell = self.cell(point)
            text = entry[0] if isinstance(entry, list) and entry else None
            style = str(entry[2]) if isinstance(entry, list) and len(entry) > 2 else "1"
            value = whole_number(text) if isinstance(text, str | int) else None
            if style == _MARKS:
                self.lost["small numbers of cells"] += 1
            elif cell is not None and value in draft.values and style in _PLAIN:
                draft.keep(cell, [value or 0])
            else:
                texts = texts_at(self.place(point), entry)
                self.draft.cosmetics += texts
                if not texts:
                    outside = "numbers outside the grid"
                    self.lost[outside if cell is None else "texts that are not values"] += 1

    def _totals(self, numbers: object, cages: Sequence[Sequence[int]]) -> dict[int, int]:
        """Return the totals of cages, which are small numbers in corners of cells."""
        totals: dict[int, int] = {}
        for point, entry in _table(numbers):
            number = whole_number(point)
            cell = None if number is None else self.cell((number - 4 * self.points) // 4)
            total = whole_number(entry[0]) if isinstance(entry, list) and entry else None
            index = next((k for k, cells in enumerate(cages) if cell in cells), None)
            if cell is None or total is None or index is None:
                self.lost["small texts that are not totals of cages"] += 1
            else:
                totals[index] = total
        return totals

    def _cages(self, cages: object) -> Iterator[list[int]]:
        for line in cages if isinstance(cages, list) else []:
            cells = [self.cell(point) for point in line] if isinstance(line, list) else [None]
            if None in cells:
                raise FormatError(f"killercages: expected cells of the grid, got {shown(line)}")
            if cells:
                yield [cell for cell in cells if cell is not None]

    def _lines(self, key: str) -> Iterator[list[int]]:
        lines = self.drawing.get(key)
        for line in lines if isinstance(lines, list) else []:
            cells = [self.cell(point) for point in line] if isinstance(line, list) else [None]
            if None in cells:
                self.lost[f"{key}: lines that leave the grid"] += 1
            elif len(cells) > 1:
                yield [cell for cell in cells if cell is not None]

    def _edges(self, edges: object) -> None:
        """Turn the parts that thick edges separate into regions, if all have full size."""
        draft = self.draft
        walls: set[frozenset[int]] = set()
        for key, style in _table(edges):
            pair = self._parted(str(key))
            if pair and whole_number(style) == THICK:
                walls.add(pair)
        near = [
            [other for other in draft.near[cell] if frozenset((cell, other)) not in walls]
            for cell in draft.cells
        ]
        parts = connected_parts(draft.cells, near)
        full = max(draft.rows, draft.columns)
        if len(parts) > 1 and {*map(len, parts)} == {full}:
            if not set(map(tuple, parts)) <= set(draft.lines()):
                draft.regions = [*parts]
        elif walls:
            draft.report.drop("edges that enclose no regions of full size")

    def _parted(self, key: str) -> frozenset[int] | None:
        """Return the two cells that an edge separates; None if it separates none of the grid."""
        ends = [whole_number(part) for part in key.split(",")]
        if len(ends) != 2 or None in ends:
            return None
        a, b = sorted((end or 0) - self.points for end in ends)
        if b - a == self.across:  # a vertical edge at the right of a cell
            cells = self.cell(b), self.cell(b + 1)
        elif b - a == 1:
            cells = self.cell(b), self.cell(b + self.across)
        else:
            return None
        pair = frozenset(cell for cell in cells if cell is not None)
        return pair if len(pair) == 2 else None


def _table(value: object) -> Iterator[tuple[object, Any]]:
    yield from value.items() if isinstance(value, dict) else ()
