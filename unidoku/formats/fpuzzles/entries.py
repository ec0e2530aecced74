"""The entries of a table of f-puzzles: checked, with cells as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from unidoku.core.rules import DiffersBy, PairSum, Ratio
from unidoku.errors import FormatError
from unidoku.formats.draft import Draft, one_line, whole_number
from unidoku.formats.meanings import extreme
from unidoku.support.schema import shown

_CELL = re.compile(r"R(-?[0-9]{1,3})C(-?[0-9]{1,3})", re.IGNORECASE)

_LOOKS = frozenset(
    ("outlineC", "baseC", "fontC", "width", "height", "angle", "size", "isNewConstraint")
)
"""Keys of an entry that describe how it is drawn."""

_MOST_ENTRIES = 10_000


class Entries:
    """The entries of a table of f-puzzles, checked, with the rules that depend on several kinds."""

    def __init__(self, draft: Draft, table: Mapping[str, Any]) -> None:
        """Start with no marks between cells."""
        self.draft = draft
        self.table = table
        self._marked: dict[str, list[tuple[tuple[int, ...], int]]] = {
            key: [] for key in ("difference", "ratio", "xv")
        }
        self._extremes: dict[str, list[int]] = {"minimum": [], "maximum": []}

    def of(self, key: str, *known: str) -> Iterator[Mapping[str, Any]]:
        """Yield the entries of a key; unknown fields in them are reported."""
        entries = self.table[key]
        if not isinstance(entries, list) or len(entries) > _MOST_ENTRIES:
            raise FormatError(f"{key}: expected a list of at most {_MOST_ENTRIES:,} entries")
        for entry in entries:
            if not isinstance(entry, dict):
                raise FormatError(f"{key}: expected a table for each entry, got {shown(entry)}")
            for name in entry:
                if name in _LOOKS:
                    self.draft.report.drop(f"colours and sizes of {key}")
                elif name not in known and entry[name] not in (None, "", [], False):
                    self.draft.report.drop(f"unknown key {shown(name)} of {key}")
            yield entry

    def cells(self, key: str, names: object) -> tuple[int, ...]:
        """Return the numbers of a list of cells."""
        if not isinstance(names, list):
            raise FormatError(f"{key}: expected a list of cells, got {shown(names)}")
        cells = []
        for name in names:
            row, column = self.position(key, name)
            if not self.draft.inside(row, column):
                raise FormatError(f"{key}: expected a cell of the grid, got {shown(name)}")
            cells.append(row * self.draft.columns + column)
        return tuple(cells)

    def position(self, key: str, name: object) -> tuple[int, int]:
        """Return the row and the column of a cell, from 0; it may be outside the grid."""
        found = _CELL.fullmatch(name.strip()) if isinstance(name, str) else None
        if not found:
            raise FormatError(f"{key}: expected a cell such as 'R1C1', got {shown(name)}")
        return int(found[1]) - 1, int(found[2]) - 1

    def lines(
        self, key: str, fewest: int = 2
    ) -> Iterator[tuple[tuple[int, ...], Mapping[str, Any]]]:
        """Yield each line of each entry; lines that are too short are reported."""
        for entry in self.of(key, "lines", "value", "cells"):
            lines = entry.get("lines")
            if not isinstance(lines, list):
                raise FormatError(f"{key}: expected lines, got {shown(lines)}")
            for line in lines:
                cells = self.cells(key, line)
                if len(cells) >= fewest:
                    yield cells, entry
                else:
                    self.draft.report.drop(f"{key}: a line of less than {fewest} cells")

    def number(self, key: str, entry: Mapping[str, Any]) -> int | None:
        """Return the value of an entry; None if it has none, or a text, which is reported."""
        value = entry.get("value")
        found = whole_number(value)
        if found is None and value not in (None, ""):
            self.draft.report.drop(f"{key}: the text {shown(one_line(value) or value)}")
        return found

    def outside(self, key: str) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the line that each outside clue looks along, and the clue."""
        draft = self.draft
        for entry in self.of(key, "cell", "value"):
            row, column = self.position(key, entry.get("cell"))
            clue = self.number(key, entry)
            if clue is None:
                draft.report.drop(f"{key}: a clue without a number")
                continue
            above, below = row == -1, row == draft.rows
            left, right = column == -1, column == draft.columns
            if (above or below) and 0 <= column < draft.columns:
                line = draft.run(0 if above else draft.rows - 1, column, 1 if above else -1, 0)
            elif (left or right) and 0 <= row < draft.rows:
                line = draft.run(row, 0 if left else draft.columns - 1, 0, 1 if left else -1)
            else:
                raise FormatError(
                    f"{key}: expected a cell beside the grid, got {shown(entry.get('cell'))}"
                )
            yield line, clue

    def mark(self, key: str, cells: tuple[int, ...], value: int) -> None:
        """Record a mark between two cells."""
        self._marked[key].append((cells, value))

    def mark_extreme(self, key: str, cell: int) -> None:
        """Record a cell that is less, or greater, than its neighbours."""
        self._extremes[key].append(cell)

    def finish(self) -> None:
        """Add the rules for unmarked pairs, and for cells that are less than their neighbours."""
        draft = self.draft
        for key, cells in self._extremes.items():
            for cell in dict.fromkeys(cells):
                others = [other for other in draft.neighbours(cell) if other not in cells]
                if others:
                    draft.add(extreme(cell, others, least=key == "minimum"))
        dots = [cells for key in ("difference", "ratio") for cells, _ in self._marked[key]]
        negative = self.table.get("negative") or []
        if not isinstance(negative, list):
            raise FormatError(f"negative: expected a list, got {shown(negative)}")
        if self.table.get("nonconsecutive"):
            if dots:
                draft.report.read_as("nonconsecutive excepts cells with a dot between them")
            draft.add(DiffersBy(draft.adjacent(dots), 1, never=True))
        for name in negative:
            if name == "ratio":
                values = {value for _, value in self._marked["ratio"]} or {2}
                listed_values = ", ".join(map(str, sorted(values)))
                draft.report.read_as(
                    f"negative ratio: cells without a dot are not in a ratio of {listed_values}"
                )
                pairs = draft.adjacent(dots)
                draft.add(*(Ratio(pairs, value, never=True) for value in sorted(values)))
            elif name == "xv":
                letters = [cells for cells, _ in self._marked["xv"]]
                draft.report.read_as("negative xv: cells without a letter sum to neither 5 nor 10")
                pairs = draft.adjacent(letters)
                draft.add(*(PairSum(pairs, value, never=True) for value in (5, 10)))
            else:
                draft.report.drop(f"negative {shown(name)}, which is unknown")
