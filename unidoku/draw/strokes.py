"""Strokes of pictures of rules: lines through places and cells, and circles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from unidoku.core.layout import Layout
from unidoku.core.shapes import Pair
from unidoku.draw.place import middle, number

__all__ = ["Place", "along", "between", "centre", "circle", "path", "towards"]

Place: TypeAlias = tuple[float, float]


def path(kind: str, places: Sequence[Place]) -> str:
    """Return a line through places; one place alone is drawn as a point."""
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
    """Return the place so far from a start on the way to an end."""
    length = math.dist(start, end) or 1
    return (
        start[0] + (end[0] - start[0]) / length * by,
        start[1] + (end[1] - start[1]) / length * by,
    )


def centre(layout: Layout, cells: Sequence[int]) -> Place:
    """Return the place in the middle of some cells."""
    places = [middle(layout, cell) for cell in cells]
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def between(layout: Layout, pair: Pair) -> tuple[Place, list[str]]:
    """Return the place between two cells, and a line between them if they do not touch."""
    (row, column), (below, beside) = layout.positions[pair[0]], layout.positions[pair[1]]
    start, end = middle(layout, pair[0]), middle(layout, pair[1])
    apart = abs(row - below) + abs(column - beside) > 1
    link = [path("tie", [start, end])] if apart else []
    return ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), link
