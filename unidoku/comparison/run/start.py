"""How a worker starts: forked from a clean process, or spawned where the system cannot fork.

`Forked` keeps a fork server: a process that has imported the backends and only forks. Therefore a
worker starts in about three milliseconds instead of the third of a second that importing the
backends takes. The fork server ends, and kills its workers and all processes that these started,
when the supervisor's end of its pipe closes, for any reason.

`Spawned` starts each worker as a new interpreter, which imports a backend when a run needs it.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing import Pipe
from pathlib import Path
from typing import Protocol

from unidoku.comparison.run.limits import MemoryGroup
from unidoku.comparison.run.messages import Ended, Job, Setup, Started
from unidoku.errors import BackendError, UnsupportedError
from unidoku.parallel.processes import Connection, has_ended, kill_group, kill_tree, start
from unidoku.parallel.temporary import variables_for

_START_LIMIT = 120.0
"""Seconds in which all backends must be imported."""

_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), "1"
)
"""Environment variables that keep libraries from starting threads that nobody requested."""


class StartError(BackendError):
    """Workers cannot be started, or the process that forks them has ended."""


class Start(Protocol):
    """Starts workers and reports when they end."""

    def ready(self) -> None:
        """Wait until workers can be started.

        Raises:
            StartError: workers cannot be started.
        """

    def wait_handles(self) -> list[Connection]:
        """Return the connections to wait for, besides the workers' pipes, before `events`."""
        return []

    def start(self, job: Job, supervisor_end: Connection, worker_end: Connection) -> None:
        """Start a worker with its end of a pipe, which stays open until the worker has started.

        Raises:
            StartError: it cannot be started.
        """

    def events(self) -> Iterator[Started | Ended]:
        """Yield the events since the last call, without waiting.

        Raises:
            StartError: no more workers can be started, and those that existed have ended.
        """

    def kill(self, pid: int) -> None:
        """Kill a worker and all processes that it started in its group."""

    def restart(self) -> None:
        """Recover from a `StartError`."""

    def close(self) -> None:
        """Kill all workers."""


class Spawned(Start):
    """Starts workers as new interpreters, on any system.

    A worker takes as long to start as Python and its backends take to import. When the supervisor
    is killed, programs that backends started may stay; on systems other than Linux a worker then
    ends with its run.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._started: list[Started] = []
        self._processes: dict[int, subprocess.Popen[bytes]] = {}

    def start(self, job: Job, supervisor_end: Connection, worker_end: Connection) -> None:
        """Start a worker, which gets its configuration over its pipe."""
        handle = worker_end.fileno()
        # The signal would come when the thread that starts the process ends.
        die = threading.current_thread() is threading.main_thread()
        program = f"from unidoku.comparison.run.worker import main; main({handle}, {die})"
        try:
            with job.errors.open("wb") as errors:
                process = _popen(program, self._setup, handle, errors.fileno())
        except OSError as error:
            raise StartError(f"a worker cannot be started: {error}") from error
        with contextlib.suppress(OSError):  # it has ended, as `events` will report
            supervisor_end.send((self._setup, job))
        self._processes[process.pid] = process
        self._started.append(Started(job.serial, process.pid))

    def events(self) -> Iterator[Started | Ended]:
        """Yield which workers have started and ended."""
        while self._started:
            yield self._started.pop()
        for pid, process in list(self._processes.items()):
            if has_ended(process):
                kill_group(pid)  # processes that it left in it
                process.wait()
                del self._processes[pid]
                yield Ended(pid, process.returncode, MemoryGroup.removed(pid))

    def kill(self, pid: int) -> None:
        """Kill a worker, and all processes that it started."""
        if pid in self._processes:
            kill_tree(pid)

    def close(self) -> None:
        """Kill all workers."""
        for pid in self._processes:
            self.kill(pid)
        for pid, process in self._processes.items():
            process.wait()
            MemoryGroup.removed(pid)
        self._processes.clear()


class Forked(Start):
    """Starts workers as forks of a fork server."""

    def __init__(self, setup: Setup) -> None:
        """Start the fork server, which imports the backends in parallel with the caller."""
        self._setup = setup
        self._preload = True
        self._launch()

    def _launch(self) -> None:
        self._ready = False
        self._pipe, server_end = Pipe()
        program = (
            f"from unidoku.comparison.run.fork_server import serve; serve({server_end.fileno()})"
        )
        self._process = _popen(program, self._setup, server_end.fileno(), subprocess.DEVNULL)
        server_end.close()
        Path(self._setup.folder).mkdir(exist_ok=True)  # an earlier server may have removed it
        with contextlib.suppress(OSError):  # it has ended, as `ready` will report
            self._pipe.send((self._setup, self._preload))

    def ready(self) -> None:
        """Wait until the backends are imported; if that ends the server, workers import them."""
        if not self._has_loaded() and self._preload:
            self._preload = False
            self.restart()
        if not self._has_loaded():
            raise StartError("the fork server ended while importing the backends")

    def _has_loaded(self) -> bool:
        if not self._ready:
            with contextlib.suppress(EOFError, OSError):
                self._ready = self._pipe.poll(_START_LIMIT) and self._pipe.recv() == "ready"
        return self._ready

    def wait_handles(self) -> list[Connection]:
        """Return the pipe of the fork server."""
        return [self._pipe]

    def start(self, job: Job, supervisor_end: Connection, worker_end: Connection) -> None:
        """Let the fork server start a worker."""
        try:
            self._pipe.send(job)
            # Sent after the message, which is read to its last byte, so that both arrive together.
            with socket.socket(fileno=os.dup(self._pipe.fileno())) as sender:
                socket.send_fds(sender, [b"f"], [worker_end.fileno()])
        except OSError as error:
            raise StartError(f"the fork server has ended: {error}") from error

    def events(self) -> Iterator[Started | Ended]:
        """Yield which workers have started and ended."""
        try:
            while self._pipe.poll():
                yield self._pipe.recv()
        except (EOFError, OSError) as error:
            raise StartError("the fork server has ended") from error

    def kill(self, pid: int) -> None:
        """Kill a worker and all processes that it started in its group."""
        kill_group(pid)

    def restart(self) -> None:
        """Start a new fork server, when the workers of the old one have ended."""
        self.close()
        self._launch()

    def close(self) -> None:
        """End the fork server, which kills its workers."""
        self._pipe.close()
        try:
            # The server does not read messages while it imports.
            self._process.wait(timeout=1.0 if self._ready else 0.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def starter(kind: str | None) -> Callable[[Setup], Start]:
    """Return the class that starts workers: ``pool`` forks them, ``spawn`` starts new interpreters.

    Args:
        kind: one of the two; None for ``pool`` on Linux and ``spawn`` elsewhere. On macOS a process
            that has imported OR-Tools, Numba or Z3 may be aborted by the system's libraries when it
            is forked.

    Raises:
        UnsupportedError: this system cannot fork.
    """
    if kind == "spawn" or (kind is None and sys.platform != "linux"):
        return Spawned
    if not hasattr(os, "fork"):
        raise UnsupportedError(
            f"engine: 'pool' forks its workers, which {sys.platform} cannot; use 'spawn'"
        )
    return Forked


def _popen(program: str, setup: Setup, handle: int, errors: int) -> subprocess.Popen[bytes]:
    """Start an interpreter that inherits a handle; its temporary files are in the pool's folder."""
    path = {"PYTHONPATH": os.pathsep.join(setup.path)}
    return start(
        [sys.executable, "-P", "-c", program],
        handle=handle,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        env=os.environ | _ONE_THREAD | path | variables_for(setup.folder),
    )
