"""What a run does to its worker ends with it: processes, and what it changes about signals.

A backend may fork. If its child does not end inside the search, but returns from it or raises, two
processes would search, read runs and answer on one pipe, and what the child does would be blamed on
other backends. So a worker notes which process it is, and every other one ends at once.

On Linux a worker adopts the orphans of its descendants (prctl(2), PR_SET_CHILD_SUBREAPER), so that
it finds all processes below itself after a run, in whatever group or session they are. Elsewhere
those are found whose parents still run.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import signal
import sys
import time
from collections.abc import Callable, Collection
from pathlib import Path

from unidoku.parallel.processes import kept_pids, release
from unidoku.support.deadline import Deadline

FORKED: list[int] = []
"""Not empty in a process that was forked from a worker: loops test it, which takes 20 ns."""


class Forks:
    """Remembers which process the worker is, in memory that it shares with forked processes."""

    def __init__(self) -> None:
        """Make this process the worker."""
        self._worker = os.getpid()
        self._note = mmap.mmap(-1, 1)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._mark)
        _all.append(self)

    def _mark(self) -> None:
        FORKED.append(os.getpid())

    def end_if_forked(self) -> None:
        """Leave a note for the worker and end, if this process is not the worker itself."""
        if os.getpid() != self._worker:
            self._note[0] = 1
            os._exit(1)

    def has_returned(self) -> bool:
        """Return whether a forked process has ended that way."""
        return self._note[0] == 1

    def take_return(self) -> bool:
        """Return whether a forked process has ended that way since the last call."""
        has_returned = self.has_returned()
        self._note[0] = 0
        return has_returned


_all: list[Forks] = []


def end_if_forked() -> None:
    """End this process if it was forked from a worker; do nothing if there is no worker."""
    for forks in _all:
        forks.end_if_forked()


_FIXED = {getattr(signal, name) for name in ("SIGKILL", "SIGSTOP") if hasattr(signal, name)}

_LAST = 31
"""The last signal that is not a real-time one."""


class Signals:
    """The handlers, the blocked signals and the timer of this process, as they are when it is made.

    Only handlers that Python sets are seen.
    """

    def __init__(self) -> None:
        """Note the handlers of this process; for its main thread."""
        numbers = sorted(n for n in signal.valid_signals() if n <= _LAST and n not in _FIXED)
        self._handlers = [
            (signal_number, signal.getsignal(signal_number)) for signal_number in numbers
        ]
        self._blocked = None
        if hasattr(signal, "pthread_sigmask"):
            self._blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())

    def restore(self) -> None:
        """Bring back what was noted; takes some 15 µs."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for signal_number, handler in self._handlers:
            if signal.getsignal(signal_number) is not handler:
                with contextlib.suppress(OSError, ValueError, TypeError):
                    signal.signal(signal_number, signal.SIG_DFL if handler is None else handler)
        if self._blocked is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, self._blocked)


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
