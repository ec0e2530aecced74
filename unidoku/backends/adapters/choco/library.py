"""Loads Choco's library where there is room for it: otherwise it would end the process.

Its heap of Java reserves 32 GiB of addresses, which take no memory. Under a limit below that, as
`ulimit -v` sets, it prints "graal_create_isolate error" and calls ``exit(1)``, which means "no".
"""

from __future__ import annotations

import mmap
import sys

__all__ = ["backend"]

_RESERVED = 33 << 30
"""Bytes of addresses for its heap and the library itself."""


def _check_room() -> None:
    """Raise if the process may not reserve what the library will."""
    if sys.platform == "win32":
        return  # has no such limits
    try:
        mmap.mmap(-1, _RESERVED, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0).close()
    except OSError as error:
        raise ImportError(
            f"its library reserves {_RESERVED >> 30} GiB of addresses, which a limit of this "
            "process refuses; raise the limit (ulimit -v), or use another backend"
        ) from error


_check_room()

from pychoco import backend  # noqa: E402 - loads the library
