"""The zygote as the supervisor sees it: started, asked for workers, and ended."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

from unidoku.comparison.run.settings import ONE_THREAD
from unidoku.comparison.run.wire import Loaded, Setup
from unidoku.errors import BackendError

__all__ = ["Zygote", "ZygoteError"]

_START_LIMIT = 120.0
"""Seconds to import all backends."""


class ZygoteError(BackendError):
    """The process that forks the workers has ended, or could not be started."""


class Zygote:
    """A clean process that has imported the backends and forks workers."""

    def __init__(self, setup: Setup) -> None:
        """Start it; it imports while the caller goes on."""
        # A stream, not packets: not every system with fork has those.
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._pipe = Connection(os.dup(self._socket.fileno()))
        # Its own session: the terminal's Ctrl-C is the supervisor's.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "unidoku.comparison.run.zygote", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=os.environ | ONE_THREAD | {"PYTHONPATH": os.pathsep.join(setup.path)},
        )
        theirs.close()
        self._loaded: Loaded | None = None
        with contextlib.suppress(OSError):  # it has ended, as `loaded` will say
            self._pipe.send_bytes(pickle.dumps(setup))

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    def fileno(self) -> int:
        """Return the number of the socket, for a selector."""
        return self._pipe.fileno()

    def loaded(self) -> Loaded:
        """Wait until the backends are imported.

        Raises:
            ZygoteError: it ended, or took too long.
        """
        if self._loaded is None:
            try:
                if self._pipe.poll(_START_LIMIT):
                    self._loaded = self._pipe.recv()
            except (EOFError, OSError):
                pass
        if self._loaded is None:
            raise ZygoteError(
                "the process that forks the workers ended while it imported the backends"
            )
        return self._loaded

    def fork(
        self, serial: int, end: socket.socket, place: int, cores: frozenset[int], errors: str
    ) -> None:
        """Have a worker forked.

        Args:
            serial: what it is called when the zygote says that it has been forked.
            end: its end of the socket between it and the supervisor; to be kept open until then.
            place: which worker it is.
            cores: that it may use; none is all.
            errors: the file for what it writes to standard error.

        Raises:
            ZygoteError: it has ended.
        """
        try:
            self._pipe.send((serial, place, cores, errors))
            # After the message, which is read to its last byte, so that it comes with this one.
            socket.send_fds(self._socket, [b"f"], [end.fileno()])
        except OSError as error:
            raise ZygoteError(f"the process that forks the workers has ended: {error}") from error

    def hear(self) -> Iterator[tuple[Any, ...]]:
        """Yield what it says: ``("forked", serial, pid)`` and ``("ended", pid, code, large)``.

        ``large`` tells whether the system ended it for its memory.

        Raises:
            ZygoteError: it has ended.
        """
        try:
            while self._pipe.poll():
                yield self._pipe.recv()
        except (EOFError, OSError) as error:
            raise ZygoteError("the process that forks the workers has ended") from error

    def kill(self, pid: int | None) -> None:
        """Kill a worker and all that it started."""
        if pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)

    def close(self) -> None:
        """End it, and with it its workers."""
        self._pipe.close()
        self._socket.close()
        try:
            # While it imports it does not listen.
            self._process.wait(timeout=1.0 if self._loaded is not None else 0.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
