"""Shows a solution by logic: as a page, pictures, JSON, text for terminals, notebook output.

Imports techniques, the core and `unidoku.support.page` only, and needs only the standard library,
except for `unidoku.logic.show.terminal`, which uses rich.
"""

from unidoku.logic.show.drawing import svg
from unidoku.logic.show.page import fragment, html, write_html
from unidoku.logic.show.record import record

__all__ = ["fragment", "html", "record", "svg", "write_html"]
