"""Programs that are run on a file and read as they print, and the solvers among them."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import IO

from unidoku.backends.toolkit.budget import Budget
from unidoku.errors import BackendError, OptionError, UnsupportedError


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
        raise BackendError(f"minizinc: cannot tell which solvers there are: {error}") from error
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
    with NamedTemporaryFile(suffix=suffix) as file, TemporaryFile() as said:
        file.write(text.encode())
        file.flush()
        process = Process([*command, file.name], said)
        try:
            yield process
        finally:
            process.end()


class Process:
    """A process, in a group of its own: what a terminal sends to ours is not for it."""

    def __init__(self, command: Sequence[str], said: IO[bytes]) -> None:
        """Start it; what it says beside its answers goes to a file, to be quoted in errors."""
        self._program = command[0]
        self._said = said
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=said,
            process_group=0,
        )
        assert self._popen.stdout is not None
        self._output = self._popen.stdout

    def lines(self, budget: Budget) -> Iterator[bytes]:
        """Yield what it prints; raise LimitReached when the time is over.

        A last line without an end is none: the process was killed while it printed.
        """
        descriptor = self._output.fileno()
        rest = b""
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            while True:
                budget.check_time()
                if selector.select(budget.left):
                    printed = os.read(descriptor, 1 << 16)
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
            with suppress(ProcessLookupError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        self._output.close()
        self._popen.wait()
