"""Cosmetics and fog of f-puzzles: lines, circles, rectangles, texts, colours of cells.

Widths of lines and sizes of texts are in halves of cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unidoku.core.layout import Layout
from unidoku.formats.cosmetics import MOST, Cosmetic, Fog, Place, merged
from unidoku.formats.draft import Draft, one_line
from unidoku.formats.drawn import (
    Picture,
    colour_of,
    drawn,
    listed_tables,
    number,
    places_in,
    shape_of,
    triggers_of,
)

_CELL = re.compile(r"R(-?\d{1,3}(?:\.\d{0,4})?)C(-?\d{1,3}(?:\.\d{0,4})?)", re.IGNORECASE)

COLOURS = (
    "#a8a8a8a8",
    "#000000",
    "#ffa0a0",
    "#ffdf61",
    "#feffaf",
    "#b0ffb0",
    "#61d060",
    "#d0d0ff",
    "#8180f0",
    "#ff08ff",
    "#ffd0d0",
)
"""The colours of cells, by their numbers."""

PICTURES = ("line", "rectangle", "circle", "text")
"""The keys of pictures."""


def cosmetics_of(draft: Draft, table: Mapping[str, Any], grid: Sequence[Sequence[Any]]) -> None:
    """Read the pictures of a table, and the colours of its cells."""
    for key in PICTURES:
        parts = listed_tables(table.get(key))
        pictures = [cosmetic for entry in parts for cosmetic in _cosmetics(key, entry) if cosmetic]
        draft.cosmetics += pictures[: max(MOST - len(draft.cosmetics), 0)]
        if pictures:
            draft.report.approximate(
                f"pictures: {len(pictures)} of {key} are drawn, without a meaning"
            )
        if parts and not pictures:
            draft.report.drop(f"pictures: {key}")
    by_colour: dict[str, list[Place]] = {}
    for row, line in enumerate(grid, start=1):
        for column, entry in enumerate(line, start=1):
            for colour in _colours(entry):
                by_colour.setdefault(colour, []).append((row, column))
    draft.cosmetics += [
        Cosmetic(shape="cells", at=tuple(at), colour=colour) for colour, at in by_colour.items()
    ]
    draft.cosmetics = merged(draft.cosmetics)


def _colours(entry: object) -> Iterator[str]:
    """Yield the colours that the setter gave a cell."""
    if not isinstance(entry, dict):
        return
    listed = entry.get("cArray")
    colours = listed if isinstance(listed, list) and listed else [entry.get("c")]
    for colour in colours[:1]:
        index = int(number(colour, missing=-1)) if not str(colour).startswith("#") else -1
        code = COLOURS[index] if 0 <= index < len(COLOURS) else colour_of(colour)
        if code:
            yield code


def _cosmetics(key: str, entry: Picture) -> Iterator[Cosmetic | None]:
    if key == "line":
        lines = entry.get("lines")
        for line in lines if isinstance(lines, list) else []:
            at = tuple(_places(line))
            if len(at) > 1:
                size = number(entry.get("width")) / 2
                colour = colour_of(entry.get("outlineC"))
                yield drawn(shape="line", at=at, colour=colour, size=size)
        return
    places = _places(entry.get("cells"))
    if not places:
        return
    middle = [sum(position[axis] for position in places) / len(places) for axis in (0, 1)]
    at = ((round(middle[0], 3), round(middle[1], 3)),)
    text, angle = one_line(str(entry.get("value") or "")), number(entry.get("angle"))
    ink = colour_of(entry.get("fontC"))
    if key == "text":
        if text:
            size = number(entry.get("size")) / 2
            yield drawn(
                shape="text", at=at, text=text, colour=ink, size=size, angle=angle, over=True
            )
        return
    width, height = (number(entry.get(side)) for side in ("width", "height"))
    yield shape_of(
        at[0],
        fill=colour_of(entry.get("baseC")),
        border=colour_of(entry.get("outlineC")),
        size=(width, height),
        is_round=key == "circle",
        text=text,
        ink=ink,
        angle=angle,
        over=True,
    )


def _places(names: object) -> list[Place]:
    words = names if isinstance(names, list) else []
    matches = [_CELL.fullmatch(str(word).strip()) for word in words]
    return [(float(match[1]), float(match[2])) for match in matches if match]


def fog_of(draft: Draft, table: Mapping[str, Any]) -> Fog | None:
    """Return the fog of a table: lamps, which light the cells around them too, lights, triggers."""
    if not any(key in table for key in ("fogofwar", "foglight", "triggereffect")):
        return None

    def cells(names: object) -> list[int] | None:
        text = " ".join(map(str, names)) if isinstance(names, list) else str(names or "")
        places = places_in(text)
        if not all(draft.inside(*position) for position in places):
            return None
        return [row * draft.columns + column for row, column in places]

    lamps = cells(table.get("fogofwar")) or []
    around = [
        (cell // draft.columns + down, cell % draft.columns + right)
        for cell in lamps
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
    ]
    lit = [row * draft.columns + column for row, column in around if draft.inside(row, column)]
    lights = dict.fromkeys((*lit, *(cells(table.get("foglight")) or [])))
    triggers = triggers_of(table.get("triggereffect"), cells, draft)
    return Fog(lights=tuple(lights), triggers=tuple(triggers))


def numbered_colours(cosmetics: Sequence[Cosmetic], layout: Layout) -> dict[int, str]:
    """Return the numbers of the colours of cells, for those colours that have one."""
    return {
        layout.cell_at[int(row) - 1, int(column) - 1]: str(COLOURS.index(cosmetic.colour))
        for cosmetic in cosmetics
        if _is_numbered(cosmetic, layout)
        for row, column in cosmetic.at
    }


def _is_numbered(cosmetic: Cosmetic, layout: Layout) -> bool:
    places = {(row - 1, column - 1) for row, column in cosmetic.at}
    is_known = cosmetic.shape == "cells" and cosmetic.colour in COLOURS
    return is_known and places <= {*layout.cell_at}


def entries_of(
    cosmetics: Sequence[Cosmetic], layout: Layout
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the key and the entry of each picture, without colours of cells that have a number."""
    for cosmetic in cosmetics:
        names = [f"R{row:g}C{column:g}" for row, column in cosmetic.at]
        if cosmetic.shape in ("line", "arrow"):
            looks = {"outlineC": cosmetic.colour or "#000000"}
            yield "line", {"lines": [names], "width": round(2 * cosmetic.width, 3), **looks}
        elif not _is_numbered(cosmetic, layout):
            key, looks = _looks(cosmetic)
            yield from ((key, {"cells": [name], **looks}) for name in names)


_CLEAR = "#FFFFFF00"


def _looks(cosmetic: Cosmetic) -> tuple[str, dict[str, Any]]:
    """Return the key of a shape or a text, and its looks."""
    turned = {"angle": cosmetic.angle} if cosmetic.angle else {}
    written = {"value": cosmetic.text} if cosmetic.text else {}
    if cosmetic.shape == "text":
        looks = {"fontC": cosmetic.colour or "#000000", "size": round(2 * cosmetic.width, 3)}
        return "text", {**written, **looks, **turned}
    key = "circle" if cosmetic.shape == "circle" else "rectangle"
    return key, {
        **written,
        "baseC": cosmetic.colour or _CLEAR,
        "outlineC": cosmetic.border or cosmetic.colour or _CLEAR,
        "fontC": cosmetic.text_colour or "#000000",
        "width": cosmetic.width,
        "height": cosmetic.height or cosmetic.width,
        **turned,
    }
