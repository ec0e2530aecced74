"""The zygote: a clean process that imports the backends once, and forks the workers.

A worker so costs some three milliseconds, not the third of a second that importing the backends
takes. Run as a module with the number of a socket, this is the zygote. It ends, and ends its
workers, when the supervisor's end of the socket closes, however that comes about.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pickle
import select
import shutil
import signal
import socket
import sys
import time
import traceback
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path

from unidoku.comparison.run.cgroup import MemoryGroup
from unidoku.comparison.run.wire import (
    Configuration,
    Loaded,
    Setup,
    adopt_orphans,
    die_with_parent,
)
from unidoku.comparison.run.worker import work

__all__ = ["serve"]


def serve(control: socket.socket) -> None:
    """Import the backends, then fork a worker at each request, until the supervisor is gone."""
    parent = os.getppid()
    die_with_parent()
    if os.getppid() != parent:
        return
    pipe = Connection(os.dup(control.fileno()))
    try:
        setup: Setup = pickle.loads(pipe.recv_bytes())
    except (EOFError, OSError):
        return
    sys.path[:] = setup.path
    loaded = _import(setup.configurations if setup.preload else {})
    gc.collect()
    gc.freeze()  # collections in the workers need not look at what is there already
    # From here on the end of the socket tells; the signal would also come when no more than the
    # thread that started this process had ended.
    die_with_parent(wanted=False)
    adopt_orphans()
    workers: set[int] = set()
    try:
        pipe.send(loaded)
        _listen(control, pipe, setup, loaded, workers)
    except (EOFError, OSError):
        pass
    finally:
        for pid in workers:
            _end(pid)
        _end_strays()
        for pid in workers:
            _was_too_large(pid)
        shutil.rmtree(setup.folder, ignore_errors=True)


def _listen(
    control: socket.socket, pipe: Connection, setup: Setup, loaded: Loaded, workers: set[int]
) -> None:
    """Fork workers and tell of their ends; raises what a closed socket raises."""
    ear, mouth = socket.socketpair()
    for end in (ear, mouth):
        end.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    zygote = os.getpid()
    while True:
        ready, _, _ = select.select([pipe.fileno(), ear.fileno()], [], [])
        if ear.fileno() in ready:
            with contextlib.suppress(BlockingIOError):
                ear.recv(4096)
            _reap(pipe, workers)
        if pipe.fileno() in ready:
            serial, place, cores, errors = pipe.recv()
            _, descriptors, _, _ = socket.recv_fds(control, 1, 1)
            if not descriptors:
                raise EOFError
            pid = os.fork()
            if pid == 0:
                for other in (control, pipe, ear, mouth):
                    other.close()
                _be_worker(zygote, descriptors[0], setup, loaded, place, cores, errors)
            with contextlib.suppress(OSError):  # whichever of the two comes first
                os.setpgid(pid, pid)
            os.close(descriptors[0])
            workers.add(pid)
            pipe.send(("forked", serial, pid))


def _be_worker(
    zygote: int,
    descriptor: int,
    setup: Setup,
    loaded: Loaded,
    place: int,
    cores: frozenset[int],
    errors: str,
) -> None:
    """Work, in the process just forked, and end it."""
    code = 1
    try:
        die_with_parent()
        if os.getppid() != zygote:
            os._exit(1)
        os.setpgid(0, 0)  # a group of its own, so that what it starts can be ended with it
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.set_inheritable(descriptor, False)
        work(descriptor, setup, loaded, place, cores, errors)
        code = 0
    except BaseException:  # noqa: BLE001 - the process ends here; the supervisor reads why
        with contextlib.suppress(Exception):
            traceback.print_exc()
    finally:
        os._exit(code)


def _import(configurations: Mapping[str, Configuration]) -> Loaded:
    """Import what the backends need, those left out that do not survive a fork."""
    nanoseconds: dict[str, int] = {}
    seen: set[str] = set()
    for label, configuration in configurations.items():
        spec = configuration.spec
        if not spec.forkable or spec.name in seen:
            continue
        seen.add(spec.name)
        start = time.perf_counter_ns()
        for name in (spec.target.partition(":")[0], *spec.requires):
            # What cannot be imported is said by the run that wants it.
            with contextlib.suppress(Exception, SystemExit):
                importlib.import_module(name)
        nanoseconds[label] = time.perf_counter_ns() - start
    return Loaded(nanoseconds=nanoseconds)


def _reap(pipe: Connection, workers: set[int]) -> None:
    """Tell the supervisor which workers have ended, and how."""
    while (ended := _ended()) is not None:
        pid, code = ended
        if pid in workers:  # not an orphan of one
            workers.discard(pid)
            pipe.send(("ended", pid, code, _was_too_large(pid)))


def _was_too_large(pid: int) -> bool:
    """Tell whether the kernel ended a worker for its memory, and remove its group."""
    group = MemoryGroup.of(pid)
    if group is None:
        return False
    kills = group.kills
    group.remove()
    return kills > 0


def _ended() -> tuple[int, int] | None:
    """Reap a child that has ended, with all that it started; return its number and exit code."""
    try:
        if hasattr(os, "waitid"):  # not in every Python of macOS
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None:
                return None
            _end(ended.si_pid)  # while it is not reaped, its number is no other group's
            pid, status = os.waitpid(ended.si_pid, 0)
        else:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return None
            _end(pid)
    except ChildProcessError:
        return None
    return pid, os.waitstatus_to_exitcode(status)


def _end(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _end_strays() -> None:
    """Kill what workers started and put into groups of its own; see `adopt_orphans`."""
    pid = os.getpid()
    children = Path(f"/proc/self/task/{pid}/children")
    try:
        while found := children.read_text().split():
            for child in found:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(child), signal.SIGKILL)
                os.waitpid(int(child), 0)
    except OSError:  # no such system, or no child any more
        return


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is the supervisor's
    number = int(sys.argv[1])
    os.set_inheritable(number, False)
    serve(socket.socket(fileno=number))
