"""Pictures of a puzzle that are no rules: lines, shapes, texts, coloured cells; and its fog.

A place is a row and a column from 1, in the middle of the cell there: ``(1, 1.5)`` is on the line
between the first two cells of the first row, ``(0, 3)`` above the third column. Lengths are in
cells. Colours are ``#rgb``, ``#rrggbb`` or ``#rrggbbaa``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from unidoku.errors import InputError
from unidoku.support.schema import shown

Place: TypeAlias = tuple[float, float]
"""A row and a column from 1; whole numbers are middles of cells."""

SHAPES = ("line", "arrow", "circle", "square", "cells", "text")

SIZES: Mapping[str, float] = {
    "line": 0.15,
    "arrow": 0.05,
    "circle": 0.7,
    "square": 0.7,
    "cells": 1.0,
    "text": 0.5,
}
"""The size of each shape where none is stated: the width of a line or a shape, the height of a
text."""

_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")

MOST = 2000
"""The most pictures of a puzzle."""

FARTHEST = 100
"""The largest number of a row, a column or a size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cosmetic:
    """A picture without a meaning.

    Args:
        shape: one of `SHAPES`. ``cells`` fills whole cells; an arrow points to its last place.
        at: places of a line, in order; other shapes are drawn at each of them.
        colour: the colour of a line or a text, the filling of other shapes; empty for the usual.
        border: the colour of the outline of a circle or a square; empty for none.
        size: width of the line, width of the shape, or height of the text; 0 for the usual one.
        height: height of a circle or a square that is not as high as wide; 0 if it is.
        angle: degrees by which a square or a text is turned, clockwise.
        text: what is written, also in a circle or a square.
        text_colour: the colour of a text in a circle or a square; empty for the usual one.
        over: whether it is drawn over the lines between cells; otherwise below them.
    """

    shape: str
    at: tuple[Place, ...]
    colour: str = ""
    border: str = ""
    size: float = 0
    height: float = 0
    angle: float = 0
    text: str = ""
    text_colour: str = ""
    over: bool = False

    def __post_init__(self) -> None:
        """Refuse shapes, colours and numbers that cannot be drawn."""
        if self.shape not in SHAPES:
            raise InputError(f"shape: expected one of {', '.join(SHAPES)}, got {shown(self.shape)}")
        for key in ("colour", "border", "text_colour"):
            value = getattr(self, key)
            if value and not _COLOUR.fullmatch(value):
                raise InputError(f"{key}: expected a colour such as '#ff9a00', got {shown(value)}")
        numbers = (self.size, self.height, *(number for point in self.at for number in point))
        if not self.at or not all(abs(number) <= FARTHEST for number in numbers):
            raise InputError(f"at: expected places, and numbers up to {FARTHEST}")
        if self.shape in ("line", "arrow") and len(self.at) < 2:
            raise InputError(f"at: expected the places of a {self.shape}, got one")
        if self.shape == "text" and not self.text.strip():
            raise InputError("text: expected what is written, got nothing")

    @property
    def width(self) -> float:
        """The size, or the usual one."""
        return self.size or SIZES[self.shape]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fog:
    """Fog that hides cells and what is drawn in them, until right digits lift it.

    A right digit lifts it from its cell and the cells around it; if there are triggers, only these
    lift it.

    Args:
        lights: the cells without fog from the beginning.
        triggers: cells, and the cells from which the fog is lifted once the first hold their right
            digits.
    """

    lights: tuple[int, ...] = ()
    triggers: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()


def merged(cosmetics: Iterable[Cosmetic]) -> list[Cosmetic]:
    """Return pictures, those of one look that follow each other as one with several places."""
    joined: list[Cosmetic] = []
    for part in cosmetics:
        last = joined[-1] if joined else None
        is_form = last and part.shape == last.shape and part.shape not in ("line", "arrow")
        if last and is_form and replace(part, at=last.at) == last:
            joined[-1] = replace(last, at=(*last.at, *part.at))
        else:
            joined.append(part)
    return joined
