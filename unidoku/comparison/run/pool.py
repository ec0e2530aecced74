"""The pool: worker processes, which are watched run by run.

The supervisor sends each worker a chunk of runs, and gets a message when each run begins and ends.
It kills a worker that is past its deadline. If a worker crashes, the run that it had begun is
recorded as a crash, and the rest of its chunk goes to a new worker; nothing else is lost.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import re
import select
import socket
import sys
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import count
from multiprocessing import Pipe
from multiprocessing.connection import wait
from pathlib import Path

from unidoku.backends.solving.solver import Solver
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record, unanswered
from unidoku.comparison.run.chunks import Chunks, PoolSettings
from unidoku.comparison.run.measure import MeasurementSettings
from unidoku.comparison.run.messages import (
    Configuration,
    Ended,
    Job,
    Message,
    Setup,
    WorkerSignal,
    message_in,
)
from unidoku.comparison.run.prints import printed, tail, trim
from unidoku.comparison.run.start import StartError, starter
from unidoku.core.board import Board
from unidoku.errors import BackendError
from unidoku.parallel.processes import Connection, ending, tree_cpu_ns
from unidoku.parallel.temporary import new_folder
from unidoku.support.deadline import Deadline
from unidoku.support.memory_limit import check_memory_limit

_LOADING = 60.0
"""Seconds in which a backend must be imported and created."""

_MOST_LOST = 50
"""Workers in a row that may end before they begin a run."""

_MOST_RESTARTS = 5
"""Failed attempts in a row to start workers, without a run that ended."""

_MOST_RUNS = 256
"""Runs in a chunk, which share the cost of a message."""

_ENDS_SERVER = "the process that starts workers ended during this run, more than once"

_BUFFER = 32768 if sys.platform == "linux" else 0
"""Bytes that can be sent to a worker before it reads them."""

_LOOK = 1.0
"""Seconds between two checks of workers that send no message."""

_SOON = 0.005
"""Seconds between two checks while a worker is about to end."""


class Pool(AbstractContextManager["Pool"]):
    """Runs in worker processes, each under hard limits of time and memory."""

    def __init__(
        self,
        solvers: Mapping[str, Solver | Configuration],
        measuring: MeasurementSettings,
        settings: PoolSettings | None = None,
        *,
        host: str = "",
        waiting: Callable[[Run, bool, float], object] = lambda *_: None,
    ) -> None:
        """Start a fork server, which imports the backends in parallel with the caller.

        The host is the name of this machine in the records; its own name if None. For ``waiting``
        see `open_runner`.

        Raises:
            UnsupportedError: this system cannot enforce the memory limit, or cannot start workers
                in the way that the settings name.
        """
        check_memory_limit(measuring.memory_limit)
        self._settings = settings or PoolSettings()
        self._measuring = measuring
        self._waiting = waiting
        self._folder = new_folder()
        self._setup = Setup(
            path=tuple(map(os.path.abspath, sys.path)),
            configurations={label: Configuration.of(solver) for label, solver in solvers.items()},
            measuring=measuring,
            host=host or socket.gethostname(),
            folder=self._folder.name,
        )
        self._chunks = Chunks(self._settings.chunk_seconds, _MOST_RUNS)
        self._workers: dict[int, WatchedWorker] = {}  # by serial number
        self._serial = count()
        self._lost = 0  # workers in a row that ended before they began a run
        self._restarts = 0  # in a row, before a run ended
        self._unfit: set[tuple[str, Board | None]] = set()  # backends that died before a run
        self._suspects = Counter[Hashable]()  # runs and warm-ups that the fork server died in
        self._start = starter(self._settings.kind)(self._setup)
        self._trimmed = Deadline()  # when the files of printed output were checked

    def _limit(self, run: Run) -> float | None:
        """Return the time limit of a run's searches."""
        return (run.request or self._measuring.request).time_limit

    def _allowed(self, run: Run) -> float | None:
        """Return the seconds for which a search of a run may last before its process is killed.

        A backend that keeps its time limit gets additional time to return; one that does not is
        killed at the limit.
        """
        limit = self._limit(run)
        honours = self._setup.configurations[run.backend].spec.capabilities.honours
        if limit is None or "time_limit" not in honours:
            return limit
        return limit + self._settings.grace + 0.1 * limit

    @property
    def pids(self) -> list[int]:
        """Ids of the workers' processes."""
        return [worker.pid for worker in self._workers.values() if worker.pid is not None]

    def run(self, runs: Iterable[Run]) -> Iterator[Record]:
        """Yield the record of each run when it ends.

        Consecutive runs on one board are measured by one worker, in their order. Closing the
        iterator ends the runs in progress.

        Raises:
            BackendError: workers cannot be started.
        """
        self._chunks.begin(runs)
        self._start.ready()
        try:
            while True:
                try:
                    if not self._supply():
                        return
                    yield from self._listen()
                except StartError as error:
                    self._restarts += 1
                    if self._restarts > _MOST_RESTARTS:
                        raise
                    yield from self._start_again(error)
        finally:
            for serial, worker in list(self._workers.items()):
                if worker.runs or worker.ended:
                    self._drop(serial)

    def _supply(self) -> bool:
        """Give work to all workers that have none; return whether any has work."""
        few = 1 if self._chunks.quick and _BUFFER else 0  # the current run may also hang
        for worker in self._workers.values():
            if len(worker.runs) <= few and not worker.ended and (chunk := self._chunks.next()):
                self._hand(worker, chunk)
        # If the fork server has ended, one run at a time shows which run ends it.
        most = 1 if self._restarts else self._settings.workers
        while len(self._workers) < most and (chunk := self._chunks.next()):
            self._add_worker(chunk)
            self._receive_events()
        return any(worker.runs for worker in self._workers.values())

    def _add_worker(self, chunk: list[Run]) -> None:
        """Start a worker with its first chunk."""
        slots = {worker.job.slot for worker in self._workers.values()}
        slot = next(k for k in count() if k not in slots)
        job = Job(
            serial=next(self._serial),
            slot=slot,
            cores=self._settings.cores_of(slot),
            errors=Path(self._folder.name) / f"errors-{slot}",
        )
        worker = WatchedWorker(job, *Pipe())
        self._workers[job.serial] = worker
        try:
            self._start.start(job, worker.pipe, worker.worker_end)
        finally:
            self._hand(worker, chunk)

    def _hand(self, worker: WatchedWorker, chunk: list[Run]) -> None:
        """Send a worker a chunk; a busy worker gets it only if the pipe can hold it until then."""
        if self._unfit:
            chunk = [
                replace(run, warm_up=None) if _warm_up(run) in self._unfit else run for run in chunk
            ]
        message = pickle.dumps(tuple(chunk))
        if worker.runs and len(message) > _BUFFER:
            self._chunks.give_back(chunk)
            return
        idle = not worker.runs
        worker.runs.extend(chunk)
        if idle:
            self._await_begin(worker)
        with contextlib.suppress(OSError):  # it has ended, which will be noticed next
            worker.pipe.send_bytes(message)

    def _await_begin(self, worker: WatchedWorker) -> None:
        """Restart the deadline of a worker for the beginning of its next run, if there is one."""
        worker.begun, worker.loading, worker.foreign = False, True, 0
        worker.warming = False
        worker.deadline = Deadline(_LOADING if worker.runs else None)
        worker.cpu_look, worker.cpu_used = Deadline(), None

    def _listen(self) -> Iterator[Record]:
        """Wait for workers; yield their records, and kill those past their deadlines."""
        pipes = {worker.pipe: worker for worker in self._workers.values() if not worker.pipe_closed}
        for pipe in wait([*pipes, *self._start.wait_handles()], self._patience()):
            if pipe in pipes:
                yield from self._receive(pipes[pipe])
        self._receive_events()
        if self._trimmed.elapsed > _LOOK:
            self._trimmed = Deadline()
            for worker in self._workers.values():
                trim(worker.job.errors)
        for serial, worker in list(self._workers.items()):
            if worker.ended:
                yield from self._receive(worker)  # its earlier messages
                yield from self._record_exit(serial, worker, worker.ended)
            elif not worker.killed_run and worker.is_overdue(self._measuring.cpu_limit):
                yield from self._receive(worker)  # it may have answered while the caller was busy
                self._kill_overdue(worker)
            elif worker.runs and (seconds := worker.deadline.elapsed) > _LOOK:
                self._waiting(worker.runs[0], worker.loading, seconds)

    def _patience(self) -> float:
        """Return the seconds to wait for messages, at most until the next deadline."""
        seconds = _LOOK
        for worker in self._workers.values():
            if worker.pipe_closed or worker.killed_run:
                seconds = min(seconds, _SOON)
            elif (patience := worker.patience) is not None:
                seconds = min(seconds, max(patience, 0.0005))
        return seconds

    def _receive_events(self) -> None:
        """Find out which workers have started and which have ended.

        Raises:
            StartError: no more workers can be started.
        """
        for event in self._start.events():
            if isinstance(event, Ended):
                for worker in self._workers.values():
                    if worker.pid == event.pid:
                        worker.ended = event
            elif event.serial in self._workers:
                self._workers[event.serial].pid = event.pid
                self._workers[event.serial].worker_end.close()
            else:
                self._start.kill(event.pid)

    def _receive(self, worker: WatchedWorker) -> Iterator[Record]:
        """Yield the records that a worker has sent."""
        try:
            while worker.runs and not worker.pipe_closed and worker.has_data():
                if (message := worker.next_message()) is None:
                    continue
                self._lost = 0
                if message.kind is not WorkerSignal.ANSWER:
                    worker.begun, worker.loading = True, message.kind is WorkerSignal.LOADING
                    if worker.warming:  # what happened in it is not held against the run
                        worker.foreign = 0
                    worker.warming = message.kind is WorkerSignal.WARMING
                    seconds = _LOADING if worker.loading else self._allowed(worker.runs[0])
                    cpu = None if worker.loading else self._measuring.cpu_limit
                    worker.begin_search(message, seconds, cpu)
                    continue
                record = self._record(worker, message.content)
                worker.runs.popleft()
                self._await_begin(worker)
                self._restarts = 0
                self._chunks.ended(record)
                yield record
        except (EOFError, OSError):
            worker.pipe_closed = True  # it has ended; the events will tell how

    def _record(self, worker: WatchedWorker, answer: bytes) -> Record:
        """Return the record of the current run from the worker's answer."""
        run, name = worker.runs[0], self._name(worker)
        try:
            record: Record = pickle.loads(answer)
            return replace(worker.blamed(record), worker=name)
        except Exception as error:  # noqa: BLE001 - its classes may be missing here
            evidence = f"its answer cannot be read: {type(error).__name__}: {error}"
            return unanswered(run, Outcome.FAILED, evidence, name)

    def _kill_overdue(self, worker: WatchedWorker) -> None:
        """Kill a worker that is past its deadline; its end is noticed later."""
        is_overdue = worker.is_overdue(self._measuring.cpu_limit)
        if worker.pid is not None and worker.runs and is_overdue:
            worker.killed_run = worker.runs[0]
            self._start.kill(worker.pid)

    def _record_exit(self, serial: int, worker: WatchedWorker, ended: Ended) -> Iterator[Record]:
        """Yield the record of the run at which a worker ended; hand on its other runs."""
        self._drop(serial)
        if not worker.runs:
            return
        if worker.warming:  # no fault of the current run's board
            self._unfit.add(_warm_up(worker.runs[0]))
            self._chunks.give_back(worker.runs)
            return
        run, elapsed = worker.runs[0], round(worker.deadline.elapsed * 1e9)
        if worker.killed_run is run:
            outcome, evidence = Outcome.TIMEOUT, worker.delay_in_words(self._limit(run))
        elif worker.begun and worker.killed_run is None:
            outcome, evidence = worker.end_in_words(ended)
        else:
            self._lost += 1
            if self._lost > _MOST_LOST:
                message = f"the last with code {ended.code}: {tail(worker.job.errors)}"
                raise BackendError(f"{self._lost} workers in a row ended at once: {message}")
            self._chunks.give_back(worker.runs)
            return
        worker.runs.popleft()
        self._chunks.give_back(worker.runs)
        text = printed(worker.job.errors)
        yield unanswered(run, outcome, evidence, self._name(worker), elapsed, text)

    def _name(self, worker: WatchedWorker) -> str:
        return f"{self._setup.host}/{worker.job.slot}"

    def _drop(self, serial: int) -> None:
        """Forget a worker."""
        worker = self._workers.pop(serial)
        if not worker.ended and worker.pid is not None:
            self._start.kill(worker.pid)
        worker.pipe.close()
        worker.worker_end.close()

    def _start_again(self, error: StartError) -> Iterator[Record]:
        """Replace all workers.

        A run is recorded as the cause if it was the only one both times, or more often.
        """
        is_alone = len(self._workers) == 1
        for serial, worker in list(self._workers.items()):
            yield from self._receive(worker)
            self._drop(serial)
            if worker.begun and worker.runs:
                run = worker.runs[0]
                suspect = _warm_up(run) if worker.warming else run.key
                self._suspects[suspect] += 1
                if is_alone and self._suspects[suspect] > 1:
                    self._restarts = 0
                    if worker.warming:
                        self._unfit.add(_warm_up(run))
                    else:
                        worker.runs.popleft()
                        yield unanswered(run, Outcome.CRASHED, _ENDS_SERVER, self._name(worker))
            self._chunks.give_back(worker.runs)
        self._start.restart()
        try:
            self._start.ready()
        except StartError as again:
            raise again from error

    def refresh(self) -> None:
        """Replace the workers before the next run; no run may be in progress."""
        for serial in list(self._workers):
            self._drop(serial)

    def close(self) -> None:
        """Kill all processes, whatever they are doing."""
        self.refresh()
        self._start.close()
        self._folder.cleanup()

    def __exit__(self, *_: object) -> None:
        """Kill all processes."""
        self.close()


