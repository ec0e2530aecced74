"""Draws cosmetics, in the colours of their setter, and fog."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from unidoku.core.layout import Layout
from unidoku.draw.strokes import CELL, MARGIN, Place, corner, number, text
from unidoku.formats.cosmetics import Cosmetic, Fog
from unidoku.support.text import printable

_HEAD = 0.22
"""The length of the strokes of an arrow's head, in cells."""

_INK = ("", "#000", "#000000")
"""The colours of texts that follow the theme."""


def cosmetics(parts: Sequence[Cosmetic], *, over: bool) -> Iterator[str]:
    """Yield the pictures that are over the lines between cells, or those below them.

    What is written over a picture's own ground keeps its colour; other texts follow the theme.
    """
    for part in parts:
        if part.over != over:
            continue
        places = [_point(row, column) for row, column in part.at]
        if part.shape in ("line", "arrow"):
            yield _line(part, places)
        elif part.shape == "text":
            for point in places:
                yield _turned(part, point, _text(part, point, part.colour, part.width))
        else:
            for point in places:
                yield _turned(part, point, _shape(part, point))


def reach(layout: Layout, parts: Sequence[Cosmetic]) -> tuple[int, int, int, int]:
    """Return how far pictures reach beyond the left, upper, right and lower side of the grid."""
    sides = [0.0, 0.0, 0.0, 0.0]
    for part in parts:
        half = CELL * max(part.width, part.height, _room_of_text(part)) / 2
        for row, column in part.at:
            x, y = _point(row, column)
            ends = (
                MARGIN - x + half,
                MARGIN - y + half,
                x + half - MARGIN - layout.columns * CELL,
                y + half - MARGIN - layout.rows * CELL,
            )
            sides = [max(side, end) for side, end in zip(sides, ends, strict=True)]
    left, top, right, bottom = (math.ceil(min(side, _FARTHEST * CELL)) for side in sides)
    return left, top, right, bottom


_FARTHEST = 6
"""Cells beside the grid that a picture may take; what is farther away is not shown."""


def _room_of_text(part: Cosmetic) -> float:
    return 0.6 * part.width * len(part.text) if part.shape == "text" else 0


def _point(row: float, column: float) -> Place:
    return (column - 0.5) * CELL + MARGIN, (row - 0.5) * CELL + MARGIN


def _paint(key: str, colour: str) -> str:
    """Return a colour as an attribute; renderers of SVG 1.1 know no colours of eight digits."""
    if not colour:
        return f' {key}="none"'
    if len(colour) == 9:
        share = int(colour[7:], 16) / 255
        return f' {key}="{colour[:7]}" {key}-opacity="{share:.2f}"'
    return f' {key}="{colour}"'


def _class(part: Cosmetic) -> str:
    """Return the class of what lies below digits, which must stay legible in the dark."""
    return "" if part.over else ' class="below"'


def _line(part: Cosmetic, places: Sequence[Place]) -> str:
    data = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in places)
    if part.shape == "arrow":
        (x, y), tip = places[-2:]
        angle = math.atan2(y - tip[1], x - tip[0])
        size = _HEAD * CELL
        wings = [
            (tip[0] + size * math.cos(angle + turn), tip[1] + size * math.sin(angle + turn))
            for turn in (-0.6, 0.6)
        ]
        data += "M" + "L".join(f"{number(x)} {number(y)}" for x, y in (wings[0], tip, wings[1]))
    looks = _class(part) + _paint("stroke", part.colour or "#808080")
    looks += f' stroke-width="{number(part.width * CELL)}"'
    looks += ' stroke-linecap="round" stroke-linejoin="round"'
    return f'<path fill="none"{looks} d="{data}"/>'


def _shape(part: Cosmetic, point: Place) -> str:
    x, y = point
    width, height = (CELL * side for side in (part.width, part.height or part.width))
    looks = _class(part) + _paint("fill", part.colour) + _paint("stroke", part.border)
    if part.shape == "circle":
        radii = f'rx="{number(width / 2)}" ry="{number(height / 2)}"'
        drawn = f'<ellipse{looks} cx="{number(x)}" cy="{number(y)}" {radii}/>'
    else:
        left, top = number(x - width / 2), number(y - height / 2)
        looks += f' x="{left}" y="{top}" width="{number(width)}" height="{number(height)}"'
        drawn = f"<rect{looks}/>"
    if not part.text:
        return drawn
    size = min(0.6 * min(part.width, part.height or part.width), part.width / len(part.text) / 0.6)
    ink = part.text_colour or ("#000000" if part.colour else "")
    return drawn + _text(part, point, ink, size)


def _text(part: Cosmetic, point: Place, colour: str, size: float) -> str:
    words = escape(printable(part.text))
    look = text(*point, size * CELL, words, "clue")
    if colour in _INK and not (part.shape != "text" and part.colour):
        return look
    return look.replace(' class="clue"', _paint("fill", colour))


def _turned(part: Cosmetic, point: Place, drawn: str) -> str:
    if not part.angle:
        return drawn
    x, y = point
    return f'<g transform="rotate({number(part.angle)} {number(x)} {number(y)})">{drawn}</g>'


def fog(layout: Layout, fogged: Fog) -> Iterator[str]:
    """Yield a veil over the cells that are in the fog from the beginning."""
    lit = {*fogged.lights}
    for cell in layout.cells:
        if cell not in lit:
            x, y = corner(layout, cell)
            yield f'<rect class="fog" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'
