"""Pictures of boards, as SVG for notebooks, pages and slides; the core does not know this package.

Where things are: ``board`` draws a board, ``paint`` has every colour and line of all pictures.
"""

from unidoku.draw.board import (
    CELL,
    MARGIN,
    corner,
    layout_label,
    lines,
    mark_place,
    number,
    picture,
    shaded,
    sides,
    svg,
    text,
)
from unidoku.draw.paint import BOARD, STEPS, Palette, Theme

__all__ = [
    "BOARD",
    "CELL",
    "MARGIN",
    "STEPS",
    "Palette",
    "Theme",
    "corner",
    "layout_label",
    "lines",
    "mark_place",
    "number",
    "picture",
    "shaded",
    "sides",
    "svg",
    "text",
]
