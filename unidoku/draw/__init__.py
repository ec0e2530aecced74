"""Pictures of boards, as SVG for notebooks, pages and slides; the core does not know this package.

Where things are: ``board`` draws a board, ``rules`` has a drawing for each kind
of rule, ``place`` says where cells are, ``paint`` has every colour and line of all pictures.
"""

from unidoku.draw.board import layout_label, lines, mark_place, picture, shaded, sides, svg
from unidoku.draw.paint import BOARD, STEPS, Palette, Theme
from unidoku.draw.place import CELL, MARGIN, corner, number, text
from unidoku.draw.rules import over, under

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
    "over",
    "picture",
    "shaded",
    "sides",
    "svg",
    "text",
    "under",
]
