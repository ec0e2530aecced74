"""Writes puzzles as links to Penpa+.

Thermometers, arrows and cages have names there. Everything else that has a picture is drawn as for
SudokuPad, at the points of Penpa+ that are nearest: ``unidoku.formats.penpa.drawing`` does that.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from unidoku.core.bits import all_values, is_single, value_of
from unidoku.core.regions import hangs_together
from unidoku.core.rules import Arrow, Killer, Rule, Thermo
from unidoku.errors import InputError
from unidoku.formats.grid_parts import GridParts, drawn_parts
from unidoku.formats.looks import Looks
from unidoku.formats.losses import Report, Written, one_a_line
from unidoku.formats.penpa.drawing import EMPTY, Drawing
from unidoku.formats.penpa.format import ESCAPES, FRAME, OWN_LINE, SHORT
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.sentences import rules_text, words_only
from unidoku.formats.sudokupad.cosmetics import draw
from unidoku.formats.sudokupad.payload import packed
from unidoku.formats.sudokupad.pictures import PICTURES, Canvas

LINK = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="

_SIZE = 38
"""The size of a cell in pixels."""

_VERSION = [3, 1, 2]
"""The version of Penpa+ that is written: it has small discs for digits at corners of cells."""


def _link(puzzle: Puzzle) -> Written:
    sheet = _Sheet(puzzle)
    text = "\n".join(sheet.lines(puzzle))
    for long, short in SHORT.items():
        text = text.replace(long, short)
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = packer.compress(text.encode()) + packer.flush()
    return Written(LINK + base64.b64encode(data).decode(), sheet.report.losses)


class _Sheet:
    """The drawing of a puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        looks = Looks(puzzle.board.layout)
        self.layout = layout = looks.layout
        self.report = Report()
        parts = drawn_parts(layout, "Penpa+", s_cells=True)
        self.written = [rule for rule in layout.rules if rule in looks.pictured]
        named = _named(self.written)
        canvas = Canvas(layout, looks)
        for rule in self.written:
            if rule not in named:
                PICTURES[type(rule)](canvas, rule)
        canvas.units(parts)
        for cosmetic in puzzle.cosmetics:
            draw(canvas, cosmetic)
        self.drawing = drawing = Drawing(layout, canvas.parts)
        for cell, mask in enumerate(puzzle.board.candidates):
            if is_single(mask):
                drawing.number(drawing.cell(cell), layout.shown[value_of(mask)], 1, "1")
            elif mask != all_values(layout.n):
                self.report.drop("candidates of cells that are not given")
        drawing.regions(parts.regions)
        for rule in named:
            _draw_named(drawing, rule)
        drawing.pictures(canvas.parts)
        self._losses(puzzle, parts)

    def _losses(self, puzzle: Puzzle, parts: GridParts) -> None:
        layout = self.layout
        if puzzle.solution is not None:
            self.report.drop("solution")
        if not _are_whole(parts, max(layout.rows, layout.columns), len(layout)):
            self.report.drop("regions that are not all of full size and in one piece")
        if self.drawing.lost:
            self.report.drop(f"texts where others are: {', '.join(self.drawing.lost)}")
        for loss in words_only(layout, self.written):
            self.report.approximate(loss)

    def lines(self, puzzle: Puzzle) -> list[str]:
        """Return the lines of the text: the grid, its margins, the drawing, and the puzzle."""
        layout, drawing = self.layout, self.drawing
        header = {"Title": puzzle.name, "Author": puzzle.author}
        names = [f"{key}: {text.replace(',', '%2C')}" for key, text in header.items()]
        columns, rows = (side + 2 * drawing.margin for side in (layout.columns, layout.rows))
        size = [columns, rows, _SIZE, 0, 1, 1, (columns + 1) * _SIZE, (rows + 1) * _SIZE]
        middle = drawing.across * (FRAME + rows // 2) + FRAME + columns // 2
        text = puzzle.rules_text or rules_text(puzzle.board, self.written)
        for code, symbol in ESCAPES:
            text = text.replace(symbol, code)
        flags = ["", text, "OFF", "false"]
        head = ["square", *size, middle, middle, *[0] * 4, *names, *flags]
        centres = [drawing.cell(cell) for cell in layout.cells]
        steps = [centres[0], *(b - a for a, b in pairwise(centres))]
        parts: dict[int, Any] = {
            1: [drawing.margin] * 4,
            2: {"qa": "pu_q", "grid": ["1", "2", "1"], "pu_q": _MODES, "pu_a": _MODES},
            3: drawing.parts,
            4: EMPTY,
            5: steps,
            6: [],
            7: {},
            10: _VERSION,
            13: 1,
            14: drawing.colours,
            15: EMPTY,
        }
        lines = [",".join(map(str, head)), *[""] * OWN_LINE]
        for index, part in parts.items():
            lines[index] = json.dumps(part, separators=(",", ":"))
        try:
            lines[OWN_LINE] = packed(replace(puzzle, solution=None))
        except InputError as error:
            self.report.drop(f"the names of rules: {error}")
        return lines


def _named(rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules that have a name in Penpa+; a cell may be in one cage only."""
    used: set[int] = set()
    fitting: list[Rule] = []
    for rule in rules:
        match rule:
            case Killer(cage=cage, total=total) if total == 0 or not used.isdisjoint(cage):
                continue
            case Killer(cage=cage):
                used.update(cage)
            case Thermo(slow=False):
                pass
            case Arrow(circle=circle) if len(circle) == 1:
                pass
            case _:
                continue
        fitting.append(rule)
    return fitting


def _draw_named(drawing: Drawing, rule: Rule) -> None:
    match rule:
        case Thermo(line=line):
            drawing.parts["thermo"].append(drawing.cells(line))
        case Arrow(circle=circle, shaft=shaft):
            drawing.parts["arrows"].append(drawing.cells((*circle, *shaft)))
        case Killer(cage=cage, total=total):
            drawing.cage(cage, "" if total is None else str(total))


def _are_whole(parts: GridParts, full: int, count: int) -> bool:
    """Return whether regions have full size, cover the grid, and are connected."""
    regions = parts.regions
    if not regions:
        return True
    if {*map(len, regions)} != {full} or sum(map(len, regions)) != count:
        return False
    return all(hangs_together(region, parts.frame.near) for region in regions)


write_penpa = one_a_line(_link)
"""Writes links to Penpa+, one on each line; a writer of the catalogue of formats."""

_MODES = {
    "edit_mode": "sudoku",
    "surface": ["", 1],
    "line": ["1", 2],
    "lineE": ["1", 2],
    "wall": ["", 2],
    "cage": ["1", 10],
    "number": ["1", 1],
    "symbol": ["circle_L", 1],
    "special": ["thermo", ""],
    "board": ["", ""],
    "sudoku": ["1", 1],
}
