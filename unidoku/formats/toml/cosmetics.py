"""Cosmetics and fog in puzzle files: tables with places, colours and sizes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from unidoku.core.cells import cells_from, text_of_cells
from unidoku.core.layout import Layout
from unidoku.errors import FormatError
from unidoku.formats.cosmetics import MOST, Cosmetic, Fog, Place
from unidoku.support.schema import (
    LINE,
    NUMBER,
    TABLE,
    TEXT,
    YES_NO,
    Kind,
    at,
    listed_of,
    misfit,
    shown,
)

_PLACE = re.compile(r"r(-?\d{1,3}(?:\.\d{1,4})?)c(-?\d{1,3}(?:\.\d{1,4})?)", re.IGNORECASE)


_ANY = Kind("cells", lambda _: True)

COSMETIC: Mapping[str, Kind] = {
    "shape": LINE,
    "at": _ANY,
    "colour": LINE,
    "border": LINE,
    "size": NUMBER,
    "height": NUMBER,
    "angle": NUMBER,
    "text": TEXT,
    "text_colour": LINE,
    "over": YES_NO,
}
"""The keys of a picture."""

_FOG: Mapping[str, Kind] = {"lights": _ANY, "triggers": listed_of(TABLE)}
_TRIGGER: Mapping[str, Kind] = {"when": _ANY, "lights": _ANY}


def cosmetics_from(layout: Layout, tables: Sequence[Mapping[str, Any]]) -> tuple[Cosmetic, ...]:
    """Return the pictures of tables.

    Raises:
        FormatError: a table is not a picture; the message states its number and the key.
    """
    if len(tables) > MOST:
        raise FormatError(f"cosmetics: expected at most {MOST:,} pictures, got {len(tables):,}")
    pictures = []
    for number, table in enumerate(tables, start=1):
        with at(f"cosmetic {number}"):
            pictures.append(_cosmetic(layout, table))
    return tuple(pictures)


def _cosmetic(layout: Layout, table: Mapping[str, Any]) -> Cosmetic:
    if wrong := misfit(table, COSMETIC, ("shape", "at")):
        raise FormatError(wrong)
    with at("at"):
        places = _places(layout, table["at"])
    return Cosmetic(**{**table, "at": places})


def _places(layout: Layout, value: object) -> tuple[Place, ...]:
    """Return places: cells as anywhere, or rows and columns with fractions, ``r1.5c2``."""
    words = value.split() if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        wanted = "places such as 'A1 A2' or 'r1.5c2 r0c3'"
        raise FormatError(f"expected {wanted}, got {shown(value)}")
    if isinstance(value, str) and not any(_PLACE.fullmatch(word) for word in words):
        words = [value]  # it may be a whole row
    places: list[Place] = []
    for word in words:
        if match := _PLACE.fullmatch(word):
            places.append((float(match[1]), float(match[2])))
            continue
        for cell in cells_from(layout, word):
            if cell >= len(layout):
                raise FormatError(f"expected cells of the grid, got {shown(word)}")
            row, column = layout.positions[cell]
            places.append((row + 1.0, column + 1.0))
    return tuple(places)


def table_of_cosmetic(layout: Layout, cosmetic: Cosmetic) -> dict[str, Any]:
    """Return a picture as a table, from which `cosmetics_from` makes an equal one."""
    table: dict[str, Any] = {"shape": cosmetic.shape, "at": _text_of_places(layout, cosmetic)}
    for key in COSMETIC:
        if key not in table and (value := getattr(cosmetic, key)):
            table[key] = _plain(value) if NUMBER.holds(value) else value
    return table


def _text_of_places(layout: Layout, cosmetic: Cosmetic) -> str:
    is_whole = all(row == int(row) and column == int(column) for row, column in cosmetic.at)
    places = [(int(row) - 1, int(column) - 1) for row, column in cosmetic.at]
    if is_whole and layout.cell_at.keys() >= {*places}:
        return text_of_cells(layout, [layout.cell_at[position] for position in places])
    return " ".join(f"r{_plain(row)}c{_plain(column)}" for row, column in cosmetic.at)


def _plain(number: float) -> float | int:
    """Return a number with at most three decimals, whole if it is."""
    rounded = round(number, 3)
    return int(rounded) if rounded == int(rounded) else rounded


def fog_from(layout: Layout, table: Mapping[str, Any]) -> Fog:
    """Return the fog of a table.

    Raises:
        FormatError: it is not a table of fog.
    """
    if wrong := misfit(table, _FOG):
        raise FormatError(f"fog: {wrong}")
    triggers = []
    for number, part in enumerate(table.get("triggers", ()), start=1):
        if wrong := misfit(part, _TRIGGER, ("when", "lights")):
            raise FormatError(f"fog: trigger {number}: {wrong}")
        cells = [_cells(layout, f"trigger {number}: {key}", part[key]) for key in _TRIGGER]
        triggers.append((cells[0], cells[1]))
    lights = _cells(layout, "lights", table["lights"]) if "lights" in table else ()
    return Fog(lights=lights, triggers=tuple(triggers))


def _cells(layout: Layout, where: str, value: object) -> tuple[int, ...]:
    with at(f"fog: {where}"):
        cells = cells_from(layout, value)
    if any(cell >= len(layout) for cell in cells):
        raise FormatError(f"fog: {where}: expected cells of the grid, got {shown(value)}")
    return cells


def table_of_fog(layout: Layout, fog: Fog) -> dict[str, Any]:
    """Return fog as a table, from which `fog_from` makes an equal one."""
    table: dict[str, Any] = {}
    if fog.lights:
        table["lights"] = text_of_cells(layout, fog.lights)
    if fog.triggers:
        table["triggers"] = [
            {"when": text_of_cells(layout, when), "lights": text_of_cells(layout, lights)}
            for when, lights in fog.triggers
        ]
    return table


assert set(COSMETIC) == set(Cosmetic.__dataclass_fields__)
