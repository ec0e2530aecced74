"""Where the cells of a picture are, and how numbers and texts are written in it."""

from __future__ import annotations

from unidoku.core.layout import Layout

__all__ = ["CELL", "MARGIN", "corner", "middle", "number", "text"]

CELL = 36
"""The width of a cell."""

MARGIN = 3
"""The space around the cells; the outer lines lie half in it."""

_DROP = 0.36
"""From the middle of a digit down to its baseline, as a part of its size."""


def corner(layout: Layout, cell: int) -> tuple[int, int]:
    """Return x and y of the upper left corner of a cell."""
    row, column = layout.positions[cell]
    return column * CELL + MARGIN, row * CELL + MARGIN


def middle(layout: Layout, cell: int) -> tuple[float, float]:
    """Return x and y of the middle of a cell."""
    x, y = corner(layout, cell)
    return x + CELL / 2, y + CELL / 2


def text(x: float, y: float, size: float, content: object, kind: str = "") -> str:
    """Return a text of this size with its middle there; without a kind, its group has one.

    The baseline is computed, for not every renderer knows ``dominant-baseline``.
    """
    said = f' class="{kind}" font-size="{number(size)}"' if kind else ""
    return f'<text{said} x="{number(x)}" y="{number(y + _DROP * size)}">{content}</text>'


def number(value: float) -> str:
    """Write a number with one digit after the point, where it needs one.

    >>> number(3.0), number(-0.04), number(2.26)
    ('3', '0', '2.3')
    """
    return f"{round(value, 1) + 0:g}"
