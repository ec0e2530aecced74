"""Pictures of boards, as SVG for notebooks, pages and slides; the core does not import it.

The modules: ``board`` draws a board, ``rules`` has a drawing for each kind of rule, ``strokes``
computes positions of cells, ``paint`` has every colour and line of all pictures, ``sheet`` puts
several boards on a page, and ``render`` makes PNG and PDF from any picture.
"""

from unidoku.draw.board import svg
from unidoku.draw.paint import Theme
from unidoku.draw.render import pdf, png
from unidoku.draw.sheet import PAPERS, Entry, Head, sheet

__all__ = ["PAPERS", "Entry", "Head", "Theme", "pdf", "png", "sheet", "svg"]
