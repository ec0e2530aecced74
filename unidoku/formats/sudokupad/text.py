"""Writes puzzles for SudokuPad: cages and regions by name, other rules as pictures and words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from unidoku.core import rules
from unidoku.core.bits import all_values, is_single, value_of
from unidoku.formats.grid_parts import drawn_parts
from unidoku.formats.losses import Report, Written, one_a_line
from unidoku.formats.lzstring import compressed
from unidoku.formats.puzzles import Puzzle

LINK = "https://sudokupad.app/scl"

_GREY, _CELL_SIZE = "#CFCFCF", 64
_THICK, _THIN = 20, 3

_MOST_WORDS = 60
"""Rules that are written in words."""


def _link(puzzle: Puzzle) -> Written:
    written = _json(puzzle)
    return Written(LINK + compressed(written.text), written.losses)


def _json(puzzle: Puzzle) -> Written:
    sheet = _Sheet(puzzle)
    return Written(json.dumps(sheet.table, separators=(",", ":")), sheet.report.losses)


class _Sheet:
    """A table of SudokuPad that is being written."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.layout = layout = puzzle.board.layout
        self.report = Report()
        self.words: list[str] = []
        self.parts = drawn_parts(layout, "SudokuPad")
        meta: dict[str, Any] = {}
        self.table: dict[str, Any] = {
            "cellSize": _CELL_SIZE,
            "metadata": meta,
            "cells": self._cells(puzzle),
            "regions": [],
            "cages": [],
            **{key: [] for key in ("lines", "arrows", "overlays", "underlays")},
        }
        self._units(meta)
        for rule in layout.rules:
            self._rule(rule)
        named = {"title": puzzle.name, "author": puzzle.author}
        meta.update({key: text for key, text in named.items() if text})
        if self.words:
            meta["rules"] = [*self.words[:_MOST_WORDS], *["…"] * (len(self.words) > _MOST_WORDS)]
        if puzzle.solution is not None:
            shown = [layout.shown[value] for value in puzzle.solution]
            if max(map(len, shown)) == 1:
                meta["solution"] = "".join(shown)
            else:
                self.report.drop("solution")
        if layout.hidden:
            self.report.drop("cells that are not drawn")

    def _cells(self, puzzle: Puzzle) -> list[list[dict[str, Any]]]:
        rows: list[list[dict[str, Any]]] = [[] for _ in range(self.layout.rows)]
        for cell, mask in enumerate(puzzle.board.candidates):
            entry = {"value": value_of(mask)} if is_single(mask) else {}
            rows[self.layout.positions[cell][0]].append(entry)
            if mask != all_values(self.layout.n) and not entry:
                self.report.drop("candidates of cells that are not given")
        return rows

    def places(self, cells: Sequence[int]) -> list[list[int]]:
        """Return the rows and columns of cells."""
        return [[*self.layout.positions[cell]] for cell in cells]

    def centres(self, cells: Sequence[int]) -> list[list[float]]:
        """Return the centres of cells."""
        return [[row + 0.5, column + 0.5] for row, column in self.places(cells)]

    def add(self, key: str, **entry: Any) -> None:
        """Add an entry."""
        self.table[key].append(entry)

    def disc(self, centre: Sequence[float], width: float, **looks: Any) -> None:
        """Draw a disc at a place."""
        self.add("underlays", center=[*centre], width=width, height=width, rounded=True, **looks)

    def line(self, cells: Sequence[int], color: str, thickness: float) -> None:
        """Draw a line through cells."""
        self.add("lines", wayPoints=self.centres(cells), color=color, thickness=thickness)

    def _units(self, meta: dict[str, Any]) -> None:
        parts = self.parts
        self.table["regions"] = [self.places(cells) for cells in parts.regions]
        flags = {"antiknight": parts.antiknight, "antiking": parts.antiking}
        meta.update({key: True for key, is_set in flags.items() if is_set})
        self.table |= {
            key: True
            for key, is_set in (("diagonal-", parts.falling), ("diagonal+", parts.rising))
            if is_set
        }
        units = [*parts.units]
        if parts.disjoint:
            units += map(tuple, zip(*parts.regions, strict=True))
        for cells in units:
            if cells[-1] < len(self.layout):
                self.add("cages", cells=self.places(cells), unique=True, hidden=True)

    def _rule(self, rule: rules.Rule) -> None:
        """Write a rule by name or as a picture, and in words."""
        if any(cell >= len(self.layout) for cell in rule.cells):
            self.report.drop(f"{rule.kind}, of cells that are not drawn")
            return
        if isinstance(rule, rules.Killer) and rule.cage and rule.total != 0:
            total = {} if rule.total is None else {"value": str(rule.total)}
            self.add("cages", cells=self.places(rule.cage), unique=True, **total)
        elif isinstance(rule, rules.SumOfCells) and rule.summed and rule.total != 0:
            self.add("cages", cells=self.places(rule.summed), unique=False, value=str(rule.total))
        elif (draw := PICTURES.get(type(rule))) and not getattr(rule, "never", False):
            draw(self, rule)
            self.words.append(rule.words(self.layout.names))
            self.report.drop(f"the name of {rule.kind}, which is drawn only")
        else:
            self.words.append(rule.words(self.layout.names))
            self.report.drop(f"{rule.kind}, which is written in words only")


