"""The engine that others carry: any `concurrent.futures.Executor` takes chunks to its nodes.

What isolates runs, keeps their limits and finds whom to blame is each node's own pool
(`unidoku.comparison.run.pool`); an executor only brings chunks there and records back. A node
that is lost costs its chunks' time: they go to another. Records are known by their keys, so that
one which comes twice counts once.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future
from concurrent.futures import wait as wait_for
from dataclasses import dataclass, field, replace
from multiprocessing.util import Finalize

from unidoku.backends.solver import Solver
from unidoku.comparison.plan import Run
from unidoku.comparison.record import Record
from unidoku.comparison.run.bench import Measuring
from unidoku.comparison.run.blame import lost_record
from unidoku.comparison.run.pool import Pool
from unidoku.comparison.run.settings import PoolSettings
from unidoku.comparison.run.wire import Configuration
from unidoku.comparison.run.work import Work
from unidoku.errors import BackendError, UnidokuError

__all__ = ["Carried", "Chunk", "run_chunk"]

_TRIES = 3
"""Times that a chunk is handed out again after it was lost."""

_MOST_RUNS = 1000
"""In a chunk."""

_LOOK = 1.0
"""Seconds between looks at how many nodes there are."""

_LOST = ("KilledWorker", "FutureCancelledError", "CommClosedError", "NoValidWorkerError")
"""Exceptions of Dask by which a chunk and not a run failed: named, for they are not imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Runs for a node, and all that it must know to measure them.

    Args:
        setup: digest of what follows but the runs: one pool of a node serves all chunks of one.
        configurations: of the backends, by label.
        measuring: how to measure.
        settings: of the node's pool.
        runs: to be measured.
        fresh: where this differs from that of the node's last chunk, its workers are replaced.
    """

    setup: str
    configurations: Mapping[str, Configuration]
    measuring: Measuring
    settings: PoolSettings
    runs: tuple[Run, ...]
    fresh: int = 0


class _Node:
    """The pool of this process, made when a chunk first needs it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._setup = ""
        self._pool: Pool | None = None
        self._process = 0
        self._inherited: list[Pool] = []
        self._fresh = 0

    def run(self, chunk: Chunk) -> list[Record]:
        """Measure a chunk; one at a time, however many threads ask."""
        with self._lock:
            try:
                return list(self._pool_for(chunk).run(chunk.runs))
            except BaseException:
                self._close()
                raise

    def _pool_for(self, chunk: Chunk) -> Pool:
        if self._pool is not None and self._process != os.getpid():
            # This process was forked from the one whose pool it is; to drop it would be to end it.
            self._inherited.append(self._pool)
            self._pool = None
        if self._pool is None or self._setup != chunk.setup:
            self._close()
            # Several nodes may be on one machine; the number of the process tells them apart.
            host = f"{socket.gethostname()}:{os.getpid()}"
            self._pool = Pool(chunk.configurations, chunk.measuring, chunk.settings, host=host)
            self._setup, self._process, self._fresh = chunk.setup, os.getpid(), chunk.fresh
            # Unlike atexit, this is called at the end of processes of multiprocessing as well.
            Finalize(self, self.close, exitpriority=1)
        if self._fresh != chunk.fresh:
            self._fresh = chunk.fresh
            self._pool.refresh()
        return self._pool

    def close(self) -> None:
        """End the pool, once no chunk needs it."""
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

    Of this module, not of a script: what is of ``__main__`` is sent by value, its globals with
    it, and would make a pool for each chunk.

    Raises:
        BackendError: workers cannot be started.
    """
    return _node.run(chunk)


@dataclass(slots=True)
class _Task:
    """A chunk that is under way."""

    chunk: Chunk
    tries: int = 0
    lost: list[str] = field(default_factory=list)


class Carried:
    """Runs on the nodes of an executor, each node with a pool of its own."""

    def __init__(
        self,
        solvers: Mapping[str, Solver | Configuration],
        measuring: Measuring,
        settings: PoolSettings | None = None,
        *,
        executor: Executor,
        chunk_seconds: float = 1.0,
        window: int | Callable[[], int] = 4,
    ) -> None:
        """Take an executor; it remains the caller's to end.

        Args:
            solvers: by the labels that runs name.
            measuring: how to measure.
            settings: of each node's pool; one worker if not given. Workers are not kept to
                cores, since nodes that share a machine would choose the same ones.
            executor: brings chunks to nodes; unidoku and the backends must be importable there.
            chunk_seconds: of work in a chunk, for each worker of a node.
            window: chunks under way at once, two a node, or what tells how many; it may raise
                an UnidokuError if there can be none any more.
        """
        settings = replace(settings or PoolSettings(), pin=False)
        configurations = {label: Configuration.of(each) for label, each in solvers.items()}
        said = pickle.dumps((configurations, measuring, settings))
        self._chunk = Chunk(
            setup=hashlib.sha256(said).hexdigest(),
            configurations=configurations,
            measuring=measuring,
            settings=settings,
            runs=(),
        )
        self._executor = executor
        self._work = Work(chunk_seconds * settings.workers, _MOST_RUNS)
        self._window = window if callable(window) else lambda: window
        self._pending: dict[Future[list[Record]], _Task] = {}

    def run(self, runs: Iterable[Run]) -> Iterator[Record]:
        """Yield the record of each run once, as its chunk comes back.

        Closing the iterator cancels the chunks that no node has begun.

        Raises:
            BackendError: workers cannot be started on a node, or the executor takes no chunks
                any more.
        """
        self._work.begin(runs)
        seen: set[int] = set()
        try:
            while True:
                self._supply()
                if not self._pending:
                    return
                wait_for(self._pending, timeout=_LOOK, return_when=FIRST_COMPLETED)
                for future in [future for future in self._pending if future.done()]:
                    for record in self._take(future):
                        key = int(record.key, 16)
                        if key not in seen:
                            seen.add(key)
                            self._work.ended(record)
                            yield record
        finally:
            self._cancel()

    def _supply(self) -> None:
        """Hand out chunks as long as the window is open."""
        window = self._window()
        while len(self._pending) < window and (runs := self._work.chunk()):
            self._submit(_Task(replace(self._chunk, runs=tuple(runs))))

    def _submit(self, task: _Task) -> None:
        try:
            self._pending[self._executor.submit(run_chunk, task.chunk)] = task
        except (RuntimeError, OSError) as error:  # RuntimeError: shut down, broken or closed
            said = "; ".join([*task.lost, f"{type(error).__name__}: {error}"])
            raise BackendError(f"the executor takes no runs any more: {said}") from error

    def _take(self, future: Future[list[Record]]) -> list[Record]:
        """Return the records of a chunk; none if it was lost and goes to another node."""
        task = self._pending.pop(future)
        try:
            return future.result()
        except Exception as error:
            if not _is_loss(error):
                raise
            task.lost.append(f"{type(error).__name__}: {error}")
        if task.tries < _TRIES:
            task.tries += 1
            self._submit(task)
            return []
        what = f"the node that it was on was lost {len(task.lost)} times, the last: {task.lost[-1]}"
        return [lost_record(run, what) for run in task.chunk.runs]

    def _cancel(self) -> None:
        for future in self._pending:
            future.cancel()
        self._pending.clear()

    def refresh(self) -> None:
        """Have each node replace its workers before its next chunk; no runs may be under way."""
        self._chunk = replace(self._chunk, fresh=self._chunk.fresh + 1)

    def close(self) -> None:
        """Cancel what no node has begun."""
        self._cancel()


def _is_loss(error: BaseException) -> bool:
    """Tell whether an exception says that a node was lost, rather than what it found."""
    if isinstance(error, UnidokuError):
        return False
    if isinstance(error, (BrokenExecutor, CancelledError, OSError, EOFError)):
        return True
    return any(kind.__name__ in _LOST for kind in type(error).__mro__)
