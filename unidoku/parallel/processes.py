"""Processes of our own: apart from the terminal, and killed with all that they started.

POSIX has groups of processes that one call kills. Where there are none, as on Windows, the
processes that one started are looked for, and those that those started (psutil). What has left
the group, or whose own starter has ended, is found by neither alone: see `kill_tree`.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

try:
    import resource
except ImportError:  # Windows
    _HAS_USAGE = False
else:
    _HAS_USAGE = True

if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection as Connection
else:
    from multiprocessing.connection import Connection as Connection


def start(
    command: Sequence[str], *, handle: int | None = None, apart: bool = True, **settings: Any
) -> subprocess.Popen[bytes]:
    """Start a program, which reads nothing unless ``stdin`` is among the settings.

    Args:
        command: the program and its arguments.
        handle: one end of a pipe that it inherits, for `connect`; None for none.
        apart: in a group of its own, for `kill_group`. The terminal's Ctrl-C does not reach it: it
            is for this process, which then ends the other.
        settings: keyword arguments of `subprocess.Popen`.

    Raises:
        OSError: it cannot be started.
    """
    if sys.platform == "win32":
        settings["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP if apart else 0
        if handle is not None:
            os.set_handle_inheritable(handle, True)
            given = {"handle_list": [handle]}
            settings["startupinfo"] = subprocess.STARTUPINFO(lpAttributeList=given)
    else:
        settings["start_new_session"] = apart
        settings["pass_fds"] = () if handle is None else (handle,)
    return subprocess.Popen(command, **{"stdin": subprocess.DEVNULL, **settings})


def interpreter(program: str, *words: str) -> list[str]:
    """Return the command that runs a program in Python, with the module path of this process.

    No file of the working folder hides a module of the standard library, as it would with ``-c``
    alone: where this process looks for modules there, the other one does so last.
    """
    path = [folder for folder in sys.path if folder]
    if len(path) < len(sys.path):
        path.append(str(Path.cwd()))
    return [sys.executable, "-P", "-c", f"import sys; sys.path[:] = {path!r}; {program}", *words]


def connect(handle: int) -> Connection:
    """Return the end of a pipe that this process inherited; what it starts does not inherit it."""
    if sys.platform == "win32":
        os.set_handle_inheritable(handle, False)
    else:
        os.set_inheritable(handle, False)
    return Connection(handle)


def kill_group(pid: int) -> None:
    """Kill a process that leads a group, and the group.

    Where there are no groups: and what it started, as far as it still runs itself. Nothing
    happens if it has been reaped; another may have its number then.
    """
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
    else:
        kill_tree(pid)


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Return whether a process has ended, and leave it to be reaped: its group stays its own."""
    if process.returncode is not None:
        return True
    if not hasattr(os, "waitid"):  # Windows, macOS before Python 3.13
        return process.poll() is not None
    with contextlib.suppress(ChildProcessError):  # somebody else has reaped it
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None
    return process.poll() is not None


def end_group(process: subprocess.Popen[bytes], *, kill: bool = False) -> int:
    """Wait until a process that leads a group has ended, kill what it left, and return its code.

    Args:
        process: as `start` returns it.
        kill: whether it is killed too, rather than waited for.
    """
    if process.returncode is None:
        if not kill and hasattr(os, "waitid"):
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        if kill:
            kill_tree(process.pid)
        elif hasattr(os, "waitid"):
            kill_group(process.pid)
    return process.wait()


def ending(code: int) -> str:
    """Return how a process ended, in words, from its exit code or minus its signal.

    >>> ending(7), ending(-11)
    ('exited with code 7', 'was ended by SIGSEGV')
    """
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:  # for example a real-time signal
        return f"was ended by signal {-code}"


def kill_tree(pid: int) -> None:
    """Kill a process that leads a group, the group, and what it started in groups of their own.

    Such as the solver that MiniZinc starts. Where Linux does not list the children of a process, to
    look through all processes of the system takes some milliseconds.
    """
    if hasattr(signal, "SIGSTOP") and Path(f"/proc/{pid}/task/{pid}/children").exists():
        _kill_listed(pid)
        return
    import psutil  # imports in 20 ms, which most programs can do without

    processes = []
    with contextlib.suppress(psutil.Error):
        leader = psutil.Process(pid)
        processes = [leader, *leader.children(recursive=True)]
    if hasattr(os, "killpg"):
        kill_group(pid)
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()


