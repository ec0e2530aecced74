"""SudokuPad: its JSON, called SCL, and links with it, with givens, or with an f-puzzles board.

The format has names only for givens, regions, cages and a few flags; all other rules are pictures.
`unidoku.formats.sudokupad.guess` guesses the meaning of pictures, only on request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from unidoku.core.rules import Killer, SumOfCells
from unidoku.errors import FormatError
from unidoku.formats.draft import (
    Draft,
    json_objects,
    one_line,
    readable,
    several_lines,
    whole_number,
)
from unidoku.formats.drawn import listed_tables, places_in
from unidoku.formats.fpuzzles.format import payload_of, read_fpuzzles
from unidoku.formats.frame import MOST_SIDE
from unidoku.formats.lzstring import decompressed
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.short_links import short_link
from unidoku.formats.sudokupad.cosmetics import cosmetics_of, fog_of, is_lamp
from unidoku.formats.sudokupad.guess import guess_rules
from unidoku.formats.sudokupad.payload import OWN, unpacked, unzipped
from unidoku.support.schema import shown

FORM = "SudokuPad"

_LINK = re.compile(r"(?:^|[/=])(scl|ctc|scf|fpuz(?:zles)?)([^?&#\s]+)")

_PICTURES = ("lines", "arrows", "overlays", "underlays")

_KNOWN = frozenset(
    (
        "id",
        "cellSize",
        "cells",
        "regions",
        "cages",
        "metadata",
        "global",
        *_PICTURES,
        "windoku",
        "foglight",
        "triggereffect",
        OWN,
    )
) | {"diagonal+", "diagonal-"}
_LOOKS = ("style", "fontC", "outlineC", "type", "hidden", "feedback")

_META = re.compile(r"(\w+): ?(.*)", re.DOTALL)


def read_sudokupad(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the puzzles in JSON, one after the other, or that of a link, with or without the site.

    Raises:
        FormatError: the text is not valid.
    """
    text = text.strip()
    if text.startswith("{"):
        for line, table in json_objects(text, FORM):
            yield replace(_puzzle(table, guess=guess), line=line)
        return
    match = _LINK.search(text)
    if not match:
        raise FormatError(short_link(text, ", after scl, ctc, scf or fpuz"))
    kind, packed = match[1], match[2]
    if kind == "scf":
        yield _classic(unquote(packed))
    elif kind.startswith("fpuz"):
        yield from read_fpuzzles(packed)
    else:
        content = decompressed(payload_of(unquote(packed)))
        yield _puzzle(unzipped(content), guess=guess)


