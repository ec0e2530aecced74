"""A worker: measures the runs that it gets over its pipe, in a process that may be lost."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pickle
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from unidoku.backends import BackendSpec
from unidoku.backends.failure import summarize_exception, traceback_of
from unidoku.backends.solving.solver import Solver
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record, record_of
from unidoku.comparison.run import prints
from unidoku.comparison.run.effects import Descendants, Forks, Signals
from unidoku.comparison.run.limits import MemoryGroup, TreeMemory, resident_bytes
from unidoku.comparison.run.measure import Meter, Task
from unidoku.comparison.run.messages import Configuration, Job, Setup, WorkerSignal, message_of
from unidoku.errors import LayoutError
from unidoku.parallel.processes import Connection, connect, cpu_ns, die_with_parent


def import_backend(spec: BackendSpec) -> int:
    """Import the modules that a backend needs; return the nanoseconds that this took.

    Imports that another backend made earlier are not included. Failed imports are reported later,
    when a run needs them.
    """
    start = time.perf_counter_ns()
    for name in (spec.target.partition(":")[0], *spec.requires):
        with contextlib.suppress(Exception, SystemExit):
            importlib.import_module(name)
    return time.perf_counter_ns() - start


class _Solvers(dict[str, Solver]):
    """The solvers of configurations, each created when it is first needed.

    Args:
        configurations: the configurations, by label.
        loading: called before a solver is made.
        imported: by backend, nanoseconds of import before this process was forked.

    Attributes:
        loads: by label, nanoseconds to create the solver; the first label of a backend includes
            the import of the backend.
    """

    def __init__(
        self,
        configurations: Mapping[str, Configuration],
        loading: Callable[[], object],
        imported: Mapping[str, int],
    ) -> None:
        self.loads: dict[str, int] = {}
        self._configurations = configurations
        self._loading = loading
        self._imported = dict(imported)

    def __missing__(self, label: str) -> Solver:
        self._loading()
        configuration = self._configurations[label]
        spec = configuration.spec
        if spec.name not in self._imported:
            self._imported[spec.name] = import_backend(spec)
        start = time.perf_counter_ns()
        self[label] = solver = configuration.create()
        duration = time.perf_counter_ns() - start
        self.loads[label] = duration + self._imported[spec.name]
        return solver


def work(pipe: Connection, setup: Setup, job: Job, imported: Mapping[str, int]) -> None:
    """Measure runs until the supervisor at the other end of the pipe has gone.

    ``imported`` has the nanoseconds of import before this process was forked, by backend.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prints.redirect(job.errors)
    if job.cores and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):  # cores may have been taken away meanwhile
            os.sched_setaffinity(0, job.cores)
    messenger = _Messenger(pipe)
    loading = partial(messenger.send, WorkerSignal.LOADING)
    solvers = _Solvers(setup.configurations, loading, imported)
    gc.disable()  # the meter collects garbage between runs, if there is any
    group = _Group(setup.measuring.memory_limit)

    @contextlib.contextmanager
    def warming() -> Iterator[None]:
        messenger.send(WorkerSignal.WARMING)
        yield
        messenger.forks.end_if_forked()
        bounds.forgive()
        group.forgive()

    bounds = _Bounds(messenger.forks, TreeMemory(group.group))
    meter = Meter(solvers, setup.measuring, solvers.loads, loading, warming)
    while True:
        try:
            runs: tuple[Run, ...] = pickle.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            return
        group.renew()
        for start in range(0, len(runs), _AHEAD):
            batch = runs[start : start + _AHEAD]
            # Right after a search, the same work would take several times as long.
            for run, task in [(run, _prepared(meter, run)) for run in batch]:
                messenger.begin(run)
                bounds.begin()
                record = _measured(meter, run, task, messenger.beat)
                messenger.forks.end_if_forked()
                record = bounds.checked(run, group.checked(record))
                messenger.send(WorkerSignal.ANSWER, _answer(run, record, job.errors))
                if bounds.are_outgrown(setup.measuring.memory_limit):
                    return  # the supervisor starts another worker, for the rest of the runs


def main(handle: int, die: bool) -> None:
    """Run a worker that was spawned; its first message contains its configuration.

    It inherited the handle of the pipe. If ``die``, the system kills it when the supervisor's
    thread ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe = connect(handle)
    if die:
        die_with_parent()
    try:
        setup, job = pipe.recv()
        sys.path[:] = setup.path
        work(pipe, setup, job, {})
    except (EOFError, OSError):
        os._exit(1)
    os._exit(0)


class _Messenger:
    """Sends the messages of this process, and of no process that a backend forks from it."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._pid = os.getpid()
        self._key = ""
        self._due = 0.0
        self.forks = Forks()

    def begin(self, run: Run) -> None:
        """Send the messages that follow about this run."""
        self._key, self._due = run.key, 0.0

    def send(self, kind: WorkerSignal, content: bytes = b"") -> None:
        """Send a message."""
        self.forks.end_if_forked()
        self._pipe.send_bytes(message_of(kind, self._pid, cpu_ns(), self._key, content))

    def beat(self) -> None:
        """Report that a search begins or has ended.

        Not every search is reported: one that began a moment ago still has nearly all of its time.
        """
        self.forks.end_if_forked()
        now = time.monotonic()
        if now >= self._due:
            self._due = now + _PAUSE
            self.send(WorkerSignal.SEARCHING)


