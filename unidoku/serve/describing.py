"""Descriptions of a state for the page: the board with its picture, its rules, what is written."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields, replace
from functools import lru_cache
from typing import Any

from unidoku.core.bits import all_values, is_single, values_of
from unidoku.core.board import Board
from unidoku.core.cells import cells_from, pairs_from, text_of_cells
from unidoku.core.layout import Layout
from unidoku.core.rules.base import KINDS, Rule
from unidoku.core.rules.catalogue import fields_of_rules
from unidoku.core.rules.fields import CellRole, fields_of_cells, types_of_fields
from unidoku.core.rules.regions import ChaosConstruction
from unidoku.draw.board import backdrop, layout_label, mark_place, mark_size, svg
from unidoku.draw.paint import BOARD
from unidoku.draw.rules import over, under
from unidoku.draw.strokes import CELL, MARGIN, corner
from unidoku.errors import FormatError, UnidokuError
from unidoku.formats import Puzzle
from unidoku.formats.cosmetics import Cosmetic
from unidoku.serve.document import Content, State, on_layout
from unidoku.support.language import series

Json = dict[str, Any]

_MOST_PICTURES = 200
"""Pictures that the page lists; a puzzle of other programs may have thousands."""

_ROLES = {CellRole.GROUP: "cells", CellRole.LINE: "line", CellRole.PAIRS: "pairs"}


@lru_cache(maxsize=16)
def board_of(text: str, ignored: frozenset[int], hidden: frozenset[int]) -> Json:
    """Return the board of a puzzle file: its cells, its picture without digits, its rules."""
    state = State.of(text)
    content = state.content
    layout = content.layout
    on_grid = on_layout(content, Board.empty(layout), ignored | hidden).layout
    empty = Board.empty(on_grid)
    box, drawn = backdrop(empty, content.puzzle.cosmetics)
    faint = [
        part for index in sorted(ignored - hidden) for part in _alone(layout, content.parts[index])
    ]
    ghosts = f'<g class="off">{"".join(faint)}</g>' if faint else ""
    return {
        "key": f"{hash((text, ignored, hidden)):x}",
        "text": text,
        "name": content.puzzle.name,
        "author": content.puzzle.author,
        "rules_text": content.puzzle.rules_text,
        "regions": _regions(content),
        "fog": _fog(content),
        "label": layout_label(layout.base),
        "n": layout.n,
        "values": [*layout.shown[1:]],
        "positions": [[*position] for position in layout.positions],
        "names": [*layout.names],
        "units": [_units(layout, cell) for cell in layout.cells],
        "box": [*box],
        "cell": CELL,
        "margin": MARGIN,
        "picture": _group(drawn, ghosts),
        "marks": [_mark(layout, value) for value in range(1, layout.n + 1)],
        "givens": [*content.puzzle.board.givens],
        "candidates": {
            str(cell): [*values_of(mask)]
            for cell, mask in enumerate(content.puzzle.board.candidates)
            if mask != all_values(layout.n) and not is_single(mask)
        },
        "rules": [_rule(content, index, ignored, hidden) for index in range(len(content.parts))],
        "own": _own_kinds(content),
        "cosmetics": _cosmetics(content),
        "others": [rule.words(layout.names_in_words) for rule in _of_variant(content)][:20],
        "unknown": [*content.unknown],
        "solution": None if content.puzzle.solution is None else [*content.puzzle.solution],
    }


def _mark(layout: Layout, value: int) -> list[float]:
    """Return x and y of the middle of a candidate in its cell, and its font size."""
    right, down, room = mark_place(layout, value)
    return [round(right, 2), round(down, 2), round(mark_size(layout, room), 2)]


def puzzle_of(state: State) -> Puzzle:
    """Return the puzzle of a state, without the rules that are switched off."""
    return replace(state.content.puzzle, board=state.puzzle)


def picture_of(board: Board | Puzzle) -> str:
    """Return a picture for the page, whose own style paints it: its policy allows no other."""
    return re.sub(r"<style>.*?</style>", "", svg(board, theme="auto"), flags=re.DOTALL)


def _group(drawn: list[str], ghosts: str) -> str:
    return f'<g class="{BOARD.name}">{"".join(drawn)}{ghosts}</g>'


def _alone(layout: Layout, rules: tuple[Rule, ...]) -> Iterator[str]:
    """Yield the drawing of some rules, as if there were no others."""
    only = replace(layout, rules=rules)
    yield from under(only)
    yield from over(only)


def drawn_as(layout: Layout, rule: Rule) -> frozenset[str]:
    """Return the classes of CSS in a rule's drawing, which tell German from Dutch whispers."""
    return frozenset(re.findall('class="([^"]*)"', "".join(_alone(layout, (rule,)))))


