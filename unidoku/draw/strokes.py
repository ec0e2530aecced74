"""Strokes of pictures of rules: lines through places and cells, and circles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from unidoku.core.layout import Layout
from unidoku.draw.place import middle, number

Place: TypeAlias = tuple[float, float]


def path(kind: str, places: Sequence[Place]) -> str:
    """Return a line through positions; a single position is drawn as a point."""
    points = [f"{number(x)} {number(y)}" for x, y in places]
    drawn = "L".join(points if len(points) > 1 else points * 2)
    return f'<path class="{kind}" d="M{drawn}"/>'


def along(kind: str, layout: Layout, cells: Sequence[int]) -> str:
    """Return a line through cells."""
    return path(kind, [middle(layout, cell) for cell in cells])


def circle(kind: str, place: Place, radius: float) -> str:
    """Return a circle around a place."""
    x, y = place
    return f'<circle class="{kind}" cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>'


def towards(start: Place, end: Place, by: float) -> Place:
    """Return the place at this distance from a start, in the direction of an end."""
    length = math.dist(start, end) or 1
    return (
        start[0] + (end[0] - start[0]) / length * by,
        start[1] + (end[1] - start[1]) / length * by,
    )


def star(kind: str, place: Place, radius: float) -> str:
    """Return a star of five points around a place."""
    corners = []
    for turn in range(10):
        angle, reach = math.pi * (turn / 5 - 0.5), radius if turn % 2 == 0 else radius * 0.42
        x, y = place[0] + reach * math.cos(angle), place[1] + reach * math.sin(angle)
        corners.append(f"{number(x)} {number(y)}")
    return f'<path class="{kind}" d="M{"L".join(corners)}Z"/>'
