"""The table of f-puzzles that a writer fills: the grid, the units, and entries for rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unidoku.core.bits import all_values, is_single, value_of, values_of
from unidoku.core.rules import Rule
from unidoku.errors import InputError
from unidoku.formats.frame import box_of
from unidoku.formats.grid_parts import drawn_parts, words_of
from unidoku.formats.losses import Report
from unidoku.formats.puzzles import Puzzle

_NAME = "f-puzzles"


class Sheet:
    """A table of f-puzzles that is being written.

    Args:
        puzzle: the puzzle to write.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        """Start with the grid."""
        self.layout = layout = puzzle.board.layout
        self.n = layout.n
        self.report = Report()
        self.parts = drawn_parts(layout, _NAME)
        if layout.rows != layout.columns:
            got = f"{layout.rows}x{layout.columns} cells"
            raise InputError(f"{_NAME} holds squares of n by n cells with values 1 to n, got {got}")
        self.masks = [*puzzle.board.candidates]
        self.table: dict[str, Any] = {"size": self.n}
        for key, text in (("title", puzzle.name), ("author", puzzle.author)):
            if text:
                self.table[key] = text
        if puzzle.solution is not None:
            self.table["solution"] = [*puzzle.solution]
        self._units()
        if layout.hidden:
            self.report.drop("cells that are not drawn, and rules that speak of them")

    def cell(self, cell: int) -> str:
        """Return the name of a cell."""
        row, column = self.layout.positions[cell]
        return f"R{row + 1}C{column + 1}"

    def names(self, cells: Sequence[int]) -> list[str]:
        """Return the names of cells."""
        return [self.cell(cell) for cell in cells]

    def add(self, key: str, **entry: Any) -> None:
        """Add an entry to a key; fields that are None are left out."""
        fields = {name: value for name, value in entry.items() if value is not None}
        self.table.setdefault(key, []).append(fields)

    def line(self, key: str, cells: Sequence[int], value: str | None = None) -> None:
        """Add an entry of one line."""
        self.add(key, lines=[self.names(cells)], value=value)

    def drop(self, rule: Rule) -> None:
        """Report a rule that the format cannot express."""
        self.report.drop(words_of(self.layout, rule))

    def outside(self, line: Sequence[int]) -> str | None:
        """Return the cell from which a clue looks along a whole line; None if there is none."""
        places = [self.layout.positions[cell] for cell in line]
        for axis in (0, 1):
            along = [position[1 - axis] for position in places]
            if len({position[axis] for position in places}) == 1 and len(line) == self.n:
                for ahead, outside in ((along, 0), (along[::-1], self.n + 1)):
                    if ahead == [*range(self.n)]:
                        index = places[0][axis] + 1
                        row, column = (index, outside) if axis == 0 else (outside, index)
                        return f"R{row}C{column}"
        return None

    def _units(self) -> None:
        parts = self.parts
        flags = {
            "diagonal-": parts.falling,
            "diagonal+": parts.rising,
            "antiknight": parts.antiknight,
            "antiking": parts.antiking,
            "disjointgroups": parts.disjoint,
        }
        self.table |= {key: True for key, is_set in flags.items() if is_set}
        for unit in parts.units:
            if unit[-1] < len(self.layout):
                self.add("extraregion", cells=self.names(unit))

    def grid(self) -> list[list[dict[str, Any]]]:
        """Return the cells: givens, marks, and regions that differ from the usual ones."""
        region_of = {cell: k for k, cells in enumerate(self.parts.regions) for cell in cells}
        box = box_of(self.n) or (1, self.n)
        across = self.n // box[1]
        rows: list[list[dict[str, Any]]] = [[] for _ in range(self.n)]
        for cell, mask in enumerate(self.masks):
            row, column = self.layout.positions[cell]
            entry: dict[str, Any] = {}
            usual = row // box[0] * across + column // box[1]
            has_usual = not self.parts.regions and box[0] == 1
            if region_of.get(cell) != usual and not has_usual:
                entry["region"] = region_of.get(cell)
            if is_single(mask):
                entry |= {"value": value_of(mask), "given": True}
            elif mask != all_values(self.n):
                entry["givenPencilMarks"] = [*values_of(mask)]
                if not mask:
                    self.report.drop(f"that {self.layout.names[cell]} has no value left")
            rows[row].append(entry)
        return rows
