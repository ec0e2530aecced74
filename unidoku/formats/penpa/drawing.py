"""A drawing of Penpa+, and pictures for SudokuPad drawn with its lines, symbols and texts.

The points of Penpa+ are numbered on the grid with its frame: first the middles of all cells, then
the lower right corner of each, then the middle of its lower side, then that of its right side.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from unidoku.core.layout import Layout
from unidoku.formats.drawn import Picture
from unidoku.formats.penpa.format import FRAME, THICK

Place: TypeAlias = Sequence[float]
"""A row and a column of SudokuPad: the middle of the first cell is 0.5 and 0.5."""

_DASHES = 10
"""The style of lines around cages."""

_MOST_MARGIN = 4
"""The most cells of the margin around the grid."""

EMPTY: dict[str, Any] = {
    **{key: {"__a": []} for key in ("command_redo", "command_undo", "command_replay")},
    **{key: {} for key in ("surface", "number", "numberS", "symbol")},
    **{key: [] for key in ("thermo", "arrows", "direction", "squareframe", "polygon")},
    **{key: {} for key in ("line", "lineE", "wall", "cage", "deletelineE")},
    "killercages": [],
    "nobulbthermo": [],
}
"""An empty drawing."""


class Drawing:
    """A drawing that is being made, with a margin of cells if something is outside the grid.

    Attributes:
        parts: the parts of the drawing.
        colours: the colours of these parts that are not those of their styles.
        margin: cells on each side of the grid.
        across: points from a row to the next.
        lost: texts at points that have one already.
    """

    def __init__(self, layout: Layout, pictures: Mapping[str, Sequence[Picture]]) -> None:
        """Take the layout, and the pictures that will be drawn."""
        self.layout = layout
        self.parts: dict[str, Any] = json.loads(json.dumps(EMPTY))
        self.colours: dict[str, Any] = json.loads(json.dumps(EMPTY))
        self.lost: list[str] = []
        self.margin = max((*map(self._beyond, _places(pictures)), 0))
        self.across = layout.columns + 2 * (FRAME + self.margin)
        self._points = self.across * (layout.rows + 2 * (FRAME + self.margin))

    def _beyond(self, point: Place) -> int:
        """Return how many cells a place is outside the grid, up to a few."""
        row, column = point
        out = max(-row, -column, row - self.layout.rows, column - self.layout.columns)
        return min(math.ceil(out), _MOST_MARGIN)

    def cell(self, cell: int) -> int:
        """Return the number of the middle of a cell."""
        row, column = self.layout.positions[cell]
        first = FRAME + self.margin
        return (row + first) * self.across + column + first

    def cells(self, cells: Sequence[int]) -> list[int]:
        """Return the numbers of the middles of cells."""
        return [self.cell(cell) for cell in cells]

    def nearest(self, point: Place, kinds: str = "cvbr") -> int:
        """Return the number of the nearest point.

        Args:
            point: the place.
            kinds: the kinds of points, by letters: cell, vertex, side below, side on the right.
        """
        first = FRAME + self.margin - 0.5
        row, column = point[0] + first, point[1] + first
        candidates = []
        for kind in kinds:
            down, right, block = _KINDS[kind]
            top, left = round(row - down), round(column - right)
            distance = abs(top + down - row) + abs(left + right - column)
            inside = 0 <= top * self.across < self._points and 0 <= left < self.across
            index = block * self._points + top * self.across + left
            candidates.append((not inside, distance, index))
        return min(candidates)[-1]

    def number(self, point: int, text: object, colour: int, form: str) -> None:
        """Write a text: in a form such as ``1``, which fills a cell, or ``5``, which is small."""
        if str(point) in self.parts["number"]:
            self.lost.append(str(text))
        else:
            self.parts["number"][str(point)] = [str(text), colour, form]

    def label(self, cell: int, text: str) -> None:
        """Write a small text into the corner of a cell."""
        self.parts["numberS"][str(4 * (self._points + self.cell(cell)))] = [text, 1]

    def symbol(self, point: int, name: str, style: int, colour: str) -> None:
        """Draw a circle, a square or a diamond."""
        self.parts["symbol"][str(point)] = [style, name, 1]
        if colour:
            self.colours["symbol"][str(point)] = colour

    def segment(self, start: Place, end: Place, style: int, colour: str) -> None:
        """Draw a part of a line, between middles of cells or corners."""
        ends = sorted(self.nearest(point, "cv") for point in (start, end))
        if ends[0] != ends[1]:
            key = ",".join(map(str, ends))
            self.parts["line"][key] = style
            self.colours["line"][key] = colour

    def shade(self, point: int, colour: str) -> None:
        """Fill a cell."""
        self.parts["surface"][str(point)] = 1
        self.colours["surface"][str(point)] = colour

    def regions(self, regions: Sequence[Sequence[int]]) -> None:
        """Draw thick edges around regions."""
        region_of = {cell: k for k, cells in enumerate(regions) for cell in cells}
        for cell, (row, column) in enumerate(self.layout.positions):
            corner = self._points + self.cell(cell)
            for step, before in (((0, 1), self.across), ((1, 0), 1)):
                other = self.layout.cell_at.get((row + step[0], column + step[1]))
                if other is not None and region_of.get(cell) != region_of.get(other):
                    self.parts["lineE"][f"{corner - before},{corner}"] = THICK

    def cage(self, cells: Sequence[int], label: str) -> None:
        """Draw a dashed cage with a text in its corner."""
        points = self.cells(cells)
        self.parts["killercages"].append(points)
        self._outline({*points})
        if label:
            self.label(min(cells), label)

    def _outline(self, cage: set[int]) -> None:
        """Draw dashes within the cells of a cage, between the quarters of each cell."""
        across = self.across

        def draw(point: int, quarter: int, other: int, end_quarter: int) -> None:
            ends = 4 * (self._points + point) + quarter, 4 * (self._points + other) + end_quarter
            self.parts["cage"][f"{ends[0]},{ends[1]}"] = _DASHES

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
                    for side, (mine, far) in zip((-across_step, across_step), tracks, strict=True):
                        if not {point + side, point + step + side} <= cage:
                            draw(point, mine, point + step, far)

    def pictures(self, pictures: Mapping[str, Sequence[Picture]]) -> None:
        """Draw pictures for SudokuPad."""
        for key, draw in _DRAW.items():
            for part in pictures[key]:
                draw(self, part)


_KINDS = {"c": (0, 0, 0), "v": (0.5, 0.5, 1), "b": (0.5, 0, 2), "r": (0, 0.5, 3)}
"""The places of the points of each kind in their cells, and the number of their block."""


def _places(pictures: Mapping[str, Sequence[Picture]]) -> Iterator[Place]:
    for key in ("lines", "arrows"):
        for part in pictures[key]:
            yield from part["wayPoints"]
    for key in ("underlays", "overlays"):
        yield from (part["center"] for part in pictures[key])


_STYLES = ((14, 6), (8, 21), (4, 2), (0, 80))
"""Widths for SudokuPad, and the style of a line from this width on."""

_OF_DIAGONALS = 2
"""The width of diagonals, which are one straight line."""


def _line(drawing: Drawing, part: Picture) -> None:
    style = next(style for least, style in _STYLES if part["thickness"] >= least)
    points = part["wayPoints"]
    pairs = pairwise(points) if part["thickness"] != _OF_DIAGONALS else [(points[0], points[-1])]
    for start, end in pairs:
        drawing.segment(start, end, style, part["color"])


_LARGE, _OF_LABELS = 24, 12
"""The sizes of texts that fill a cell, and of texts in the corner of a cell."""

_LETTERS = ((0.4, "SS"), (0.6, "S"), (0.75, "M"), (math.inf, "L"))
"""Widths of shapes, and the names of their sizes."""

_CLEAR = ("", "#FFFFFF", "#FFFFFF00")
"""Fillings and borders that are not visible."""


def _shape(drawing: Drawing, part: Picture) -> None:
    """Draw a disc, a square, a diamond or a filled cell, or its text."""
    fill, border = (
        re.sub(r"(#\w{6})FF", r"\1", str(part.get(key, "")).upper())
        for key in ("backgroundColor", "borderColor")
    )
    if part.get("text"):
        _text(
            drawing, part, is_clear=fill in _CLEAR and border in _CLEAR, is_dark=fill == "#000000"
        )
        return
    point, width = drawing.nearest(part["center"]), part["width"]
    is_round = part.get("rounded")
    if width == part.get("height") == 1 and not is_round and border in ("", fill):
        drawing.shade(point, fill)
        return
    form = "circle" if is_round else "diamond" if part.get("angle") else "square"
    letters = next(name for most, name in _LETTERS if width <= most)
    style = 2 if fill == "#000000" else 3 if border == fill else 1
    drawing.symbol(point, f"{form}_{letters}", style, "" if fill in (*_CLEAR, "#000000") else fill)


def _text(drawing: Drawing, part: Picture, *, is_clear: bool, is_dark: bool) -> None:
    text, size = str(part["text"]), part.get("fontSize", 0)
    point = drawing.nearest(part["center"])
    if size == _OF_LABELS and is_clear:
        row, column = (int(number) for number in part["center"])
        drawing.label(drawing.layout.cell_at[row, column], text)
    elif len(text.split()) > 1 and not is_clear:  # the digits of a quadruple
        drawing.number(point, "".join(text.split()), 6, "4")
    elif is_clear:
        drawing.number(point, text, *((1, "1") if size >= _LARGE else (5, "5")))
    else:
        drawing.number(point, text, 7 if is_dark else 6, "5")


def _arrow(drawing: Drawing, part: Picture) -> None:
    """Draw an arrow: of a little killer beside its number, any other as a line."""
    (start, second), *_ = pairwise(part["wayPoints"])
    step = second[0] - start[0], second[1] - start[1]
    entry = drawing.parts["number"].get(str(drawing.nearest(start, "c")))
    if len(part["wayPoints"]) == 2 and abs(step[0]) < 0.5 and entry:
        entry[0] += _DIRECTIONS[step[0] > 0, step[1] > 0]
        entry[2] = "2"
    else:
        _line(drawing, part)


_DIRECTIONS = {(False, True): "_5", (False, False): "_4", (True, False): "_6", (True, True): "_7"}
"""The codes of diagonal directions, by whether they go down and to the right."""


def _cage(drawing: Drawing, part: Picture) -> None:
    """Draw a cage with its text, or shade an extra region."""
    cells = [drawing.layout.cell_at[row, column] for row, column in part["cells"]]
    if part.get("style") != "extraregion":
        drawing.cage(cells, str(part.get("value", "")))
        return
    for cell in cells:
        drawing.shade(drawing.cell(cell), "#D9D9D9")


_DRAW: Mapping[str, Callable[[Drawing, Picture], None]] = {
    "lines": _line,
    "underlays": _shape,
    "overlays": _shape,
    "arrows": _arrow,
    "cages": _cage,
}
"""How each kind of picture is drawn, in the order in which they are."""