def swatch(layout: Layout, rules: Sequence[Rule]) -> Json:
    """Return the drawing of the rule with the shortest sides among some, and the box around it."""

    def box(rule: Rule) -> tuple[float, ...]:
        xs, ys = zip(*(corner(layout, cell) for cell in rule.cells), strict=True)
        return min(xs), min(ys), max(xs) - min(xs) + CELL, max(ys) - min(ys) + CELL

    rule = min(rules, key=lambda rule: max(box(rule)[2:]))
    drawn = "".join(_alone(layout, (rule,)))
    return {"box": [*box(rule)], "picture": f'<g class="{BOARD.name}">{drawn}</g>'}


def _fog(content: Content) -> Json | None:
    fog = content.puzzle.fog
    if fog is None:
        return None
    triggers = [[[*when], [*lights]] for when, lights in fog.triggers]
    return {"lights": [*fog.lights], "triggers": triggers}


def _regions(content: Content) -> list[int]:
    """Return the number of the box or region of each cell, from 1; 0 for none or several."""
    layout = content.layout
    symbols = "".join(str(content.table.get("regions", "")).split())
    if len(symbols) == len(layout):
        order = [*dict.fromkeys(symbols)]
        return [order.index(symbol) + 1 for symbol in symbols]
    numbers = [0] * len(layout)
    for number, unit in enumerate(layout.regions, start=1):
        for cell in unit.cells:
            if cell < len(layout):
                numbers[cell] = number if not numbers[cell] else -1
    return [max(number, 0) for number in numbers]


def unmarked_regions(layout: Layout) -> list[tuple[int, int]]:
    """Return each cell whose region is to be found, with the cell that holds its number."""
    chaos = [rule for rule in layout.rules if isinstance(rule, ChaosConstruction)]
    return [pair for rule in chaos[:1] for pair in zip(rule.held, rule.regions, strict=True)]


def _units(layout: Layout, cell: int) -> list[str]:
    """Return the names of the units of a cell that are not a row, a column or one of peers."""
    names = [str(unit) for unit in layout.units_of[cell] if unit.kind not in ("row", "column")]
    return names[:4]


def _of_variant(content: Content) -> tuple[Rule, ...]:
    """Return the rules that the variant has, without those of the file."""
    rules = content.layout.rules
    return rules[: len(rules) - sum(map(len, content.parts))]


def _rule(content: Content, index: int, ignored: frozenset[int], hidden: frozenset[int]) -> Json:
    rules, layout = content.parts[index], content.layout
    cells = dict.fromkeys(c for rule in rules for c in rule.cells if c < len(layout))
    words = [rule.words(layout.names_in_words) for rule in rules[:3]]
    ending = f" … ({len(rules)} in all)" if len(rules) > len(words) else ""
    table = content.table["rules"][index]
    shape = _shape(layout, table, rules)
    if table.get("kind") in content.table.get("define", {}) and shape and "line" in shape:
        words = [f"along {text_of_cells(layout, shape['line'])}"]  # its relation has a name
    return {
        "kind": table.get("kind", ""),
        "words": series(words) + ending,
        "cells": [*cells],
        "table": table,
        "ignored": index in ignored,
        "hidden": index in hidden,
        "shape": shape,
    }


def _shape(layout: Layout, table: Mapping[str, Any], rules: tuple[Rule, ...]) -> Json | None:
    """Return the cells of each field of a rule; None if it stands for several, or has branches."""
    if len(rules) != 1 or not {"left", "right", "top", "bottom", "branches"}.isdisjoint(table):
        return None
    roles = fields_of_cells(type(rules[0]))
    shape: Json = {}
    for key, value in table.items():
        role = roles.get(key, CellRole.LINE if key == "line" else None)
        if role is None:
            continue
        try:
            if role is CellRole.PAIRS:
                cells = [cell for pair in pairs_from(layout, value) for cell in pair]
            else:
                cells = [*cells_from(layout, value)]
        except FormatError:  # words for several, such as "each row" or "unmarked"
            return None
        if value == "neighbours" or any(cell >= len(layout) for cell in cells):
            return None
        shape[key] = cells
    return shape or None


