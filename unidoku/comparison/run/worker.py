"""A worker: measures the runs that come over its socket, in a process that may be lost."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection

from unidoku.backends.solver import Solver
from unidoku.comparison.plan import Run
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.run.bench import Bench
from unidoku.comparison.run.blame import failed_record
from unidoku.comparison.run.cgroup import MemoryGroup
from unidoku.comparison.run.wire import Configuration, Heard, Loaded, Setup

__all__ = ["Solvers", "measured", "redirect", "work"]


class Solvers(Mapping[str, Solver]):
    """The solvers of some configurations, each made when it is first wanted.

    Attributes:
        loads: by label, nanoseconds that importing and making a solver took.
    """

    def __init__(
        self,
        configurations: Mapping[str, Configuration],
        loading: Callable[[], object],
        imported: Mapping[str, int] | None = None,
    ) -> None:
        """Take the configurations, and what to call before one is made.

        Args:
            configurations: by label.
            loading: called before a solver is made.
            imported: nanoseconds that importing took before this process was forked.
        """
        self.loads: dict[str, int] = {}
        self._configurations = configurations
        self._loading = loading
        self._imported = imported or {}
        self._made: dict[str, Solver] = {}

    def __getitem__(self, label: str) -> Solver:
        """Return a solver.

        Raises:
            UnidokuError: it cannot be made.
        """
        if label not in self._made:
            self._loading()
            start = time.perf_counter_ns()
            self._made[label] = self._configurations[label].create()
            taken = time.perf_counter_ns() - start
            self.loads[label] = taken + self._imported.get(label, 0)
        return self._made[label]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the labels."""
        return iter(self._configurations)

    def __len__(self) -> int:
        """Return the number of labels."""
        return len(self._configurations)


def work(
    descriptor: int,
    setup: Setup,
    loaded: Loaded,
    place: int,
    cores: frozenset[int],
    errors: str,
) -> None:
    """Measure runs until the supervisor is gone.

    Args:
        descriptor: of the socket to the supervisor.
        setup: backends and how to measure.
        loaded: what was imported before this process was forked.
        place: which worker it is, from 0.
        cores: that it may use; none is all.
        errors: the file that takes what backends write to standard error.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    redirect(errors)
    if cores and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):  # cores may have been taken away meanwhile
            os.sched_setaffinity(0, cores)
    pipe = Connection(descriptor)
    name = f"{setup.host}/{place}"
    say = pipe.send_bytes
    beat = _Beat(say)
    loading = partial(say, Heard.LOADING.value)
    solvers = Solvers(setup.configurations, loading, loaded.nanoseconds)
    gc.disable()  # the bench collects between runs, where there is something to collect
    bench = Bench(solvers, setup.measuring, name, solvers.loads)
    group = _Group(setup.measuring.memory_limit)
    while True:
        try:
            runs: tuple[Run, ...] = pipe.recv()
        except (EOFError, OSError):
            return
        group.renew()
        for run in runs:
            beat.due = 0.0
            say(measured(bench, run, name, beat, group.checked))


class _Beat:
    """Tells the supervisor that a search begins or has ended.

    Not each time: a search that has just begun has nearly all of its time.
    """

    def __init__(self, say: Callable[[bytes], object]) -> None:
        self._say = say
        self.due = 0.0

    def __call__(self) -> None:
        now = time.monotonic()
        if now >= self.due:
            self.due = now + _PAUSE
            self._say(Heard.SEARCHING.value)


_PAUSE = 0.02
"""Seconds between two heartbeats of a run."""


class _Group:
    """The memory cgroup of this process, where it may have one.

    It holds for what backends start as well, which the limit of each run does not; it is wider
    than that, which ends a run more gently.
    """

    def __init__(self, limit: int | None) -> None:
        """Enter it."""
        self._size = None if limit is None else limit + limit // 4 + _SLACK
        self._group = None if limit is None else MemoryGroup.make()
        self._kills = 0
        if self._group is not None:
            try:
                self._group.join()
            except OSError:
                self._group = None

    def renew(self) -> None:
        """Count from what is used now."""
        if self._group is not None and self._size is not None:
            with contextlib.suppress(OSError):  # the other limit holds all the same
                self._group.limit(self._size)

    def checked(self, record: Record) -> Record:
        """Return the record, which is of a run beyond its memory if the kernel ended something."""
        if self._group is None or (kills := self._group.kills) == self._kills:
            return record
        self._kills = kills
        evidence = "what it started was ended by the system, for the memory that it used"
        return replace(record, outcome=Outcome.MEMORY, evidence=(*record.evidence, evidence))


_SLACK = 64 << 20


def measured(
    bench: Bench,
    run: Run,
    worker: str,
    beat: Callable[[], object] = lambda: None,
    checked: Callable[[Record], Record] = lambda record: record,
) -> bytes:
    """Measure a run in a process that is there for nothing else.

    A solver that cannot be made is a record as well; so is one that tries to leave, or whose
    answer is made of what cannot be sent.

    Args:
        bench: who measures.
        run: the run.
        worker: what the record says of who ran it.
        beat: called before each search.
        checked: called with the record; returns the one to send.

    Returns:
        The record, pickled.
    """
    with contextlib.suppress(OSError):  # a backend may have closed it
        os.ftruncate(2, 0)
    try:
        return pickle.dumps(checked(bench.run(run, beat)))
    except BaseException as error:  # noqa: BLE001 - even SystemExit is what there is to say
        return pickle.dumps(failed_record(run, worker, f"{type(error).__name__}: {error}"))


def redirect(errors: str) -> None:
    """Send standard output nowhere, and errors to a file: neither is the supervisor's."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    file = os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
    for source, target in ((nowhere, 0), (nowhere, 1), (file, 2)):
        os.dup2(source, target)
    os.close(nowhere)
    os.close(file)
