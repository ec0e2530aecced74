"""Runs chunks on other machines: through any `concurrent.futures.Executor`, or through Dask.

Each node has a pool of its own (`unidoku.comparison.run.pool`), which isolates runs and keeps
their limits; an executor only brings chunks there and records back. Chunks of a node that is lost
go to another. Records are known by their keys, so that a record that comes twice counts once.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import pickle
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future
from concurrent.futures import wait as wait_for
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

from unidoku.backends.solver import Solver
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.run.chunks import Chunks, PoolSettings
from unidoku.comparison.run.deferral import interrupt_deferred
from unidoku.comparison.run.failure import unanswered
from unidoku.comparison.run.measure import Measuring
from unidoku.comparison.run.pool import Pool
from unidoku.comparison.run.worker import Configuration
from unidoku.errors import BackendError, InputError, UnidokuError
from unidoku.extras import command, not_installed
from unidoku.version import __version__

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Carried", "Chunk", "Cluster", "carried", "executor_for", "run_chunk"]

_TRIES = 3
"""Times that a chunk is handed out again after it was lost."""

_MOST_RUNS = 1000
"""Runs in a chunk."""

_WAIT = 1.0
"""Seconds to wait for a chunk before the window is asked for again."""

_LOST = ("KilledWorker", "FutureCancelledError", "CommClosedError", "NoValidWorkerError")
"""Exceptions of Dask that say that a node was lost: by name, because Dask is not imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Runs for a node, and all that it must know to measure them."""

    setup: str  # digest of the next three; a node keeps its pool while it is the same
    configurations: Mapping[str, Configuration]  # by label
    measuring: Measuring
    settings: PoolSettings
    runs: tuple[Run, ...]
    fresh: int = 0  # unlike that of the node's last chunk, if workers must be replaced


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
        """Measure a chunk; one at a time, from any number of threads."""
        with self._lock:
            try:
                return list(self._pool_for(chunk).run(chunk.runs))
            except BaseException:
                self._close()
                raise

    def _pool_for(self, chunk: Chunk) -> Pool:
        if self._pool is not None and self._process != os.getpid():
            # This process was forked from the owner of the pool, which dropping it would end.
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

    A function of this module, because one of ``__main__`` would be sent by value, with its
    globals, and would make a pool for each chunk.

    Raises:
        BackendError: workers cannot be started.
    """
    return _node.run(chunk)


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
        """Take an executor, which the caller ends.

        Args:
            solvers: by the labels that runs name.
            measuring: how to measure.
            settings: settings of each node's pool; one worker if not given. Workers are not kept
                to cores, since nodes that share a machine would choose the same ones.
            executor: brings chunks to nodes; unidoku and the backends must be importable there.
            chunk_seconds: seconds of work in a chunk, for each worker of a node.
            window: chunks under way at once, two a node, or a function that returns their number
                and may raise an UnidokuError if no node is left.
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
        self._chunks = Chunks(chunk_seconds * settings.workers, _MOST_RUNS)
        self._window = window if callable(window) else lambda: window
        # The chunks under way, and how each was lost before.
        self._pending: dict[Future[list[Record]], tuple[Chunk, list[str]]] = {}

    def run(self, runs: Iterable[Run]) -> Iterator[Record]:
        """Yield the record of each run once, as its chunk comes back.

        Closing the iterator cancels the chunks that no node has begun.

        Raises:
            BackendError: workers cannot be started on a node, or the executor takes no chunks
                any more.
        """
        self._chunks.begin(runs)
        seen: set[int] = set()
        try:
            while True:
                self._supply()
                if not self._pending:
                    return
                wait_for(self._pending, timeout=_WAIT, return_when=FIRST_COMPLETED)
                for future in [future for future in self._pending if future.done()]:
                    for record in self._take(future):
                        key = int(record.key, 16)
                        if key not in seen:
                            seen.add(key)
                            self._chunks.ended(record)
                            yield record
        finally:
            self.close()

    def _supply(self) -> None:
        """Hand out chunks as long as the window is open."""
        window = self._window()
        while len(self._pending) < window and (runs := self._chunks.next()):
            self._submit(replace(self._chunk, runs=tuple(runs)), [])

    def _submit(self, chunk: Chunk, lost: list[str]) -> None:
        try:
            self._pending[self._executor.submit(run_chunk, chunk)] = chunk, lost
        except (RuntimeError, OSError) as error:  # RuntimeError: shut down, broken or closed
            said = "; ".join([*lost, f"{type(error).__name__}: {error}"])
            raise BackendError(f"the executor no longer accepts runs: {said}") from error

    def _take(self, future: Future[list[Record]]) -> list[Record]:
        """Return the records of a chunk; none if it was lost and goes to another node."""
        chunk, lost = self._pending.pop(future)
        try:
            return future.result()
        except Exception as error:
            if not _is_loss(error):
                raise
            lost.append(f"{type(error).__name__}: {error}")
        if len(lost) <= _TRIES:
            self._submit(chunk, lost)
            return []
        what = f"the node that it was on was lost {len(lost)} times, the last: {lost[-1]}"
        return [unanswered(run, Outcome.CRASHED, what) for run in chunk.runs]

    def refresh(self) -> None:
        """Have each node replace its workers before its next chunk; no runs may be under way."""
        self._chunk = replace(self._chunk, fresh=self._chunk.fresh + 1)

    def close(self) -> None:
        """Cancel the chunks that no node has begun."""
        for future in self._pending:
            future.cancel()
        self._pending.clear()


def _is_loss(error: BaseException) -> bool:
    """Tell whether an exception says that a node was lost, rather than what it found."""
    if isinstance(error, UnidokuError):
        return False
    if isinstance(error, (BrokenExecutor, CancelledError, OSError, EOFError)):
        return True
    return any(kind.__name__ in _LOST for kind in type(error).__mro__)


_CONNECT = 10.0
"""Seconds in which a scheduler must answer."""

_WORKERS = 30.0
"""Seconds in which a worker must have connected."""

_KNOWN = 2.0
"""Seconds for which the number of workers is remembered."""

_DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""What workers on this machine run first: the terminal's Ctrl-C is the supervisor's."""


