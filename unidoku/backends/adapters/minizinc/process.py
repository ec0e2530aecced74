"""Programs that are run on a file and read as they print, and the solvers among them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from queue import Empty, Queue
from tempfile import TemporaryFile, mkstemp
from threading import Thread
from typing import IO

from unidoku.backends.toolkit.budget import Budget
from unidoku.errors import BackendError, OptionError, UnsupportedError
from unidoku.process import kill_group, start

_WAIT = 0.1
"""Seconds after which a wait looks up: on Windows it would not hear Ctrl-C."""

_AHEAD = 64
"""Pieces that are read before they are asked for; then the process has to wait."""

_END = 1.0
"""Seconds to wait for the end of what it prints, which something may have inherited."""


@dataclass(frozen=True, slots=True)
class SolverProgram:
    """A program that reads FlatZinc.

    Args:
        id: MiniZinc's name for it, such as ``org.gecode.gecode``.
        executable: its file.
        flags: the standard flags that it has.
    """

    id: str
    executable: str
    flags: frozenset[str]

    @property
    def is_ortools(self) -> bool:
        """Whether it is OR-Tools, whose faults it shares with the backend `cp-sat`."""
        return "ortools" in self.id.replace("-", "")

    def flag(self, flag: str, purpose: str) -> str:
        """Return the flag; refuse what it is for if the solver lacks it."""
        if flag not in self.flags:
            raise UnsupportedError(
                f"minizinc cannot honour {purpose}: {self.id} has no flag {flag}"
            )
        return flag


def find_solver(name: str) -> SolverProgram:
    """Return the solver of that id, or of that last word of an id; refuse what is none."""
    usable, others = _listed()
    if name in usable:
        return usable[name]
    short = [word for word in usable if "." not in word]
    reason = "is listed by MiniZinc, but is no program that reads FlatZinc"
    raise OptionError(
        f"minizinc: option 'solver': expected one found here, {', '.join(short) or 'none'}; "
        f"{name!r} {reason if name in others else 'is not known to MiniZinc'}"
    )


@lru_cache(maxsize=1)
def _listed() -> tuple[Mapping[str, SolverProgram], frozenset[str]]:
    """Return the solvers that can be used, by their names, and the names of the others."""
    command = ["minizinc", "--solvers-json"]
    try:
        said = subprocess.run(command, capture_output=True, check=True, timeout=10).stdout
        rows = json.loads(said)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise BackendError(f"minizinc: cannot list the solvers: {error}") from error
    usable: dict[str, SolverProgram] = {}
    others: set[str] = set()
    for row in rows:
        names = (row["id"].rpartition(".")[2], row["id"])
        program = row.get("executable", "")
        if (
            row.get("supportsFzn")
            and row.get("inputType", "FZN") == "FZN"
            and not row.get("isGUIApplication")
            and not row.get("requiredFlags")
            and os.access(program, os.X_OK)
        ):
            solver = SolverProgram(row["id"], program, frozenset(row.get("stdFlags", ())))
            usable |= {name: solver for name in names if name not in usable}
        else:
            others.update(names)
    return usable, frozenset(others)


@contextmanager
def running(command: Sequence[str], text: str, suffix: str) -> Iterator[Process]:
    """Run a command on a file of a text; the process does not outlive the body."""
    handle, name = mkstemp(suffix, "unidoku-")
    try:
        with os.fdopen(
            handle, "wb"
        ) as file:  # closed, or Windows would not let the process read it
            file.write(text.encode())
        with TemporaryFile() as said:
            process = Process([*command, name], said)
            try:
                yield process
            finally:
                process.end()
    finally:
        Path(name).unlink()


class Process:
    """A process, in a group of its own: what a terminal sends to ours is not for it."""

    def __init__(self, command: Sequence[str], said: IO[bytes]) -> None:
        """Start it; what it says beside its answers goes to a file, to be quoted in errors."""
        self._program = command[0]
        self._said = said
        self._popen = start(command, stdout=subprocess.PIPE, stderr=said)
        self._over = False
        self._printed: Queue[bytes] = Queue(_AHEAD)
        # A thread, because Windows cannot wait for a pipe with a time limit.
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Pass on what it prints; the last piece is empty."""
        assert self._popen.stdout is not None
        with self._popen.stdout as output:
            while not self._over and (printed := os.read(output.fileno(), 1 << 16)):
                self._printed.put(printed)
        self._printed.put(b"")

    def lines(self, budget: Budget) -> Iterator[bytes]:
        """Yield what it prints; raise LimitReached when the time is over.

        A last line without an end is none: the process was killed while it printed.
        """
        rest = b""
        while True:
            budget.check_time()
            try:
                left = _WAIT if budget.left is None else min(max(budget.left, 0.0), _WAIT)
                printed = self._printed.get(timeout=left)
            except Empty:
                continue
            if not printed:
                return
            *lines, rest = (rest + printed).split(b"\n")
            yield from lines

    def failure(self) -> BackendError | None:
        """Return the error that it ended with, if it did; called once it has no more lines."""
        return self.error() if self._popen.wait() else None

    def error(self) -> BackendError:
        """Return an error that quotes it; called once it has no more lines."""
        code = self._popen.wait()
        self._said.seek(0)
        said = " ".join(self._said.read().decode(errors="replace").split()) or "nothing"
        return BackendError(f"minizinc: {self._program} ended with {code} and said {said[-500:]}")

    def end(self) -> None:
        """Kill it and the processes that it started, if it has not ended."""
        if self._popen.poll() is None:
            kill_group(self._popen.pid)
        self._popen.wait()
        self._over = True
        with suppress(Empty):
            while True:
                self._printed.get_nowait()  # there is room for what the thread still has
        self._reader.join(_END)
