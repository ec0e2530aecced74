"""A limit on the memory of this process, where the system keeps one."""

from __future__ import annotations

import sys

from unidoku.errors import UnsupportedError

try:
    import resource
except ImportError:  # Windows
    KEEPS_MEMORY_LIMITS = False
else:
    KEEPS_MEMORY_LIMITS = sys.platform == "linux"
"""Whether this system can enforce a memory limit."""


def check_memory_limit(limit: int | None) -> None:
    """Raise if there is a memory limit, in bytes, and the system cannot enforce one.

    Raises:
        UnsupportedError: the system cannot enforce it.
    """
    if limit is not None and not KEEPS_MEMORY_LIMITS:
        raise UnsupportedError(
            f"memory_limit: expected 0, no limit, as {sys.platform} cannot keep one, "
            f"got {limit >> 20} MiB"
        )


def limit_memory(size: int) -> None:
    """Let this process have that many bytes of data: heap, and private mappings (RLIMIT_DATA)."""
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard != resource.RLIM_INFINITY and (size == resource.RLIM_INFINITY or size > hard):
        size = hard
    resource.setrlimit(resource.RLIMIT_DATA, (size, hard))


def lift_memory_limit() -> None:
    """Take back `limit_memory`."""
    limit_memory(resource.RLIM_INFINITY)
