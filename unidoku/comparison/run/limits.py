"""Memory limits of runs and workers, and the memory and processor time that a run used.

On Linux the peak of resident memory can be reset (proc(5), clear_refs), so that each run in a
process has its own peak. Other systems enforce no limit, so that a limit is an error there, and
report the peak of the whole process.

RLIMIT_DATA applies to one process, but a backend may start others. If the process may create a
cgroup below its own (as root, or by systemd's delegation), each worker has one, and the kernel
kills processes that exceed its limit (cgroups(7); memory.txt for version 1, cgroup-v2.rst for
version 2).

If that cgroup's peak can be reset, it is the peak of a run with all its processes. Otherwise this
is the worker's own, plus the peak of the largest process that the run waited for, as far as it is
known: a program inherits the peak of the process that started it (getrusage(2), ru_maxrss), so that
a smaller one than the worker's is not known, and counts as 0.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import time
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from unidoku.comparison.record import Record, Timing, Usage
from unidoku.parallel.processes import kept_pids, peak_bytes
from unidoku.support.memory_limit import lift_memory_limit, limit_memory

try:
    import resource
except ImportError:  # Windows
    _HAS_RESOURCE = False
else:
    _HAS_RESOURCE = True

_CLEAR = "/proc/self/clear_refs"
_LINUX = _HAS_RESOURCE and sys.platform == "linux"
_RESETS = _LINUX and os.access(_CLEAR, os.W_OK)
_PAGE = resource.getpagesize() if _HAS_RESOURCE else 0
_FAR = 4 << 20
"""Bytes by which a peak that was just reset may differ from the resident memory."""

_BYTES_OF_MAXRSS = 1 if sys.platform == "darwin" else 1024
"""The unit in which the system tells the largest memory of a process."""

_BUSY = 1.05
"""Processor time over wall time above which a run used more than one core."""

_IDLE = 0.9
"""Processor time over wall time below which a run was disturbed, if it also lost its core."""

_PAUSES = 5_000_000
"""Nanoseconds in which a search that starts programs may wait for files, pipes and their end."""


PEAK_OF = "each run" if _RESETS else "the whole process"
"""What the peak of resident memory refers to on this system."""


class Guard:
    """Limits the memory of the body of a ``with``, and measures its memory and time.

    Args:
        limit: bytes of data (RLIMIT_DATA: heap, and private mappings) that the process may add to
            the data that it has; None for no limit.
    """

    def __init__(self, limit: int | None) -> None:
        self._limit = limit
        self._pid = os.getpid()
        self._before = 0
        self._peak = 0
        self._resident = 0
        self._grown = 0
        self._switches = 0
        self._switches_below = 0

    def __enter__(self) -> None:
        """Set the limit and reset the peak."""
        if _RESETS:
            _reset_peak()
        self._switches, self._before = _switches_and_peak(self._pid)
        self._switches_below = _switches_below()
        data = 0
        if _LINUX:
            self._resident, data = _sizes()
        if self._limit is not None:
            limit_memory(data + self._limit)

    def __exit__(self, *_: object) -> None:
        """Lift the limit."""
        if self._limit is not None:
            lift_memory_limit()
        switches, self._peak = _switches_and_peak(self._pid)
        self._grown = resident_bytes() - self._resident
        self._switches = switches - self._switches
        self._switches_below = _switches_below() - self._switches_below

    def usage(self, timing: Timing) -> Usage:
        """Return the resources that the body used in this time."""
        wall, cpu = timing.wall_ns, timing.cpu_ns
        disturbed: tuple[str, ...] = ()
        if cpu > _BUSY * wall + 1_000_000:
            disturbed = (f"used {cpu / wall:.2f} cores",)
        elif self._has_lost_its_core(wall - cpu, wall):
            disturbed = (f"had {cpu / wall:.0%} of its core",)
        peak = max(self._peak - self._before, 0)
        return Usage(peak_bytes=peak, grown_bytes=self._grown, disturbed=disturbed)

    def _has_lost_its_core(self, idle: int, wall: int) -> bool:
        if self._switches_below:
            return idle > (1 - _IDLE) * wall + _PAUSES
        return self._switches > 0 and idle > (1 - _IDLE) * wall


def _reset_peak() -> None:
    """Set the peak of resident memory to its current size, for getrusage(2) as well."""
    file = os.open(_CLEAR, os.O_WRONLY)  # pathlib takes four times as long
    try:
        os.write(file, b"5")
    finally:
        os.close(file)


def resident_bytes() -> int:
    """Return the resident memory of this process; 0 where the system is not Linux."""
    return _sizes()[0] if _LINUX else 0


def _sizes() -> tuple[int, int]:
    """Return the bytes of resident memory, and those of data and stack."""
    file = os.open("/proc/self/statm", os.O_RDONLY)
    try:
        fields = os.read(file, 256).split()
    finally:
        os.close(file)
    return int(fields[1]) * _PAGE, int(fields[5]) * _PAGE


@cache
def _has_inherited_peak(pid: int) -> bool:
    """Return, after a reset, whether this process has the peak of the one that started it.

    That happens if it was started by anything but a fork (getrusage(2), ru_maxrss).
    """
    return _switches_and_peak(0)[1] > _sizes()[0] + _FAR


def _switches_and_peak(pid: int) -> tuple[int, int]:
    """Return how often the system took the core away, and the peak of resident memory.

    Args:
        pid: id of this process; 0 to use getrusage(2) in any case.
    """
    if not _HAS_RESOURCE:
        return 0, peak_bytes()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    peak = usage.ru_maxrss * _BYTES_OF_MAXRSS
    if _RESETS and pid and _has_inherited_peak(pid):
        words = Path("/proc/self/status").read_text("ascii").split()
        peak = int(words[words.index("VmHWM:") + 1]) * 1024
    return usage.ru_nivcsw, peak


def _switches_below() -> int:
    """Return how often processes that this one waited for left their core, willingly or not."""
    if not _HAS_RESOURCE:
        return 0
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_nvcsw + usage.ru_nivcsw


_TRIES = 100
"""Milliseconds in which processes that were killed leave their group."""

_MOUNTS = Path("/proc/self/mounts")
_OWN = Path("/proc/self/cgroup")


class _Version(NamedTuple):
    """The file names of a version of cgroups, and its value for no limit."""

    usage: str
    peak: str
    limit: str
    events: str
    unlimited: str


_FIRST = _Version(
    "memory.usage_in_bytes",
    "memory.max_usage_in_bytes",
    "memory.limit_in_bytes",
    "memory.oom_control",
    unlimited="-1",
)
_SECOND = _Version("memory.current", "memory.peak", "memory.max", "memory.events", unlimited="max")


@dataclass(frozen=True)
class MemoryGroup:
    """A memory cgroup created by this program, with its folder below /sys/fs/cgroup."""

    folder: Path

    @classmethod
    def of(cls, pid: int) -> MemoryGroup | None:
        """Return the group of a process, existing or not; None without cgroups."""
        parent = _own_group()
        return None if parent is None else cls(parent / f"unidoku-{pid}")

    @classmethod
    def make(cls) -> MemoryGroup | None:
        """Create the group of this process; None if that is not possible."""
        if (group := cls.of(os.getpid())) is None:
            return None
        for folder in group.folder.parent.glob("unidoku-*"):
            if not Path("/proc", folder.name.removeprefix("unidoku-")).exists():
                cls(folder).remove()  # its owner was killed before it could remove it
        try:
            group.folder.mkdir()
            version = group._version
            (group.folder / version.limit).write_text(version.unlimited, encoding="ascii")
        except OSError:
            group.remove()  # it may exist without the memory controller
            return None
        return group

    def join(self) -> None:
        """Move this process and its future children into the group, or raise OSError."""
        (self.folder / "cgroup.procs").write_text("0", encoding="ascii")

    def limit(self, size: int) -> None:
        """Let the group use this many bytes more than now, or raise OSError."""
        used = int((self.folder / self._version.usage).read_bytes())
        (self.folder / self._version.limit).write_text(str(used + size), encoding="ascii")

    def reset_peak(self) -> int | None:
        """Reset the peak; return the bytes used now, None if the peak cannot be reset."""
        try:  # version 2 resets what is read from the same file, since Linux 6.12
            os.pwrite(self._peak_file, b"0", 0)
        except OSError:
            return None
        return self.peak

    @property
    def peak(self) -> int:
        """The largest number of bytes that the group used since the peak was reset."""
        return int(os.pread(self._peak_file, 64, 0))

    @cached_property
    def _peak_file(self) -> int:
        return os.open(self.folder / self._version.peak, os.O_RDWR)

    @property
    def kills(self) -> int:
        """Number of processes of the group that the kernel has killed because of its limit."""
        with contextlib.suppress(OSError):
            file = os.open(self.folder / self._version.events, os.O_RDONLY)  # once for each run
            try:
                _, _, count = os.read(file, 1024).partition(b"oom_kill ")
            finally:
                os.close(file)
            return int(count.split()[0]) if count else 0
        return 0

    @classmethod
    def removed(cls, pid: int) -> bool:
        """Remove the group of a process that has ended; kill processes that are left in it.

        Args:
            pid: id of the process for which the group was made.

        Returns:
            Whether the kernel killed a process of it at its memory limit.
        """
        if (group := cls.of(pid)) is None:
            return False
        kills = group.kills
        for _ in range(_TRIES):
            if not group.kill():
                break
            time.sleep(0.001)
        group.remove()
        return kills > 0

    def kill(self) -> bool:
        """Kill all processes in the group; return whether there were any."""
        try:
            pids = (self.folder / "cgroup.procs").read_bytes().split()
        except OSError:
            return False
        for pid in pids:
            with contextlib.suppress(OSError):
                os.kill(int(pid), signal.SIGKILL)
        return bool(pids)

    def remove(self) -> None:
        """Remove the group; it stays if there is a process in it."""
        with contextlib.suppress(OSError):
            self.folder.rmdir()

    @cached_property
    def _version(self) -> _Version:
        return _FIRST if (self.folder / _FIRST.usage).exists() else _SECOND


def _own_group() -> Path | None:
    """Return the folder of the memory cgroup of this process."""
    try:
        mounts = [line.split() for line in _MOUNTS.read_text("utf-8").splitlines()]
        groups = [line.split(":", 2) for line in _OWN.read_text("utf-8").splitlines()]
    except OSError:
        return None
    for controllers, kind in (("memory", "cgroup"), ("", "cgroup2")):
        for _, names, path in groups:
            if controllers not in names.split(","):
                continue
            for _, mount, file_system, options, *_ in mounts:
                if file_system == kind and (not controllers or controllers in options.split(",")):
                    folder = Path(mount) / path.lstrip("/")
                    # In a container the path of the group may be shown as the top of the mount.
                    return folder if folder.is_dir() else Path(mount)
    return None


class TreeMemory:
    """Measures the peak memory of a run with all its processes.

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
        self._largest = max(self._largest, usage.ru_maxrss * _BYTES_OF_MAXRSS)
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
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt if _HAS_RESOURCE else 0
