"""Memory and processor around a run: its limit, its peak, and what else used the core.

Linux tells by /proc/self: the peak of resident memory can be set back to what it is now, so that
each run in one process has its own (proc(5), clear_refs). Elsewhere there is no limit and the
peak is that of the process; Windows tells neither.
"""

from __future__ import annotations

import os
import sys
from typing import Any

try:
    import resource
except ImportError:  # Windows
    _TELLS = False
else:
    _TELLS = True

__all__ = ["Memory"]

_CLEAR = "/proc/self/clear_refs"
_LINUX = _TELLS and os.access(_CLEAR, os.W_OK)
_PAGE = resource.getpagesize() if _TELLS else 0

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
        _set_peak_back()
        self._before, data = _sizes()
        if self._limit is not None:
            _set_limit(data + self._limit)

    def __exit__(self, *_: object) -> None:
        """Lift the limit."""
        if self._limit is not None and _LINUX:
            _set_limit(resource.RLIM_INFINITY)
        self._peak = _peak_of_process()
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


def _set_peak_back() -> None:
    """Make the peak of resident memory what it is now, also for getrusage(2)."""
    file = os.open(_CLEAR, os.O_WRONLY)  # pathlib takes four times as long
    try:
        os.write(file, b"5")
    finally:
        os.close(file)


def _sizes() -> tuple[int, int]:
    """Return the bytes of memory that are resident, and those of data and stack."""
    file = os.open("/proc/self/statm", os.O_RDONLY)
    try:
        fields = os.read(file, 256).split()
    finally:
        os.close(file)
    return int(fields[1]) * _PAGE, int(fields[5]) * _PAGE


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
