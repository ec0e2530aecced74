"""Memory and processor around a run: its limit, its peak, and what else used the core.

Linux tells by /proc/self: the peak of resident memory can be set back to what it is now, so that
each run in one process has its own (proc(5), clear_refs). Elsewhere there is no limit and the
peak is that of the process; Windows tells neither.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

try:
    import resource
except ImportError:  # Windows
    _TELLS = False
else:
    _TELLS = True

__all__ = ["Memory"]

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")
_LINUX = _TELLS and _CLEAR.exists() and os.access(_CLEAR, os.W_OK)
_FIELD = re.compile(rb"^(VmHWM|VmRSS|VmData):\s+(\d+) kB", re.MULTILINE)

_BUSY = 1.05
"""Processor time over wall time above which a run used more than one core."""

_IDLE = 0.9
"""Below which, where the core was also taken away, something else was running."""


class Memory:
    """Limits the memory of the body of a ``with`` and tells what it used.

    Args:
        limit: bytes of data (RLIMIT_DATA: heap, and what is mapped privately) that may be added
            to those that the process has; None is no limit.
    """

    def __init__(self, limit: int | None) -> None:
        """Remember the limit."""
        self._limit = limit
        self._before = 0
        self._peak = 0
        self._switches = 0

    def __enter__(self) -> None:
        """Set the limit, and the peak back."""
        self._switches = _switches_of_process()
        if not _LINUX:
            self._before = _peak_of_process()
            return
        _CLEAR.write_bytes(b"5")
        now = _status()
        self._before = now[b"VmRSS"]
        if self._limit is not None:
            _set_limit(now[b"VmData"] + self._limit)

    def __exit__(self, *_: object) -> None:
        """Lift the limit."""
        if self._limit is not None and _LINUX:
            _set_limit(resource.RLIM_INFINITY)
        self._peak = _status()[b"VmHWM"] if _LINUX else _peak_of_process()
        self._switches = _switches_of_process() - self._switches

    def figures(self, measured: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a record that tell of memory and processor.

        Args:
            measured: the record's other fields, with the times.
        """
        return {
            "peak_bytes": max(self._peak - self._before, 0),
            "disturbed": tuple(self._disturbances(measured)),
        }

    def _disturbances(self, measured: dict[str, Any]) -> list[str]:
        wall, cpu = measured.get("wall_ns", 0), measured.get("cpu_ns", 0)
        if cpu > _BUSY * wall + 1_000_000:
            return [f"used {cpu / wall:.2f} cores"]
        if self._switches and cpu < _IDLE * wall:
            return [f"had {cpu / wall:.0%} of its core"]
        return []


def _status() -> dict[bytes, int]:
    """Return the fields of /proc/self/status that are wanted, in bytes."""
    return {name: int(size) * 1024 for name, size in _FIELD.findall(_STATUS.read_bytes())}


def _peak_of_process() -> int:
    if not _TELLS:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _switches_of_process() -> int:
    """Return how often the system took the core away."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw if _TELLS else 0


def _set_limit(soft: int) -> None:
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard != resource.RLIM_INFINITY and (soft == resource.RLIM_INFINITY or soft > hard):
        soft = hard
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