def _own_kinds(content: Content) -> list[Json]:
    """Return the rules that the file defines, as kinds whose fields are those that are left."""
    kinds = []
    for name, table in content.table.get("define", {}).items():
        kind = KINDS[table["kind"]]
        parts = [_field(kind, field) for field in fields(kind) if field.name not in table]
        if any(part["holds"] == "pairs" for part in parts):
            parts = [_ALONG, *({**part, "required": False} for part in parts)]
        shown = [
            part for part in parts if part["name"] not in ("name", "text", "colour", "related")
        ]
        about = f"{table['kind']}: {table.get('related') or _paragraph(kind)}"
        kinds.append({"kind": name, "about": about, "fields": shown, "table": table})
    return kinds


_ALONG: Json = {
    "name": "line",
    "holds": "line",
    "single": False,
    "required": False,
    "default": None,
    "about": "cells of which each is related to the next",
}
"""The field in place of pairs: a line that stands for the pairs along it."""


def _cosmetics(content: Content) -> list[Json]:
    """Return the pictures of the puzzle with their places."""
    tables = content.table.get("cosmetics", ())
    pictures = content.puzzle.cosmetics
    return [
        {"table": table, "at": [*map(list, picture.at)], "words": _look(picture)}
        for table, picture in [*zip(tables, pictures, strict=True)][:_MOST_PICTURES]
    ]


def _look(picture: Cosmetic) -> str:
    """Return what a picture is, in words."""
    colour = f" {picture.colour}" if picture.colour else ""
    words = f" “{picture.text}”" if picture.text else ""
    return f"{picture.shape}{colour}{words}"


def written(state: State) -> Json:
    """Return a player's pencil marks and colours by layer, and the cells that clash."""
    marks = state.marks
    lists = {
        layer: {
            str(cell): [*values_of(mask)] for cell, mask in enumerate(getattr(marks, layer)) if mask
        }
        for layer in ("corner", "centre", "colours")
    }
    entries = {str(cell): value for cell, value in enumerate(marks.entries) if value}
    clashes = {cell for problem in state.board.problems() for cell in problem.cells}
    return {"entries": entries, **lists, "pen": [*marks.pen], "clashes": sorted(clashes)}


@lru_cache(maxsize=1)
def kinds() -> list[Json]:
    """Return the kinds of rules with their fields, from the catalogue."""
    return [
        {
            "kind": name,
            "about": _paragraph(kind),
            "fields": [_field(kind, field) for field in fields(kind)],
        }
        for name, kind in sorted(KINDS.items())
    ]


def _field(kind: type[Rule], field: Field[Any]) -> Json:
    role = fields_of_cells(kind).get(field.name)
    hint = types_of_fields(kind)[field.name]
    if role is not None:
        holds = _ROLES[role]
    elif field.name in fields_of_rules(kind):
        holds = "rules"
    elif hint is bool:
        holds = "yes"
    elif hint in (int, int | None):
        holds = "number"
    elif hint is str:
        holds = "text"
    else:
        holds = "list"
    return {
        "name": field.name,
        "holds": holds,
        "single": field.name in kind.single,
        "required": field.default is MISSING,
        "default": None if field.default is MISSING else field.default,
        "about": _meaning(kind, field.name),
    }


def _paragraph(kind: type[Rule]) -> str:
    text = (inspect.getdoc(kind) or "").split("\n\n")[0]
    return " ".join(text.split()).replace("``", "")


def _meaning(kind: type[Rule], name: str) -> str:
    """Return what the docstring of a rule says of a field."""
    for base in kind.__mro__:
        text = inspect.getdoc(base) or ""
        pattern = rf"^    {name}: (.*?)(?=\n    \w+: |\n\n|\Z)"
        if match := re.search(pattern, text, re.MULTILINE | re.DOTALL):
            return " ".join(match[1].split()).rstrip(".").replace("``", "")
    return ""


def reason(error: UnidokuError) -> str:
    """Return the message of an error in one line."""
    return " ".join(str(error).split())
