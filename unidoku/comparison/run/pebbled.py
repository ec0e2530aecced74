"""The engine of systems that cannot fork: workers that Pebble starts, watches and ends.

Each run is a task of its own, so that what ends a worker is blamed on the right run. Next to
`unidoku.comparison.run.pool`: a new worker takes as long as its backends take to import; a run
has one limit for all of its searches, which is kept to a tenth of a second; runs of one board
may be measured by several workers; programs that a killed worker had started are left; and a
backend that exits with code 0 is noticed at its time limit only, and not at all without one. A
worker that is just being started when Ctrl-C comes says so on standard error. On Windows there
is no memory limit and no peak either. Scripts need ``if __name__ == "__main__"``, as always
where processes are spawned.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import socket
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from unidoku.backends.solver import Solver
from unidoku.comparison.plan import Run
from unidoku.comparison.record import Record
from unidoku.comparison.run.bench import Bench, Measuring
from unidoku.comparison.run.blame import (
    LOADING,
    Deadlines,
    ended_record,
    failed_record,
    tail,
    timeout_record,
)
from unidoku.comparison.run.settings import ONE_THREAD, PoolSettings
from unidoku.comparison.run.wire import Configuration
from unidoku.comparison.run.worker import Solvers, measured, redirect
from unidoku.errors import BackendError, InputError

if TYPE_CHECKING:
    from pebble import ProcessPool

__all__ = ["Pebbled"]

_MOST_LOST = 5
"""Pools of each worker in a row that may break before a run ends."""

_SLACK = 0.1
"""Seconds for what a run does besides its searches."""

_DONE = "measured"
"""What a worker leaves in its file when it has measured and goes to hand the record over."""

_LOOK = 0.2
"""Seconds between looks for Ctrl-C, which does not end a wait on every system."""


class Pebbled:
    """Runs in workers that are spawned, each under a hard limit of time."""

    def __init__(
        self,
        solvers: Mapping[str, Solver | Configuration],
        measuring: Measuring,
        settings: PoolSettings | None = None,
    ) -> None:
        """Prepare; the workers are started with the first run.

        Args:
            solvers: by the labels that runs name.
            measuring: how to measure.
            settings: one worker if not given; workers are not kept to cores.

        Raises:
            InputError: Pebble is not installed; says what to type.
        """
        try:
            import pebble  # noqa: F401 - said at once, not with the first run
        except ImportError as error:
            raise InputError(
                "the engine 'pebble' needs pebble, which is not installed; type: pip install pebble"
            ) from error
        self._settings = settings or PoolSettings()
        self._measuring = measuring
        self._deadlines = Deadlines(solvers, measuring, self._settings.grace)
        self._host = socket.gethostname()
        self._folder = tempfile.TemporaryDirectory(prefix="unidoku-", ignore_cleanup_errors=True)
        self._configurations = {label: Configuration.of(each) for label, each in solvers.items()}
        self._preload = True
        self._lost = 0  # pools in a row that broke before a run ended
        # One a worker: those of one pool share a pipe and its lock, and whoever is ended with the
        # lock costs the others a minute.
        self._pools: dict[int, ProcessPool] = {}

    def run(self, runs: Iterable[Run]) -> Iterator[Record]:
        """Yield the record of each run, as it ends; they begin in their order.

        Raises:
            BackendError: workers cannot be started.
        """
        todo = iter(runs)
        pending: dict[Future[bytes], tuple[int, Run]] = {}
        heard = [time.monotonic()] * self._settings.workers
        try:
            while self._fill(todo, pending, heard):
                wait(pending, timeout=_LOOK, return_when=FIRST_COMPLETED)
                again: deque[Run] = deque()
                broken: set[int] = set()
                for future in [future for future in pending if future.done()]:
                    place, run = pending.pop(future)
                    heard[place] = time.monotonic()
                    record = self._record(run, future)
                    if record is None:
                        again.append(run)
                        broken.add(place)
                    else:
                        self._lost = 0
                        yield record
                for place in range(self._settings.workers):
                    mine = {f: run for f, (where, run) in pending.items() if where == place}
                    silent = time.monotonic() - heard[place] > self._patience(mine.values())
                    if place in broken or (mine and silent):
                        again.extend(mine.values())
                        for future in mine:
                            del pending[future]
                        self._count_lost(place)
                todo = chain(again, todo)
        finally:
            if pending:  # the caller is leaving
                self._stop()

    def _fill(
        self,
        todo: Iterator[Run],
        pending: dict[Future[bytes], tuple[int, Run]],
        heard: list[float],
    ) -> bool:
        """Give each worker two runs, so that it need not wait; return whether any has one."""
        counts = Counter(place for place, _ in pending.values())
        for place in range(self._settings.workers):
            for _ in range(2 - counts[place]):
                run = next(todo, None)
                if run is None:
                    break
                if not counts[place]:
                    heard[place] = time.monotonic()
                pending[self._schedule(place, run)] = place, run
        return bool(pending)

    def _limit(self, run: Run) -> float:
        """Return the seconds that a run has, for all of its searches."""
        sample = self._measuring.sample_ns / 1e9
        seconds = self._deadlines.seconds(run)
        # One search, or the first one, a second, and a sample that is no longer than these.
        limit = (2 * seconds if sample else seconds) + sample + _SLACK
        return limit if self._preload else limit + LOADING

    def _patience(self, runs: Iterable[Run]) -> float:
        """Return the seconds of silence after which the pool itself must have lost a run."""
        return LOADING + max(map(self._limit, runs), default=0.0)

    def _schedule(self, place: int, run: Run) -> Future[bytes]:
        """Queue a run for a worker."""
        if place not in self._pools:
            self._pools[place] = self._new_pool()
        limit = self._limit(run)
        timeout = None if limit == float("inf") else limit
        return self._pools[place].schedule(_measure, args=(run,), timeout=timeout)

    def _record(self, run: Run, future: Future[bytes]) -> Record | None:
        """Return the record of a run that has ended; None if it shall be run again."""
        from pebble import ProcessExpired

        try:
            record = pickle.loads(future.result())
        except TimeoutError as error:
            seconds = error.args[1] if len(error.args) > 1 else 0.0
            limit = self._deadlines.limit(run)
            return timeout_record(run, self._host, round(seconds * 1e9), limit)
        except ProcessExpired as error:
            said = tail(_errors(self._folder.name, error.pid))
            if said == _DONE:
                return None  # it could not hand its record over
            return ended_record(run, f"{self._host}/{error.pid}", 0, error.exitcode, said)
        except BrokenProcessPool:
            # A worker ended outside of any run: if by what it imports, it would at each start.
            self._preload = False
            return None
        except Exception as error:  # noqa: BLE001 - whatever it is, the run has no other record
            what = f"its answer cannot be read: {type(error).__name__}: {error}"
            return failed_record(run, self._host, what)
        assert isinstance(record, Record)
        return record

    def _count_lost(self, place: int) -> None:
        """End the pool of a worker, so that a new one takes over."""
        self._lost += 1
        if self._lost > _MOST_LOST * self._settings.workers:
            raise BackendError(f"{self._lost} times in a row a worker ended before any run did")
        self._stop([place])

    def _new_pool(self) -> ProcessPool:
        from pebble import ProcessPool

        return ProcessPool(
            max_workers=1,
            initializer=_begin,
            initargs=(
                self._configurations,
                self._measuring,
                self._host,
                self._folder.name,
                self._preload,
            ),
            context=multiprocessing.get_context("spawn"),
        )

    def _stop(self, places: Iterable[int] | None = None) -> None:
        """End the pools of these workers, or all."""
        chosen = list(self._pools) if places is None else places
        stopped = [self._pools.pop(place) for place in chosen if place in self._pools]
        for pool in stopped:
            pool.stop()  # type: ignore[no-untyped-call]  # nor is it in Pebble
        for pool in stopped:
            pool.join()

    def refresh(self) -> None:
        """Replace the workers, which import their backends anew; no runs may be under way."""
        self._stop()

    def close(self) -> None:
        """End all workers, whatever they do."""
        self._stop()
        self._folder.cleanup()

    def __enter__(self) -> Pebbled:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all workers."""
        self.close()


_here: list[Bench] = []
"""The bench of this process, if it is a worker."""


def _begin(
    configurations: Mapping[str, Configuration],
    measuring: Measuring,
    host: str,
    folder: str,
    preload: bool,
) -> None:
    """Make this process a worker."""
    # Pebble's own handler is of Python, to which a backend that is in C may never come back.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ.update(ONE_THREAD)
    redirect(str(_errors(folder, os.getpid())))
    solvers = Solvers(configurations, lambda: None)
    for label in solvers if preload else ():
        # What cannot be made is said by the run that wants it.
        with contextlib.suppress(Exception, SystemExit):
            solvers[label]
    _here[:] = [Bench(solvers, measuring, f"{host}/{os.getpid()}", solvers.loads)]


def _measure(run: Run) -> bytes:
    """Measure a run, in a worker; return its record, pickled."""
    record = measured(_here[0], run, socket.gethostname())
    with contextlib.suppress(OSError):  # a backend may have closed it
        os.ftruncate(2, 0)
        os.write(2, _DONE.encode())
    return record


def _errors(folder: str, pid: int | None) -> Path:
    """Return the file that takes what a worker's backends write to standard error."""
    return Path(folder) / f"errors-{pid}"
