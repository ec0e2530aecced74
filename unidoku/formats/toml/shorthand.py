"""Shorthand for rules in puzzle files, in and out: a rule for each row, clues along a side."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from itertools import chain, combinations, pairwise
from typing import Any, TypeAlias, get_origin

from unidoku.core.cells import cells_from
from unidoku.core.layout import Layout
from unidoku.core.rules.base import KINDS, Rule
from unidoku.core.rules.fields import CellRole, fields_of_cells, types_of_fields
from unidoku.errors import FormatError, InputError
from unidoku.support.schema import shown

Line: TypeAlias = tuple[int, ...]
Table: TypeAlias = Mapping[str, Any]
ReadRules: TypeAlias = Callable[[Layout, Sequence[Table]], list[Rule]]

EACH = ("each row", "each column", "each line", "each region", "each area")
"""Words that replace cells: they mean a rule for each; a line is a row or a column."""

SIDES: Mapping[str, tuple[str, str]] = {
    "left": ("row", "rows"),
    "right": ("row", "rows"),
    "top": ("column", "columns"),
    "bottom": ("column", "columns"),
}
"""Keys that replace a line and its clue: they list the clues along a side of the grid."""

PAIRS = "pairs"
"""The field with pairs of cells, which a line may replace."""

LINE = "line"
"""The field with the cells that a clue looks along."""

NO_CLUE = "."
"""Stands for a line without a clue."""


def expand(layout: Layout, table: Table) -> Iterator[Table]:
    """Yield the tables of the rules that a table stands for: itself, if it is not shorthand.

    Raises:
        FormatError: the shorthand is not valid.
    """
    name = table.get("kind")
    kind = KINDS.get(name) if isinstance(name, str) else None
    sides = [side for side in SIDES if side in table]
    words = {key: word for key, word in table.items() if word in EACH}
    if kind is None:
        yield table
    elif LINE in table and _is_of_pairs(kind):
        yield from _along(layout, table)
    elif sides:
        yield from _by_clues(layout, kind, table, sides)
    elif words:
        yield from _for_each(layout, kind, table, words)
    else:
        yield table


def _is_of_pairs(kind: type[Rule]) -> bool:
    """Return whether a kind has pairs, and no line of its own."""
    return PAIRS in fields_of_cells(kind) and LINE not in fields_of_cells(kind)


def _along(layout: Layout, table: Table) -> Iterator[Table]:
    """Yield a rule about each two cells in a row of a line, or of each row, column or region."""
    if PAIRS in table:
        raise FormatError(f"expected {PAIRS} or a {LINE}, got both")
    line = table[LINE]
    lines = [*chain(*_families(layout, line))] if line in EACH else [cells_from(layout, line)]
    rest = {key: value for key, value in table.items() if key != LINE}
    for cells in lines:
        if len(cells) < 2:
            raise FormatError(f"{LINE}: expected at least 2 cells, got {shown(line)}")
        yield {**rest, PAIRS: [_names(layout, pair) for pair in pairwise(cells)]}


def _for_each(
    layout: Layout, kind: type[Rule], table: Table, words: Mapping[str, str]
) -> Iterator[Table]:
    """Yield a rule for each group of cells, or for each two groups if two fields name groups."""
    keys = [key for key in words if key in fields_of_cells(kind)]
    if len(keys) < len(words) or len(keys) > 2 or len(set(words.values())) > 1:
        got = ", ".join(f"{key} = {shown(word)}" for key, word in words.items())
        raise FormatError(
            f"expected this word in one field of cells, or the same word in two, got {got}"
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
        regions = [unit.cells for unit in layout.regions]
        groups = regions if word == "each region" else layout.areas
        if not groups:
            kind = word.removeprefix("each ")
            raise FormatError(f"{word!r}: expected a puzzle with {kind}s, got none")
        yield groups


def _names(layout: Layout, cells: Line) -> list[str]:
    return [layout.names[cell] for cell in cells]


def _by_clues(
    layout: Layout, kind: type[Rule], table: Table, sides: Sequence[str]
) -> Iterator[Table]:
    """Yield a rule for each clue."""
    needed = _needed(kind)
    if not (key := _clue_key(needed)):
        raise FormatError(f"unknown key {sides[0]!r}: this kind of rule has no clues at the sides")
    if both := [name for name in needed if name in table]:
        raise FormatError(f"expected {both[0]} or clues at the sides, got both")
    several = get_origin(types_of_fields(kind)[key]) is tuple
    rest = {name: value for name, value in table.items() if name not in SIDES}
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


def _needed(kind: type[Rule]) -> list[str]:
    return [field.name for field in fields(kind) if field.default is MISSING]


def _clue_key(needed: Sequence[str]) -> str:
    """Return the field with the clue of a line; empty if the rule is no clue along a line."""
    key, *others = [name for name in needed if name != LINE] or [""]
    return key if LINE in needed and not others else ""


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


def shorten(
    layout: Layout, rules: Sequence[Rule], tables: Sequence[Table], read: ReadRules
) -> list[dict[str, Any]]:
    """Return shorter tables for the same rules in the same order, with words for several at once.

    Args:
        layout: the layout.
        rules: the rules.
        tables: the table of each.
        read: returns the rules of tables, so that only words that mean exactly these are used.
    """
    shortened: list[dict[str, Any]] = []
    while (done := len(rules) - len(tables)) < len(rules):
        table, count = next(_shorter(layout, rules[done:], tables, read), (tables[0], 1))
        shortened.append(dict(table))
        tables = tables[count:]
    return shortened


def _shorter(
    layout: Layout, rules: Sequence[Rule], tables: Sequence[Table], read: ReadRules
) -> Iterator[tuple[Table, int]]:
    """Yield tables that stand for several of the first rules, and the number of these rules."""
    if len(rules) == 1 or type(rules[0]) is not type(rules[1]):
        return
    for table in (*_of_each(rules[0], tables[0]), *_of_sides(layout, rules, tables)):
        try:
            meant = [rule.bind(layout) for rule in read(layout, [table])]
        except InputError:  # the layout has no such groups, or they do not take the rule
            continue
        if len(meant) > 1 and [*rules[: len(meant)]] == meant:
            yield table, len(meant)


def _of_each(rule: Rule, table: Table) -> Iterator[Table]:
    """Yield the table with words such as "each row" in place of its cells."""
    roles = fields_of_cells(type(rule))
    if len(roles) <= 2 and CellRole.PAIRS not in roles.values():
        for word in sorted(EACH, key=lambda word: word != "each line"):
            yield {**table, **dict.fromkeys(roles, word)}


def _of_sides(layout: Layout, rules: Sequence[Rule], tables: Sequence[Table]) -> Iterator[Table]:
    """Yield a table of clues at the sides, if the first rules are such clues."""
    needed = _needed(type(rules[0]))
    if not (key := _clue_key(needed)):
        return
    seen = _lines_of_sides(layout)
    clues: dict[str, dict[int, str]] = {}
    rest = _rest(tables[0], needed)
    for rule, table in zip(rules, tables, strict=True):
        end = seen.get(getattr(rule, LINE, ()))
        if type(rule) is not type(rules[0]) or end is None or _rest(table, needed) != rest:
            break
        clue = table[key]
        words = " ".join(map(str, clue or [0])) if isinstance(clue, list) else str(clue)
        clues.setdefault(end[0], {})[end[1]] = words
    joint = ", " if any(" " in word for sides in clues.values() for word in sides.values()) else " "
    sides = {
        side: joint.join(clues[side].get(number, NO_CLUE) for number in range(1, count + 1))
        for side, (which, _) in SIDES.items()
        for count in [layout.rows if which == "row" else layout.columns]
        if side in clues
    }
    yield {"kind": rules[0].kind, **sides, **rest}


def _rest(table: Table, needed: Sequence[str]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key not in (*needed, "kind")}


def _lines_of_sides(layout: Layout) -> dict[tuple[int, ...], tuple[str, int]]:
    """Return the side and the number of each row and column, read from a side."""
    return {
        cells_from(layout, f"{which} {number} {side}"): (side, number)
        for side, (which, _) in SIDES.items()
        for number in range(1, (layout.rows if which == "row" else layout.columns) + 1)
        if len(layout) == layout.rows * layout.columns
    }
