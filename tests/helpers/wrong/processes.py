"""Backends that end, block or fill their process where the first cell is given as 1.

They are named as ``tests.helpers.wrong.processes:SegFaults``, so that any process can import them.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from unidoku.backends.adapters.norvig import Norvig
from unidoku.backends.base import Capabilities, Request, Result, Stop
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.parallel.processes import keep, start

KEEPS_TIME = Capabilities(honours=frozenset({"time_limit"}))


@dataclass(frozen=True)
class Faulty:
    """Answers like Norvig's solver, except on boards that trigger the fault."""

    capabilities: ClassVar[Capabilities] = Capabilities()

    def search(self, board: Board, request: Request) -> Result:
        if board.givens[0] != 1:
            return Norvig().search(board, request)
        self.fault(board, request)
        return self.answer(Norvig().search(board, request))

    def answer(self, result: Result) -> Result:
        """Return what is answered in place of a result."""
        return result

    def fault(self, board: Board, request: Request) -> None:
        """Do what a backend must not."""


class Sound(Faulty):
    """Does nothing wrong."""

    capabilities: ClassVar[Capabilities] = KEEPS_TIME


@dataclass(frozen=True)
class Instant:
    """Says at once that there is no solution."""

    capabilities: ClassVar[Capabilities] = KEEPS_TIME

    def search(self, board: Board, request: Request) -> Result:
        return Result(count=0, solutions=(), stop=Stop.EXHAUSTED)


class LoadsSlowly(Sound):
    """Takes more than a second to load, and as long to search."""

    def prepare(self, _: Layout) -> None:
        time.sleep(1.2)

    def fault(self, board: Board, request: Request) -> None:
        time.sleep(1.2)


class SegFaults(Faulty):
    """Reads where there is no memory."""

    def fault(self, board: Board, request: Request) -> None:
        ctypes.string_at(0)


class Exits(Faulty):
    """Leaves without a word."""

    def fault(self, board: Board, request: Request) -> None:
        os._exit(3)


class Aborts(Faulty):
    """Ends as a C++ library does that cannot have memory."""

    def fault(self, board: Board, request: Request) -> None:
        os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
        os.abort()


class HangsHoldingTheGil(Faulty):
    """Is in C for longer than anyone can wait, and no other thread of Python runs."""

    def fault(self, board: Board, request: Request) -> None:
        re.match(r"(a+)+$", "a" * 64 + "b")


class HangsInPython(Faulty):
    """Turns in circles."""

    def fault(self, board: Board, request: Request) -> None:
        while True:
            pass


class IgnoresTheLimit(HangsInPython):
    """Says that it keeps its time limit, and does not."""

    capabilities: ClassVar[Capabilities] = KEEPS_TIME


class KeepsItsLimit(Faulty):
    """Stops when its time is over, without an answer."""

    capabilities: ClassVar[Capabilities] = KEEPS_TIME

    def search(self, board: Board, request: Request) -> Result:
        if board.givens[0] != 1 or request.time_limit is None:
            return Norvig().search(board, request)
        time.sleep(request.time_limit)
        return Result(count=0, solutions=(), stop=Stop.TIME)


class IgnoresSigterm(Faulty):
    """Does not end when it is asked to."""

    def fault(self, board: Board, request: Request) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(60)


class ExhaustsMemory(Faulty):
    """Takes memory until there is none."""

    def fault(self, board: Board, request: Request) -> None:
        taken = []
        while True:
            taken.append(bytearray(1 << 20))


class TakesFiftyMegabytes(Faulty):
    """Takes them and gives them back."""

    def fault(self, board: Board, request: Request) -> None:
        taken = bytearray(50_000_000)
        taken[::4096] = b"\1" * len(taken[::4096])


class RaisesSystemExit(Faulty):
    """Means to end the program."""

    def fault(self, board: Board, request: Request) -> None:
        sys.exit("that is all")


class Raises(Faulty):
    """Divides by zero."""

    def fault(self, board: Board, request: Request) -> None:
        raise ZeroDivisionError("inside the fake")


class ReturnsNonsense(Faulty):
    """Returns what is no result."""

    def answer(self, result: Result) -> Result:
        return "four"  # type: ignore[return-value]  # the fault


class ReturnsWhatCannotBeSent(Faulty):
    """Counts in numbers of a class that no other process knows."""

    def answer(self, result: Result) -> Result:
        class Number(int):
            pass

        return replace(result, count=Number(result.count))


