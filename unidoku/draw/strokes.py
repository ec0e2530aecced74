"""Positions of the cells of a picture, its texts, lines, circles and stars, and what is drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from unidoku.core.hidden import stated
from unidoku.core.layout import Layout
from unidoku.core.rules.base import Rule
from unidoku.core.rules.regions import ChaosConstruction, RegionCount, RegionRun

Place: TypeAlias = tuple[float, float]
"""The x and y of a point of a picture."""

Drawing: TypeAlias = Callable[[Layout, Any], Iterator[str]]
"""Draws a rule: returns the parts of a picture."""

CELL = 36
"""The width of a cell."""

MARGIN = 3
"""The space around the cells; half of the outer lines' width lies in it."""

TOTAL, SMALL = 8.2, 7
"""The font sizes of a cage's total, and of other small texts."""

STRIP = 8.8
"""The height of the part of a cell in which totals are, above pencil marks."""

_INSET = 3.5
"""Distance from the side of a cell to the line of a cage."""

_DROP = 0.36
"""Distance from the middle of a digit down to its baseline, as a share of its font size."""


_OF_REGIONS = (ChaosConstruction, RegionCount, RegionRun)
"""Rules about the numbers of regions."""


def shown_rules(layout: Layout) -> tuple[Rule, ...]:
    """Return the rules of a layout, without the parts about cells that are not drawn."""
    layout = stated(layout)
    if not layout.hidden:
        return layout.rules
    visible = {cell: cell for cell in layout.cells}
    numbered = dict(visible)  # a clue about the number of a region is drawn in the region's cell
    for rule in layout.rules:
        if isinstance(rule, ChaosConstruction):
            numbered = {**dict(zip(rule.regions, rule.held, strict=True)), **numbered}
    drawn = (
        rule.restricted_to(numbered if isinstance(rule, _OF_REGIONS) else visible)
        for rule in layout.rules
    )
    return tuple(filter(None, drawn))


def is_whole(layout: Layout, cells: Sequence[int]) -> bool:
    """Return whether cells are a whole row, column, unit or area, whose rules are not drawn."""
    wanted = set(cells)
    groups = (*layout.areas, *(unit.cells for unit in layout.units))
    return any(wanted == set(group) for group in groups) or any(
        wanted == {cell for cell, position in enumerate(layout.positions) if position[axis] == line}
        for axis in (0, 1)
        for line in {layout.positions[cell][axis] for cell in cells[:1] if cell < len(layout)}
    )


def corner(layout: Layout, cell: int) -> tuple[int, int]:
    """Return x and y of the upper left corner of a cell."""
    row, column = layout.positions[cell]
    return column * CELL + MARGIN, row * CELL + MARGIN


def middle(layout: Layout, cell: int) -> tuple[float, float]:
    """Return x and y of the middle of a cell."""
    x, y = corner(layout, cell)
    return x + CELL / 2, y + CELL / 2


def text(x: float, y: float, size: float, content: object, kind: str = "") -> str:
    """Return a text of this font size with its middle there; without a kind, its group has one.

    The baseline is computed, because not every renderer supports ``dominant-baseline``.
    """
    attributes = f' class="{kind}" font-size="{number(size)}"' if kind else ""
    return f'<text{attributes} x="{number(x)}" y="{number(y + _DROP * size)}">{content}</text>'


def in_corner(layout: Layout, cell: int, total: int | str, *, right: bool = False) -> Iterator[str]:
    """Yield a small number in the upper left of a cell, or in its upper right."""
    x, y = corner(layout, cell)
    width = 0.6 * TOTAL * len(str(total)) + 1
    left = x + CELL - 2 - width if right else x + 2
    yield (
        f'<rect class="back" x="{number(left)}" y="{number(y + 2)}" width="{number(width)}" '
        f'height="{number(STRIP - 2)}"/>'
    )
    yield text(left + width / 2, y + 2.2 + TOTAL * 0.36, TOTAL, total, "clue")


def number(value: float) -> str:
    """Return a number with at most one digit after the point.

    >>> number(3.0), number(-0.04), number(2.26)
    ('3', '0', '2.3')
    """
    return f"{round(value, 1) + 0:g}"


def outline(layout: Layout, cells: Sequence[int]) -> str:
    """Return the path around cells, slightly inside their sides."""
    places = {layout.positions[cell] for cell in cells}
    drawn = []
    for row, column in sorted(places):
        x, y = corner(layout, layout.cell_at[row, column])
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if (row + down, column + right) in places:
                continue
            ends = []
            for turn in (-1, 1):  # to each end of the side
                along_side = (row + turn, column) if right else (row, column + turn)
                beyond = (along_side[0] + down, along_side[1] + right)
                out = 0 if along_side not in places else 2 if beyond in places else 1
                ends.append(turn * (CELL / 2 - _INSET + out * _INSET))
            middle_x, middle_y = x + CELL / 2, y + CELL / 2
            side = CELL / 2 - _INSET
            if right:
                line = f"M{number(middle_x + right * side)} {number(middle_y + ends[0])}"
                drawn.append(f"{line}v{number(ends[1] - ends[0])}")
            else:
                line = f"M{number(middle_x + ends[0])} {number(middle_y + down * side)}"
                drawn.append(f"{line}h{number(ends[1] - ends[0])}")
    return "".join(drawn)


def path(kind: str, places: Sequence[Place]) -> str:
    """Return a line through positions; a single position is drawn as a point."""
    points = [f"{number(x)} {number(y)}" for x, y in places]
    drawn = "L".join(points if len(points) > 1 else points * 2)
    return f'<path class="{kind}" d="M{drawn}"/>'


def along(kind: str, layout: Layout, cells: Sequence[int]) -> str:
    """Return a line through cells."""
    return path(kind, [middle(layout, cell) for cell in cells])


def circle(kind: str, centre: Place, radius: float) -> str:
    """Return a circle around a place."""
    x, y = centre
    return f'<circle class="{kind}" cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>'


def square(kind: str, centre: Place, side: float) -> str:
    """Return a square around a place."""
    x, y, width = number(centre[0] - side / 2), number(centre[1] - side / 2), number(side)
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{width}"/>'


def towards(start: Place, end: Place, by: float) -> Place:
    """Return the place at this distance from a start, in the direction of an end."""
    length = math.dist(start, end) or 1
    return (
        start[0] + (end[0] - start[0]) / length * by,
        start[1] + (end[1] - start[1]) / length * by,
    )


def star(kind: str, centre: Place, radius: float) -> str:
    """Return a star of five points around a place."""
    corners = []
    for turn in range(10):
        angle, reach = math.pi * (turn / 5 - 0.5), radius if turn % 2 == 0 else radius * 0.42
        x, y = centre[0] + reach * math.cos(angle), centre[1] + reach * math.sin(angle)
        corners.append(f"{number(x)} {number(y)}")
    return f'<path class="{kind}" d="M{"L".join(corners)}Z"/>'