def _warm_up(run: Run) -> tuple[str, Board | None]:
    """Return the backend of a run and the board that it searches before."""
    return run.backend, run.warm_up


_CORES = os.cpu_count() or 1

_OUT_OF_MEMORY = re.compile(
    r"bad_alloc|MemoryError|out of memory|OutOfMemory|cannot allocate memory|"
    r"memory allocation of \d+ bytes failed",
    re.IGNORECASE,
)
"""Messages of libraries that cannot get the memory that they need."""

_LEAST = 0.02
"""Seconds between two looks at the processor time of a worker and what it started."""


@dataclass(eq=False, slots=True)
class WatchedWorker:
    """A worker, from the supervisor's point of view."""

    job: Job
    pipe: Connection
    worker_end: Connection  # its end of the pipe, kept open until the worker has it
    pid: int | None = None  # id of its process, when it is known
    runs: deque[Run] = field(default_factory=deque)  # not answered yet; the current run is first
    begun: bool = False  # whether it has reported that the first of them began
    loading: bool = True  # whether the search of that run has not begun
    warming: bool = False  # whether it searches another board before that
    deadline: Deadline = field(default_factory=Deadline)  # starts with the current search
    cpu_before: int = 0  # nanoseconds of processor time when the current search began
    cpu_look: Deadline = field(default_factory=Deadline)  # when to look how much it has used
    cpu_used: float | None = None  # seconds, if the search has used more than it may
    killed_run: Run | None = None  # the run for which it was killed
    speaker: int | None = None  # id of the process that sent the first message
    foreign: int = 0  # messages during the current run that the worker did not send
    ended: Ended | None = None
    pipe_closed: bool = False  # whether it has closed its pipe
    has_data: Callable[[], bool] = field(init=False)

    def __post_init__(self) -> None:
        """Prepare to check whether the pipe has data or has been closed."""
        self.has_data = self.pipe.poll
        if hasattr(select, "poll"):  # `Connection.poll` creates a selector at each call
            poll = select.poll()
            poll.register(self.pipe.fileno(), select.POLLIN)
            self.has_data = lambda: bool(poll.poll(0))

    def next_message(self) -> Message | None:
        """Read a message; None if another process sent it, or if it is about another run.

        Raises:
            EOFError, OSError: the pipe is closed.
        """
        message = message_in(self.pipe.recv_bytes())
        if message is not None and self.speaker is None:
            self.speaker = message.pid  # no backend has done anything before the first message
        if (
            message is None
            or message.pid != self.speaker
            or (message.kind is WorkerSignal.ANSWER and message.key != self.runs[0].key)
        ):
            self.foreign += 1
            return None
        return message

    def begin_search(self, message: Message, seconds: float | None, cpu: float | None) -> None:
        """Note that a search begins.

        Args:
            message: the message that says so.
            seconds: how long it may last.
            cpu: seconds of processor time that it may use.
        """
        self.deadline = Deadline(seconds)
        self.cpu_before, self.cpu_used = message.cpu_ns, None
        self.cpu_look = Deadline(None if cpu is None else max(cpu / _CORES, _LEAST))

    def is_overdue(self, cpu: float | None) -> bool:
        """Return whether its search has lasted too long or used too much processor time."""
        if self.deadline.passed or self.cpu_used is not None:
            return True
        if cpu is None or not self.cpu_look.passed or self.pid is None or not self.begun:
            return False
        used = (tree_cpu_ns(self.pid) - self.cpu_before) / 1e9
        if used > cpu:
            self.cpu_used = used
        self.cpu_look = Deadline(max((cpu - used) / _CORES, _LEAST))
        return self.cpu_used is not None

    @property
    def patience(self) -> float | None:
        """Seconds until it may be overdue; None for no end."""
        remaining = [
            seconds for seconds in (self.deadline.left, self.cpu_look.left) if seconds is not None
        ]
        return min(remaining, default=None)

    def delay_in_words(self, limit: float | None) -> str:
        """Return why it was killed at the deadline of its current run.

        Args:
            limit: time limit of the run in seconds; None for none.
        """
        if self.cpu_used is not None:
            return f"was ended after {self.cpu_used:.2f} s of processor time, more than its limit"
        fault = "could not be loaded"
        if not self.loading and limit is not None:
            fault = f"did not stop at its limit of {limit:g} s"
        return f"{fault} and was ended after {self.deadline.elapsed:.2f} s"

    def end_in_words(self, ended: Ended) -> tuple[Outcome, str]:
        """Return the outcome of the current run, in which its process ended, and how it ended."""
        message = tail(self.job.errors)
        too_large = ended.large or _OUT_OF_MEMORY.search(message)
        evidence = f"its process {ending(ended.code)}"
        if ended.large:
            evidence += ", for the memory that it and what it started used"
        if message:
            evidence += f": {message.splitlines()[-1]}"
        return Outcome.MEMORY if too_large else Outcome.CRASHED, evidence

    def blamed(self, record: Record) -> Record:
        """Return the record of the current run, failed if other processes sent messages in it."""
        if not self.foreign:
            return record
        return replace(record, outcome=Outcome.FAILED, evidence=(*record.evidence, _FOREIGN))


_FOREIGN = "another process wrote to the pipe on which its worker answers"
