"""A worker: measures the runs that it gets over its pipe, in a process that may be lost.

It also defines the messages between the supervisor and its workers.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from unidoku.backends import BackendSpec
from unidoku.backends.base import Stop
from unidoku.backends.failure import said, traceback_of
from unidoku.backends.solver import Solver
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Timing, Usage
from unidoku.comparison.run import prints
from unidoku.comparison.run.limits import MemoryGroup
from unidoku.comparison.run.measure import Measuring, Meter, Task
from unidoku.comparison.run.searched import Measured
from unidoku.process import Connection, connect, die_with_parent

__all__ = [
    "Configuration",
    "Ended",
    "Heard",
    "Job",
    "Setup",
    "Started",
    "found_in",
    "import_backend",
    "main",
    "work",
]


@dataclass(frozen=True, slots=True)
class Configuration:
    """Everything that another process needs to create a solver."""

    spec: BackendSpec
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, solver: Solver | Configuration) -> Configuration:
        """Return the configuration of a solver, or of a configuration."""
        return cls(solver.spec, dict(solver.options))

    def create(self) -> Solver:
        """Import the backend and return the solver; raises as `BackendSpec.create` does."""
        return Solver(self.spec, self.spec.create(self.options), self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Settings that all workers of a pool share."""

    path: tuple[str, ...]  # where Python looks for modules
    configurations: Mapping[str, Configuration]  # by label
    measuring: Measuring
    host: str  # name of this machine in the records
    folder: str  # for files of the workers


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Settings of one worker."""

    serial: int  # unique among the workers of a pool
    place: int  # its number among the workers at a time, from 0
    cores: frozenset[int]  # the cores that it may use; empty for all
    errors: Path  # file for the standard error of its backends


@dataclass(frozen=True, slots=True)
class Started:
    """A worker, by its serial number, has been started as a process."""

    serial: int
    pid: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A worker's process has ended, with all processes that it started in its group."""

    pid: int
    code: int  # the exit code, or minus the signal's number
    large: bool  # whether the system ended the process because of its memory


class Heard(Enum):
    """Short messages of a worker, besides its answers."""

    LOADING = b"l"
    """It makes a solver: a library may have to be imported."""
    WARMING = b"w"
    """A search of another board than that of the run begins."""
    SEARCHING = b"s"
    """A search begins."""


_parts = attrgetter(*(f.name for f in fields(Measured)))
_TIMES = tuple(f.name for f in fields(Timing))
_times = attrgetter(*_TIMES)


def answer_of(found: Measured) -> bytes:
    """Return a run's result as a message, ten times as fast as pickling the object."""
    outcome, evidence, timing, usage, started, stop, *others = _parts(found)
    used = usage.peak_bytes, usage.disturbed
    why = None if stop is None else stop.value
    return pickle.dumps((outcome.value, evidence, _times(timing), used, started, why, *others))


def found_in(answer: bytes) -> Measured:
    """Return the result of a run from its message.

    Raises:
        Exception: any kind; the message may contain objects that exist only in the worker.
    """
    outcome, evidence, times, (peak, disturbed), started, why, *others = pickle.loads(answer)
    timing = Timing(**dict(zip(_TIMES, times, strict=True)))
    usage = Usage(peak_bytes=peak, disturbed=disturbed)
    stop = None if why is None else Stop(why)
    return Measured(Outcome(outcome), evidence, timing, usage, started, stop, *others)


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
        taken = time.perf_counter_ns() - start
        self.loads[label] = taken + self._imported[spec.name]
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
    say = pipe.send_bytes
    beat = _Beat(say)
    loading = partial(say, Heard.LOADING.value)
    solvers = _Solvers(setup.configurations, loading, imported)
    gc.disable()  # the meter collects garbage between runs, if there is any
    group = _Group(setup.measuring.memory_limit)

    @contextlib.contextmanager
    def warming() -> Iterator[None]:
        say(Heard.WARMING.value)
        yield
        group.forgive()

    meter = Meter(solvers, setup.measuring, solvers.loads, loading, warming)
    while True:
        try:
            runs: tuple[Run, ...] = pickle.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            return
        group.renew()
        for start in range(0, len(runs), _AHEAD):
            some = runs[start : start + _AHEAD]
            # Right after a search, the same work would take several times as long.
            for run, task in [(run, _prepared(meter, run)) for run in some]:
                beat.due = 0.0
                say(_answer(meter, run, task, beat, group, job.errors))


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


class _Beat:
    """Reports to the supervisor that a search begins or has ended.

    It does not report every search: one that began a moment ago still has nearly all of its time.
    """

    def __init__(self, say: Callable[[bytes], object]) -> None:
        self._say = say
        self.due = 0.0

    def __call__(self) -> None:
        now = time.monotonic()
        if now >= self.due:
            self.due = now + _PAUSE
            self._say(Heard.SEARCHING.value)


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
        self._group = None if limit is None else MemoryGroup.make()
        self._kills = 0
        if self._group is not None:
            try:
                self._group.join()
            except OSError:
                self._group = None

    def renew(self) -> None:
        """Set the limit relative to the memory that is used now."""
        if self._group is not None:
            with contextlib.suppress(OSError):  # the other limit still applies
                self._group.limit(self._size)

    def forgive(self) -> None:
        """Do not hold it against the next run that the kernel killed a process before."""
        if self._group is not None:
            self._kills = self._group.kills

    def checked(self, found: Measured) -> Measured:
        """Return the result, changed to memory exceeded if the kernel killed a process."""
        if self._group is None or (kills := self._group.kills) == self._kills:
            return found
        self._kills = kills
        evidence = "what it started was ended by the system, for the memory that it used"
        return replace(found, outcome=Outcome.MEMORY, evidence=(*found.evidence, evidence))


_SLACK = 64 << 20


def _prepared(meter: Meter, run: Run) -> Task | None:
    """Prepare a run; None if that fails, because it fails again when the run is measured."""
    try:
        return meter.task(run)
    except Exception:  # noqa: BLE001 - the record of the run will name it
        return None


def _answer(
    meter: Meter, run: Run, task: Task | None, beat: _Beat, group: _Group, errors: Path
) -> bytes:
    """Measure a run; return the message with its result.

    A solver that cannot be created is an answer too; so is one that tries to end the process, or
    whose answer contains objects that cannot be sent.
    """
    prints.clear()
    try:
        found = group.checked(meter.measure(task or meter.task(run), beat))
        return answer_of(_with_prints(found, errors))
    except BaseException as error:  # noqa: BLE001 - even SystemExit is an answer
        evidence, where = (said(error),), traceback_of(error)
        found = Measured(Outcome.FAILED, evidence, started=time.time(), traceback=where)
        return answer_of(_with_prints(found, errors))


def _with_prints(found: Measured, errors: Path) -> Measured:
    """Return the result, with the output of the backend if something went wrong."""
    if found.outcome not in (Outcome.FAILED, Outcome.WRONG, Outcome.MEMORY):
        return found
    prints.flush()
    return replace(found, printed=prints.printed(errors))
