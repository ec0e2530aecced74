"""Build the library of a system."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from building.systems import SYSTEMS, System

TOOLS = ("llvmlite", "ziglang")
"""Packages that a library is built with."""


def why_not(system: str | None) -> str | None:
    """Return why no library can be built for a system, None if one can."""
    if system not in SYSTEMS:
        return f"no machine code is made for {system or 'this system'}"
    missing = [name for name in TOOLS if find_spec(name) is None]
    return f"{' and '.join(missing)} not installed" if missing else None


def build(
    system: System,
    target: Path,
    levels: Sequence[str] | None = None,
    layouts: Sequence[tuple[str, int]] | None = None,
) -> None:
    """Write the library of a system.

    Args:
        system: the system.
        target: path of the library.
        levels: levels that it has code for; None for all levels of the system.
        layouts: layouts whose lanes it has; None for those that people use.
    """
    from building.emit import LAYOUTS, objects
    from building.link import link

    target.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        paths = []
        for name, code in objects(system, levels or system.levels, layouts or LAYOUTS):
            paths.append(Path(folder, f"{name}.o"))
            paths[-1].write_bytes(code)
        linked = Path(folder, system.file)
        link(system, paths, linked)
        linked.replace(target)  # at once, as processes may have the old one in memory


def levels_here(system: System) -> tuple[str, ...]:
    """Return the level of this machine, as the only one."""
    from building.emit import level_here

    return () if (level := level_here(system)) is None else (level,)
