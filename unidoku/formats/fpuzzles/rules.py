"""The rules of f-puzzles: the entries of its tables, checked, and the reader of each kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from unidoku.core import rules
from unidoku.errors import FormatError
from unidoku.formats import meanings
from unidoku.formats.draft import Draft, one_line, whole_number
from unidoku.support.schema import shown

_CELL = re.compile(r"R(-?[0-9]{1,3})C(-?[0-9]{1,3})", re.IGNORECASE)

_LOOKS = frozenset(
    ("outlineC", "baseC", "fontC", "width", "height", "angle", "size", "isNewConstraint")
)
"""Keys of an entry that describe how it is drawn."""

_MOST_ENTRIES = 10_000

DIRECTIONS: Mapping[str, tuple[int, int]] = {
    "UL": (-1, -1),
    "UR": (-1, 1),
    "DL": (1, -1),
    "DR": (1, 1),
}


class Entries:
    """The entries of a table of f-puzzles, checked, with the rules that depend on several kinds.

    Attributes:
        draft: the puzzle that is being read.
        table: the table.
        marked: the marks between two cells so far, with their numbers, by their keys.
        extremes: the cells that are less, or greater, than their neighbours.
    """

    def __init__(self, draft: Draft, table: Mapping[str, Any]) -> None:
        """Start with no marks between cells."""
        self.draft = draft
        self.table = table
        self.marked: dict[str, list[tuple[tuple[int, ...], int]]] = {
            key: [] for key in ("difference", "ratio", "xv")
        }
        self.extremes: dict[str, list[int]] = {"minimum": [], "maximum": []}

    def of(self, key: str, *fields: str) -> Iterator[Mapping[str, Any]]:
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
                elif name not in fields and entry[name] not in (None, "", [], False):
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
        match = _CELL.fullmatch(name.strip()) if isinstance(name, str) else None
        if not match:
            raise FormatError(f"{key}: expected a cell such as 'R1C1', got {shown(name)}")
        return int(match[1]) - 1, int(match[2]) - 1

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
        number = whole_number(value)
        if number is None and value not in (None, ""):
            self.draft.report.drop(f"{key}: the text {shown(one_line(value) or value)}")
        return number

    def outside(self, key: str) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the line that each outside clue looks along, and the clue."""
        draft = self.draft
        for entry in self.of(key, "cell", "value"):
            row, column = self.position(key, entry.get("cell"))
            clue = self.number(key, entry)
            if clue is None:
                draft.report.drop(f"{key}: a clue without a number")
                continue
            if not (line := draft.seen_from(row, column)):
                raise FormatError(
                    f"{key}: expected a cell beside the grid, got {shown(entry.get('cell'))}"
                )
            yield line, clue

    def finish(self) -> None:
        """Add the rules for unmarked pairs, and for cells that are less than their neighbours."""
        draft = self.draft
        for key, kind in (("minimum", rules.Minimum), ("maximum", rules.Maximum)):
            if cells := tuple(dict.fromkeys(self.extremes[key])):
                draft.add(kind(cells))
        dots = [cells for key in ("difference", "ratio") for cells, _ in self.marked[key]]
        negative = self.table.get("negative") or []
        if not isinstance(negative, list):
            raise FormatError(f"negative: expected a list, got {shown(negative)}")
        if self.table.get("nonconsecutive"):
            if dots:
                draft.report.read_as("nonconsecutive excepts cells with a dot between them")
            draft.add(rules.DiffersBy(draft.adjacent(dots), 1, never=True))
        for name in negative:
            if name == "ratio":
                values = {value for _, value in self.marked["ratio"]} or {2}
                listed_values = ", ".join(map(str, sorted(values)))
                draft.report.read_as(
                    f"negative ratio: cells without a dot are not in a ratio of {listed_values}"
                )
                pairs = draft.adjacent(dots)
                draft.add(*(rules.Ratio(pairs, value, never=True) for value in sorted(values)))
            elif name == "xv":
                letters = [cells for cells, _ in self.marked["xv"]]
                draft.report.read_as("negative xv: cells without a letter sum to neither 5 nor 10")
                pairs = draft.adjacent(letters)
                draft.add(*(rules.PairSum(pairs, value, never=True) for value in (5, 10)))
            else:
                draft.report.drop(f"negative {shown(name)}, which is unknown")