Draw = Callable[[_Sheet, Any], None]


def _thermo(sheet: _Sheet, rule: rules.Thermo) -> None:
    sheet.disc(sheet.centres(rule.line[:1])[0], 0.8, backgroundColor=_GREY)
    sheet.line(rule.line, _GREY, _THICK)


def _arrow(sheet: _Sheet, rule: rules.Arrow) -> None:
    for centre in sheet.centres(rule.circle):
        sheet.disc(centre, 0.8, backgroundColor="#FFFFFF", borderColor="#808080")
    points = sheet.centres((*rule.circle[-1:], *rule.shaft))
    sheet.add("arrows", wayPoints=points, color="#808080", thickness=_THIN, headLength=0.3)


def _colour(color: str, thickness: float = 10) -> Draw:
    return lambda sheet, rule: sheet.line(rule.line, color, thickness)


def _middle(sheet: _Sheet, pair: Sequence[int]) -> list[float]:
    start, other = sheet.centres(pair)
    return [(start[0] + other[0]) / 2, (start[1] + other[1]) / 2]


def _dots(color: str, field: str, usual: int) -> Draw:
    def draw(sheet: _Sheet, rule: Any) -> None:
        number = getattr(rule, field)
        more = {} if number == usual else {"text": str(number)}
        for pair in rule.pairs:
            looks = {"backgroundColor": color, "borderColor": "#000000", **more}
            centre = _middle(sheet, pair)
            sheet.add("overlays", center=centre, width=0.3, height=0.3, rounded=True, **looks)

    return draw


def _texts(sheet: _Sheet, pairs: Sequence[Sequence[int]], text: Callable[[Any], str]) -> None:
    for pair in pairs:
        centre = _middle(sheet, pair)
        sheet.add("overlays", center=centre, width=0.3, height=0.3, text=text(pair), fontSize=20)


def _sums(sheet: _Sheet, rule: rules.PairSum) -> None:
    _texts(sheet, rule.pairs, lambda _: {10: "X", 5: "V"}.get(rule.total, str(rule.total)))


def _signs(sheet: _Sheet, rule: rules.Greater) -> None:
    def sign(pair: Sequence[int]) -> str:
        (row, column), (below, other_column) = (sheet.layout.positions[cell] for cell in pair)
        if row == below:
            return ">" if column < other_column else "<"
        return "v" if row < below else "^"

    _texts(sheet, rule.pairs, sign)


def _clue(field: str) -> Draw:
    def draw(sheet: _Sheet, rule: Any) -> None:
        first = sheet.centres(rule.line[:1])[0]
        second = sheet.centres(rule.line[1:2] or rule.line)[0]
        centre = [2 * first[0] - second[0], 2 * first[1] - second[1]]
        text = str(getattr(rule, field))
        sheet.add("overlays", center=centre, width=0.5, height=0.5, text=text, fontSize=24)

    return draw


PICTURES: Mapping[type[rules.Rule], Draw] = MappingProxyType(
    {
        rules.Thermo: _thermo,
        rules.Arrow: _arrow,
        rules.Whispers: _colour("#67F067"),
        rules.Renban: _colour("#F067F0"),
        rules.Palindrome: _colour("#A0A0A0"),
        rules.DiffersBy: _dots("#FFFFFF", "by", 1),
        rules.Ratio: _dots("#000000", "times", 2),
        rules.PairSum: _sums,
        rules.Greater: _signs,
        rules.Sandwich: _clue("total"),
        rules.XSum: _clue("total"),
        rules.Skyscraper: _clue("seen"),
    }
)
"""The drawing of each of these kinds; others are written in words."""
write_sudokupad = one_a_line(_link)
"""Writes links to SudokuPad, one on each line; a writer of the catalogue of formats."""

write_scl = one_a_line(_json)
"""Writes the JSON of SudokuPad; a writer of the catalogue of formats."""
