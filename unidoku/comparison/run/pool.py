"""The pool: workers in processes of their own, watched run by run.

The supervisor hands each worker a chunk of runs and hears of each as it begins and ends. A worker
that is past its deadline is killed; one that crashed, crashed on the run that it had begun. That
run is recorded, the rest of its chunk goes to a new worker, and nothing else is lost.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import selectors
import socket
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path

from unidoku.backends.solver import Solver
from unidoku.comparison.plan import Run
from unidoku.comparison.record import Record
from unidoku.comparison.run.bench import Measuring
from unidoku.comparison.run.blame import (
    Deadlines,
    ended_record,
    failed_record,
    tail,
    timeout_record,
)
from unidoku.comparison.run.launch import Zygote, ZygoteError
from unidoku.comparison.run.settings import PoolSettings
from unidoku.comparison.run.wire import Configuration, Heard, Setup
from unidoku.comparison.run.work import Work
from unidoku.errors import BackendError

__all__ = ["Pool", "PoolSettings"]

_MOST_LOST = 50
"""Workers in a row that may end before they begin a run."""

_MOST_ZYGOTES = 5
"""Zygotes in a row that may end before a run does."""

_MOST_RUNS = 256
"""In a chunk: what a message costs is shared by so many."""


@dataclass(eq=False, slots=True)
class _Worker:
    """A worker as the supervisor sees it.

    Args:
        place: which it is, from 0.
        pipe: to it.
        theirs: its end of the pipe, until it is known to have it.
        errors: the file with what its backends write to standard error.
        pid: of its process, once it is known.
        runs: that it was handed and has not answered, the one under way first.
        begun: whether it has said that it began the first of them.
        loading: whether it has not come to that run's search.
        deadline: when it is killed, on the monotonic clock; infinity while it has nothing.
        since: when the search under way began.
        condemned: the run for which it was killed.
        code: the exit code, once it has ended.
        large: whether the system ended it for its memory.
    """

    place: int
    pipe: Connection
    theirs: socket.socket
    errors: Path
    pid: int | None = None
    runs: deque[Run] = field(default_factory=deque)
    begun: bool = False
    loading: bool = True
    deadline: float = float("inf")
    since: float = 0.0
    condemned: Run | None = None
    code: int | None = None
    large: bool = False
    _poll: select.poll = field(default_factory=select.poll)

    def __post_init__(self) -> None:
        """Watch the pipe; `Connection.poll` would make and throw away a selector at each call."""
        self._poll.register(self.pipe.fileno(), select.POLLIN)

    def spoke(self) -> bool:
        """Tell whether there is something to hear, were it that the pipe has been closed."""
        return bool(self._poll.poll(0))

    def close(self) -> None:
        """Close both ends of the pipe."""
        self.pipe.close()
        self.theirs.close()


class Pool:
    """Runs in worker processes, each under hard limits of time and memory."""

    def __init__(
        self,
        solvers: Mapping[str, Solver | Configuration],
        measuring: Measuring,
        settings: PoolSettings | None = None,
        *,
        host: str = "",
    ) -> None:
        """Start the zygote; it imports the backends while the caller goes on.

        Args:
            solvers: by the labels that runs name.
            measuring: how to measure.
            settings: one worker if not given.
            host: how records call this machine; its name if not given.
        """
        self._settings = settings or PoolSettings()
        self._deadlines = Deadlines(solvers, measuring, self._settings.grace)
        self._folder = tempfile.TemporaryDirectory(prefix="unidoku-", ignore_cleanup_errors=True)
        self._setup = Setup(
            path=tuple(map(os.path.abspath, sys.path)),
            configurations={label: Configuration.of(solver) for label, solver in solvers.items()},
            measuring=measuring,
            host=host or socket.gethostname(),
            folder=self._folder.name,
        )
        self._work = Work(self._settings.chunk_seconds, _MOST_RUNS)
        self._workers: dict[int, _Worker] = {}  # by serial number
        self._serial = count()
        self._lost = 0  # workers in a row that ended before they began a run
        self._zygotes = 0  # in a row that ended before a run did
        self._selector = selectors.DefaultSelector()
        self._zygote = Zygote(self._setup)
        self._selector.register(self._zygote, selectors.EVENT_READ)

    @property
    def zygote_pid(self) -> int:
        """The number of the process that forks the workers."""
        return self._zygote.pid

    def run(self, runs: Iterable[Run]) -> Iterator[Record]:
        """Yield the record of each run, as it ends.

        Runs that follow each other on one board are measured by one worker, in their order.
        Closing the iterator ends what is under way.

        Raises:
            BackendError: workers cannot be started.
        """
        self._work.begin(runs)
        self._wait_for_zygote()
        try:
            while True:
                try:
                    if not self._supply():
                        return
                    yield from self._listen()
                except ZygoteError as error:
                    self._zygotes += 1
                    if self._zygotes > _MOST_ZYGOTES:
                        raise
                    yield from self._start_again(error)
        finally:
            for serial, worker in list(self._workers.items()):
                if worker.runs or worker.code is not None:
                    self._drop(serial)

    def _supply(self) -> bool:
        """Hand out work to all who have none; return whether anyone has any."""
        for worker in self._workers.values():
            if not worker.runs and worker.code is None:
                self._hand(worker, self._work.chunk())
        while len(self._workers) < self._settings.workers and (chunk := self._work.chunk()):
            self._start(chunk)
        return any(worker.runs for worker in self._workers.values())

    def _start(self, chunk: list[Run]) -> None:
        """Start a worker with its first chunk."""
        taken = {worker.place for worker in self._workers.values()}
        place = next(k for k in count() if k not in taken)
        serial = next(self._serial)
        ours, theirs = socket.socketpair()
        errors = Path(self._folder.name) / f"errors-{place}"
        worker = _Worker(place, Connection(ours.detach()), theirs, errors)
        self._workers[serial] = worker
        self._selector.register(worker.pipe, selectors.EVENT_READ, worker)
        self._hand(worker, chunk)
        self._zygote.fork(serial, theirs, place, self._settings.cores_of(place), str(errors))

    def _hand(self, worker: _Worker, chunk: list[Run]) -> None:
        worker.runs.extend(chunk)
        self._await_begin(worker)
        if chunk:
            with contextlib.suppress(OSError):  # it has ended, which is about to be heard
                worker.pipe.send(tuple(chunk))

    def _await_begin(self, worker: _Worker) -> None:
        """Let a worker have the time to begin its next run, if there is one."""
        worker.begun = False
        worker.deadline = float("inf")
        if worker.runs:
            self._arm(worker, loading=True)

    def _arm(self, worker: _Worker, *, loading: bool) -> None:
        """Let a worker have its time from now on."""
        worker.loading = loading
        worker.since = time.monotonic()
        seconds = self._deadlines.seconds(worker.runs[0], loading=loading)
        worker.deadline = worker.since + seconds

    def _listen(self) -> Iterator[Record]:
        """Wait for workers; yield what they found, and kill those past their deadline."""
        deadline = min(worker.deadline for worker in self._workers.values())
        wait = max(deadline - time.monotonic(), 0.0)
        for key, _ in self._selector.select(min(wait, 1.0)):
            if key.data is None:
                self._hear_zygote()
            else:
                yield from self._hear(key.data)
        for serial, worker in list(self._workers.items()):
            if worker.code is not None:
                yield from self._hear(worker)  # what it had said before
                yield from self._bury(serial, worker)
            elif worker.deadline <= time.monotonic():
                yield from self._hear(worker)  # it may have answered while the caller was busy
                self._condemn(worker)

    def _hear_zygote(self) -> None:
        """Learn which workers were forked and which have ended.

        Raises:
            ZygoteError: the zygote itself has.
        """
        for kind, *content in self._zygote.hear():
            if kind == "forked":
                serial, pid = content
                if serial in self._workers:
                    self._workers[serial].pid = pid
                    self._workers[serial].theirs.close()
                else:
                    self._zygote.kill(pid)
            else:
                pid, code, large = content
                for worker in self._workers.values():
                    if worker.pid == pid:
                        worker.code, worker.large = code, large

    def _hear(self, worker: _Worker) -> Iterator[Record]:
        """Yield the records that a worker has sent."""
        try:
            while worker.runs and worker.spoke():
                said = worker.pipe.recv_bytes()
                self._lost = 0
                if said in (Heard.LOADING.value, Heard.SEARCHING.value):
                    worker.begun = True
                    self._arm(worker, loading=said == Heard.LOADING.value)
                    continue
                record = self._read(worker, said)
                worker.runs.popleft()
                self._await_begin(worker)
                self._zygotes = 0
                self._work.ended(record)
                yield record
        except (EOFError, OSError):
            # It has ended; the zygote says how. Until then there is nothing to hear.
            with contextlib.suppress(KeyError, ValueError):
                self._selector.unregister(worker.pipe)

    def _read(self, worker: _Worker, said: bytes) -> Record:
        """Read a record, which may hold what only the worker could make."""
        try:
            record = pickle.loads(said)
        except Exception as error:  # noqa: BLE001 - whatever it is, the run has no other record
            record = None
            what = f"its answer cannot be read: {type(error).__name__}: {error}"
        if isinstance(record, Record):
            return record
        return failed_record(worker.runs[0], self._name(worker), what)

    def _condemn(self, worker: _Worker) -> None:
        """Kill a worker that is past its deadline; its end will be heard of."""
        if worker.pid is not None and worker.runs and worker.deadline <= time.monotonic():
            worker.condemned = worker.runs[0]
            worker.deadline = float("inf")
            self._zygote.kill(worker.pid)

    def _bury(self, serial: int, worker: _Worker) -> Iterator[Record]:
        """Blame the run that was begun for the end of its worker; the others go to another."""
        self._drop(serial)
        if not worker.runs:
            return
        run, name = worker.runs[0], self._name(worker)
        elapsed = round((time.monotonic() - worker.since) * 1e9)
        if worker.condemned is run:
            limit = self._deadlines.limit(run)
            record = timeout_record(run, name, elapsed, limit, loading=worker.loading)
        elif worker.begun and worker.condemned is None:
            said = tail(worker.errors)
            record = ended_record(run, name, elapsed, worker.code or 0, said, large=worker.large)
        else:
            self._count_lost(worker)
            self._work.give_back(worker.runs)
            return
        worker.runs.popleft()
        self._work.give_back(worker.runs)
        yield record

    def _count_lost(self, worker: _Worker) -> None:
        self._lost += 1
        if self._lost > _MOST_LOST:
            raise BackendError(
                f"{self._lost} workers in a row ended at once, the last with code {worker.code}: "
                f"{tail(worker.errors)}"
            )

    def _name(self, worker: _Worker) -> str:
        return f"{self._setup.host}/{worker.place}"

    def _drop(self, serial: int) -> None:
        """Have no more to do with a worker."""
        worker = self._workers.pop(serial)
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(worker.pipe)
        if worker.code is None:
            self._zygote.kill(worker.pid)
        worker.close()

    def _start_again(self, error: ZygoteError) -> Iterator[Record]:
        """Start another zygote; no run is to blame for the end of the one before."""
        for serial, worker in list(self._workers.items()):
            yield from self._hear(worker)
            self._drop(serial)
            self._work.give_back(worker.runs)
        self._replace_zygote()
        try:
            self._wait_for_zygote()
        except ZygoteError as again:
            raise again from error

    def _wait_for_zygote(self) -> None:
        """Wait until the backends are imported; where that ended the zygote, workers import."""
        try:
            self._zygote.loaded()
        except ZygoteError:
            if not self._setup.preload:
                raise
            self._setup = replace(self._setup, preload=False)
            self._replace_zygote()
            self._zygote.loaded()

    def _replace_zygote(self) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(self._zygote)
        self._zygote.close()
        Path(self._folder.name).mkdir(exist_ok=True)  # the last one may have tidied up
        self._zygote = Zygote(self._setup)
        self._selector.register(self._zygote, selectors.EVENT_READ)

    def refresh(self) -> None:
        """Replace the workers, which takes some milliseconds; no runs may be under way."""
        for serial in list(self._workers):
            self._drop(serial)

    def close(self) -> None:
        """End all processes, whatever they do."""
        for serial in list(self._workers):
            self._drop(serial)
        self._selector.close()
        self._zygote.close()
        self._folder.cleanup()

    def __enter__(self) -> Pool:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes."""
        self.close()