Read: TypeAlias = Callable[[Entries, str], None]
"""Reads the entries of a key, and adds their rules to the draft."""


def _lines(
    make: Callable[[tuple[int, ...]], rules.Rule | Iterable[rules.Rule]], fewest: int = 2
) -> Read:
    """Return the reader of lines, from a function that returns the rules of one."""

    def read(entries: Entries, key: str) -> None:
        for cells, _ in entries.lines(key, fewest):
            meant = make(cells)
            entries.draft.add(*((meant,) if isinstance(meant, rules.Rule) else meant))

    return read


def _least(
    kind: type[rules.Whispers | rules.Lockout], usual: Callable[[int], int], subject: str
) -> Read:
    """Return the reader of lines with a least difference, which the size may determine."""

    def read(entries: Entries, key: str) -> None:
        for cells, entry in entries.lines(key):
            least = entries.number(key, entry)
            if least is None:
                least = usual(entries.draft.rows)
                entries.draft.report.read_as(f"{subject} differ by at least {least}")
            entries.draft.add(kind(cells, least))

    return read


def _region_sums(entries: Entries, key: str) -> None:
    for cells, _ in entries.lines(key):
        parts = entries.draft.segments(cells)
        if len(parts) > 1:
            entries.draft.add(*meanings.region_sum(parts))
        else:
            entries.draft.report.drop(f"{key}: a line within one region, which has no effect")


def _arrow(entries: Entries, key: str) -> None:
    for entry in entries.of(key, "cells", "lines"):
        circle = entries.cells(key, entry.get("cells"))
        lines = entry.get("lines")
        if not circle or len(circle) > 3 or not isinstance(lines, list):
            raise FormatError(f"{key}: expected 1 to 3 cells of a circle, and lines")
        if len(circle) > 1:
            entries.draft.report.read_as("the digits of a number in a pill are in its cells' order")
        for line in lines:
            shaft = entries.cells(key, line)[1:]
            if shaft:
                entries.draft.add(*meanings.arrow(circle, shaft, entries.draft))
            else:
                entries.draft.report.drop("arrow: a circle without a shaft")


def _cage(entries: Entries, key: str) -> None:
    for entry in entries.of(key, "cells", "value"):
        total = entries.number(key, entry)
        if total is not None and total <= 0:
            entries.draft.report.read_as("a cage with a sum of 0 has none")
            total = None
        if cells := entries.cells(key, entry.get("cells")):
            entries.draft.add(rules.Killer(cells, total))


def _drawn_cage(entries: Entries, key: str) -> None:
    """Read cages that are only drawn, except ``DR5``: a digital root."""
    draft = entries.draft
    for entry in entries.of(key, "cells", "value", "fromConstraint", "hidden"):
        label = one_line(entry.get("value"))
        match = re.fullmatch(r"DR([1-9])", label)
        cells = entries.cells(key, entry.get("cells", []))
        if not match or not 1 <= len(cells) <= draft.rows:
            draft.report.drop(f"cage: the text {shown(label)}" if label else "pictures: cage")
            continue
        draft.report.read_as(f"the cage {label} differs, and its sum has the digital root")
        most = sum(range(draft.rows - len(cells) + 1, draft.rows + 1))
        totals = range(int(match[1]), most + 1, 9)
        draft.add(
            rules.Killer(cells),
            *meanings.either([[rules.SumOfCells(cells, total)] for total in totals]),
        )


