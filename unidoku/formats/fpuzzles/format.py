"""f-puzzles: JSON with a key for each kind of rule, or a link that contains it as LZ-string.

If programs disagree on a meaning, that of Rangsk's SudokuSolver is taken
(https://github.com/dclamage/SudokuSolver), because it solves puzzles drawn in f-puzzles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from unidoku.errors import FormatError
from unidoku.formats.draft import (
    Draft,
    json_object,
    json_objects,
    one_line,
    readable,
    several_lines,
    whole_number,
)
from unidoku.formats.fpuzzles.cosmetics import PICTURES, cosmetics_of, fog_of
from unidoku.formats.fpuzzles.rules import RULES, Entries
from unidoku.formats.frame import MOST_SIDE, box_of
from unidoku.formats.lzstring import decompressed
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.short_links import SITES, short_link
from unidoku.support.schema import shown

FORM = "f-puzzles"

_LINK = re.compile(r"[?&]load=([^&#\s]+)|(?:^|[/=])fpuz(?:zles)?([A-Za-z0-9+/=%_ -]+)")

_IGNORED = ("highlightConflicts",)
"""Settings of the program, which are not part of a puzzle."""

_DROPPED = {
    "disabledlogic": "disabledlogic, the techniques that a solver leaves out",
    "truecandidatesoptions": "truecandidatesoptions, a setting of solvers",
    "successMessage": "successMessage, the words for who has solved it",
}
"""Keys that a puzzle has no place for, and what is reported unless they are empty."""

_OF_CELLS = frozenset(("value", "given", "region", "givenPencilMarks", "c", "cArray"))


def read_fpuzzles(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the puzzles of JSON, one after the other, or that of a payload or of a link.

    Raises:
        FormatError: the text is not valid.
    """
    text = text.strip()
    if text.startswith("{"):
        for line, table in json_objects(text, FORM):
            yield replace(puzzle_from_fpuzzles(table), line=line)
        return
    if text.startswith(SITES) and not _LINK.search(text):
        raise FormatError(short_link(text))
    yield puzzle_from_fpuzzles(json_object(decompressed(payload_of(text)), FORM))


def payload_of(text: str) -> str:
    """Return the payload of a link, or a text that is a payload, in the alphabet of base64."""
    match = _LINK.search(text)
    packed = unquote(match[1] or match[2]) if match else text
    # Plus signs become blanks in a query, and some programs use the URL-safe alphabet.
    return packed.strip().replace(" ", "+").replace("-", "+").replace("_", "/")


@readable(FORM)
def puzzle_from_fpuzzles(table: Mapping[str, Any]) -> Puzzle:
    """Return the puzzle of a table of f-puzzles.

    Raises:
        FormatError: the text is not valid.
    """
    grid = table.get("grid")
    size = len(grid) if isinstance(grid, list) else 0
    if not 1 <= size <= MOST_SIDE or not all(
        isinstance(row, list) and len(row) == size for row in grid or ()
    ):
        raise FormatError(f"expected a square grid of up to {MOST_SIDE} rows in f-puzzles")
    draft = Draft(FORM, size, size)
    _read_grid(draft, grid or [])
    draft.name, draft.author = one_line(table.get("title")), one_line(table.get("author"))
    draft.rules_text = several_lines(table.get("ruleset"))
    _read_flags(draft, table)
    entries = Entries(draft, table)
    for key in table:
        if key in RULES:
            RULES[key](entries, key)
        elif key in PICTURES:
            _name_rules_of_pictures(draft, table[key])
        elif key in _DROPPED:
            if table[key]:
                draft.report.drop(_DROPPED[key])
        elif key not in _KEYS and key not in _IGNORED:
            draft.report.drop(f"unknown key {shown(key)}")
    entries.finish()
    cosmetics_of(draft, table, grid or [])
    draft.fog = fog_of(draft, table)
    if (size_of_table := whole_number(table.get("size", size))) != size:
        raise FormatError(f"expected {size_of_table} rows, as in 'size', got {size}")
    _read_solution(draft, table.get("solution"))
    return draft.puzzle()


def _read_grid(draft: Draft, grid: list[list[Any]]) -> None:
    """Read givens, marks and regions; what a player wrote is left out."""
    size = draft.rows
    # In sizes without boxes the rows are regions, which matters only if some are changed.
    height, width = box_of(size) or (1, size)
    usual = {
        cell: number for number, cells in enumerate(draft.boxes(height, width)) for cell in cells
    }
    regions: dict[int, list[int]] = {}
    for cell, entry in enumerate(entry for row in grid for entry in row):
        if entry is None:
            entry = {}
        if not isinstance(entry, dict):
            raise FormatError(f"expected a table for each cell, got {shown(entry)}")
        region = whole_number(entry["region"]) if "region" in entry else usual.get(cell)
        if region is not None and region >= 0:
            regions.setdefault(region, []).append(cell)
        _read_cell(draft, cell, entry)
    lines = draft.lines()
    draft.regions = [regions[number] for number in sorted(regions)]
    if all(tuple(region) in lines for region in draft.regions):
        draft.regions = []
    if any(len(region) > size for region in draft.regions):
        raise FormatError(f"expected regions of up to {size} cells")


def _read_cell(draft: Draft, cell: int, entry: Mapping[str, Any]) -> None:
    value = whole_number(entry.get("value"))
    if value in draft.values and entry.get("given"):
        draft.keep(cell, [value or 0])
    elif value:
        is_known = value in draft.values
        draft.report.drop("values that are not givens" if is_known else "givens beyond the values")
    if marks := entry.get("givenPencilMarks"):
        if not isinstance(marks, list):
            raise FormatError(f"expected a list of givenPencilMarks, got {shown(marks)}")
        numbers = {whole_number(mark) for mark in marks}
        draft.keep(cell, [value for value in draft.values if value in numbers])
    for key in entry:
        if key not in _OF_CELLS and entry[key]:
            draft.report.drop(f"{shown(key)} of cells, a player's or unknown")


def _read_flags(draft: Draft, table: Mapping[str, Any]) -> None:
    size = draft.rows
    draft.flag(table)
    if table.get("disjointgroups"):
        if any(len(region) != size for region in draft.regions) or len(draft.regions) != size:
            draft.report.drop("disjointgroups, because not all regions have full size")
            return
        draft.units += zip(*draft.regions, strict=True)


def _name_rules_of_pictures(draft: Draft, pictures: object) -> None:
    """Report the rules that pictures were drawn for."""
    entries = pictures if isinstance(pictures, list) else []
    meant = {
        one_line(entry.get("fromConstraint"))
        for entry in entries
        if isinstance(entry, dict) and entry.get("fromConstraint")
    }
    for name in sorted(meant):
        draft.report.drop(f"the rule {shown(name)}, of which pictures are drawn")


def _read_solution(draft: Draft, entries: object) -> None:
    if not entries:
        return
    values = list(entries) if isinstance(entries, str | list) else []
    if len(values) != len(draft.cells):
        draft.report.drop("the solution, which has another number of cells")
        return
    draft.solution = [whole_number(value) or 0 for value in values]


_KEYS = frozenset(
    (
        "size",
        "title",
        "author",
        "ruleset",
        "grid",
        "solution",
        "diagonal+",
        "diagonal-",
        "antiking",
        "antiknight",
        "disjointgroups",
        "nonconsecutive",
        "negative",
        "fogofwar",
        "foglight",
        "triggereffect",
    )
)

assert not _KEYS & set(RULES)
