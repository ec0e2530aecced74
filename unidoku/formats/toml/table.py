"""Reads puzzles from tables of texts, numbers and lists, which people can write.

`unidoku.formats.toml.file` reads the files, `unidoku.formats.toml.text` writes the tables.
`unidoku.core.cells` reads cells, and `unidoku.core.rules.catalogue` defines the kinds and
fields of rules: a new kind needs no change here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields, replace
from typing import Any

from unidoku.core.bits import all_values, mask_of
from unidoku.core.board import Board
from unidoku.core.cells import (
    NEIGHBOURS,
    TOUCHING,
    UNMARKED,
    cells_from,
    neighbours,
    pairs_from,
)
from unidoku.core.constraints.primitives import Pair, tabulated
from unidoku.core.layout import MAX_SIDE, Grid, Layout, Unit
from unidoku.core.names import row_letter
from unidoku.core.rules.base import KINDS, Rule
from unidoku.core.rules.catalogue import OF_NEIGHBOURS, RULE, fields_of_rules, rule_from_table
from unidoku.core.rules.fields import CellRole, fields_of_cells
from unidoku.core.rules.relation_text import relation_of
from unidoku.core.variants import Variant
from unidoku.core.variants import layout as named_layout
from unidoku.errors import FormatError, InputError, nearest
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.toml.cosmetics import cosmetics_from, fog_from
from unidoku.formats.toml.shorthand import expand
from unidoku.support.schema import (
    LINE,
    NUMBERS,
    TABLE,
    TEXT,
    WHOLE,
    Kind,
    at,
    listed_of,
    misfit,
    shown,
    whole,
)


def _is_shape(value: object) -> bool:
    sides = value if isinstance(value, list) else []
    return len(sides) == 2 and all(type(side) is int and 1 <= side <= MAX_SIDE for side in sides)


_CELLS = Kind("cells", lambda _: True, "cells")
"""Any value is accepted here, because the reader of cells reports what is wrong with it."""

SHAPE = Kind(f"a list of rows and columns, both from 1 to {MAX_SIDE}", _is_shape)

PUZZLE: Mapping[str, Kind] = {
    "name": LINE,
    "author": LINE,
    "rules_text": TEXT,
    "cosmetics": listed_of(TABLE),
    "fog": TABLE,
    "variant": TEXT,
    "size": whole(1, bits=8),
    "first_value": whole(0, bits=10),
    "shape": SHAPE,
    "positions": _CELLS,
    "units": listed_of(_CELLS),
    "regions": _CELLS,
    "areas": _CELLS,
    "hidden": _CELLS,
    "givens": TEXT,
    "candidates": TABLE,
    "define": TABLE,
    "negative": listed_of(TEXT),
    "rules": listed_of(TABLE),
    "solution": TEXT,
    "solutions": whole(0),
    "numbers": NUMBERS,
}
"""The possible values of a puzzle's keys."""

_UNIT: Mapping[str, Kind] = {"kind": LINE, "name": LINE, "cells": _CELLS}
_VALUES = listed_of(WHOLE)

PLAIN = Unit(()).kind
"""The kind of a unit without a special meaning."""

_MOST_CELLS = 100_000
"""The most cells of a puzzle's own layout: a guard against a mistyped shape."""

NO_REGION = "."
"""Stands in a map of regions for a cell without a region."""

_HOLE = "#"
"""Stands in givens and solution for a position without a cell."""


def puzzle_from_table(table: Mapping[str, Any], line: int) -> Puzzle:
    """Return the puzzle in a table; ``line`` is the line where the table begins.

    Raises:
        FormatError: a key is unknown or has a wrong value; the message names the key and states
            what was expected.
    """
    if wrong := misfit(table, PUZZLE):
        raise FormatError(wrong)
    table = _with_positions(table)
    layout, masks = _layout_and_givens(table)
    for name, values in table.get("candidates", {}).items():
        with at(f"candidates of {name}"):
            for cell in cells_from(layout, name):
                if cell >= len(layout):
                    raise FormatError("expected a cell of the grid; `hidden` has those of others")
                masks[cell] &= _mask(values, layout)
    with at("negative"):
        negative = negative_rules(table.get("negative", ()))
    rules = rules_of_tables(layout, with_definitions(table), negative)
    with at("rules"):
        layout = layout.with_rules(*rules)
    return Puzzle(
        Board(layout, tuple(masks)),
        table.get("name", ""),
        line,
        author=table.get("author", ""),
        solution=_solution(layout, table["solution"]) if "solution" in table else None,
        solutions=table.get("solutions"),
        numbers=table.get("numbers", {}),
        rules_text=table.get("rules_text", "").strip(),
        cosmetics=cosmetics_from(layout, table.get("cosmetics", ())),
        fog=fog_from(layout, table["fog"]) if "fog" in table else None,
    )