def _pairs(kind: type[rules.DiffersBy | rules.Ratio], default: int) -> Read:
    def read(entries: Entries, key: str) -> None:
        for entry in entries.of(key, "cells", "value"):
            cells = entries.cells(key, entry.get("cells"))
            if len(cells) != 2 or cells[0] == cells[1]:
                raise FormatError(f"{key}: expected two cells, got {shown(entry.get('cells'))}")
            value = entries.number(key, entry)
            value = default if value is None else value
            entries.marked[key].append((cells, value))
            entries.draft.add(kind(((cells[0], cells[1]),), value))

    return read


def _xv(entries: Entries, key: str) -> None:
    for entry in entries.of(key, "cells", "value"):
        cells = entries.cells(key, entry.get("cells"))
        letter = one_line(entry.get("value")).upper()
        total = {"X": 10, "V": 5}.get(letter)
        if total is None or len(cells) != 2 or cells[0] == cells[1]:
            entries.draft.report.drop(f"xv: {shown(letter)}, which is neither X nor V")
            continue
        entries.marked[key].append((cells, total))
        entries.draft.add(rules.PairSum(((cells[0], cells[1]),), total))


def _quadruple(entries: Entries, key: str) -> None:
    for entry in entries.of(key, "cells", "values"):
        values = entry.get("values")
        numbers = [whole_number(value) for value in values] if isinstance(values, list) else [None]
        wanted = tuple(number for number in numbers if number is not None)
        if len(wanted) < len(numbers):
            raise FormatError(f"{key}: expected a list of values, got {shown(values)}")
        entries.draft.add(rules.Contains(entries.cells(key, entry.get("cells")), wanted))


def _clone(entries: Entries, key: str) -> None:
    for entry in entries.of(key, "cells", "cloneCells"):
        cells, clones = (entries.cells(key, entry.get(name)) for name in ("cells", "cloneCells"))
        if len(cells) != len(clones):
            raise FormatError(f"{key}: expected as many cells as clones of them")
        entries.draft.add(rules.Clone(cells, clones))


def _one_cell(entries: Entries, key: str) -> Iterator[int]:
    for entry in entries.of(key, "cell"):
        yield from entries.cells(key, [entry.get("cell")])


def _extra(entries: Entries, key: str) -> None:
    for entry in entries.of(key, "cells"):
        cells = sorted(set(entries.cells(key, entry.get("cells"))))
        if len(cells) > entries.draft.rows:
            raise FormatError(f"{key}: expected at most {entries.draft.rows} cells")
        entries.draft.units.append(cells)


def _indexer(entries: Entries, key: str) -> None:
    draft = entries.draft
    for entry in entries.of(key, "cells"):
        of = key.removesuffix("indexer")
        cells = entries.cells(key, entry.get("cells"))
        if of == "box":
            whole = {c for region in draft.regions if len(region) == draft.rows for c in region}
            if {*cells} - whole:
                draft.report.drop("boxindexer of a cell in no region of full size")
            cells = tuple(cell for cell in cells if cell in whole)
        if cells:
            draft.add(rules.Index(cells, of))


def _little_killer(entries: Entries, key: str) -> None:
    draft = entries.draft
    for entry in entries.of(key, "cell", "cells", "direction", "value"):
        total = entries.number(key, entry)
        if total is None or total <= 0:
            draft.report.read_as("a little killer without a sum above 0 has no effect")
            continue
        move = DIRECTIONS.get(one_line(entry.get("direction")))
        if move is None:
            raise FormatError(f"{key}: expected one of {', '.join(DIRECTIONS)} as its direction")
        row, column = entries.position(key, entry.get("cell"))
        if not draft.inside(row, column):
            row, column = row + move[0], column + move[1]
        line = draft.run(row, column, *move)
        if not line:
            raise FormatError(f"{key}: expected a diagonal, got {shown(entry.get('cell'))}")
        draft.add(rules.SumOfCells(line, total))