@dataclass(slots=True)
class Cluster:
    """A cluster of Dask; its executor brings chunks to its workers."""

    executor: Executor
    client: Client
    _nodes: int = 0
    _looked: float = 0.0
    _seen: float = 0.0

    def nodes(self) -> int:
        """Return how many workers there are now, or were two seconds ago.

        Raises:
            BackendError: there has been none for half a minute, or the scheduler is gone.
        """
        now = time.monotonic()
        if self._looked and now - self._looked < _KNOWN:
            return self._nodes
        try:
            found = len(self.client.nthreads())  # type: ignore[no-untyped-call]  # nor is it there
        except (OSError, RuntimeError) as error:
            raise BackendError(f"lost the connection to the scheduler: {error}") from error
        self._looked = now
        if found:
            self._nodes, self._seen = found, now
        elif now - self._seen > _WORKERS:
            raise BackendError(f"the scheduler has had no worker for {_WORKERS:g} s")
        return self._nodes

    def window(self) -> int:
        """Return how many chunks may be under way: two a worker."""
        return 2 * self.nodes()


@contextmanager
def carried(
    solvers: Mapping[str, Solver | Configuration],
    measuring: Measuring,
    settings: PoolSettings,
    address: str,
) -> Iterator[Carried]:
    """Open a runner on the workers of the Dask cluster at an address; see `executor_for`."""
    with executor_for(address) as cluster:
        executor, window = cluster.executor, cluster.window
        runner = Carried(solvers, measuring, settings, executor=executor, window=window)
        with contextlib.closing(runner):
            yield runner


@contextmanager
def executor_for(address: str) -> Iterator[Cluster]:
    """Connect to a scheduler, or start a cluster here, for as long as the ``with`` lasts.

    Args:
        address: ``tcp://host:port`` of a scheduler that is running, or ``local:N`` for N
            workers on this machine.

    Raises:
        InputError: any other text; no answer within 10 seconds; no worker within 30; a worker
            that cannot import unidoku, or has another version.
        NotInstalledError: Dask is not installed.
    """
    local = re.fullmatch(r"local:([1-9]\d{0,3})", address)
    if local is None and not re.fullmatch(r"tcp://[^\s/]+:\d+", address):
        raise InputError(f"scheduler: expected tcp://host:port or local:N, got {address!r}")
    try:
        import distributed
    except ImportError as error:
        raise not_installed(f"scheduler {address!r} needs Dask", command("dask")) from error
    with contextlib.ExitStack() as stack:
        target = _local(int(local[1]), stack) if local else address
        try:
            client = distributed.Client(target, timeout=_CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]  # nor is it there
        except (OSError, ValueError) as error:
            raise InputError(f"scheduler: no answer from {address!r}: {error}") from error
        stack.callback(client.close)
        _check_workers(client, address)
        # We hand a lost chunk out again ourselves, and no two chunks are the same.
        executor = client.get_executor(retries=0, pure=False)  # type: ignore[no-untyped-call]  # as above
        yield Cluster(executor, client)


def _local(workers: int, stack: contextlib.ExitStack) -> object:
    """Start a cluster of processes with a thread each, which ends with the stack."""
    import dask
    import distributed

    # We hand the chunks of a lost worker out again, and count how often.
    stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 0}))
    with interrupt_deferred():  # a cluster that is half begun cannot be closed
        cluster = distributed.LocalCluster(  # type: ignore[no-untyped-call]  # nor is it there
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            # No dashboard; the page in its place must not take a fixed port.
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            silence_logs=logging.CRITICAL,
            preload=_DEAF,
        )
        stack.enter_context(cluster)
    return cluster


def _check_workers(client: Client, address: str) -> None:
    """Wait for a worker, and check that all can take our chunks."""
    try:
        client.wait_for_workers(1, timeout=_WORKERS)
    except TimeoutError:
        raise InputError(
            f"scheduler {address!r} has no workers; start some: dask worker {address}"
        ) from None
    wanted = _version()
    answers = client.run(_version, on_error="return")
    for worker, answer in answers.items():
        if answer != wanted:
            said = answer if isinstance(answer, str) else f"{type(answer).__name__}: {answer}"
            raise InputError(f"scheduler {address!r}: expected {wanted} on {worker}, got {said}")


def _version() -> str:
    """Return what must be alike on both sides for objects to be sent."""
    return f"unidoku {__version__} on Python {sys.version_info[0]}.{sys.version_info[1]}"
