"""What a run started ends with it: the processes that a worker finds below itself after a run.

On Linux a worker adopts the orphans of its descendants (prctl(2), PR_SET_CHILD_SUBREAPER), so that
all of them can be found, in whatever group or session they are. Elsewhere those are found whose
parents still run.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Collection
from pathlib import Path

from unidoku.parallel.processes import kept_pids, release
from unidoku.support.deadline import Deadline

_RETURN = 1.0
"""Seconds in which a forked process that runs may still show that it returns from the search."""

_END = 5.0
"""Seconds in which processes that were killed must end."""

_NAP = 0.001

_PYTHON_HELPERS = (
    ("multiprocessing.resource_tracker", "_resource_tracker", "_pid"),
    ("multiprocessing.forkserver", "_forkserver", "_forkserver_pid"),
)
"""Processes that Python itself keeps, one of each: their module, object and id."""

_STARTING = {"os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "subprocess.Popen"}
"""Events of `sys.addaudithook` that precede a new process."""


class Descendants:
    """The processes below this one, which is a worker."""

    def __init__(self) -> None:
        """Adopt orphans, and take notice of new processes where the system shows none."""
        adopt_orphans()
        self._is_started = False
        if not hasattr(os, "waitid"):  # Windows, macOS before Python 3.13
            sys.addaudithook(self._notice)

    def _notice(self, event: str, _: object) -> None:
        if event in _STARTING:
            self._is_started = True

    def end_left(self, returned: Callable[[], bool]) -> int:
        """End what the last run started and did not declare to keep; return how many still ran.

        Takes a microsecond if there is none.

        Args:
            returned: whether a forked process is known to have returned from the search: one that
                runs is given time until then.
        """
        if not self._may_have_children():
            return 0
        deadline = Deadline(_RETURN)
        while _is_running(_left()) and not returned() and not deadline.passed:
            time.sleep(_NAP)
        killed: set[int] = set()
        deadline = Deadline(_END)
        while (children := _left()) and not deadline.passed:
            killed.update(pid for pid in children if _state(pid) != "Z")
            _kill(children)
            time.sleep(_NAP * (len(killed) > 0))
        self._is_started = bool(kept_pids())
        return len(killed)

    def _may_have_children(self) -> bool:
        if hasattr(os, "waitid"):
            try:
                os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return False
            return True
        return self._is_started


def _left() -> list[int]:
    """Return the children of this process that nobody declared to keep."""
    # Elsewhere than on Linux orphans are not children, so those below children are sought too.
    children = children_of_this_process(recursive=sys.platform != "linux")
    for pid in kept_pids().difference(children):
        release(pid)  # it has ended
    spared = kept_pids() | _helpers_of_python()
    return [pid for pid in children if pid not in spared]


def _helpers_of_python() -> set[int]:
    pids = set()
    for module, name, attribute in _PYTHON_HELPERS:
        helper = getattr(sys.modules.get(module), name, None)
        pids.add(getattr(helper, attribute, None) or 0)
    return pids


def children_of_this_process(*, recursive: bool = False) -> list[int]:
    """Return the ids of the children, ended ones that nobody waited for included.

    Args:
        recursive: whether the system is asked for what they started too, if it is not Linux.
    """
    pids: list[int] = []
    try:
        for thread in Path("/proc/self/task").iterdir():
            pids += map(int, (thread / "children").read_bytes().split())
    except OSError:  # not Linux, or a kernel without CONFIG_PROC_CHILDREN
        import psutil  # imports in 20 ms

        return [process.pid for process in psutil.Process().children(recursive=recursive)]
    return pids


def _state(pid: int) -> str:
    """Return the state of a process as proc(5) has it: R runs, Z has ended; S if unknown."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
    except OSError:
        return "S"


def _is_running(pids: Collection[int]) -> bool:
    return any(_state(pid) in "RD" for pid in pids)


def _kill(pids: Collection[int]) -> None:
    """Kill processes, and wait for those of them that have ended, without delay."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    if hasattr(os, "WNOHANG"):
        for pid in pids:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Become the parent of all descendants whose parent ends.

    Does nothing where the system is not Linux (prctl(2), PR_SET_CHILD_SUBREAPER).
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1)
