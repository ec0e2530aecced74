"""The kinds of rules of f-puzzles: the reader of each, one row for each kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from unidoku.core import rules
from unidoku.errors import FormatError
from unidoku.formats import meanings
from unidoku.formats.draft import one_line, whole_number
from unidoku.formats.fpuzzles.entries import Entries
from unidoku.support.schema import shown

DIRECTIONS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"UL": (-1, -1), "UR": (-1, 1), "DL": (1, -1), "DR": (1, 1)}
)


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
    kind: type[rules.Whispers | rules.Lockout], usual: Callable[[int], int], what: str
) -> Read:
    """Return the reader of lines with a least difference, which the size may determine."""

    def read(entries: Entries, key: str) -> None:
        for cells, entry in entries.lines(key):
            least = entries.number(key, entry)
            if least is None:
                least = usual(entries.draft.rows)
                entries.draft.report.read_as(f"{what} differ by at least {least}")
            entries.draft.add(kind(cells, least))

    return read


def _entropic(entries: Entries, key: str) -> None:
    for cells, _ in entries.lines(key):
        classes = meanings.classes_of(entries.draft.rows)
        entries.draft.add(*meanings.entropic(cells, classes))


def _region_sums(entries: Entries, key: str) -> None:
    for cells, _ in entries.lines(key):
        parts = entries.draft.segments(cells)
        if len(parts) > 1:
            entries.draft.add(*meanings.same_sums(parts))
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
        found = re.fullmatch(r"DR([1-9])", label)
        cells = entries.cells(key, entry.get("cells", []))
        if not found or not 1 <= len(cells) <= draft.rows:
            draft.report.drop(f"cage: the text {shown(label)}" if label else "pictures: cage")
            continue
        draft.report.read_as(f"the cage {label} differs, and its sum has the digital root")
        most = sum(range(draft.rows - len(cells) + 1, draft.rows + 1))
        totals = range(int(found[1]), most + 1, 9)
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
            entries.mark(key, cells, value)
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
        entries.mark(key, cells, total)
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
        entries.draft.add(*meanings.equal(zip(cells, clones, strict=True), "clone"))


def _one_cell(read: Callable[[Entries, str, int], None]) -> Read:
    def each(entries: Entries, key: str) -> None:
        for entry in entries.of(key, "cell"):
            (cell,) = entries.cells(key, [entry.get("cell")])
            read(entries, key, cell)

    return each


def _extra(entries: Entries, key: str) -> None:
    for entry in entries.of(key, "cells"):
        cells = sorted(set(entries.cells(key, entry.get("cells"))))
        if len(cells) > entries.draft.rows:
            raise FormatError(f"{key}: expected at most {entries.draft.rows} cells")
        entries.draft.units.append(cells)


def _indexer(entries: Entries, key: str) -> None:
    draft = entries.draft
    for entry in entries.of(key, "cells"):
        for cell in entries.cells(key, entry.get("cells")):
            row, column = divmod(cell, draft.columns)
            if key == "rowindexer":
                cells, value = draft.run(0, column, 1, 0), row + 1
            elif key == "columnindexer":
                cells, value = draft.run(row, 0, 0, 1), column + 1
            else:
                region = next((tuple(each) for each in draft.regions if cell in each), ())
                if len(region) != draft.rows:
                    draft.report.drop("boxindexer of a cell in no region of full size")
                    continue
                cells, value = region, region.index(cell) + 1
            draft.add(*meanings.index(cell, cells, value, draft))


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


def _sandwich(entries: Entries, key: str) -> None:
    for line, clue in entries.outside(key):
        entries.draft.add(rules.Sandwich(tuple(sorted(line)), clue))


def _outside(kind: type[rules.XSum | rules.Skyscraper]) -> Read:
    def read(entries: Entries, key: str) -> None:
        for line, clue in entries.outside(key):
            entries.draft.add(kind(line, clue))

    return read


def _parity(entries: Entries, key: str, cell: int) -> None:
    entries.draft.add(meanings.parity([cell], entries.draft, odd=key == "odd"))


def _extreme(entries: Entries, key: str, cell: int) -> None:
    entries.mark_extreme(key, cell)


RULES: Mapping[str, Read] = MappingProxyType(
    {
        "thermometer": _lines(rules.Thermo),
        "slowthermometer": _lines(lambda cells: rules.Thermo(cells, slow=True)),
        "palindrome": _lines(rules.Palindrome),
        "renban": _lines(rules.Renban),
        "nabner": _lines(meanings.nabner),
        "betweenline": _lines(rules.Between),
        "doublearrow": _lines(meanings.double_arrow, 3),
        "zipperline": _lines(meanings.zipper, 3),
        "modularline": _lines(lambda cells: meanings.modular(cells, 3)),
        "entropicline": _entropic,
        "lockout": _least(rules.Lockout, lambda _: 4, "the ends of a lockout line"),
        "whispers": _least(
            rules.Whispers, lambda size: (size + 1) // 2, "whispers without a number"
        ),
        "regionsumline": _region_sums,
        "arrow": _arrow,
        "killercage": _cage,
        "cage": _drawn_cage,
        "difference": _pairs(rules.DiffersBy, 1),
        "ratio": _pairs(rules.Ratio, 2),
        "xv": _xv,
        "quadruple": _quadruple,
        "clone": _clone,
        "odd": _one_cell(_parity),
        "even": _one_cell(_parity),
        "minimum": _one_cell(_extreme),
        "maximum": _one_cell(_extreme),
        "extraregion": _extra,
        "rowindexer": _indexer,
        "columnindexer": _indexer,
        "boxindexer": _indexer,
        "littlekillersum": _little_killer,
        "sandwichsum": _sandwich,
        "xsum": _outside(rules.XSum),
        "skyscraper": _outside(rules.Skyscraper),
    }
)
"""The reader of each kind; a key that is missing here is reported."""
