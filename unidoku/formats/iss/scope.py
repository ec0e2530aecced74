"""The information that readers of constraints of Interactive Sudoku Solver use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from unidoku.core.cells import SIDES
from unidoku.core.constraints.primitives import Pair
from unidoku.errors import FormatError
from unidoku.formats.draft import Draft, one_line, whole_number
from unidoku.formats.frame import Frame
from unidoku.formats.meanings import Meaning
from unidoku.support.schema import shown

Args: TypeAlias = Sequence[str]

MOST_SIDE = 16
"""The most rows, columns and values."""

MOST_CELLS = 1000
"""The most cells of the grid and of all groups together."""

_BASE = 17
"""The largest number of a row or a column in the name of a cell, plus one."""

_DIGITS = "123456789abcdefg"


def name_of(row: int, column: int) -> str:
    """Return the name of a cell of the grid, by its row and column from 0: ``R1C1``."""
    return f"R{_DIGITS[row]}C{_DIGITS[column]}"


def diagonal_from(frame: Frame, cell: int) -> tuple[int, ...]:
    """Return the diagonal that a cell names; it is empty if the cell names none.

    Each diagonal is named after one end: the other end names another diagonal.
    """
    row, column = divmod(cell, frame.columns)
    last_row, last_column = frame.rows - 1, frame.columns - 1
    if column == 0 and row < last_row:
        return frame.run(row, column, 1, 1)
    if column == last_column and 0 < row < last_row:
        return frame.run(row, column, -1, -1)
    if row == 0:
        return frame.run(row, column, 1, -1)
    if row == last_row and 0 < column < last_column:
        return frame.run(row, column, -1, 1)
    return ()


@dataclass(slots=True)
class Scope:
    """The information on which the meaning of a constraint may depend.

    Args:
        draft: the draft of the puzzle.
        groups: for each group of cells its first cell, their number, and how many are in a row;
            the grid is the group with the empty name.
        size: number of cells in a region.
        ties: how equal lines are ranked.
        is_branch: whether the constraint is one of several alternatives.
        marked: the pairs of cells with a dot, and those with a letter.
        strict: the constraints about all other pairs.
    """

    draft: Draft
    groups: Mapping[str, tuple[int, int, int]]
    size: int
    ties: str
    is_branch: bool = False
    marked: dict[str, list[Pair]] = field(default_factory=lambda: {"dot": [], "letter": []})
    strict: list[str] = field(default_factory=list)

    def cells(self, names: Args) -> tuple[int, ...]:
        """Return the numbers of cells."""
        return tuple(map(self.cell, names))

    def cell(self, name: str) -> int:
        """Return the number of a cell.

        Raises:
            FormatError: there is no such cell.
        """
        if re.fullmatch(r"[Rr][0-9a-gA-G][Cc][0-9a-gA-G]", name):
            cell = self.at("", int(name[1], _BASE) - 1, int(name[3], _BASE) - 1)
            if cell is not None:
                return cell
        elif match := re.fullmatch(r"([A-Z]+)([0-9]{0,4})", name):
            first, count, _ = self.groups.get(match[1], (0, 0, 0))
            if not match[2] and count == 1:
                return first
            if match[2] and 1 <= int(match[2]) <= count:
                return first + int(match[2]) - 1
        last = name_of(self.draft.rows - 1, self.draft.columns - 1)
        raise FormatError(f"expected a cell from R1C1 to {last}, got {shown(name)}")

    def name(self, cell: int) -> str:
        """Return the name of a cell."""
        group, row, column = self.position(cell)
        if not group:
            return name_of(row, column)
        first, count, _ = self.groups[group]
        return group if count == 1 else f"{group}{cell - first + 1}"

    def group(self, prefix: str) -> tuple[tuple[int, ...], int]:
        """Return the cells of a group, and how many of them are in a row."""
        first, count, width = self.groups.get(prefix, (0, 0, 0))
        if not count:
            raise FormatError(f"expected the name of a group of cells, got {shown(prefix)}")
        return tuple(range(first, first + count)), width

    def position(self, cell: int) -> tuple[str, int, int]:
        """Return the group of a cell, and its row and column in the group."""
        for group, (first, count, width) in self.groups.items():
            if first <= cell < first + count:
                return (group, *divmod(cell - first, width))
        raise FormatError("expected a cell that exists, got one beyond all")

    def at(self, group: str, row: int, column: int) -> int | None:
        """Return the cell at a row and a column of a group; None if there is none."""
        first, count, width = self.groups[group]
        cell = row * width + column
        return first + cell if 0 <= column < width and 0 <= cell < count else None

    def neighbours(self, cell: int) -> list[int]:
        """Return the cells beside a cell; the cells of a group are in rows too."""
        group, row, column = self.position(cell)
        around = [self.at(group, row + down, column + right) for down, right in SIDES]
        return [other for other in around if other is not None]

    def line(self, name: str, end: int) -> tuple[int, ...]:
        """Return the cells of a row or a column, ``R1`` or ``C1``, from its first or last cell."""
        kind, number = name[:1], whole_number(name[1:])
        draft = self.draft
        count = draft.rows if kind == "R" else draft.columns
        if kind not in ("R", "C") or number is None or not 1 <= number <= count:
            raise FormatError(f"expected a row or a column such as R1, got {shown(name)}")
        return draft.lines()[number - 1 + draft.rows * (kind == "C")][::end]

    def adjacent(self, cells: Sequence[int]) -> Iterator[Pair]:
        """Yield the adjacent pairs in a list of cells, the earlier cell first."""
        has_pairs = False
        for index, a in enumerate(cells):
            for b in cells[index + 1 :]:
                if b in self.neighbours(a):
                    has_pairs = True
                    yield a, b
        if not has_pairs:
            raise FormatError("expected cells side by side")


Read: TypeAlias = Callable[[Scope, Args], Iterable[Meaning]]


def number(text: str) -> int:
    """Return the number in a text."""
    number = whole_number(text)
    if number is None:
        raise FormatError(f"expected a whole number, got {shown(one_line(text))}")
    return number
