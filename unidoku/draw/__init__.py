"""Pictures of boards, as SVG for notebooks, pages and slides; the core does not import it.

The modules: ``board`` draws a board, ``rules`` has a drawing for each kind of rule, ``place``
computes positions of cells, ``paint`` has every colour and line of all pictures, ``sheet`` puts
several boards on a page, and ``render`` makes PNG and PDF from any picture.
"""

from unidoku.draw.board import layout_label, lines, mark_place, picture, shaded, sides, svg
from unidoku.draw.paint import BOARD, STEPS, Palette, Theme
from unidoku.draw.render import pdf, png
from unidoku.draw.rules import over, under
from unidoku.draw.sheet import PAPERS, Entry, sheet
from unidoku.draw.strokes import CELL, MARGIN, corner, number, text

__all__ = [
    "BOARD",
    "CELL",
    "MARGIN",
    "PAPERS",
    "STEPS",
    "Entry",
    "Palette",
    "Theme",
    "corner",
    "layout_label",
    "lines",
    "mark_place",
    "number",
    "over",
    "pdf",
    "picture",
    "png",
    "shaded",
    "sheet",
    "sides",
    "svg",
    "text",
    "under",
]
