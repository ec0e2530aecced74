"""Writes puzzles as tables that people can read and edit, with all their contents."""

from __future__ import annotations

import contextlib
import re
import string
from collections.abc import Collection, Sequence
from dataclasses import MISSING, fields, replace
from itertools import pairwise
from typing import Any

from unidoku.core.bits import all_values, is_single, values_of
from unidoku.core.board import Board
from unidoku.core.cells import UNMARKED, neighbours, text_of_cells, texts_of_pairs
from unidoku.core.constraints.primitives import tabulated
from unidoku.core.hidden import stated
from unidoku.core.layout import Grid, Layout, Unit
from unidoku.core.regions import map_of
from unidoku.core.rules import Pairs
from unidoku.core.rules.base import KINDS, Rule
from unidoku.core.rules.catalogue import fields_of_rules, table_of_rule
from unidoku.core.rules.fields import CellRole, fields_of_cells
from unidoku.core.rules.relation_text import relation_of
from unidoku.core.variants import S_CELLS
from unidoku.core.variants import layout as named_layout
from unidoku.errors import InputError, LayoutError
from unidoku.formats.named import is_default
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.toml.cosmetics import table_of_cosmetic, table_of_fog
from unidoku.formats.toml.shorthand import shorten
from unidoku.formats.toml.table import (
    LINES,
    NEGATIVE,
    NO_REGION,
    PLAIN,
    PUZZLE,
    lines,
    negative_rules,
    pairs_of,
    rules_of_tables,
)
from unidoku.support.schema import misfit

_MOST_REGIONS = 35
"""The most regions in a map with one symbol for each cell."""


def table_of_puzzle(puzzle: Puzzle) -> dict[str, Any]:
    r"""Return a puzzle as a table, from which `puzzle_from_table` makes an equal puzzle.

    >>> board = Board.parse("1... ..2. .3.. ...4")
    >>> table_of_puzzle(Puzzle(board, "small", 1))
    {'name': 'small', 'variant': 'classic', 'size': 4, 'givens': '1...\n..2.\n.3..\n...4'}

    Raises:
        InputError: it has a rule of your own class, which other programs cannot read, or a name
            with several lines.
    """
    board, layout = puzzle.board, stated(puzzle.board.layout)
    table: dict[str, Any] = {
        key: text for key in ("name", "author", "rules_text") if (text := getattr(puzzle, key))
    }
    contents, base = _named_layout(layout) or (_own_layout(layout), layout.base)
    usual = 1 if layout.size == layout.n else 0
    first = {} if layout.first_value == usual else {"first_value": layout.first_value}
    table |= contents | first | _hidden_and_areas(layout) | _givens_and_candidates(board)
    if rules := layout.rules[len(base.rules) :]:
        negative, tables = _switched(layout, rules, _rules(layout, rules))
        definitions, tables = _defined(tables)
        table |= {"define": definitions} if definitions else {}
        table |= {"negative": negative} if negative else {}
        table |= {"rules": tables} if tables else {}
    if puzzle.cosmetics:
        table["cosmetics"] = [table_of_cosmetic(layout, part) for part in puzzle.cosmetics]
    if puzzle.fog is not None:
        table["fog"] = table_of_fog(layout, puzzle.fog)
    if puzzle.solution is not None:
        table["solution"] = _rows(layout, puzzle.solution)
    if puzzle.solutions is not None:
        table["solutions"] = puzzle.solutions
    if puzzle.numbers:
        table["numbers"] = dict(puzzle.numbers)
    if wrong := misfit(table, PUZZLE):
        raise InputError(f"a puzzle that cannot be written: {wrong}")
    return table


def _named_layout(layout: Layout) -> tuple[dict[str, Any], Layout] | None:
    """Return a variant as a table, and its layout, if the layout adds only rules to it."""
    name = layout.name.partition(" with ")[0]
    s_cells = layout.s_cells
    added = f"+{S_CELLS}:{s_cells.compared}" if s_cells else ""
    for variant in dict.fromkeys((name, f"classic{added}", f"latin{added}")):
        table: dict[str, Any] = {"variant": variant, "size": layout.size}
        if "jigsaw" in variant.split("+") and len(layout) == layout.size**2 <= _MOST_REGIONS**2:
            table["regions"] = _folded(map_of(layout), layout)
            variant = variant.replace("jigsaw", f"jigsaw:{map_of(layout)}")
        with contextlib.suppress(LayoutError):
            base = named_layout(variant, layout.size)
            if base.n != layout.n:
                continue
            base = replace(
                base, first_value=layout.first_value, hidden=layout.hidden, areas=layout.areas
            )
            count = len(base.units)
            same = base.units == layout.units[:count] and base.positions == layout.positions
            if same and layout.rules[: len(base.rules)] == base.rules:
                if others := layout.units[count:]:
                    table["units"] = [_unit(layout, unit) for unit in others]
                    base = replace(base, units=layout.units)
                return table, base
    return None