class WritesToStdout(Faulty):
    """Writes a megabyte to standard output and to standard error, then answers."""

    def fault(self, board: Board, request: Request) -> None:
        for descriptor in (1, 2):
            os.write(descriptor, b"x" * 1_000_000)


class Prints(Faulty):
    """Prints on both streams, in the end without a line break, and then does worse."""

    def fault(self, board: Board, request: Request) -> None:
        print("a" * 10_000)  # noqa: T201 - printing is what it is for
        print("looked at the board \u2500\udcff")  # noqa: T201 - as above
        print("a warning", file=sys.stderr)  # noqa: T201 - as above
        print("no line break", end="")  # noqa: T201 - as above
        self.worse()

    def worse(self) -> None:
        """End the run."""


class PrintsAndRaises(Prints):
    """Prints, and raises an exception inside another."""

    def worse(self) -> None:
        try:
            dict[str, str]()["inner"]
        except KeyError as error:
            raise ZeroDivisionError("outer\nand its second line") from error


class PrintsAndAborts(Prints):
    """Prints, and takes its process down."""

    def worse(self) -> None:
        os.abort()


class PrintsAndHangs(Prints):
    """Prints, and does not end."""

    def worse(self) -> None:
        time.sleep(1000)


class PrintsAndLies(Prints):
    """Prints, and returns what is no answer."""

    def search(self, board: Board, request: Request) -> Result:
        self.fault(board, request)
        return None  # type: ignore[return-value] # on purpose


class PrintsWithoutEnd(Faulty):
    """Prints 200 MB in four seconds, and says how much of it has been kept at most."""

    def fault(self, board: Board, request: Request) -> None:
        largest = 0
        for _ in range(200):
            os.write(1, b"x" * 1_000_000)
            largest = max(largest, os.fstat(1).st_size)
            time.sleep(0.02)
        raise RuntimeError(f"{largest} bytes")


class ForksAChild(Faulty):
    """Starts a program and waits for it; both have a temporary file."""

    def fault(self, board: Board, request: Request) -> None:
        with tempfile.NamedTemporaryFile():
            subprocess.run(["sh", "-c", "mktemp; sleep 600"], check=False)


class KeepsAProgram(Faulty):
    """Starts a program once that later searches use too, and says so."""

    started: ClassVar[list[int]] = []

    def fault(self, board: Board, request: Request) -> None:
        if not self.started:
            process = start(["sleep", "600"])
            process.returncode = 0  # it is not waited for
            keep(process.pid)
            self.started.append(process.pid)


class WaitsForADaemon(Faulty):
    """Starts a program that is in no group of ours, and waits for it."""

    def fault(self, board: Board, request: Request) -> None:
        subprocess.run(["sleep", "600"], start_new_session=True, check=False)


class ClosesEverything(Faulty):
    """Closes files that are not its own."""

    def fault(self, board: Board, request: Request) -> None:
        os.closerange(0, 256)


@dataclass(frozen=True)
class KillsTheForkServer(Faulty):
    """Kills the process that forked it: once if there is a folder to keep that in mind."""

    folder: str = ""

    def fault(self, board: Board, request: Request) -> None:
        with contextlib.suppress(FileExistsError):
            if self.folder:
                (Path(self.folder) / "killed").touch(exist_ok=False)
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(60)


class TellsItsCores(Faulty):
    """Reports as its nodes the cores that it may use, one bit each."""

    def search(self, board: Board, request: Request) -> Result:
        result = Norvig().search(board, request)
        cores = sum(1 << core for core in os.sched_getaffinity(0))
        return Result(
            count=result.count,
            solutions=result.solutions,
            stop=result.stop,
            statistics={"nodes": cores},
        )


class Slow(Faulty):
    """Takes fifty milliseconds."""

    capabilities: ClassVar[Capabilities] = KEEPS_TIME

    def search(self, board: Board, request: Request) -> Result:
        time.sleep(0.05)
        return Norvig().search(board, request)


class ItsChildrenExhaustMemory(Faulty):
    """Starts six programs, none of which takes much."""

    def fault(self, board: Board, request: Request) -> None:
        program = (
            "import time; b = bytearray(60 << 20); b[::4096] = b'x' * (15 << 10); time.sleep(1)"
        )
        children = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(6)]
        for child in children:
            child.wait()
