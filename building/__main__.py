"""Build the library for this machine into the package; without the tools say why, and do nothing.

Usage: python -m building
"""

from __future__ import annotations

import sys
from pathlib import Path

from building.library import build, levels_here, why_not
from building.systems import SYSTEMS, this_system

FOLDER = Path(__file__).parents[1] / "unidoku" / "backends" / "native" / "machine_code"


def main() -> None:
    """Build the library."""
    name = this_system()
    if (why := why_not(name)) or name is None:
        sys.stderr.write(f"native runs as Python: {why}\n")
        return
    system = SYSTEMS[name]
    if levels := levels_here(system):
        build(system, FOLDER / system.file, levels)
    else:
        sys.stderr.write("native runs as Python: this processor is older than all levels\n")


if __name__ == "__main__":
    main()
