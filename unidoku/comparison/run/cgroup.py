"""Memory cgroups: a limit for a worker and all that it starts, where we may make one.

RLIMIT_DATA holds for a process, and a backend may start others. Where the process may make a
group below its own (as root, or by systemd's delegation), each worker gets one; the kernel ends
who goes over (cgroups(7); memory.txt for the first version, cgroup-v2.rst for the second).
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

__all__ = ["MemoryGroup"]

_MOUNTS = Path("/proc/self/mounts")
_OWN = Path("/proc/self/cgroup")


@dataclass(frozen=True, slots=True)
class _Version:
    """How a version of cgroups calls its files."""

    usage: str
    limit: str
    unlimited: str
    events: str


_FIRST = _Version(
    usage="memory.usage_in_bytes",
    limit="memory.limit_in_bytes",
    unlimited="-1",
    events="memory.oom_control",
)
_SECOND = _Version(
    usage="memory.current", limit="memory.max", unlimited="max", events="memory.events"
)


@dataclass(frozen=True)
class MemoryGroup:
    """A memory cgroup of our own.

    Args:
        folder: where the kernel shows it.
    """

    folder: Path

    @classmethod
    def of(cls, pid: int) -> MemoryGroup | None:
        """Return the group for a process, below our own, made or not; None where there is none."""
        own = _own_group()
        return None if own is None else cls(own / f"unidoku-{pid}")

    @classmethod
    def make(cls) -> MemoryGroup | None:
        """Make the group for this process; None where that cannot be done."""
        group = cls.of(os.getpid())
        if group is None:
            return None
        for left in group.folder.parent.glob("unidoku-*"):
            if not Path("/proc", left.name.removeprefix("unidoku-")).exists():
                cls(left).remove()  # whoever was to do so has been killed
        try:
            group.folder.mkdir()
        except OSError:
            return None
        try:
            group.lift()
        except OSError:
            group.remove()  # a group without the memory controller
            return None
        return group

    def join(self) -> None:
        """Put this process into the group, and what it starts from now on.

        Raises:
            OSError: the kernel does not let it.
        """
        (self.folder / "cgroup.procs").write_text("0", encoding="ascii")

    def limit(self, size: int) -> None:
        """Let the group use so many bytes more than it does.

        Raises:
            OSError: the kernel does not let it.
        """
        version = self._version
        used = int((self.folder / version.usage).read_bytes())
        (self.folder / version.limit).write_text(str(used + size), encoding="ascii")

    def lift(self) -> None:
        """Let the group use what there is.

        Raises:
            OSError: the kernel does not let it.
        """
        version = self._version
        (self.folder / version.limit).write_text(version.unlimited, encoding="ascii")

    @property
    def kills(self) -> int:
        """Processes of the group that the kernel has ended for its limit."""
        with contextlib.suppress(OSError):
            file = os.open(self.folder / self._version.events, os.O_RDONLY)  # asked for each run
            try:
                _, _, number = os.read(file, 1024).partition(b"oom_kill ")
            finally:
                os.close(file)
            return int(number.split()[0]) if number else 0
        return 0

    def remove(self) -> None:
        """Remove the group; it stays if a process is still in it."""
        with contextlib.suppress(OSError):
            self.folder.rmdir()

    @cached_property
    def _version(self) -> _Version:
        return _FIRST if (self.folder / _FIRST.usage).exists() else _SECOND


def _own_group() -> Path | None:
    """Return the folder of the memory cgroup that this process is in."""
    try:
        mounts = [line.split() for line in _MOUNTS.read_text("utf-8").splitlines()]
        own = [line.split(":", 2) for line in _OWN.read_text("utf-8").splitlines()]
    except OSError:
        return None
    for controllers, kind in (("memory", "cgroup"), ("", "cgroup2")):
        for _, names, path in own:
            if controllers not in names.split(","):
                continue
            for _, mount, found, options, *_ in mounts:
                if found == kind and (not controllers or controllers in options.split(",")):
                    folder = Path(mount) / path.lstrip("/")
                    # In a container the group's own path may be shown as the mount's top.
                    return folder if folder.is_dir() else Path(mount)
    return None
