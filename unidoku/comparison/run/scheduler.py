"""Dask as the carrier of runs: a scheduler that is there already, or a cluster of this machine."""

from __future__ import annotations

import contextlib
import logging
import re
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unidoku.backends.solver import Solver
from unidoku.comparison.run.bench import Measuring
from unidoku.comparison.run.executor import Carried
from unidoku.comparison.run.settings import PoolSettings
from unidoku.comparison.run.wire import Configuration
from unidoku.errors import BackendError, InputError
from unidoku.version import __version__

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Cluster", "carried", "executor_for"]

_CONNECT = 10.0
"""Seconds in which a scheduler must answer."""

_WORKERS = 30.0
"""Seconds in which a worker must be there."""

_LOOK = 2.0
"""Seconds for which the number of workers is taken as known."""

_DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""What workers on this machine do first: the terminal's Ctrl-C is not theirs."""


@dataclass(slots=True)
class Cluster:
    """A cluster of Dask that takes runs.

    Args:
        executor: brings chunks to its workers.
        client: of its scheduler.
    """

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
        if self._looked and now - self._looked < _LOOK:
            return self._nodes
        try:
            found = len(self.client.nthreads())  # type: ignore[no-untyped-call]  # nor is it there
        except (OSError, RuntimeError) as error:
            raise BackendError(f"the scheduler is gone: {error}") from error
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
    """Open the engine whose runs a cluster of Dask carries.

    Args:
        solvers: by the labels that runs name.
        measuring: how to measure.
        settings: of the pool of each of its workers.
        address: as for `executor_for`.

    Raises:
        InputError: as `executor_for`.
    """
    with executor_for(address) as cluster:
        engine = Carried(
            solvers, measuring, settings, executor=cluster.executor, window=cluster.window
        )
        with contextlib.closing(engine):
            yield engine


@contextmanager
def executor_for(address: str) -> Iterator[Cluster]:
    """Connect to a scheduler, or start a cluster here, for as long as the ``with`` lasts.

    Args:
        address: ``tcp://host:port`` of a scheduler that is running, or ``local:N`` for N
            workers on this machine.

    Raises:
        InputError: any other text; Dask is not installed; no answer within 10 seconds; no
            worker within 30; a worker that cannot import unidoku, or has another version.
    """
    local = re.fullmatch(r"local:([1-9]\d{0,3})", address)
    if local is None and not re.fullmatch(r"tcp://[^\s/]+:\d+", address):
        raise InputError(f"scheduler: expected tcp://host:port or local:N, got {address!r}")
    try:
        import distributed
    except ImportError as error:
        raise InputError(
            f"scheduler {address!r} needs Dask, which is not installed; "
            "type: pip install 'unidoku[dask]'"
        ) from error
    with contextlib.ExitStack() as stack:
        target = stack.enter_context(_local(int(local[1]))) if local else address
        try:
            client = distributed.Client(target, timeout=_CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]  # nor is it there
        except (OSError, ValueError) as error:
            raise InputError(f"scheduler: no answer from {address!r}: {error}") from error
        stack.callback(client.close)
        _check_workers(client, address)
        # A chunk that fails is ours to hand out again, and no chunk is like another.
        executor = client.get_executor(retries=0, pure=False)  # type: ignore[no-untyped-call]  # as above
        yield Cluster(executor, client)


@contextmanager
def _local(workers: int) -> Iterator[object]:
    """Start a cluster of processes with a thread each, and end it."""
    import dask
    import distributed

    # A chunk on a worker that ends is handed out again by us, who count how often.
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(  # type: ignore[no-untyped-call]  # nor is it there
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            # No dashboard; the page that there is in its place must not want a port of its own.
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            silence_logs=logging.CRITICAL,
            preload=_DEAF,
        ) as cluster,
    ):
        yield cluster


def _check_workers(client: Client, address: str) -> None:
    """Wait for a worker, and see that all there are can take our chunks."""
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
