"""Writes puzzles as links to Penpa+: numbers, edges, cages, thermometers and arrows."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from unidoku.core.bits import all_values, is_single, value_of
from unidoku.core.regions import hangs_together
from unidoku.core.rules import Arrow, Killer, Rule, Thermo
from unidoku.formats.grid_parts import drawn_parts, drop_rules
from unidoku.formats.losses import Report, Written, one_a_line
from unidoku.formats.penpa.format import ESCAPES, SHORT, THICK
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.sentences import rules_text

LINK = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="

_FRAME = 2
_DASHES = 10
"""The style of lines around cages."""

_SIZE = 38
"""The size of a cell in pixels."""

_EMPTY: dict[str, Any] = {
    **{key: {"__a": []} for key in ("command_redo", "command_undo", "command_replay")},
    **{key: {} for key in ("surface", "number", "numberS", "symbol")},
    **{key: [] for key in ("thermo", "arrows", "direction", "squareframe", "polygon")},
    **{key: {} for key in ("line", "lineE", "wall", "cage", "deletelineE")},
    "killercages": [],
    "nobulbthermo": [],
}
"""An empty drawing."""


def write_penpa(puzzles: Sequence[Puzzle]) -> Written:
    """Return links, one on each line; a writer of the catalogue of formats."""
    return one_a_line(_link)(puzzles)


def _link(puzzle: Puzzle) -> Written:
    sheet = _Sheet(puzzle)
    text = "\n".join(sheet.lines(puzzle))
    for long, short in SHORT.items():
        text = text.replace(long, short)
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(text.encode()) + packer.flush()
    return Written(LINK + base64.b64encode(packed).decode(), sheet.report.losses)


class _Sheet:
    """The drawing of a puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.layout = layout = puzzle.board.layout
        self.report = Report()
        self.parts = drawn_parts(layout, "Penpa+")
        self.across = layout.columns + 2 * _FRAME
        self.points = self.across * (layout.rows + 2 * _FRAME)
        self.drawn: dict[str, Any] = json.loads(json.dumps(_EMPTY))
        for cell, mask in enumerate(puzzle.board.candidates):
            if is_single(mask):
                self.drawn["number"][str(self.point(cell))] = [str(value_of(mask)), 1, "1"]
            elif mask != all_values(layout.n):
                self.report.drop("candidates of cells that are not given")
        if puzzle.solution is not None:
            self.report.drop("solution")
        self._edges()
        self._units()
        self.written: list[Rule] = []
        for rule in layout.rules:
            if self._rule(rule):
                self.written.append(rule)
        drop_rules(self.report, layout, (rule for rule in layout.rules if rule not in self.written))
        if layout.hidden:
            self.report.drop("cells that are not drawn")

    def point(self, cell: int) -> int:
        """Return the number of the centre of a cell."""
        row, column = self.layout.positions[cell]
        return (row + _FRAME) * self.across + column + _FRAME

    def _points(self, cells: Sequence[int]) -> list[int]:
        return [self.point(cell) for cell in cells]

    def _edges(self) -> None:
        """Draw thick edges around regions."""
        region_of = {cell: k for k, cells in enumerate(self.parts.regions) for cell in cells}
        for cell, (row, column) in enumerate(self.layout.positions):
            corner = self.points + self.point(cell)
            for step, before in (((0, 1), self.across), ((1, 0), 1)):
                other = self.layout.cell_at.get((row + step[0], column + step[1]))
                if other is not None and region_of.get(cell) != region_of.get(other):
                    self.drawn["lineE"][f"{corner - before},{corner}"] = THICK

    def _units(self) -> None:
        parts, full = self.parts, max(self.layout.rows, self.layout.columns)
        lost = {
            "diagonals": parts.falling or parts.rising,
            "anti-knight": parts.antiknight,
            "anti-king": parts.antiking,
            "disjoint groups": parts.disjoint,
            "further units": any(unit[-1] < len(self.layout) for unit in parts.units),
            "regions that are not all of full size and in one piece": not self._are_whole(full),
        }
        for what, is_lost in lost.items():
            if is_lost:
                self.report.drop(what)

    def _are_whole(self, full: int) -> bool:
        """Return whether regions have full size, cover the grid, and are connected."""
        regions = self.parts.regions
        if not regions:
            return True
        if {*map(len, regions)} != {full} or sum(map(len, regions)) != len(self.layout):
            return False
        return all(hangs_together(region, self.parts.frame.near) for region in regions)

    def _rule(self, rule: Rule) -> bool:
        """Draw a rule, and return whether it is drawn."""
        if any(cell >= len(self.layout) for cell in rule.cells):
            return False
        taken = {cell for cage in self.drawn["killercages"] for cell in cage}
        match rule:
            case Thermo(slow=False):
                self.drawn["thermo"].append(self._points(rule.line))
            case Arrow(circle=(circle,)) if rule.shaft:
                self.drawn["arrows"].append(self._points((circle, *rule.shaft)))
            case Killer(cage=cage, total=total) if (
                cage
                and total != 0
                and taken.isdisjoint(self._points(cage))
                and len({*cage}) == len(cage)
            ):
                self.drawn["killercages"].append(self._points(cage))
                self._outline({*self._points(cage)})
                if total is not None:
                    corner = 4 * (self.points + self.point(min(cage)))
                    self.drawn["numberS"][str(corner)] = [str(total), 1]
            case _:
                return False
        return True

    def _outline(self, cage: set[int]) -> None:
        """Draw dashes within the cells of a cage, between the quarters of each cell."""
        across = self.across

        def draw(point: int, quarter: int, other: int, its: int) -> None:
            ends = 4 * (self.points + point) + quarter, 4 * (self.points + other) + its
            self.drawn["cage"][f"{ends[0]},{ends[1]}"] = _DASHES

        for point in sorted(cage):
            for step, quarter_here, two in ((-1, 0, 2), (-across, 0, 1), (1, 1, 3), (across, 2, 3)):
                if point + step not in cage:
                    draw(point, quarter_here, point, two)
            # Two dashes lead to the next cell, unless the cells beside both are in the cage too.
            for step, across_step, tracks in (
                (1, across, ((1, 0), (3, 2))),
                (across, 1, ((2, 0), (3, 1))),
            ):
                if point + step in cage:
                    for side, (mine, its) in zip((-across_step, across_step), tracks, strict=True):
                        if not {point + side, point + step + side} <= cage:
                            draw(point, mine, point + step, its)

    def lines(self, puzzle: Puzzle) -> list[str]:
        """Return the lines of the text: the grid, its margins, and the drawing."""
        layout = self.layout
        header = {"Title": puzzle.name, "Author": puzzle.author}
        names = [f"{key}: {text.replace(',', '%2C')}" for key, text in header.items()]
        size = [layout.columns, layout.rows, _SIZE, 0, 1, 1]
        canvas = [(layout.columns + 1) * _SIZE, (layout.rows + 1) * _SIZE]
        middle = self.across * (_FRAME + layout.rows // 2) + _FRAME + layout.columns // 2
        text = puzzle.rules_text or rules_text(puzzle.board, self.written)
        for code, symbol in ESCAPES:
            text = text.replace(symbol, code)
        flags = ["", text, "OFF", "false"]
        head = ["square", *size, *canvas, middle, middle, *[0] * 4, *names, *flags]
        centres = [self.point(cell) for cell in layout.cells]
        steps = [centres[0], *(b - a for a, b in pairwise(centres))]
        mode = {"qa": "pu_q", "grid": ["1", "2", "1"], "pu_q": _MODES, "pu_a": _MODES}
        drawings = (self.drawn, _EMPTY)
        return [
            ",".join(map(str, head)),
            json.dumps([0, 0, 0, 0], separators=(",", ":")),
            json.dumps(mode, separators=(",", ":")),
            *(json.dumps(drawing, separators=(",", ":")) for drawing in drawings),
            json.dumps(steps, separators=(",", ":")),
            "[]",
            "{}",
        ]


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
