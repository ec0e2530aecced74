"""Shorthand in puzzle files: rules for each row, clues along a side, holes in the givens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from itertools import combinations
from typing import Any, TypeAlias, get_origin, get_type_hints

from unidoku.core.layout import Layout
from unidoku.core.rules import KINDS
from unidoku.core.rules.base import Rule, fields_of_cells
from unidoku.errors import FormatError
from unidoku.formats.toml.cells import cells_from
from unidoku.support.schema import shown

Line: TypeAlias = tuple[int, ...]

EACH = ("each row", "each column", "each line", "each region", "each area")
"""Words that replace cells: they mean a rule for each; a line is a row or a column."""

SIDES: Mapping[str, tuple[str, str]] = {
    "left": ("row", "rows"),
    "right": ("row", "rows"),
    "top": ("column", "columns"),
    "bottom": ("column", "columns"),
}
"""Keys that replace a line and its clue: they list the clues along a side of the grid."""

LINE = "line"
"""The field with the cells that a clue looks along."""

NO_CLUE = "."
"""Stands for a line without a clue."""


def spelled_out(layout: Layout, table: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the tables of the rules that a table stands for: itself, if it is not shorthand.

    Raises:
        FormatError: the shorthand is not valid.
    """
    name = table.get("kind")
    kind = KINDS.get(name) if isinstance(name, str) else None
    sides = [side for side in SIDES if side in table]
    words = {key: held for key, held in table.items() if held in EACH}
    if kind is None:
        yield table
    elif sides:
        yield from _by_clues(layout, kind, table, sides)
    elif words:
        yield from _for_each(layout, kind, table, words)
    else:
        yield table


def _for_each(
    layout: Layout, kind: type[Rule], table: Mapping[str, Any], words: Mapping[str, str]
) -> Iterator[Mapping[str, Any]]:
    """Yield a rule for each group of cells, or for each two groups if two fields name groups."""
    keys = [key for key in words if key in fields_of_cells(kind)]
    if len(keys) < len(words) or len(keys) > 2 or len(set(words.values())) > 1:
        told_so = ", ".join(f"{key} = {shown(word)}" for key, word in words.items())
        raise FormatError(
            f"expected this word in one field of cells, or the same word in two, got {told_so}"
        )
    for groups in _families(layout, words[keys[0]]):
        for cells in combinations(groups, len(keys)):
            named = {key: _names(layout, part) for key, part in zip(keys, cells, strict=True)}
            yield {**table, **named}


def _families(layout: Layout, word: str) -> Iterator[Sequence[Line]]:
    """Yield families of groups that a word names; two groups of a family can be combined."""
    for axis, line in enumerate(("each row", "each column")):
        if word in (line, "each line"):
            lines: dict[int, Line] = {}
            for cell, position in enumerate(layout.positions):
                lines[position[axis]] = (*lines.get(position[axis], ()), cell)
            yield [*lines.values()]
    if word in ("each region", "each area"):
        regions = [unit.cells for unit in layout.units if unit.kind in ("box", "region")]
        found = regions if word == "each region" else layout.areas
        if not found:
            kind = word.removeprefix("each ")
            raise FormatError(f"{word!r}: expected a puzzle with {kind}s, got none")
        yield found


def _names(layout: Layout, cells: Line) -> list[str]:
    return [layout.names[cell] for cell in cells]


def _by_clues(
    layout: Layout, kind: type[Rule], table: Mapping[str, Any], sides: Sequence[str]
) -> Iterator[Mapping[str, Any]]:
    """Yield a rule for each clue."""
    needed = [field.name for field in fields(kind) if field.default is MISSING]
    if LINE not in needed or len(needed) != 2:
        raise FormatError(f"unknown key {sides[0]!r}: this kind of rule has no clues at the sides")
    (key,) = (name for name in needed if name != LINE)
    if both := [name for name in needed if name in table]:
        raise FormatError(f"expected {both[0]} or clues at the sides, got both")
    several = get_origin(get_type_hints(kind)[key]) is tuple
    rest = {name: held for name, held in table.items() if name not in SIDES}
    for side in sides:
        which, plural = SIDES[side]
        count = layout.rows if which == "row" else layout.columns
        clues = _clues(table[side])
        if len(clues) != count:
            raise FormatError(
                f"{side}: expected a clue or {NO_CLUE!r} for each of {count} {plural}, "
                f"got {len(clues)} in {shown(table[side])}"
            )
        for number, clue in enumerate(clues, start=1):
            if clue != [NO_CLUE]:
                cells = cells_from(layout, f"{which} {number} {side}")
                yield {**rest, LINE: _names(layout, cells), key: _clue(side, clue, several=several)}


def _clues(value: object) -> list[list[str]]:
    """Return the words of each clue; if there are commas, a clue may have several words."""
    if not isinstance(value, str):
        raise FormatError(f"expected a text of clues such as '3 . 2 1', got {shown(value)}")
    if "," in value:
        return [part.split() for part in value.split(",")]
    return [[word] for word in value.split()]


def _clue(side: str, words: Sequence[str], *, several: bool) -> int | list[int]:
    """Return the number or the numbers of a clue; a 0 in a list of numbers means none."""
    if not words or not all(re.fullmatch("[0-9]{1,6}", word) for word in words):
        raise FormatError(f"{side}: expected clues in numbers, got {shown(' '.join(words))}")
    numbers = [int(word) for word in words]
    if several:
        return [number for number in numbers if number]
    if len(numbers) > 1:
        raise FormatError(
            f"{side}: expected one number for each clue, got {shown(' '.join(words))}"
        )
    return numbers[0]


_HOLE = "#"
"""Stands in givens and solution for a position without a cell."""


def with_positions(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the table of a puzzle with positions, if its givens mark positions without cells.

    Raises:
        FormatError: their rows have different lengths.
    """
    givens = table.get("givens")
    if not isinstance(givens, str) or _HOLE not in givens:
        return table
    if odd := [key for key in ("variant", "positions") if key in table]:
        raise FormatError(f"givens: expected no {_HOLE!r} beside {odd[0]}, got {shown(givens)}")
    rows = givens.split()
    if len({len(row) for row in rows}) > 1:
        raise FormatError(f"givens: expected rows of one length where one has {_HOLE!r}")
    held = [
        f"r{row}c{column}"
        for row, line in enumerate(rows, start=1)
        for column, symbol in enumerate(line, start=1)
        if symbol != _HOLE
    ]
    texts = {
        key: "\n".join(filter(None, (row.replace(_HOLE, "") for row in table[key].split())))
        for key in ("givens", "solution")
        if isinstance(table.get(key), str)
    }
    return {"shape": [len(rows), len(rows[0])], **table, **texts, "positions": held}