@readable(FORM)
def _classic(packed: str) -> Puzzle:
    """Return the puzzle of an ``scf``: each symbol is a digit and the empty cells after it."""
    values, star, signs = packed.partition("*")
    cells = ""
    for symbol in values[:200]:
        code = ord(symbol) - (61 if symbol > "Z" else 55 if symbol > "9" else 48)
        if not 0 <= code < 60:
            raise FormatError(f"expected digits and letters after scf, got {symbol!r}")
        cells += f"{code % 10}" + "0" * (code // 10)
    if len(cells) < 81 or not values.isascii():
        raise FormatError(f"expected 81 cells after scf, got {len(cells)}")
    draft = Draft(FORM, 9, 9)
    draft.regions = [*draft.boxes(3, 3)]
    for cell, digit in enumerate(cells[:81]):
        if digit != "0":
            draft.keep(cell, [int(digit)])
    if not star and len(cells) > 81:
        draft.report.drop("what follows the 81 cells")
    # Signs, and texts that begin with a sign and end with a star.
    parts = re.findall(r"([ta](?:[^*]|\*\*)*)\*?|(.)", signs, re.DOTALL)
    for part in (text.replace("**", "*") or sign for text, sign in parts):
        match part[:1]:
            case "t":
                draft.name = one_line(part[1:])
            case "a":
                draft.author = one_line(part[1:])
            case "x":
                draft.units += draft.diagonals()
            case "w":
                draft.units += _windows(draft)
            case _:
                draft.report.drop(f"unknown sign {shown(part[:1])}")
    return draft.puzzle()


def _windows(draft: Draft) -> list[tuple[int, ...]]:
    return [draft.square(top, left, 3, 3) for top in (1, 5) for left in (1, 5)]


@readable(FORM)
def _puzzle(table: Mapping[str, Any], *, guess: bool) -> Puzzle:
    rows = table.get("cells")
    width = len(rows[0]) if isinstance(rows, list) and rows and isinstance(rows[0], list) else 0
    if not rows or not 1 <= width <= MOST_SIDE or len(rows) > MOST_SIDE:
        raise FormatError(f"expected up to {MOST_SIDE} rows of cells in {FORM}")
    if not all(isinstance(row, list) and len(row) == width for row in rows):
        raise FormatError(f"expected rows of {width} cells in {FORM}")
    givens, marks = _givens(rows)
    largest = max([len(rows), width, *givens.values()])
    low = 0 if 0 in givens.values() else 1
    own_fault = ""
    if (packed := table.get(OWN)) is not None:
        try:
            puzzle = unpacked(packed, (len(rows), width), givens)
        except FormatError as error:
            own_fault = f"the rules that Unidoku has written: {error}"
        else:
            return _with_texts(puzzle, table)
    draft = Draft(FORM, len(rows), width, low, min(max(largest, 1), 99) if not low else largest)
    draft.report.read_as(
        f"values are {low} to {draft.high}, rows and columns differ: the format does not state it"
    )
    if own_fault:
        draft.report.drop(own_fault)
    if largest > 99:
        raise FormatError("expected givens up to 99")
    for cell, value in givens.items():
        draft.keep(cell, [value])
    for loss in marks:
        draft.report.drop(loss)
    _read_regions(draft, table.get("regions"))
    rules = _read_meta(draft, table)
    _read_cages(draft, table.get("cages"))
    for key in table:
        if key not in _KNOWN:
            draft.report.drop(f"unknown key {shown(one_line(key))}")
    pictures = {key: listed_tables(table.get(key)) for key in _PICTURES}
    others = guess_rules(draft, pictures, rules) if guess else pictures
    draft.cosmetics += cosmetics_of(draft, others)
    draft.fog = fog_of(table, lambda names: _cells(draft, names), draft)
    return draft.puzzle()


def _with_texts(puzzle: Puzzle, table: Mapping[str, Any]) -> Puzzle:
    """Return a puzzle that Unidoku has written, with the texts of the link."""
    layout = puzzle.board.layout
    draft = Draft(FORM, layout.rows, layout.columns, layout.first_value)
    _read_meta(draft, table)
    solution = puzzle.solution  # of a board with S-cells, otherwise None
    if solution is None and draft.solution is not None and min(draft.solution) >= 0:
        solution = tuple(value - layout.first_value + 1 for value in draft.solution)
    return replace(
        puzzle,
        name=draft.name,
        author=draft.author,
        solution=solution,
        losses=draft.report.losses,
        rules_text=draft.own_rules_text(puzzle.board),
    )


def _givens(rows: Sequence[Sequence[Any]]) -> tuple[dict[int, int], list[str]]:
    """Return the givens, and the names of other contents of cells."""
    givens: dict[int, int] = {}
    others: dict[str, None] = {}
    for cell, entry in enumerate(entry for row in rows for entry in row):
        if entry is None or entry == [] or not isinstance(entry, dict):
            continue
        value = whole_number(entry.get("value"))
        if value is not None and value >= 0 and entry.get("given") is not False:
            givens[cell] = value
        elif entry.get("value") not in (None, ""):
            others["values that are not numbers or not givens"] = None
        for key in entry:
            if key not in ("value", "given") and entry[key]:
                others[f"{shown(one_line(key))} of cells"] = None
    return givens, [*others]


def _cells(draft: Draft, names: object) -> list[int] | None:
    """Return the cells given as rows and columns from 0, or as a text; None if invalid."""
    if isinstance(names, str):
        places = places_in(names)
    elif isinstance(names, list):
        numbers = [
            [whole_number(part) for part in position] if isinstance(position, list) else []
            for position in names
        ]
        if any(len(position) != 2 or None in position for position in numbers):
            return None
        places = [(position[0] or 0, position[1] or 0) for position in numbers]
    else:
        return None
    if not all(draft.inside(row, column) for row, column in places):
        return None
    return [row * draft.columns + column for row, column in places]


def _read_regions(draft: Draft, regions: object) -> None:
    for region in regions if isinstance(regions, list) else []:
        cells = _cells(draft, region)
        if cells is None:
            raise FormatError(f"regions: expected rows and columns of cells, got {shown(region)}")
        if cells and len(set(cells)) <= len(draft.values):
            draft.regions.append(sorted(set(cells)))
        elif cells:
            draft.report.drop("a region of more cells than values")


def _read_meta(draft: Draft, table: Mapping[str, Any]) -> str:
    """Read title, author, solution and flags; return the rules in words."""
    metadata = table.get("metadata")
    meta: dict[str, Any] = dict(metadata) if isinstance(metadata, dict) else {}
    for cage in listed_tables(table.get("cages")):
        match = _META.fullmatch(str(cage.get("value", ""))[:100_000])
        if not cage.get("cells") and match:
            meta.setdefault(match[1].lower(), match[2])
    draft.name, draft.author = one_line(meta.get("title")), one_line(meta.get("author"))
    solution = meta.get("solution")
    if isinstance(solution, str) and len(solution) == len(draft.cells):
        draft.solution = [int(s) if s.isascii() and s.isdigit() else -1 for s in solution]
    elif solution:
        draft.report.drop("the solution, which has another number of cells")
    names = table.get("global") if isinstance(table.get("global"), list) else []
    flags = {str(name): True for name in names or []} | meta
    flags |= {key: table[key] for key in ("diagonal+", "diagonal-", "windoku") if key in table}
    draft.flag(flags)
    if flags.get("windoku") and (draft.rows, draft.columns) == (9, 9):
        draft.units += _windows(draft)
    rules = meta.get("rules")
    draft.rules_text = several_lines(rules)
    keys = ("title", "author", "solution", "rules", "antiknight", "antiking", "disjoint")
    for key in (*meta, *map(str, names or [])):
        if key not in keys:
            draft.report.drop(f"metadata {shown(one_line(key))}")
    return draft.rules_text.lower()


def _read_cages(draft: Draft, cages: object) -> None:
    """Read cages: with a sum, or with cells that differ."""
    for cage in listed_tables(cages):
        cells = _cells(draft, cage.get("cells", []))
        if cells is None:
            raise FormatError(f"cages: expected rows and columns of cells, got {shown(cage)}")
        if not cells or is_lamp(cage):
            continue
        told_sum = cage.get("sum", cage.get("value"))
        total = whole_number(told_sum)
        if total is None and told_sum not in (None, ""):
            draft.report.drop(f"the text {shown(one_line(told_sum))} of a cage")
        for key in cage:
            if key not in ("cells", "value", "sum", "unique", *_LOOKS):
                draft.report.drop(f"unknown key {shown(one_line(key))} of a cage")
        _read_cage(draft, cells, total, cage)


def _read_cage(draft: Draft, cells: list[int], total: int | None, cage: Mapping[str, Any]) -> None:
    is_unique = cage.get("unique")
    if is_unique is None:
        draft.report.read_as(
            "cells of a cage differ, unless the cage states that they may be equal"
        )
    if total == 0:
        draft.report.read_as("a cage with a sum of 0 has none")
        total = None
    if is_unique is False:
        if total is not None:
            draft.add(SumOfCells(tuple(cells), total))
        else:
            draft.report.drop("a cage without a sum whose cells may be equal")
    elif total is None and cage.get("hidden") and len(set(cells)) <= len(draft.values):
        draft.units.append(sorted(set(cells)))
    else:
        draft.add(Killer(tuple(cells), total or None))