def _with_positions(table: Mapping[str, Any]) -> Mapping[str, Any]:
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
    positions = [
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
    return {"shape": [len(rows), len(rows[0])], **table, **texts, "positions": positions}


def _layout_and_givens(table: Mapping[str, Any]) -> tuple[Layout, list[int]]:
    """Return the layout without the rules of the table, and the candidates of its givens."""
    givens = table.get("givens")
    layout = _layout(table, givens)
    if (first := table.get("first_value", layout.first_value)) != layout.first_value:
        with at("first_value"):
            layout = replace(layout, first_value=first)
    if givens is None:
        return layout, list(Board.empty(layout).candidates)
    with at("givens"):
        return layout, list(Board.parse(givens, layout, size=layout.n).candidates)


def _layout(table: Mapping[str, Any], givens: str | None) -> Layout:
    frame = next((key for key in ("shape", "positions") if key in table), None)
    if "variant" not in table and (frame or "units" in table):
        return _own_layout(table)
    if frame:
        raise FormatError(f"expected a variant or {frame}, got both")
    name = _variant(table)
    size = table.get("size")
    if size is None:
        if givens is None:
            raise FormatError("expected givens or a size, got neither")
        if "first_value" in table:
            raise FormatError("expected a size beside first_value, got none")
        with at("variant"):
            Variant.parse(name)
        with at("givens"):
            size = Board.parse(givens, name).layout.size
    with at("variant"):
        layout = named_layout(name, size)
    layout = _with_more(layout, table)
    if "units" not in table:
        return layout
    units = [*layout.units, *_units(layout, table["units"])]
    with at("units"):
        with_units = Layout.from_units(
            layout.n, units, positions=layout.positions, hidden=layout.hidden
        )
        return replace(
            with_units,
            rules=layout.rules,
            first_value=layout.first_value,
            areas=layout.areas,
            name=f"{layout.name} with units",
        )


def _with_more(layout: Layout, table: Mapping[str, Any]) -> Layout:
    """Return the layout with the hidden cells and areas of the table, if it has any."""
    if (entries := table.get("hidden")) is not None:
        first = table.get("first_value", 1)
        with at("hidden"):
            if isinstance(entries, list):
                seen = replace(layout, first_value=first)
                hidden = [_mask(values, seen) for values in entries]
            elif WHOLE.holds(entries) and 0 <= entries <= _MOST_CELLS:
                hidden = [all_values(layout.n)] * entries
            else:
                wanted = "how many cells there are, or a list of values for each"
                raise FormatError(f"expected {wanted}, got {shown(entries)}")
            layout = replace(layout, hidden=tuple(hidden))
    if "areas" in table:
        areas = [unit.cells for unit in _regions(layout, table["areas"], "areas")]
        layout = replace(layout, areas=tuple(areas))
    return layout


def _variant(table: Mapping[str, Any]) -> str:
    """Return the name of the variant, including the map of its regions if it has one."""
    regions = table.get("regions")
    name: str = table.get("variant", "classic" if regions is None else "jigsaw")
    if regions is None:
        return name
    parts = name.split("+")
    if "jigsaw" not in parts:
        raise FormatError(f"regions: expected the variant 'jigsaw', got {shown(name)}")
    if not isinstance(regions, str):
        raise FormatError(
            f"regions: expected a map with one symbol for each cell, got {shown(regions)}"
        )
    rows = " ".join(regions.split())
    return "+".join(f"jigsaw:{rows}" if part == "jigsaw" else part for part in parts)


def _own_layout(table: Mapping[str, Any]) -> Layout:
    """Return the layout that the table itself defines: the units that it names, and no others."""
    if "size" not in table:
        raise FormatError("expected a size beside shape, positions or units, got none")
    n = table["size"]
    shape = tuple(table.get("shape", (n, n)))
    if math.prod(shape) > _MOST_CELLS:
        raise FormatError(f"shape: expected at most {_MOST_CELLS:,} cells, got {shape}")
    with at("size"):
        layout = Layout.from_units(n, [], shape=shape)
    if "positions" in table:
        with at("positions"):
            cells = sorted(set(cells_from(layout, table["positions"])))
            layout = Layout(n, (), tuple(layout.positions[cell] for cell in cells))
    layout = _with_more(layout, table)
    units = [*_units(layout, table.get("units", ()))]
    if "regions" in table:
        units += _regions(layout, table["regions"], "regions")
    with at("units"):
        with_units = Layout.from_units(n, units, positions=layout.positions, hidden=layout.hidden)
        return replace(with_units, areas=layout.areas)


def _units(layout: Layout, entries: Iterable[Any]) -> Iterator[Unit]:
    """Yield units: each is a word for several, a list of cells, or a table (kind, name, cells)."""
    for index, part in enumerate(entries, start=1):
        with at(f"unit {index}"):
            if part in LINES:
                yield from lines(layout, part)
                continue
            kind = name = ""
            if isinstance(part, dict):
                if wrong := misfit(part, _UNIT, ("cells",)):
                    raise FormatError(wrong)
                kind, name, part = part.get("kind", ""), part.get("name", ""), part["cells"]
            yield Unit(tuple(sorted(cells_from(layout, part))), kind or PLAIN, name)


LINES = ("rows", "columns")
"""Words for a unit in each row or column."""


def lines(layout: Layout, word: str) -> list[Unit]:
    """Return a unit for each row or column, as named variants have them."""
    if word == "rows":
        names = [f"row {row_letter(row, layout.rows)}" for row in range(layout.rows)]
    else:
        names = [f"column {column + 1}" for column in range(layout.columns)]
    axis = LINES.index(word)
    cells_of: list[list[int]] = [[] for _ in names]
    for cell, position in enumerate(layout.positions):
        cells_of[position[axis]].append(cell)
    named_cells = zip(cells_of, names, strict=True)
    kind = word.removesuffix("s")
    return [Unit(tuple(cells), kind, name) for cells, name in named_cells if cells]


def _regions(layout: Layout, value: Any, key: str) -> Iterator[Unit]:
    """Yield the regions of a map with a symbol for each cell, or of lists of cells."""
    with at(key):
        if isinstance(value, list):
            for index, part in enumerate(value, start=1):
                cells = tuple(sorted(cells_from(layout, part)))
                yield Unit(cells, "region", f"region {index}")
            return
        symbols = "".join(value.split()) if isinstance(value, str) else ""
        if len(symbols) != len(layout):
            wanted = f"a map of {len(layout)} symbols, one for each cell, or cells for each region"
            raise FormatError(f"expected {wanted}, got {shown(value)}")
        for symbol in dict.fromkeys(symbols.replace(NO_REGION, "")):
            cells = tuple(cell for cell in layout.cells if symbols[cell] == symbol)
            yield Unit(cells, "region", f"region {symbol}")


def _mask(values: object, layout: Layout) -> int:
    if layout.s_cells and isinstance(values, list):
        texts = [str(value) for value in values]
        if not {*texts} <= {*layout.shown[1:]}:
            expected = f'{layout.shown[1]} to "{layout.shown[-1]}"'
            raise FormatError(f"expected a list of contents from {expected}, got {shown(values)}")
        return mask_of(map(layout.shown.index, texts))
    less = layout.first_value - 1
    if not _VALUES.holds(values) or not all(1 <= value - less <= layout.n for value in values):  # type: ignore[attr-defined]  # it is a list
        expected = f"{layout.shown[1]} to {layout.shown[-1]}"
        raise FormatError(f"expected a list of values from {expected}, got {shown(values)}")
    return mask_of(value - less for value in values)  # type: ignore[attr-defined]  # it is a list


def _solution(layout: Layout, text: str) -> Grid:
    with at("solution"):
        grid = Board.parse(text, layout, size=layout.n).givens
        if 0 in grid:
            name = layout.names[grid.index(0)]
            raise FormatError(f"expected a value in each cell, got none in {name}")
    return grid


_DIFFERENCE: Mapping[str, Any] = {"kind": "difference", "never": True}
_RATIO: Mapping[str, Any] = {"kind": "ratio", "never": True}
_TEN: Mapping[str, Any] = {"kind": "pair-sum", "never": True}
_FIVE: Mapping[str, Any] = {**_TEN, "total": 5}

NEGATIVE: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "kropki": (_DIFFERENCE, _RATIO),
    "white": (_DIFFERENCE,),
    "black": (_RATIO,),
    "xv": (_TEN, _FIVE),
    "x": (_TEN,),
    "v": (_FIVE,),
}
"""The marks that are all given, and the rules about neighbours without one."""


