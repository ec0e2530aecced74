"""A path of steps to look at: a page, pictures, JSON, grids for terminals, a notebook's output.

Knows techniques and the core only, and needs nothing but the standard library; only
`unidoku.logic.show.terminal` uses rich.
"""

from unidoku.logic.show.drawing import svg
from unidoku.logic.show.notebook import fragment
from unidoku.logic.show.page import html, write_html
from unidoku.logic.show.record import record

__all__ = ["fragment", "html", "record", "svg", "write_html"]