def _hidden_and_areas(layout: Layout) -> dict[str, Any]:
    """Return the hidden cells and areas of a layout, as keys of its table."""
    table: dict[str, Any] = {}
    if layout.hidden:
        values = [
            [value + layout.first_value - 1 for value in values_of(mask)] for mask in layout.hidden
        ]
        everything = all(mask == all_values(layout.n) for mask in layout.hidden)
        table["hidden"] = len(values) if everything else values
    if layout.areas:
        table["areas"] = _map_of_areas(layout) or [
            text_of_cells(layout, area) for area in layout.areas
        ]
    return table


def _map_of_areas(layout: Layout) -> str:
    """Return a map of the areas, a symbol for each cell; empty if a map cannot express them."""
    symbols = [NO_REGION] * len(layout)
    first = [min(area, default=0) for area in layout.areas]
    ordered = (
        all(layout.areas) and first == sorted(set(first)) and len(layout.areas) <= _MOST_REGIONS
    )
    if not ordered or sum(map(len, layout.areas)) > len({c for area in layout.areas for c in area}):
        return ""
    for symbol, area in zip(_AREAS, layout.areas, strict=False):
        for cell in area:
            symbols[cell] = symbol
    return _folded(symbols, layout)


_AREAS = string.ascii_uppercase + string.digits


def _own_layout(layout: Layout) -> dict[str, Any]:
    if layout.s_cells:
        raise InputError("a layout with S-cells that cannot be written: expected a variant's units")
    table: dict[str, Any] = {"size": layout.n, "shape": [layout.rows, layout.columns]}
    if len(layout) < layout.rows * layout.columns:
        table["positions"] = text_of_cells(layout, layout.cells)
    units = list(layout.units)
    entries: list[Any] = []
    for word in LINES:
        line_units = lines(layout, word)
        if units[: len(line_units)] == line_units and [*map(str, units[: len(line_units)])] == [
            *map(str, line_units)
        ]:
            entries.append(word)
            del units[: len(line_units)]
    return table | {"units": entries + [_unit(layout, unit) for unit in units]}


def _unit(layout: Layout, unit: Unit) -> str | dict[str, str]:
    cells = text_of_cells(layout, unit.cells)
    if (unit.kind, unit.name) == (PLAIN, ""):
        return cells
    return {"kind": unit.kind, **({"name": unit.name} if unit.name else {}), "cells": cells}


def _givens_and_candidates(board: Board) -> dict[str, Any]:
    layout, everything = board.layout, all_values(board.layout.n)
    candidates = {
        layout.names[cell]: [_written(layout, value) for value in values_of(mask)]
        for cell, mask in enumerate(board.candidates)
        if mask != everything and not (is_single(mask))
    }
    return {
        "givens": _rows(layout, board.givens),
        **({"candidates": candidates} if candidates else {}),
    }


def _written(layout: Layout, value: int) -> int | str:
    """Return a value as a number, or as the digits of a cell with two."""
    text = layout.shown[value]
    return int(text) if layout.size == layout.n or len(text) == 1 else text


def _rows(layout: Layout, grid: Grid) -> str:
    """Return values as lines that can be read again, with dots for 0."""
    separator = "" if layout.has_digits_only else " "
    return _folded([layout.shown[value] for value in grid], layout, separator)


def _folded(words: list[str] | str, layout: Layout, separator: str = "") -> str:
    """Return the words of cells, one line for each row."""
    rows: dict[int, list[str]] = {}
    for (row, _), word in zip(layout.positions, words, strict=True):
        rows.setdefault(row, []).append(word)
    return "\n".join(map(separator.join, rows.values()))


def _rules(layout: Layout, rules: Sequence[Rule]) -> list[dict[str, Any]]:
    """Return rules as tables; a rule about all pairs without a mark is written as such."""
    negative = {rule for rule in rules if getattr(rule, "never", False)}
    marks = [pair for rule in rules if rule not in negative for pair in pairs_of(rule)]
    unmarked = [*neighbours(layout, marks)]
    tables = [_rule(layout, rule) for rule in rules]
    if marks and unmarked and negative and all(pairs_of(rule) == unmarked for rule in negative):
        for rule, table in zip(rules, tables, strict=True):
            table |= {"pairs": UNMARKED} if rule in negative else {}
    return shorten(layout, rules, tables, rules_of_tables)


