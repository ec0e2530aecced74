"""A draft of a puzzle, which readers of other formats fill with facts of the neutral form."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from unidoku.core.constraints.primitives import Pair
from unidoku.core.units import default_box
from unidoku.errors import FormatError, LayoutError
from unidoku.formats.losses import Report
from unidoku.formats.neutral.format import Unread, puzzle_from_neutral
from unidoku.formats.puzzles import Puzzle
from unidoku.support.schema import shown

MOST_SIDE = 35
"""The most rows, columns and values: as many as have one symbol each."""

_LARGEST_NUMBER = 100_000
"""The largest clue: above any sum on a board, and a bound on the tables made for it."""

_LONGEST_LINE = 200


class Draft:
    """Cells in rows and columns, their values, units and rules, and the losses so far.

    Args:
        form: the name of the format, for messages.
        rows: number of rows.
        columns: number of columns.
        low: the smallest value.
        high: the largest value; if None, there are as many values as the longer side has cells.
    """

    def __init__(
        self, form: str, rows: int, columns: int, low: int = 1, high: int | None = None
    ) -> None:
        """Start with a unit for each row and each column, and nothing else."""
        self.form = form
        self.rows, self.columns = rows, columns
        self.low = low
        self.high = max(rows, columns) + low - 1 if high is None else high
        self.report = Report()
        self.name = self.author = ""
        self.hidden = 0
        self.blocked: set[int] = set()
        self.units: list[Sequence[int]] = [*self.lines()]
        self.regions: list[Sequence[int]] = []
        self.rules: list[Mapping[str, Any]] = []
        self.candidates: dict[int, set[int]] = {}
        self.solution: Sequence[int] | None = None

    @property
    def cells(self) -> range:
        """All cells of the grid."""
        return range(self.rows * self.columns)

    @property
    def values(self) -> range:
        """All values."""
        return range(self.low, self.high + 1)

    def lines(self) -> Iterator[Sequence[int]]:
        """Yield the cells of each row and of each column."""
        for row in range(self.rows):
            yield range(row * self.columns, (row + 1) * self.columns)
        for column in range(self.columns):
            yield range(column, self.rows * self.columns, self.columns)

    def inside(self, row: int, column: int) -> bool:
        """Return whether there is a cell at a row and a column, from 0."""
        return 0 <= row < self.rows and 0 <= column < self.columns

    def run(self, row: int, column: int, down: int, right: int) -> list[int]:
        """Return the cells from one to the edge, step by step."""
        cells = []
        while self.inside(row, column):
            cells.append(row * self.columns + column)
            row, column = row + down, column + right
        return cells

    def neighbours(self, cell: int) -> list[int]:
        """Return the cells that share a side with a cell."""
        row, column = divmod(cell, self.columns)
        steps = ((-1, 0), (0, -1), (0, 1), (1, 0))
        return [
            cell + down * self.columns + right
            for down, right in steps
            if self.inside(row + down, column + right)
        ]

    def steps(self, moves: Iterable[tuple[int, int]]) -> list[Pair]:
        """Return pairs of each cell and the cell one move away from it."""
        return [
            (cell, (row + down) * self.columns + column + right)
            for cell in self.cells
            for row, column in [divmod(cell, self.columns)]
            for down, right in moves
            if self.inside(row + down, column + right)
        ]

    def beside(self, without: Iterable[Sequence[int]] = ()) -> list[Pair]:
        """Return the pairs of adjacent cells, without some of them."""
        left_out = {frozenset(pair) for pair in without}
        return [pair for pair in self.steps([(0, 1), (1, 0)]) if frozenset(pair) not in left_out]

    def rule(self, kind: str, **fields: Any) -> None:
        """Add a rule of the neutral form."""
        self.rules.append({"kind": kind, **fields})

    def keep(self, cell: int, values: Iterable[int]) -> None:
        """Restrict a cell to these values."""
        held = set(values)
        self.candidates[cell] = self.candidates.get(cell, held) & held

    def segments(self, line: Sequence[int]) -> list[list[int]]:
        """Cut a line where it leaves a region; cells without a region count as one region."""
        region_of = {cell: k for k, region in enumerate(self.regions) for cell in region}
        parts: list[list[int]] = []
        for at, cell in enumerate(line):
            if at and region_of.get(cell) == region_of.get(line[at - 1]):
                parts[-1].append(cell)
            else:
                parts.append([cell])
        return parts

    def puzzle(self) -> Puzzle:
        """Return the puzzle.

        Raises:
            FormatError: the text is not valid; the message states why.
        """
        units = dict.fromkeys(tuple(sorted(unit)) for unit in (*self.units, *self.regions))
        table = {
            "name": self.name or self.form,
            "n": self.high - self.low + 1,
            "values": [self.low, self.high],
            "shape": [self.rows, self.columns],
            "hidden": self.hidden,
            "blocked": sorted(self.blocked),
            "units": [[*unit] for unit in units],
            "regions": [sorted(region) for region in self.regions],
            "givens": "." * len(self.cells),
            "candidates": {str(cell): sorted(held) for cell, held in self.candidates.items()},
            "rules": json.loads(json.dumps(self.rules)),
        }
        try:
            found = puzzle_from_neutral(table)
        except FormatError as error:
            raise FormatError(f"expected a puzzle of {self.form}: {error.message}") from error
        if isinstance(found, Unread):
            raise FormatError(f"expected a puzzle of {self.form}: {', '.join(found.reasons)}")
        puzzle = replace(found, name=self.name, author=self.author)
        if self.solution is not None:
            values = [self.solution[cell] for cell in self.cells if cell not in self.blocked]
            if all(value in self.values for value in values):
                held = tuple(value - self.low + 1 for value in values)
                puzzle = replace(puzzle, solution=held)
            elif len(set(values)) > 1:
                self.report.drop("the solution, which is incomplete")
        return replace(puzzle, losses=self.report.losses)


def box_of(n: int) -> tuple[int, int] | None:
    """Return the rows and columns of the usual boxes for n values; None if there are none."""
    try:
        return default_box(n)
    except LayoutError:
        return None


def boxes(draft: Draft, height: int, width: int) -> list[list[int]]:
    """Return the cells of boxes of a size, which fill the grid."""
    return [
        [
            (top + row) * draft.columns + left + column
            for row in range(height)
            for column in range(width)
        ]
        for top in range(0, draft.rows, height)
        for left in range(0, draft.columns, width)
    ]


def box_grid(draft: Draft, size: int) -> list[list[int]]:
    """Return boxes of a size that fill the grid, as nearly square as possible; [] if none do.

    They are not taller than wide, unless only tall ones fit.
    """
    for small in range(math.isqrt(size), 1, -1):
        large = size // small
        for height, width in ((small, large), (large, small)):
            if small * large == size and not (draft.rows % height or draft.columns % width):
                return boxes(draft, height, width)
    return []


def one_line(text: object) -> str:
    """Return a text from outside in one line, with blanks for characters that do not print."""
    if not isinstance(text, str):
        return ""
    line = "".join(symbol if symbol.isprintable() else " " for symbol in text[: 4 * _LONGEST_LINE])
    return " ".join(line.split())[:_LONGEST_LINE]


def whole_number(value: object) -> int | None:
    """Return a number, or the number that a text states; None for anything else.

    Raises:
        FormatError: it is larger than any number in puzzles.
    """
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value = int(value)
    if isinstance(value, str) and len(value) < 20 and value.strip().isascii():
        digits = value.strip()
        value = int(digits) if digits.removeprefix("-").isdigit() else None
    if type(value) is not int:
        return None
    if abs(value) > _LARGEST_NUMBER:
        raise FormatError(f"expected a number up to {_LARGEST_NUMBER:,}, got {shown(value)}")
    return value


def json_object(text: str, form: str) -> dict[str, Any]:
    """Return a text in JSON as a table.

    Raises:
        FormatError: the text is not valid.
    """
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"expected JSON of {form}: {one_line(str(error))}") from error
    if not isinstance(table, dict):
        raise FormatError(f"expected an object in JSON of {form}, got {shown(table)}")
    return table
