"""Solvers in a separate process, which can be ended if they do not stop by themselves.

A child process imports CPMpy once and answers one search after the other. A limit or Ctrl-C during
a search ends it, and the next search starts another. The child runs `main`.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
from collections.abc import Iterator
from multiprocessing import Pipe

from unidoku.backends.toolkit.budget import Budget
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.errors import BackendError
from unidoku.parallel.processes import Connection, connect, interpreter, keep, release, start

_WAIT = 0.1
"""Seconds between two checks of the parent, so that Ctrl-C works while it waits."""


class Child:
    """A process that searches boards with the solvers of CPMpy."""

    def __init__(self) -> None:
        self._pipe, other = Pipe()
        handle = other.fileno()
        self._process = start(
            interpreter(f"from {__name__} import main; main({handle})"),
            handle=handle,
            apart=False,  # a comparison kills it together with its worker's process group
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        other.close()
        keep(self._process.pid)

    def solutions(
        self, solver: str, board: Board, most: int | None, budget: Budget
    ) -> Iterator[Grid | None]:
        """Yield None once the model is built, then up to that many solutions.

        After an exception, such as LimitReached, the child cannot be used again. A solver that
        fails, or whose process ends, raises BackendError.
        """
        with contextlib.suppress(OSError):  # a process that has ended is noticed below
            self._pipe.send((solver, board, most))
        while True:
            while not self._pipe.poll(budget.pause(_WAIT)):
                budget.check_time()
            try:
                kind, content = self._pipe.recv()
            except (EOFError, OSError):
                raise BackendError(
                    f"cpmpy[solver={solver}]: the solver's process ended by itself, "
                    f"with code {self._process.wait()}"
                ) from None
            if kind == "failed":
                raise BackendError(f"cpmpy[solver={solver}]: {content}")
            if kind == "ended":
                return
            yield content

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        release(self._process.pid)
        self._process.wait()
        self._pipe.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.end()


def _serve(pipe: Connection) -> None:
    """Answer requests until the parent has ended."""
    from unidoku.backends.adapters.cpmpy.model import (
        solutions,  # imports CPMpy, which the parent does not need
    )

    while True:
        try:
            solver, board, most = pipe.recv()
        except EOFError:
            return
        try:
            count = 0
            for grid in solutions(solver, board):
                pipe.send(("found", grid))
                count += grid is not None
                if count == most:
                    break
            pipe.send(("ended", None))
        except Exception as error:  # noqa: BLE001 - the parent reports it
            pipe.send(("failed", f"{type(error).__name__}: {error}"))


def main(handle: int) -> None:
    """Answer requests that come through the inherited pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles the terminal's Ctrl-C
    _serve(connect(handle))
