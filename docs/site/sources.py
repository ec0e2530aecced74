"""Where the source of a described name is, once the project has a public address."""

from __future__ import annotations

import inspect
import sys
import tomllib
from operator import attrgetter
from pathlib import Path

ROOT = Path(__file__).parents[2]


def repository() -> str:
    """Return the address of the public repository, from pyproject.toml; empty if there is none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    address: str = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"]
    return address.rstrip("/")


def address_of(module: str, name: str, base: str) -> str | None:
    """Return the address of the source of a name, with its line; None if it has no source."""
    try:
        item = inspect.unwrap(attrgetter(name)(sys.modules[module]))
        lines, first = inspect.getsourcelines(item)
        path = Path(inspect.getfile(item)).relative_to(ROOT)
    except (AttributeError, TypeError, ValueError, OSError):
        return None  # an attribute, a type of another package, or what no file defines
    return f"{base}/blob/HEAD/{path.as_posix()}#L{first}-L{first + len(lines) - 1}"
