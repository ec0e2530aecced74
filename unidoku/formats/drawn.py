"""What programs that draw puzzles share: colours, numbers, and the triggers of fog."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from unidoku.errors import InputError
from unidoku.formats.cosmetics import Cosmetic, Fog, Place
from unidoku.formats.draft import Draft
from unidoku.formats.frame import MOST_SIDE

Picture: TypeAlias = Mapping[str, Any]
"""A picture of another program, with keys for its place and its looks."""

Cells: TypeAlias = Callable[[object], list[int] | None]
"""Returns the cells of a list of rows and columns, or of a text; None if they are invalid."""


def drawn(**fields: Any) -> Cosmetic | None:
    """Return a picture; None if it cannot be drawn, as it is too large or empty."""
    with contextlib.suppress(InputError):
        return Cosmetic(**fields)
    return None


def shape_of(
    centre: Place,
    *,
    fill: str,
    border: str,
    size: tuple[float, float],
    is_round: bool,
    text: str,
    ink: str,
    angle: float,
    over: bool,
) -> Cosmetic | None:
    """Return a circle, a square, or a coloured cell; None if nothing would be visible."""
    if not fill and not border and not text:
        return None
    border = "" if border == fill else border
    width, height = size
    if (width, height, is_round, border, text, angle) == (1, 1, False, "", "", 0):
        return drawn(shape="cells", at=(centre,), colour=fill)
    return drawn(
        shape="circle" if is_round else "square",
        at=(centre,),
        colour=fill,
        border=border,
        size=width,
        height=0 if height == width else height,
        angle=angle,
        text=text,
        text_colour=ink if text else "",
        over=over,
    )


def places_in(text: str) -> list[tuple[int, int]]:
    """Return the rows and columns, from 0, of ``r1c1r1c2``; ``r1c1-r2c3`` is a rectangle."""
    positions: list[tuple[int, int]] = []
    for match in _CELLS.finditer(text):
        top, left, *ends = (int(part) - 1 for part in match.groups() if part)
        bottom, right = ends or (top, left)
        positions += [
            (row, column)
            for row in range(top, min(bottom, MOST_SIDE) + 1)
            for column in range(left, min(right, MOST_SIDE) + 1)
        ]
    return positions


_CELLS = re.compile(r"r(\d{1,3})c(\d{1,3})(?:\s*-\s*r(\d{1,3})c(\d{1,3}))?", re.IGNORECASE)


def listed_tables(value: object) -> list[Picture]:
    """Return the tables of a list from outside, and nothing else."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def number(value: object, *, missing: float = 0) -> float:
    """Return a number from outside, 0 or another one for anything else."""
    if isinstance(value, str) and len(value) < 20:
        try:
            value = float(value)
        except ValueError:
            return missing
    if not isinstance(value, int | float) or isinstance(value, bool):
        return missing
    return float(value) if math.isfinite(value) and abs(value) < 10_000 else missing


def colour_of(text: object) -> str:
    """Return a colour from another program as ``#rrggbb``; empty for other texts, and invisible."""
    if not isinstance(text, str):
        return ""
    text = text.strip().lower()
    text = _NAMED.get(text, text)
    match = re.fullmatch(r"#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", text)
    if match:
        digits = match[1] if len(match[1]) > 4 else "".join(2 * digit for digit in match[1])
    elif parts := _RGB.fullmatch(text.replace(" ", "")):
        red, green, blue = (min(int(part), 255) for part in parts.groups()[:3])
        share = min(number(parts[4], missing=1), 1)
        digits = f"{red:02x}{green:02x}{blue:02x}{round(share * 255):02x}"
    else:
        return ""
    alpha = digits[6:]
    return "" if alpha == "00" else f"#{digits[:6]}{'' if alpha == 'ff' else alpha}"


_RGB = re.compile(r"rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,([\d.]{1,6}))?\)")


_NAMED: Mapping[str, str] = {
    "black": "#000000",
    "white": "#ffffff",
    "red": "#ff0000",
    "green": "#008000",
    "blue": "#0000ff",
    "grey": "#808080",
    "gray": "#808080",
    "yellow": "#ffff00",
    "orange": "#ffa500",
    "purple": "#800080",
}


def triggers_of(
    entries: object, cells: Cells, draft: Draft
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the cells of each trigger, and the cells that it lights."""
    for entry in entries if isinstance(entries, list) else []:
        trigger, effect = (
            entry.get(key) if isinstance(entry, dict) else None for key in ("trigger", "effect")
        )
        if not isinstance(trigger, dict) or not isinstance(effect, dict):
            draft.report.drop("a trigger without a cell or an effect")
            continue
        when, lights = cells(trigger.get("cell")), cells(effect.get("cells"))
        if effect.get("type") != "foglight" or not when or not lights:
            draft.report.drop("a trigger of something else than fog")
        else:
            yield tuple(when), tuple(lights)


def table_of_triggers(fog: Fog, name: Callable[[int], str]) -> list[dict[str, Any]]:
    """Return the triggers of fog, which f-puzzles and SudokuPad write alike."""
    return [
        {
            "trigger": {"type": "cellvalue", "cell": "".join(map(name, when))},
            "effect": {"type": "foglight", "cells": "".join(map(name, lights))},
        }
        for when, lights in fog.triggers
    ]
