"""Build the library of a system."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from building.systems import SYSTEMS, System, this_system

TOOLS = ("llvmlite", "ziglang")
"""Packages that a library is built with."""


def why_not(system: str | None) -> str | None:
    """Return why no library can be built for a system, None if one can."""
    if system not in SYSTEMS:
        return f"no machine code is made for {system or 'this system'}"
    missing = [name for name in TOOLS if find_spec(name) is None]
    return f"{' and '.join(missing)} not installed" if missing else None


def build(system: System, target: Path, levels: Sequence[str] | None = None) -> None:
    """Write the library of a system.

    Args:
        system: the system.
        target: path of the library.
        levels: levels that it has code for; None for all levels of the system.
    """
    from building.emit import objects
    from building.link import link

    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, code in objects(system, system.levels if levels is None else levels):
            paths.append(Path(folder, f"{name}.o"))
            paths[-1].write_bytes(code)
        link(system, paths, target)


def levels_here(system: System) -> tuple[str, ...]:
    """Return the level of this machine, as the only one."""
    from building.emit import level_here

    return () if (level := level_here(system)) is None else (level,)


def is_this(system: str) -> bool:
    """Return whether a system is the one that this process runs on."""
    return system == this_system()
