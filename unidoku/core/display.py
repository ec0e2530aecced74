"""How a board shows itself in notebooks: the front of the package hands over who draws it.

The core draws nothing and knows no drawings; `unidoku`, which is imported before any of its
modules, sets `picture`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

picture: Callable[[Any], str] | None = None
"""Returns a board as SVG."""
