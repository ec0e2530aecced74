"""Link the objects of a system into one shared library, by the linker that ``ziglang`` brings.

It links for Linux, macOS and Windows on any of them.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from building.systems import System


def link(system: System, objects: Sequence[Path], target: Path) -> None:
    """Write the library of a system.

    Raises:
        CalledProcessError: the linker failed.
    """
    command = [sys.executable, "-m", "ziglang", "cc", "-target", system.zig, "-shared", "-s", "-O2"]
    if "linux" in system.zig:
        # The process has memcpy, memset and memmove, of glibc or of musl: no version is needed.
        command.append("-nostdlib")
    elif "macos" in system.zig:
        command.append(f"-Wl,-install_name,@rpath/{system.file}")
    subprocess.run([*command, "-o", str(target), *map(str, objects)], check=True)