def _kill_listed(pid: int) -> None:
    """Kill a process, its group and its descendants, which Linux lists.

    Each is stopped before its children are listed: they keep their numbers until it reaps them.
    """
    pids = [pid]
    for process in pids:  # the list grows meanwhile
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGSTOP)
        for thread in Path(f"/proc/{process}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                pids += map(int, thread.read_text().split())
    if hasattr(os, "killpg"):
        kill_group(pid)
    for process in pids:
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)


def peak_bytes() -> int:
    """Return the peak resident memory of this process, or its present one if no peak is known."""
    if not _HAS_USAGE:
        import psutil

        usage = psutil.Process().memory_info()
        return int(getattr(usage, "peak_wset", usage.rss))
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


_kept_pids: set[int] = set()


def keep(pid: int) -> None:
    """Declare that a process which this one started is used by later searches too.

    A comparison ends all others that are left when a run ends. Call `release` before the process is
    waited for: afterwards the system may give its id to another.
    """
    _kept_pids.add(pid)


def release(pid: int) -> None:
    """Withdraw what `keep` declared; nothing happens if it was not declared."""
    _kept_pids.discard(pid)


def kept_pids() -> frozenset[int]:
    """Return the ids of the processes that `keep` declared."""
    return frozenset(_kept_pids)


def cpu_ns() -> int:
    """Return the processor time of this process and what it started, in nanoseconds.

    Those are the processes that it has waited for, with what they waited for, and those that it
    keeps. Takes a microsecond.
    """
    total = time.process_time_ns()
    if _HAS_USAGE:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        total += round((usage.ru_utime + usage.ru_stime) * 1e9)
    return total + sum(map(_clock_ns, tuple(_kept_pids))) if _kept_pids else total


def tree_cpu_ns(pid: int) -> int:
    """Return the processor time of another process and all below it; 0 if it has ended.

    Takes a millisecond.
    """
    import psutil

    with contextlib.suppress(psutil.Error):
        below = psutil.Process(pid).children(recursive=True)
        return _clock_ns(pid) + sum(_clock_ns(process.pid) for process in below)
    return 0


def _clock_ns(pid: int) -> int:
    """Return the processor time of another process and what it waited for; 0 if it has ended."""
    import psutil

    with contextlib.suppress(psutil.Error, OSError):
        times = psutil.Process(pid).cpu_times()
        total = round((times.user + times.system) * 1e9)
        if sys.platform == "linux":  # where those have a resolution of 10 ms
            total = time.clock_gettime_ns((~pid << 3) | _CLOCK_OF_PROCESS)
        below = getattr(times, "children_user", 0) + getattr(times, "children_system", 0)
        return total + round(below * 1e9)
    return 0


_CLOCK_OF_PROCESS = 2
"""The kind of clock that clock_getcpuclockid(3) returns on Linux, CPUCLOCK_SCHED."""

_SET_PDEATHSIG = 1
_SIGKILL = 9  # signal.SIGKILL, which Python on Windows does not have


def die_with_parent(*, wanted: bool = True) -> None:
    """Have the system kill this process when the thread that started it ends, or no longer.

    Does nothing where the system is not Linux (prctl(2), PR_SET_PDEATHSIG).
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PDEATHSIG, _SIGKILL if wanted else 0)


def forget_interrupted_exec() -> None:
    """Let the process end with its own exit code if it catches the present KeyboardInterrupt.

    Once KeyboardInterrupt has left an ``exec`` or ``eval`` of a text, Python ends the process with
    the signal, even if the exception is caught and the program returns normally. Dataclasses and
    named tuples are made by such an ``exec``, so this can happen in any import. The next ``exec``
    that succeeds clears the mark (``unhandled_keyboard_interrupt`` in pythonrun.c of CPython).
    """
    exec("")