def _switched(
    layout: Layout, rules: Sequence[Rule], tables: Sequence[dict[str, Any]]
) -> tuple[list[str], Sequence[dict[str, Any]]]:
    """Return the names of negative rules that come first, and the tables of the other rules."""
    names: list[str] = []
    plain = [{key: value for key, value in t.items() if key != "pairs"} for t in tables]
    count = 0
    for _ in NEGATIVE:
        for name, negative in NEGATIVE.items():
            if name not in names and plain[count : count + len(negative)] == [*negative]:
                names.append(name)
                count += len(negative)
                break
    if names and rules_of_tables(layout, tables[count:], negative_rules(names)) == [*rules]:
        return names, tables[count:]
    return [], tables


def _defined(tables: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return definitions of own rules that several lines have, and the tables by their names."""
    alike: dict[str, list[dict[str, Any]]] = {}
    for table in tables:
        if table["kind"] in _OWN:
            alike.setdefault(repr(_without_cells(table)), []).append(table)
    definitions: dict[str, Any] = {}
    by_contents: dict[str, tuple[str, dict[str, Any]]] = {}
    for contents, several in alike.items():
        if len(several) > 1:
            content = _without_cells(several[0])
            name = _free_name(str(content.get("name", "own")), definitions)
            if content.get("name") == name:
                del content["name"]
            definitions[name] = content
            by_contents[contents] = (name, content)
    written = []
    for table in tables:
        name, content = by_contents.get(repr(_without_cells(table)), ("", {}))
        cells = {key: value for key, value in table.items() if key in _WITH_CELLS}
        written.append({"kind": name, **cells} if name else table)
    return definitions, written


_OWN, _WITH_CELLS = ("pairs", "line"), ("pairs", "line")
"""The kinds of own rules, and their fields of cells."""


def _without_cells(table: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key not in _WITH_CELLS}


def _free_name(name: str, used: Collection[str]) -> str:
    """Return a name as a key of a file, which no kind and no other definition has."""
    key = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "own"
    number = 1
    while key in KINDS or key in used:
        number += 1
        key = f"{key.rstrip('0123456789').rstrip('-')}-{number}"
    return key


def _rule(layout: Layout, rule: Rule) -> dict[str, Any]:
    """Return a rule with names for its cells, without the fields that have their defaults."""
    table: dict[str, Any] = {"kind": rule.kind}
    written = table_of_rule(rule)
    of_cells, of_rules = fields_of_cells(type(rule)), fields_of_rules(type(rule))
    bound = _bound(layout, rule)
    for field in fields(rule):
        value = getattr(rule, field.name)
        if field.name in bound or value == field.default == ():
            continue
        if field.name in of_rules:
            branches = [[_rule(layout, inner) for inner in branch] for branch in value]
            table[field.name] = [b if len(b) > 1 else b[0] for b in branches]
        elif field.name not in of_cells:
            may_be_bound = not bound and field.default is not MISSING
            if value != field.default and not (
                may_be_bound and is_default(layout, rule, field.name)
            ):
                table[field.name] = written[field.name]
        elif of_cells[field.name] is CellRole.PAIRS:
            table[field.name] = texts_of_pairs(layout, value)
        else:
            table[field.name] = text_of_cells(layout, value)
    return _as_text(layout, rule, table) if isinstance(rule, Pairs) else table


def _as_text(layout: Layout, rule: Pairs, table: dict[str, Any]) -> dict[str, Any]:
    """Return a relation by the line of text that it was made from, and pairs along a line by it."""
    cells = (*[a for a, _ in rule.pairs[:1]], *[b for _, b in rule.pairs])
    if len(cells) > 2 and [*pairwise(cells)] == [*rule.pairs]:
        line = text_of_cells(layout, cells)
        table = {("line" if key == "pairs" else key): value for key, value in table.items()}
        table["line"] = line
    text = table.pop("text", "")
    if not text or rule.related != tabulated(layout.n, relation_of(text), layout.first_value):
        return table
    name = {} if rule.name in (text, rule.kind) else {"name": rule.name}
    return {key: value for key, value in table.items() if key != "name"} | {"related": text} | name


def _bound(layout: Layout, rule: Rule) -> Collection[str]:
    """Return the fields that are filled in by a layout, if it gives them just these contents."""
    defaults = {field.name: field.default for field in fields(rule) if field.default in ((), 0)}
    if () not in defaults.values():
        return ()
    for written in ("", *defaults):  # all fields, or all but one
        left_out = [name for name in defaults if name != written]
        if is_default(layout, rule, *left_out):
            return left_out
    return ()
