"""Shortens the rules of a puzzle file, wherever `shorthand` can restore exactly these rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from unidoku.core.layout import Layout
from unidoku.core.rules.base import CellRole, Rule, fields_of_cells
from unidoku.errors import FormatError
from unidoku.formats.toml.cells import cells_from
from unidoku.formats.toml.shorthand import EACH, LINE, NO_CLUE, SIDES
from unidoku.formats.toml.table import rules_of_tables

_Table = Mapping[str, Any]


def briefly(
    layout: Layout, rules: Sequence[Rule], tables: Sequence[_Table]
) -> list[dict[str, Any]]:
    """Return shorter tables for the same rules in the same order, with words for several at once.

    Args:
        layout: the layout.
        rules: the rules.
        tables: the table of each.
    """
    shortened: list[dict[str, Any]] = []
    while (at := len(rules) - len(tables)) < len(rules):
        table, count = next(_shorter(layout, rules[at:], tables), (tables[0], 1))
        shortened.append(dict(table))
        tables = tables[count:]
    return shortened


def _shorter(
    layout: Layout, rules: Sequence[Rule], tables: Sequence[_Table]
) -> Iterator[tuple[_Table, int]]:
    """Yield tables that stand for several of the first rules, and the number of these rules."""
    if len(rules) == 1 or type(rules[0]) is not type(rules[1]):
        return
    for table in (*_of_each(rules[0], tables[0]), *_of_sides(layout, rules, tables)):
        try:
            made = [rule.bind(layout) for rule in rules_of_tables(layout, [table])]
        except FormatError:  # the layout has no such groups
            continue
        if len(made) > 1 and [*rules[: len(made)]] == made:
            yield table, len(made)


def _of_each(rule: Rule, table: _Table) -> Iterator[_Table]:
    """Yield the table with words such as "each row" in place of its cells."""
    said = fields_of_cells(type(rule))
    if len(said) <= 2 and CellRole.PAIRS not in said.values():
        for word in sorted(EACH, key=lambda word: word != "each line"):
            yield {**table, **dict.fromkeys(said, word)}


def _of_sides(layout: Layout, rules: Sequence[Rule], tables: Sequence[_Table]) -> Iterator[_Table]:
    """Yield a table of clues at the sides, if the first rules are such clues."""
    needed = [field.name for field in fields(rules[0]) if field.default is MISSING]
    if LINE not in needed or len(needed) != 2:
        return
    (key,) = (name for name in needed if name != LINE)
    seen = _lines_of_sides(layout)
    clues: dict[str, dict[int, str]] = {}
    rest = _rest(tables[0], needed)
    for rule, table in zip(rules, tables, strict=True):
        place = seen.get(getattr(rule, LINE, ()))
        if type(rule) is not type(rules[0]) or place is None or _rest(table, needed) != rest:
            break
        held = table[key]
        words = " ".join(map(str, held or [0])) if isinstance(held, list) else str(held)
        clues.setdefault(place[0], {})[place[1]] = words
    joint = ", " if any(" " in word for sides in clues.values() for word in sides.values()) else " "
    sides = {
        side: joint.join(clues[side].get(number, NO_CLUE) for number in range(1, count + 1))
        for side, (which, _) in SIDES.items()
        for count in [layout.rows if which == "row" else layout.columns]
        if side in clues
    }
    yield {"kind": rules[0].kind, **sides, **rest}


def _rest(table: _Table, needed: Sequence[str]) -> dict[str, Any]:
    return {key: held for key, held in table.items() if key not in (*needed, "kind")}


def _lines_of_sides(layout: Layout) -> dict[tuple[int, ...], tuple[str, int]]:
    """Return the side and the number of each row and column, read from a side."""
    return {
        cells_from(layout, f"{which} {number} {side}"): (side, number)
        for side, (which, _) in SIDES.items()
        for number in range(1, (layout.rows if which == "row" else layout.columns) + 1)
        if len(layout) == layout.rows * layout.columns
    }