_AHEAD = 16
"""Number of runs that are prepared before the first of them is measured."""

_PAUSE = 0.02
"""Seconds between two heartbeats of a run."""


class _Group:
    """The memory cgroup of this process, if it may have one.

    Unlike the limit of each run, it also applies to processes that backends start. It is larger,
    because the other limit ends a run more gently.
    """

    def __init__(self, limit: int | None) -> None:
        self._size = (limit or 0) * 5 // 4 + _SLACK
        self.group = None if limit is None else MemoryGroup.make()
        self._kills = 0
        if self.group is not None:
            try:
                self.group.join()
            except OSError:
                self.group = None

    def renew(self) -> None:
        """Set the limit relative to the memory that is used now."""
        if self.group is not None:
            with contextlib.suppress(OSError):  # the other limit still applies
                self.group.limit(self._size)

    def forgive(self) -> None:
        """Forget the processes that the kernel killed before, so that no later run is charged."""
        if self.group is not None:
            self._kills = self.group.kills

    def checked(self, record: Record) -> Record:
        """Return the record, changed to memory exceeded if the kernel killed a process."""
        if self.group is None or (kills := self.group.kills) == self._kills:
            return record
        self._kills = kills
        evidence = "what it started was ended by the system, for the memory that it used"
        return replace(record, outcome=Outcome.MEMORY, evidence=(*record.evidence, evidence))


_SLACK = 64 << 20


def _prepared(meter: Meter, run: Run) -> Task | None:
    """Prepare a run; None if that fails, because it fails again when the run is measured."""
    try:
        return meter.task(run)
    except Exception:  # noqa: BLE001 - the record of the run will name it
        return None


def _measured(meter: Meter, run: Run, task: Task | None, beat: Callable[[], object]) -> Record:
    """Measure a run.

    A solver that cannot be created is an answer too; so is one that tries to end the process.
    """
    prints.clear()
    try:
        return meter.measure(task or meter.task(run), beat)
    except BaseException as error:  # noqa: BLE001 - even SystemExit is an answer
        return _failed(run, error)


def _failed(run: Run, error: BaseException) -> Record:
    """Return the record of a run that could not be measured: its rules may be beyond our limits."""
    is_beyond = isinstance(error, LayoutError)
    return record_of(
        run,
        Outcome.UNSUPPORTED if is_beyond else Outcome.FAILED,
        evidence=(f"cannot be given {error}" if is_beyond else summarize_exception(error),),
        started=time.time(),
        traceback=traceback_of(error),
    )


class _Bounds:
    """Keeps what a run does to its process from reaching the next run."""

    def __init__(self, forks: Forks, memory: TreeMemory) -> None:
        self._forks = forks
        self._memory = memory
        self._resident = resident_bytes()
        self._searched: set[tuple[str, int]] = set()
        self._runs = Counter[str]()  # by backend
        self._descendants = Descendants()
        self._signals = Signals()

    def are_outgrown(self, limit: int | None) -> bool:
        """Return whether this process has grown by more than a run may, so that it must end."""
        return limit is not None and resident_bytes() - self._resident > limit

    def begin(self) -> None:
        """Begin a run."""
        self._memory.begin()

    def forgive(self) -> None:
        """Do not hold it against the next run what a search before it did."""
        self._signals.restore()
        self._descendants.end_left(self._forks.has_returned)
        self._forks.take_return()
        self._memory.begin()

    def checked(self, run: Run, record: Record) -> Record:
        """End what the run started, restore signals, and return the record with what was found."""
        self._runs[run.backend] += 1
        layout = (run.backend, hash(run.case.board.layout))
        if layout not in self._searched:
            self._searched.add(layout)
            if self._runs[run.backend] <= _MODELS:
                record = replace(record, usage=replace(record.usage, grown_bytes=0))
        self._signals.restore()
        ended = self._descendants.end_left(self._forks.has_returned)
        if self._forks.take_return():
            evidence = (*record.evidence, _RETURNED)
            record = replace(record, outcome=Outcome.FAILED, evidence=evidence)
        if ended:
            processes = "1 process" if ended == 1 else f"{ended} processes"
            reason = f"left {processes} running, which were ended"
            disturbed = (*record.usage.disturbed, reason)
            record = replace(record, usage=replace(record.usage, disturbed=disturbed))
        return self._memory.added(record)


_MODELS = 20
"""Layouts whose models a backend may keep: growth is counted after them, or on a known layout."""

_RETURNED = (
    "a process that it forked returned from the search, or raised; it must end by itself, "
    "with os._exit"
)


def _answer(run: Run, record: Record, errors: Path) -> bytes:
    """Return the message with a record; one with objects that cannot be sent is a failure."""
    try:
        return pickle.dumps(_with_prints(record, errors))
    except Exception as error:  # noqa: BLE001 - whatever pickling raises
        return pickle.dumps(_with_prints(_failed(run, error), errors))


def _with_prints(record: Record, errors: Path) -> Record:
    """Return the record, with the output of the backend if something went wrong."""
    if record.outcome not in (Outcome.FAILED, Outcome.WRONG, Outcome.MEMORY):
        return record
    prints.flush()
    return replace(record, printed=prints.printed(errors))