def _outside(make: Callable[[tuple[int, ...], int], rules.Rule]) -> Read:
    def read(entries: Entries, key: str) -> None:
        for line, clue in entries.outside(key):
            entries.draft.add(make(line, clue))

    return read


def _of_least(least: Callable[[int], int]) -> Read:
    """Return the reader of whispers whose least difference the size determines."""

    def read(entries: Entries, key: str) -> None:
        for cells, _ in entries.lines(key):
            entries.draft.add(rules.Whispers(cells, least(entries.draft.rows)))

    return read


def _flag(add: Callable[[Draft], None]) -> Read:
    """Return the reader of a key that is true if the whole grid has a rule."""

    def read(entries: Entries, key: str) -> None:
        if entries.table[key]:
            add(entries.draft)

    return read


def _chaos(draft: Draft) -> None:
    """Add regions that have to be found, whose numbers are in hidden cells."""
    count = len(draft.cells)
    draft.regions = []
    draft.hidden = count
    numbers = tuple(range(count, 2 * count))
    draft.add(rules.ChaosConstruction(tuple(draft.cells), numbers, draft.columns))


def _parity(entries: Entries, key: str) -> None:
    kind = rules.Odd if key == "odd" else rules.Even
    entries.draft.add(*(kind((cell,)) for cell in _one_cell(entries, key)))


def _extreme(entries: Entries, key: str) -> None:
    entries.extremes[key] += _one_cell(entries, key)


LINES: Mapping[str, tuple[type[rules.Rule], int]] = {
    "thermometer": (rules.Thermo, 2),
    "slowthermometer": (rules.SlowThermo, 2),
    "palindrome": (rules.Palindrome, 2),
    "renban": (rules.Renban, 2),
    "nabner": (rules.Nabner, 2),
    "betweenline": (rules.Between, 2),
    "doublearrow": (rules.DoubleArrow, 3),
    "zipperline": (rules.Zipper, 3),
    "parityline": (rules.Parity, 2),
}
"""The lines that are only their cells: the kind of rule of each key, and the fewest cells."""

RULES: Mapping[str, Read] = {
    **{key: _lines(kind, fewest) for key, (kind, fewest) in LINES.items()},
    "nabner": _lines(meanings.nabner),
    "tenline": _lines(rules.SumLine),
    "modularline": _lines(rules.Modular),
    "entropicline": _lines(rules.Entropic),
    "lockout": _least(rules.Lockout, lambda _: 4, "the ends of a lockout line"),
    "whispers": _least(rules.Whispers, lambda size: (size + 1) // 2, "whispers without a number"),
    "germanwhispers": _of_least(lambda size: (size + 1) // 2),
    "dutchwhispers": _of_least(lambda size: (size + 1) // 2 - 1),
    "regionsumline": _region_sums,
    "regionSumLine": _region_sums,
    "chaosconstruction": _flag(_chaos),
    "selftaxicab": _flag(lambda draft: draft.add(rules.Taxicab())),
    "arrow": _arrow,
    "killercage": _cage,
    "cage": _drawn_cage,
    "difference": _pairs(rules.DiffersBy, 1),
    "ratio": _pairs(rules.Ratio, 2),
    "xv": _xv,
    "quadruple": _quadruple,
    "clone": _clone,
    "odd": _parity,
    "even": _parity,
    "minimum": _extreme,
    "maximum": _extreme,
    "extraregion": _extra,
    "rowindexer": _indexer,
    "columnindexer": _indexer,
    "boxindexer": _indexer,
    "littlekillersum": _little_killer,
    "sandwichsum": _outside(lambda line, clue: rules.Sandwich(tuple(sorted(line)), clue)),
    "xsum": _outside(rules.XSum),
    "skyscraper": _outside(rules.Skyscraper),
}
"""The reader of each kind; a key that is missing here is reported."""
