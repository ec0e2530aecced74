"""The ways to one solver that are compared: our adapter, and the library itself.

Each runs in its own process, which keeps what it builds and times its own calls, so
that none has to share an interpreter, and one that does not come back can be ended.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from measuring.page import FaultError
from unidoku import Board, Layout

T = TypeVar("T")

LIMIT = 10.0
"""Seconds for a board, after which a process is ended."""

_QUICK = 0.05
"""Seconds; what takes less searches the first board once more before each, which is not timed."""

_GRACE = 30.0
"""Seconds for a first board: starting, importing and building."""


@dataclass(slots=True)
class Player(Generic[T]):
    """One side of a backend, in a process of its own.

    Args:
        backend: as in the catalogue.
        side: a word for `prepare`.
        prepare: a function of a module, called in the process with the backend, the side and a
            layout; returns what searches a board of the layout, which is timed.
    """

    backend: str
    side: str
    prepare: Callable[[str, str, Layout], Callable[[Board], T]]
    _process: BaseProcess | None = field(default=None, repr=False)
    _pipe: Connection | None = field(default=None, repr=False)

    def count(self, board: Board, *, first: bool = False) -> tuple[float, T] | None:
        """Return the seconds that a search took and what it found, None after too long.

        Raises:
            FaultError: it failed.
        """
        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self._pipe, other = context.Pipe()
            self._process = context.Process(
                target=_serve, args=(other, self.backend, self.side, self.prepare), daemon=True
            )
            self._process.start()
        assert self._pipe is not None
        self._pipe.send(board)
        if not self._pipe.poll(_GRACE if first else LIMIT):
            self.end()
            return None
        try:
            answer: tuple[float, T] | str = self._pipe.recv()
        except EOFError:
            self.end()
            raise FaultError(f"{self.backend}, {self.side}: the process ended by itself") from None
        if isinstance(answer, str):
            raise FaultError(f"{self.backend}, {self.side}: {answer}")
        return answer

    def end(self) -> None:
        """End the process; a later board starts another."""
        if self._process is not None and self._process.pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)  # with the solvers that it started
            self._process.kill()
            self._process.join()
            self._process = None


def _serve(
    pipe: Connection,
    backend: str,
    side: str,
    prepare: Callable[[str, str, Layout], Callable[[Board], object]],
) -> None:
    """Answer boards until the pipe is closed."""
    os.setpgrp()
    count: Callable[[Board], object] | None = None
    first: Board | None = None
    quick = False
    while True:
        try:
            board: Board = pipe.recv()
        except EOFError:
            return
        try:
            if count is None or first is None or first.layout != board.layout:
                count, first = prepare(backend, side, board.layout), board
            elif quick:
                count(first)  # others have had the processor's caches meanwhile
            begun = time.perf_counter()
            found = count(board)
            taken = time.perf_counter() - begun
            quick = taken < _QUICK
            pipe.send((taken, found))
        except Exception as error:  # noqa: BLE001 - whatever it is, the parent is to tell
            pipe.send(f"{type(error).__name__}: {error}")
