"""Libraries that end the process where they get no memory are not loaded if there is too little.

OpenBLAS, which numpy loads, ends the process with code 1 if there is no memory for its buffers, and
interrupts it if there is none for its threads: the answers "no" and "Ctrl-C" of a command.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from types import ModuleType

NEEDED = {"numpy": (50 << 20, 40 << 20)}
"""Address space in bytes that a library takes as it is loaded, and for each core besides."""

_MOST_THREADS = 64
"""As many threads as OpenBLAS begins at most."""


class _Finder:
    """Finds no module, and raises an error where there is no room for one."""

    @staticmethod
    def find_spec(
        name: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> None:
        if name in NEEDED:
            import mmap

            base, of_core = NEEDED[name]
            size = base + of_core * min(os.cpu_count() or 1, _MOST_THREADS)
            mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0).close()


def keep_headroom() -> None:
    """Have imports fail where the libraries would end the process, if memory has a limit.

    A library whose import fails raises an OSError: there is no memory for it.
    """
    if sys.platform != "win32":
        import resource  # Windows has none

        if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
            sys.meta_path.insert(0, _Finder())
