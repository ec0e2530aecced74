"""The fork server: a clean process that imports the backends once, and forks the workers.

It is clean because it only imports and forks: the user's process may have threads, and a lock that
one of them holds would stay locked for ever in a fork.

multiprocessing's forkserver is not used, because its workers take four times as long to start. When
the supervisor is killed, programs that backends started stay; when its server is killed, the
current run is recorded as a crash. There is one server for the whole program: it keeps the module
path and the environment that it started with, preloads once, and outlives the pool. Each of its
workers also imports the user's ``__main__``, which must then be guarded.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import shutil
import signal
import socket
import sys
import traceback
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from unidoku.comparison.run.effects import adopt_orphans, children_of_this_process
from unidoku.comparison.run.limits import MemoryGroup
from unidoku.comparison.run.messages import Configuration, Ended, Job, Setup, Started
from unidoku.comparison.run.worker import import_backend, work
from unidoku.parallel.processes import Connection, connect, die_with_parent, kill_group


def serve(handle: int) -> None:
    """Import the backends, then fork a worker for each request until the supervisor has gone.

    This process inherited the handle of the pipe to the supervisor.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor handles the terminal's Ctrl-C
    pipe = connect(handle)
    parent = os.getppid()
    die_with_parent()
    if os.getppid() != parent:
        return
    try:
        setup, preload = pipe.recv()
    except (EOFError, OSError):
        return
    sys.path[:] = setup.path
    imported = _import(setup.configurations if preload else {})
    gc.collect()
    gc.freeze()  # workers do not collect garbage among the objects that exist already
    # From here on the end of the pipe shows that the supervisor has gone; the signal would also
    # come if only the thread that started this process had ended.
    die_with_parent(wanted=False)
    adopt_orphans()
    server = _Server(pipe, setup, imported, frozenset(children_of_this_process()))
    try:
        pipe.send("ready")
        server.listen()
    except (EOFError, OSError):
        pass
    finally:
        server.end()
        shutil.rmtree(setup.folder, ignore_errors=True)


def _import(configurations: Mapping[str, Configuration]) -> dict[str, int]:
    """Import what the backends need, except those that do not survive a fork.

    Returns:
        For each backend, the nanoseconds that its import took.
    """
    nanoseconds: dict[str, int] = {}
    for configuration in configurations.values():
        spec = configuration.spec
        if spec.forkable and spec.name not in nanoseconds:
            nanoseconds[spec.name] = import_backend(spec)
    return nanoseconds


@dataclass(slots=True)
class _Server:
    """Forks workers when the supervisor asks for them over the pipe, and reaps them."""

    pipe: Connection
    setup: Setup
    imported: Mapping[str, int]  # nanoseconds of import, by backend
    helpers: frozenset[int]  # processes that the imports started
    workers: set[int] = field(default_factory=set)  # ids of the processes that it has forked

    def listen(self) -> None:
        """Fork workers and report their ends; raises EOFError when the pipe is closed."""
        reader, writer = socket.socketpair()
        for end in (reader, writer):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        while True:
            ready, _, _ = select.select([self.pipe.fileno(), reader.fileno()], [], [])
            if reader.fileno() in ready:
                with contextlib.suppress(BlockingIOError):
                    reader.recv(4096)
                self._reap()
            if self.pipe.fileno() in ready:
                job = self.pipe.recv()
                with socket.socket(fileno=os.dup(self.pipe.fileno())) as receiver:
                    _, descriptors, _, _ = socket.recv_fds(receiver, 1, 1)
                if not descriptors:
                    raise EOFError
                self._fork(job, descriptors[0], (reader, writer))

    def _fork(self, job: Job, descriptor: int, others: tuple[socket.socket, ...]) -> None:
        server = os.getpid()
        pid = os.fork()
        if pid == 0:
            self.pipe.close()
            for other in others:
                other.close()
            self._be_worker(server, job, descriptor)
        with contextlib.suppress(OSError):  # one of the two comes first
            os.setpgid(pid, pid)
        os.close(descriptor)
        self.workers.add(pid)
        self.pipe.send(Started(job.serial, pid))

    def _be_worker(self, server: int, job: Job, descriptor: int) -> None:
        """Work in the process just forked, and end it."""
        code = 1
        try:
            die_with_parent()
            if os.getppid() != server:
                os._exit(1)
            os.setpgid(0, 0)  # its own group, so that processes that it starts can be killed too
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            work(connect(descriptor), self.setup, job, self.imported)
            code = 0
        except BaseException:  # noqa: BLE001 - the supervisor reads the reason
            with contextlib.suppress(Exception):
                traceback.print_exc()
        finally:
            os._exit(code)

    def _reap(self) -> None:
        """Report to the supervisor which workers have ended, and how."""
        while (ended := _ended()) is not None:
            pid, code = ended
            if pid in self.workers:  # not the orphan of a worker
                self.workers.discard(pid)
                self._kill_strays(self.workers | self.helpers)
                self.pipe.send(Ended(pid, code, MemoryGroup.removed(pid)))

    def end(self) -> None:
        """Kill all workers, and all processes that they started."""
        for pid in self.workers:
            kill_group(pid)
        self._kill_strays(frozenset())
        for pid in self.workers:
            MemoryGroup.removed(pid)

    def _kill_strays(self, spared: Collection[int]) -> None:
        """Kill the children but some: on Linux what ended workers started, in whatever group."""
        while strays := [pid for pid in children_of_this_process() if pid not in spared]:
            for pid in strays:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)


def _ended() -> tuple[int, int] | None:
    """Reap a child that has ended, and kill its group; return its number and exit code."""
    try:
        if hasattr(os, "waitid"):  # not in every Python of macOS
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None:
                return None
            kill_group(ended.si_pid)  # no other group has its id until it is reaped
            pid, status = os.waitpid(ended.si_pid, 0)
        else:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return None
            kill_group(pid)
    except ChildProcessError:
        return None
    return pid, os.waitstatus_to_exitcode(status)
