"""Backends that go wrong where the first cell is given as 1, mostly in what they do to processes.

More are in `tests.helpers.wrong.processes`.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import stat
import subprocess
import sys
import time
from dataclasses import replace
from itertools import cycle
from typing import ClassVar

from tests.helpers.wrong.processes import KEEPS_TIME, Faulty
from unidoku.backends.adapters.norvig import Norvig
from unidoku.backends.base import Capabilities, Request, Result, Stop
from unidoku.comparison.run.limits import resident_bytes
from unidoku.comparison.run.messages import WorkerSignal, message_of
from unidoku.core.board import Board
from unidoku.parallel.processes import Connection, keep


class ExitsWithoutFault(Faulty):
    """Ends its process as a program that is done."""

    def fault(self, board: Board, request: Request) -> None:
        os._exit(0)


class WrongGrid(Faulty):
    """Returns a full grid that breaks the rules."""

    def answer(self, result: Result) -> Result:
        return replace(result, solutions=((1,) * len(result.solutions[0]),), count=1)


class TwoForOne(Faulty):
    """Counts two solutions and returns one."""

    def answer(self, result: Result) -> Result:
        return replace(result, count=2)


class DeniesSolutions(Faulty):
    """Says that a board has no solution that has some."""

    def answer(self, result: Result) -> Result:
        return Result(count=0, solutions=(), stop=Stop.EXHAUSTED)


class Sleeps(Faulty):
    """Sleeps beyond any limit."""

    def fault(self, board: Board, request: Request) -> None:
        time.sleep(600)


class StopsItself(Faulty):
    """Stops as Ctrl-Z stops a program."""

    def fault(self, board: Board, request: Request) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)


_TOO_MANY = cycle((1, 2))


class ChangesItsMind(Faulty):
    """Finds one solution too many and two, in turn."""

    def answer(self, result: Result) -> Result:
        return replace(result, count=result.count + next(_TOO_MANY))


class LeavesOrphans(Faulty):
    """Starts programs through a shell that ends, in its own session and in another."""

    def fault(self, board: Board, request: Request) -> None:
        for session in (False, True):
            command = "sleep 600 & exec sleep 0"
            subprocess.run(command, shell=True, check=True, start_new_session=session)


class ForksTwice(Faulty):
    """Leaves a process as daemons are made: a fork, a session, a fork, and the first one ends."""

    def fault(self, board: Board, request: Request) -> None:
        if child := os.fork():
            os.waitpid(child, 0)
            return
        os.setsid()
        if os.fork():
            os._exit(0)
        time.sleep(600)
        os._exit(0)


class KillsItsGroup(Faulty):
    """Kills all processes of its group."""

    def fault(self, board: Board, request: Request) -> None:
        os.killpg(0, signal.SIGTERM)
        time.sleep(600)


class IgnoresSigtermForGood(Faulty):
    """Has its process ignore SIGTERM from then on, blocks another signal, and sets an alarm."""

    def fault(self, board: Board, request: Request) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        signal.setitimer(signal.ITIMER_REAL, 0.2)


class TellsItsSignals(Faulty):
    """Reports whether signals are as they were."""

    def search(self, board: Board, request: Request) -> Result:
        time.sleep(0.02)
        usual = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        usual &= not signal.pthread_sigmask(signal.SIG_BLOCK, ())
        result = Norvig().search(board, request)
        return replace(result, statistics={"usual": int(usual)})


class LeaksAnArray(Faulty):
    """Keeps 1.5 MB of each search."""

    leaked: ClassVar[list[bytes]] = []

    def search(self, board: Board, request: Request) -> Result:
        resident = resident_bytes()
        self.leaked.append(b"x" * 1_500_000)
        return replace(Norvig().search(board, request), statistics={"resident": resident})


class ForksAndReturns(Faulty):
    """Forks, and both processes answer."""

    def fault(self, board: Board, request: Request) -> None:
        os.fork()


class ForksAndRaises(Faulty):
    """Forks, and the new process raises an exception."""

    def fault(self, board: Board, request: Request) -> None:
        if os.fork() == 0:
            raise RuntimeError("child")


class ForksAndAnswersAlone(Faulty):
    """Forks; the new process answers, and the old one waits for long."""

    capabilities: ClassVar[Capabilities] = KEEPS_TIME

    def fault(self, board: Board, request: Request) -> None:
        if os.fork():
            time.sleep(600)


class ItsChildTakesMemory(Faulty):
    """Starts a program that takes more memory than there is, and fails with it."""

    def fault(self, board: Board, request: Request) -> None:
        command = [sys.executable, "-S", "-c", "x = bytearray(1 << 40)"]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


_SPINS = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass"


class ItsProgramSpins(Faulty):
    """Starts a program that uses 0.2 s of processor time, and waits for it."""

    def fault(self, board: Board, request: Request) -> None:
        subprocess.run([sys.executable, "-S", "-c", _SPINS.format(0.2)], check=True)


class ItsProgramsSpinForLong(Faulty):
    """Starts two programs that use a processor each, and waits for them."""

    def fault(self, board: Board, request: Request) -> None:
        command = [sys.executable, "-S", "-c", _SPINS.format(600)]
        for program in [subprocess.Popen(command) for _ in range(2)]:
            program.wait()


class ItsKeptProgramSpins(Faulty):
    """Uses 0.2 s of processor time in a program that it keeps."""

    programs: ClassVar[list[subprocess.Popen[str]]] = []

    def fault(self, board: Board, request: Request) -> None:
        if not self.programs:
            loop = f"while input():\n  exec({_SPINS.format(0.2)!r})\n  print(1, flush=True)"
            command = [sys.executable, "-S", "-c", loop]
            pipe = subprocess.PIPE
            self.programs.append(subprocess.Popen(command, text=True, stdin=pipe, stdout=pipe))
            keep(self.programs[0].pid)
        program = self.programs[0]
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write("go\n")
        program.stdin.flush()
        program.stdout.readline()


class Spins(Faulty):
    """Uses 0.2 s of processor time itself, and answers."""

    def fault(self, board: Board, request: Request) -> None:
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass


class ItsProgramTakesMemory(Faulty):
    """Starts a program that takes 200 MB for a moment."""

    def fault(self, board: Board, request: Request) -> None:
        take = "x = bytearray(200_000_000); x[::4096] = b'1' * len(x[::4096])"
        subprocess.run([sys.executable, "-S", "-c", take], check=True)


class WritesToThePipe(Faulty):
    """Writes messages to all sockets: one of another process, one about another run, and none."""

    def fault(self, board: Board, request: Request) -> None:
        beat = message_of(WorkerSignal.SEARCHING, os.getpid() + 1, 0, "0" * 16)
        answer = message_of(WorkerSignal.ANSWER, os.getpid(), 0, "0" * 16, pickle.dumps("solved"))
        for number in range(3, 64):
            with contextlib.suppress(OSError):
                if stat.S_ISSOCK(os.fstat(number).st_mode):
                    pipe = Connection(os.dup(number))
                    for message in (beat, answer, b"what is no message"):
                        pipe.send_bytes(message)
                    pipe.close()