def negative_rules(names: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the tables of negative rules, in the order of their names, each once.

    Raises:
        FormatError: there is no such name.
    """
    tables: list[Mapping[str, Any]] = []
    for name in names:
        if name not in NEGATIVE:
            raise FormatError(f"expected marks, got {shown(name)}; {nearest(name, NEGATIVE)}")
        tables += [table for table in NEGATIVE[name] if table not in tables]
    return tables


def with_definitions(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the rules of a puzzle, with what the file defines in place of the names for it.

    Raises:
        FormatError: a definition is not a rule, or its name is that of a kind.
    """
    definitions: Mapping[str, Any] = table.get("define", {})
    for name, definition in definitions.items():
        with at(f"define {name}"):
            if not isinstance(definition, dict):
                raise FormatError(f"expected a rule without its cells, got {shown(definition)}")
            if name in KINDS:
                raise FormatError("expected another name: this is a kind of rule")
            if definition.get("kind") not in KINDS:
                raise _unknown_kind("", definition.get("kind"))
    return [_completed(rule, definitions) for rule in table.get("rules", ())]


def _unknown_kind(where: str, kind: object) -> FormatError:
    suggestion = nearest(str(kind), KINDS)
    return FormatError(f"{where}kind: expected a kind of rule, got {shown(kind)}; {suggestion}")


def _completed(rule: Any, definitions: Mapping[str, Any]) -> Any:
    """Return a rule whose kind a file defines with the contents of the definition."""
    if isinstance(rule, list):
        return [_completed(part, definitions) for part in rule]
    if not isinstance(rule, dict) or not definitions:
        return rule
    if "branches" in rule:
        rule = {**rule, "branches": _completed(rule["branches"], definitions)}
    name = rule.get("kind")
    if not isinstance(name, str) or name not in definitions:
        return rule
    definition = definitions[name]
    has_name = "name" in {field.name for field in fields(KINDS[definition["kind"]])}
    return {
        **({"name": name} if has_name else {}),
        **definition,
        **rule,
        "kind": definition["kind"],
    }


def rules_of_tables(
    layout: Layout,
    tables: Sequence[Mapping[str, Any]],
    negative: Sequence[Mapping[str, Any]] = (),
) -> list[Rule]:
    """Return the rules of tables; rules about unmarked pairs depend on the pairs in the others.

    Args:
        layout: the layout.
        tables: the tables of rules.
        negative: tables of negative rules that come before them.
    """
    rules: dict[int, Rule] = {}
    marks: list[Pair] = []
    parts = [(0, _with_pairs(table)) for table in negative]
    for index, table in enumerate(tables, start=1):
        with _in_rule(index, table.get("kind")):
            parts += [(index, _with_pairs(part)) for part in expand(layout, table)]
    words = [part.get("pairs") for _, part in parts]
    for number in sorted(range(len(parts)), key=lambda number: words[number] == UNMARKED):
        index, part = parts[number]
        numbered = _numbered(layout, part, f"rule {index}", marks)
        with _in_rule(index, numbered["kind"]):
            rules[number] = rule_from_table(numbered)
        if words[number] not in (None, UNMARKED, NEIGHBOURS, TOUCHING):
            marks += pairs_of(rules[number])
    return [rules[number] for number in range(len(parts))]


@contextmanager
def _in_rule(index: int, kind: object) -> Iterator[None]:
    """Put the number and the kind of a rule before messages, which may begin with the kind."""
    try:
        yield
    except InputError as error:
        words = str(error).removeprefix(f"the rule {kind!r}: ").removeprefix(f"{kind}: ")
        raise FormatError(f"rule {index}, {kind}: {words}") from error


def _with_pairs(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the table of a negative rule, which is about all unmarked pairs if it names none."""
    kind = KINDS.get(str(table.get("kind")))
    if "pairs" in table or kind is None or "pairs" not in fields_of_cells(kind):
        return table
    if kind.kind in OF_NEIGHBOURS:
        return {**table, "pairs": NEIGHBOURS}
    return {**table, "pairs": UNMARKED} if table.get("never") is True else table


def pairs_of(rule: Rule) -> list[Pair]:
    """Return the pairs of cells in a rule about pairs."""
    roles = fields_of_cells(type(rule)).items()
    return [pair for name, how in roles if how is CellRole.PAIRS for pair in getattr(rule, name)]


def _numbered(
    layout: Layout, table: Mapping[str, Any], where: str, marks: Sequence[Pair] | None
) -> dict[str, Any]:
    """Return the table of a rule with numbers for cells, and defaults for missing fields.

    Args:
        layout: the layout.
        table: the table, with names for cells.
        where: the beginning of messages.
        marks: pairs of cells in other rules; None if they are not known.
    """
    name = table.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        raise _unknown_kind(f"{where}: ", name)
    kind = KINDS[name]
    of_cells, of_rules = fields_of_cells(kind), fields_of_rules(kind)
    numbered: dict[str, Any] = {"kind": name}
    with at(f"{where}, {name}"):
        known_fields = {field.name: field for field in fields(kind)}
        for key in table:
            if key != "kind" and key not in known_fields:
                raise FormatError(f"unknown key {shown(key)}; {nearest(key, known_fields)}")
        for key, field in known_fields.items():
            if key == "related" and isinstance(table.get(key), str):
                with at(key):
                    relation = relation_of(table[key])
                numbered["text"] = relation.text
                numbered[key] = [*tabulated(layout.n, relation, layout.first_value)]
                numbered["name"] = table.get("name", relation.text)
            elif key in numbered:
                continue
            elif key in of_cells and (key in table or field.default is MISSING):
                with at(key):
                    numbered[key] = _cells(layout, table.get(key), of_cells[key], marks)
            elif key in table:
                numbered[key] = (
                    _branches(layout, key, table[key]) if key in of_rules else table[key]
                )
            elif field.default is not MISSING:
                numbered[key] = [] if field.default == () else field.default
    return numbered


def _branches(layout: Layout, key: str, value: object) -> list[list[dict[str, Any]]]:
    """Return the branches of a rule: each is a table of a rule, or a list of such tables."""
    branches = value if isinstance(value, list) else []
    lists = [branch if isinstance(branch, list) else [branch] for branch in branches]
    if not all(map(listed_of(RULE).holds, lists)) or branches is not value:
        raise FormatError(f"{key}: expected rules, or lists of rules, got {shown(value)}")
    return [
        [
            _numbered(layout, rule, f"branch {index}{f', rule {k}' if rules[1:] else ''}", None)
            for k, rule in enumerate(rules, start=1)
        ]
        for index, rules in enumerate(lists, start=1)
    ]


def _cells(
    layout: Layout, value: object, role: CellRole, marks: Sequence[Pair] | None
) -> list[Any]:
    if value is None:
        raise FormatError("expected cells, got nothing")
    if role is CellRole.PAIRS:
        unmarked = value == UNMARKED
        if unmarked and marks is None:
            raise FormatError(
                f"expected pairs of cells, got {UNMARKED!r}, which a branch cannot contain"
            )
        pairs = neighbours(layout, marks or ()) if unmarked else pairs_from(layout, value)
        return [list(pair) for pair in pairs]
    return list(cells_from(layout, value))
