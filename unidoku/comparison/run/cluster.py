"""Runs chunks on other machines, with any `concurrent.futures.Executor` or with Dask.

Each node has its own pool (`unidoku.comparison.run.pool`), which isolates runs and enforces their
limits; an executor only transports chunks and records. Chunks of a node that is lost go to another
node. Records are identified by their keys, so that a record that arrives twice counts once.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import socket
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.util import Finalize

from unidoku.backends.solving.solver import Solver
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record, unanswered
from unidoku.comparison.run.chunks import Chunks, PoolSettings
from unidoku.comparison.run.measure import MeasurementSettings
from unidoku.comparison.run.messages import Configuration
from unidoku.comparison.run.pool import Pool
from unidoku.parallel.dispatch import Carrier, Loss
from unidoku.parallel.executors import executor_for

_MOST_RUNS = 1000
"""The most runs in a chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Runs for a node, with everything that it needs to measure them."""

    setup: str  # digest of the next three; a node keeps its pool as long as it does not change
    configurations: Mapping[str, Configuration]  # by label
    measuring: MeasurementSettings
    settings: PoolSettings
    runs: tuple[Run, ...]
    fresh: int = 0  # differs from the node's last chunk if workers must be replaced


class _Node:
    """The pool of this process, created when a chunk first needs it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._setup = ""
        self._pool: Pool | None = None
        self._process = 0
        self._inherited: list[Pool] = []
        self._fresh = 0

    def run(self, chunk: Chunk) -> list[Record]:
        """Measure a chunk; only one at a time, called from any number of threads."""
        with self._lock:
            try:
                return list(self._pool_for(chunk).run(chunk.runs))
            except BaseException:
                self._close()
                raise

    def _pool_for(self, chunk: Chunk) -> Pool:
        if self._pool is not None and self._process != os.getpid():
            # This process was forked from the owner of the pool; dropping the pool would end it.
            self._inherited.append(self._pool)
            self._pool = None
        if self._pool is None or self._setup != chunk.setup:
            self._close()
            # Several nodes may be on one machine; the process id distinguishes them.
            host = f"{socket.gethostname()}:{os.getpid()}"
            self._pool = Pool(chunk.configurations, chunk.measuring, chunk.settings, host=host)
            self._setup, self._process, self._fresh = chunk.setup, os.getpid(), chunk.fresh
            # Unlike atexit, this is called at the end of multiprocessing's processes too.
            Finalize(self, self.close, exitpriority=1)
        if self._fresh != chunk.fresh:
            self._fresh = chunk.fresh
            self._pool.refresh()
        return self._pool

    def close(self) -> None:
        """End the pool when no chunk needs it any more."""
        with self._lock:
            if self._process == os.getpid():
                self._close()

    def _close(self) -> None:
        if self._pool is not None:
            self._pool.close()
            self._pool = None


_node = _Node()


def run_chunk(chunk: Chunk) -> list[Record]:
    """Measure the runs of a chunk on this node, each isolated and under its limits.

    This is a function of this module, because a function of ``__main__`` would be sent by value,
    with its globals, and would create a pool for each chunk.

    Raises:
        BackendError: workers cannot be started.
    """
    return _node.run(chunk)


class Carried:
    """Measures runs on the nodes of an executor, each of which has its own pool."""

    def __init__(
        self,
        solvers: Mapping[str, Solver | Configuration],
        measuring: MeasurementSettings,
        settings: PoolSettings | None = None,
        *,
        executor: Executor,
        chunk_seconds: float = 1.0,
    ) -> None:
        """Take an executor, which the caller shuts down.

        Args:
            solvers: the solvers, by the labels that runs name.
            measuring: how to measure.
            settings: settings of each node's pool; one worker if None. Workers are not bound to
                cores, because nodes that share a machine would choose the same cores.
            executor: transports chunks to nodes; unidoku and the backends must be importable there.
            chunk_seconds: seconds of work in a chunk, for each worker of a node.
        """
        settings = replace(settings or PoolSettings(), pin=False)
        configurations = {label: Configuration.of(each) for label, each in solvers.items()}
        setup = pickle.dumps((configurations, measuring, settings))
        self._chunk = Chunk(
            setup=hashlib.sha256(setup).hexdigest(),
            configurations=configurations,
            measuring=measuring,
            settings=settings,
            runs=(),
        )
        self._chunks = Chunks(chunk_seconds * settings.workers, _MOST_RUNS)
        self._carrier = Carrier(executor, run_chunk)

    def run(self, runs: Iterable[Run]) -> Iterator[Record]:
        """Yield the record of each run once, when its chunk comes back.

        Closing the iterator cancels the chunks that no node has started.

        Raises:
            BackendError: workers cannot be started on a node, or the executor accepts no more
                chunks.
        """
        self._chunks.begin(runs)
        seen: set[int] = set()
        try:
            while True:
                while self._carrier.has_room() and (block := self._chunks.next()):
                    self._carrier.submit(replace(self._chunk, runs=tuple(block)))
                if not len(self._carrier):
                    return
                for _, chunk, answer in self._carrier.ended():
                    for record in _records(chunk, answer):
                        key = int(record.key, 16)
                        if key not in seen:
                            seen.add(key)
                            self._chunks.ended(record)
                            yield record
        finally:
            self.close()

    def refresh(self) -> None:
        """Let each node replace its workers before its next chunk; no run may be in progress."""
        self._chunk = replace(self._chunk, fresh=self._chunk.fresh + 1)

    def close(self) -> None:
        """Cancel the chunks that no node has started."""
        self._carrier.close()


def _records(chunk: Chunk, answer: list[Record] | Loss) -> Iterable[Record]:
    """Return the records of a chunk, or failures if no node has answered."""
    if isinstance(answer, Loss):
        return [unanswered(run, Outcome.CRASHED, str(answer)) for run in chunk.runs]
    return answer


@contextmanager
def carried(
    solvers: Mapping[str, Solver | Configuration],
    measuring: MeasurementSettings,
    settings: PoolSettings,
    address: str,
) -> Iterator[Carried]:
    """Open a runner on the workers of the Dask cluster at an address; see `executor_for`."""
    with executor_for(address) as cluster:
        runner = Carried(solvers, measuring, settings, executor=cluster)
        with contextlib.closing(runner):
            yield runner
