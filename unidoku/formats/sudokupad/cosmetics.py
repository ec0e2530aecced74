"""Cosmetics and fog of SudokuPad: its pictures without a meaning, read and drawn.

SudokuPad counts places from the upper left corner of the grid, in cells, and widths of lines and
heights of texts in pixels, of which a cell has 64.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from unidoku.formats.cosmetics import FARTHEST, MOST, Cosmetic, Fog, Place, merged
from unidoku.formats.draft import Draft, one_line
from unidoku.formats.drawn import (
    Cells,
    Picture,
    colour_of,
    drawn,
    listed_tables,
    number,
    shape_of,
    triggers_of,
)
from unidoku.formats.sudokupad.pictures import OPAQUE, Pictures, solid

PIXELS = 64
"""Pixels of a cell."""

_TEXT_ONLY = 0.3
"""The width up to which a shape without a visible border is only the place of its text."""


def cosmetics_of(draft: Draft, pictures: Mapping[str, Sequence[Picture]]) -> list[Cosmetic]:
    """Return pictures as cosmetics; what cannot be drawn is reported as dropped."""
    drawings: list[Cosmetic] = []
    for key, entries in pictures.items():
        lost = 0
        for entry in entries:
            cosmetic = _cosmetic(key, entry) if len(drawings) < MOST else None
            if cosmetic is None:
                lost += 1
            else:
                drawings.append(cosmetic)
        if lost < len(entries):
            count = len(entries) - lost
            draft.report.approximate(f"pictures: {count} of {key} are drawn, without a meaning")
        if lost:
            draft.report.drop(f"pictures: {lost} of {key}")
    return merged(drawings)


def _cosmetic(key: str, entry: Picture) -> Cosmetic | None:
    if key in ("lines", "arrows"):
        points = entry.get("wayPoints")
        places = [_place(point) for point in points] if isinstance(points, list) else []
        at = tuple(position for position in places if position is not None)
        if len(at) < 2 or len(at) < len(places):
            return None
        size = round(number(entry.get("thickness")) / PIXELS, 3)
        shape = "arrow" if key == "arrows" else "line"
        return drawn(shape=shape, at=at, colour=colour_of(entry.get("color")), size=size)
    centre = _place(entry.get("center"))
    return None if centre is None else _shape(centre, entry, over=key == "overlays")


def _shape(centre: Place, entry: Picture, *, over: bool) -> Cosmetic | None:
    """Return the cosmetic of an overlay or an underlay."""
    fill = colour_of(entry.get("backgroundColor"))
    border = colour_of(entry.get("borderColor"))
    if _is_halved(entry.get("backgroundColor"), fill):
        fill, border = f"{fill}80", border and f"{border[:7]}80"
    text = one_line(str(entry.get("text") or ""))
    ink = colour_of(entry.get("color") or entry.get("textColor"))
    width, height = (number(entry.get(side)) for side in ("width", "height"))
    angle = number(entry.get("angle"))
    if text and not border and (not fill or width <= _TEXT_ONLY):
        size = number(entry.get("fontSize")) / PIXELS
        return drawn(
            shape="text", at=(centre,), text=text, colour=ink, size=size, angle=angle, over=over
        )
    return shape_of(
        centre,
        fill=fill,
        border=border,
        size=(width, height),
        is_round=bool(entry.get("rounded")),
        text=text,
        ink=ink,
        angle=angle,
        over=over,
    )


def _is_halved(written: object, fill: str) -> bool:
    """Return whether SudokuPad fills a shape with half of its colour: it has no alpha channel."""
    has_alpha = isinstance(written, str) and re.fullmatch(r"#(\w{4}|\w{8})|rgba.*", written.strip())
    return bool(fill) and not has_alpha and written not in OPAQUE


def _place(point: object) -> Place | None:
    """Return a point of SudokuPad as a row and a column from 1."""
    if not isinstance(point, list) or len(point) != 2:
        return None
    row, column = (number(part, missing=math.nan) + 0.5 for part in point)
    is_near = abs(row) <= FARTHEST and abs(column) <= FARTHEST
    return (round(row, 3), round(column, 3)) if is_near else None


def draw(canvas: Pictures, cosmetic: Cosmetic) -> None:
    """Draw a cosmetic."""
    points = [[row - 0.5, column - 0.5] for row, column in cosmetic.at]
    if cosmetic.shape in ("line", "arrow"):
        look = {"color": cosmetic.colour or "#000000", "thickness": cosmetic.width * PIXELS}
        if cosmetic.shape == "arrow":
            canvas.add("arrows", wayPoints=points, headLength=0.3, **look)
        else:
            canvas.add("lines", wayPoints=points, **look)
        return
    key = "overlays" if cosmetic.over else "underlays"
    for point in points:
        canvas.add(key, center=point, **_looks(cosmetic))


def _looks(cosmetic: Cosmetic) -> dict[str, Any]:
    if cosmetic.shape == "text":
        look: dict[str, Any] = {
            "width": 0.25,
            "height": 0.25,
            "text": cosmetic.text,
            "fontSize": round(cosmetic.width * PIXELS),
            "color": cosmetic.colour or "#000000",
        }
    else:
        look = {
            "width": cosmetic.width,
            "height": cosmetic.height or cosmetic.width,
            "rounded": cosmetic.shape == "circle",
            "backgroundColor": solid(cosmetic.colour) if cosmetic.colour else "#FFFFFF00",
            "borderColor": solid(cosmetic.border or cosmetic.colour or "#FFFFFF00"),
        }
        if cosmetic.text:
            look |= {"text": cosmetic.text, "color": cosmetic.text_colour or "#000000"}
    return look | ({"angle": cosmetic.angle} if cosmetic.angle else {})


def fog_of(table: Mapping[str, Any], cells: Cells, draft: Draft) -> Fog | None:
    """Return the fog of a puzzle; None if it has none."""
    lamps = [cage for cage in listed_tables(table.get("cages")) if is_lamp(cage)]
    if not lamps and "foglight" not in table and "triggereffect" not in table:
        return None
    parts = [table.get("foglight") or [], *(cage.get("cells") for cage in lamps)]
    lights = dict.fromkeys(cell for part in parts for cell in cells(part) or ())
    triggers = triggers_of(table.get("triggereffect"), cells, draft)
    return Fog(lights=tuple(lights), triggers=tuple(triggers))


def is_lamp(cage: Picture) -> bool:
    """Return whether a cage lists cells without fog: SudokuPad writes these as a cage."""
    return str(cage.get("value", "")).upper() == "FOGLIGHT"
