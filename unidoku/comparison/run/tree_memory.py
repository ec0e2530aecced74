"""The peak memory of a run with all its processes, not only of its worker.

If the worker has a cgroup whose peak can be reset, that is the peak of all of them together.
Otherwise it is the worker's own, plus the peak of the largest process that the run waited for, as
far as it is known: a program inherits the peak of the process that started it (getrusage(2),
ru_maxrss), so that a smaller one than the worker's is not known, and counts as 0.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import replace
from pathlib import Path

from unidoku.comparison.record import Record
from unidoku.comparison.run.limits import BYTES_OF_MAXRSS, MemoryGroup
from unidoku.parallel.processes import kept_pids, peak_bytes

try:
    import resource
except ImportError:  # Windows
    _HAS_USAGE = False
else:
    _HAS_USAGE = True


class TreeMemory:
    """Measures the memory of the processes that runs start.

    Args:
        group: the cgroup of this process; None if it has none.
    """

    def __init__(self, group: MemoryGroup | None) -> None:
        """Note from now on how large the processes were that this process waits for."""
        self._group = group
        self._before: int | None = None
        self._bytes: dict[int, int] = {}  # resident bytes of kept processes before the run
        self._faults = 0
        self._largest = 0
        if hasattr(os, "wait4"):
            os.waitpid = self._wait  # as subprocess and multiprocessing call it

    def _wait(self, pid: int, options: int) -> tuple[int, int]:
        ended, status, usage = os.wait4(pid, options)
        self._largest = max(self._largest, usage.ru_maxrss * BYTES_OF_MAXRSS)
        return ended, status

    def begin(self) -> None:
        """Begin a run."""
        self._largest = 0
        self._faults = _faults_of_children()
        self._before = None if self._group is None else self._group.reset_peak()
        self._bytes = {pid: _reset(pid) for pid in kept_pids()}

    def added(self, record: Record) -> Record:
        """Return the record of the run with the memory of its processes."""
        if _faults_of_children() == self._faults and not kept_pids():
            return record
        peak = record.usage.peak_bytes
        if self._group is not None and self._before is not None:
            peak = max(peak, self._group.peak - self._before)
        else:
            peak += self._largest if self._largest > peak_bytes() else 0
            grown = (_status(pid, "HWM") - self._bytes.get(pid, 0) for pid in kept_pids())
            peak += sum(max(growth, 0) for growth in grown)
        return replace(record, usage=replace(record.usage, peak_bytes=peak))


def _reset(pid: int) -> int:
    """Reset the peak of another process, where that is possible; return its resident bytes."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/clear_refs").write_bytes(b"5")
    return _status(pid, "RSS")


def _status(pid: int, name: str) -> int:
    """Return bytes of memory of another process, from proc(5); 0 if they are not known."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("utf-8", "replace")
    except OSError:
        return 0
    match = re.search(rf"^Vm{name}:\s+(\d+) kB", status, re.MULTILINE)
    return int(match[1]) * 1024 if match else 0


def _faults_of_children() -> int:
    """Return the page faults of all processes waited for, of which each has some."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt if _HAS_USAGE else 0
