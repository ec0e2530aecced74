"""Functions that display boards and walkthroughs in notebooks.

Neither the core nor logic draws anything. `unidoku`, which Python imports before any of its
modules, sets these functions, and each imports the drawing code when it is called.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing takes longer than everything else in `import unidoku`
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

board_svg: Callable[..., str] | None = None
"""Returns a board as SVG, with a grid that fills it if one is given."""

walkthrough_html: Callable[[Any], str] | None = None
"""Returns the steps of a walkthrough as HTML."""
