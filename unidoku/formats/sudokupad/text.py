"""Writes puzzles for SudokuPad: everything that a puzzle says is drawn, and stated in words."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from unidoku.core import rules
from unidoku.core.bits import all_values, is_single, mask_of, value_of, values_of
from unidoku.errors import InputError
from unidoku.formats.cosmetics import Fog
from unidoku.formats.drawn import table_of_triggers
from unidoku.formats.grid_parts import GridParts, drawn_parts
from unidoku.formats.looks import Looks
from unidoku.formats.losses import Report, Written, one_a_line
from unidoku.formats.lzstring import compressed
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.sentences import sentences, words_only
from unidoku.formats.sudokupad.cosmetics import draw
from unidoku.formats.sudokupad.payload import OWN, packed
from unidoku.formats.sudokupad.pictures import PICTURES, Canvas

LINK = "https://sudokupad.app/scl"

_CELL_SIZE = 64

_LETTERS = 16
"""Letters of the number by which SudokuPad keeps the progress of a player."""

_MOST_SENTENCES = 60
"""Sentences of the rules in words that are written."""

_ANYTHING = "?"
"""The symbol of a solution for a cell whose content SudokuPad does not check."""


def _link(puzzle: Puzzle) -> Written:
    written = _json(puzzle)
    return Written(LINK + compressed(written.text), written.losses)


def _json(puzzle: Puzzle) -> Written:
    sheet = _Sheet(puzzle)
    text = json.dumps(sheet.table, separators=(",", ":"), ensure_ascii=False)
    return Written(text, sheet.report.losses)


class _Sheet:
    """A table of SudokuPad that is being written."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.looks = Looks(puzzle.board.layout)
        self.layout = layout = self.looks.layout
        self.has_s_cells = layout.s_cells is not None
        self.report = Report()
        self.canvas = Canvas(layout, self.looks)
        parts = drawn_parts(layout, "SudokuPad", s_cells=True)
        self.meta: dict[str, Any] = {}
        self.table: dict[str, Any] = {
            "cellSize": _CELL_SIZE,
            "metadata": self.meta,
            "cells": self._cells(puzzle),
            "regions": [self.canvas.places(cells) for cells in parts.regions],
        }
        self._units(parts)
        self._rules()
        for cosmetic in puzzle.cosmetics:
            draw(self.canvas, cosmetic)
        self.table |= self.canvas.parts
        if puzzle.fog is not None:
            self._fog(puzzle.fog)
        self._texts(puzzle)
        if not _is_plain(puzzle):
            try:
                self.table[OWN] = packed(puzzle)
            except InputError as error:
                self.report.drop(f"the names of rules: {error}")
        digest = hashlib.sha256(json.dumps(self.table).encode()).hexdigest()
        self.table = {"id": f"unidoku{digest[:_LETTERS]}", **self.table}

    def _cells(self, puzzle: Puzzle) -> list[list[dict[str, Any]]]:
        """Return the cells: givens, and the small digits of cells that hold one of some."""
        layout, full = self.layout, all_values(self.layout.n)
        masks = [*puzzle.board.candidates]
        for rule in layout.rules:
            if isinstance(rule, rules.Holds):
                values = [value - layout.first_value + 1 for value in rule.values]
                allowed = mask_of(value for value in values if 1 <= value <= layout.n)
                for cell in rule.held:
                    if cell < len(layout) and allowed and not is_single(masks[cell]):
                        masks[cell] &= allowed
        rows: list[list[dict[str, Any]]] = [[] for _ in range(layout.rows)]
        for cell, (mask, board_mask) in enumerate(zip(masks, puzzle.board.candidates, strict=True)):
            entry: dict[str, Any] = {}
            if is_single(board_mask):
                entry = {"value": _mark(layout.shown[value_of(board_mask)])}
            elif mask != full:
                marks = [layout.shown[value] for value in values_of(mask)]
                if all(len(mark) == 1 for mark in marks) or not self.has_s_cells:
                    entry = {"centremarks": [*map(_mark, marks)]}
                else:
                    self.report.drop("small digits of cells that may hold two")
            if not mask:
                self.report.drop(f"that {self.looks.names[cell]} has no value left")
            rows[layout.positions[cell][0]].append(entry)
        return rows

    def _units(self, parts: GridParts) -> None:
        """Draw units, and set the flags by which SudokuPad sees conflicts."""
        names = parts.moves()
        self.meta |= {name: True for name in names if name != "disjoint"}
        if names:
            self.table["global"] = names
        if parts.disjoint:
            for cells in zip(*parts.regions, strict=True):
                self.canvas.cage(cells, unique=True, type="disjoint", style="hidden")
        self.canvas.units(parts)

    def _rules(self) -> None:
        """Draw rules, and report those that are in words only."""
        for rule in self.layout.rules:
            if rule in self.looks.pictured:
                PICTURES[type(rule)](self.canvas, rule)
        for loss in words_only(self.layout, self.looks.pictured):
            self.report.approximate(loss)

    def _fog(self, fog: Fog) -> None:
        self.table["foglight"] = self.canvas.places(fog.lights)
        if fog.triggers:
            self.table["triggereffect"] = table_of_triggers(fog, self.looks.names.__getitem__)

    def _texts(self, puzzle: Puzzle) -> None:
        """Write title, author, the rules in words and the solution."""
        named = {"title": puzzle.name, "author": puzzle.author}
        self.meta.update({key: text for key, text in named.items() if text})
        lines = puzzle.rules_text.splitlines() or sentences(puzzle.board, self.looks)
        if not puzzle.rules_text and len(lines) > _MOST_SENTENCES:
            count = len(lines) - _MOST_SENTENCES
            self.report.drop(f"the last {count} sentences of the rules in words")
            lines = [*lines[:_MOST_SENTENCES], "…"]
        self.meta["rules"] = lines
        if puzzle.solution is None and self.has_s_cells:
            self.report.drop("a check of the grid: SudokuPad needs the solution for it (--solve)")
        if puzzle.solution is not None:
            solution_symbols = [self.layout.shown[value] for value in puzzle.solution]
            if self.has_s_cells:
                self.meta["solution"] = "".join(
                    symbols if len(symbols) == 1 else _ANYTHING for symbols in solution_symbols
                )
                self.report.approximate(
                    "solution: SudokuPad checks all cells but those with two digits"
                )
            elif max(map(len, solution_symbols)) == 1:
                self.meta["solution"] = "".join(solution_symbols)
            else:
                self.report.drop(
                    "solution, because SudokuPad knows solutions of single digits only"
                )


def _mark(symbol: str) -> int | str:
    """Return what a cell shows: a number, or two digits, of which the first may be 0."""
    return symbol if symbol.startswith("0") and len(symbol) > 1 else int(symbol)


def _is_plain(puzzle: Puzzle) -> bool:
    """Return whether a link shows everything by its givens."""
    layout = puzzle.board.layout
    full = all_values(layout.n)
    return (
        layout.name in ("classic", "latin")
        and not layout.rules
        and not puzzle.cosmetics
        and puzzle.fog is None
        and all(mask == full or is_single(mask) for mask in puzzle.board.candidates)
    )


write_sudokupad = one_a_line(_link)
"""Writes links to SudokuPad, one on each line; a writer of the catalogue of formats."""

write_scl = one_a_line(_json)
"""Writes the JSON of SudokuPad; a writer of the catalogue of formats."""
