"""Pictures of boards, as SVG for notebooks and pages.

Everything that shows a board may import this package; the core does not know it.
"""

from unidoku.draw.board import (
    CELL,
    MARGIN,
    STYLE,
    corner,
    layout_label,
    mark_place,
    shaded,
    sides,
    svg,
)

__all__ = [
    "CELL",
    "MARGIN",
    "STYLE",
    "corner",
    "layout_label",
    "mark_place",
    "shaded",
    "sides",
    "svg",
]
