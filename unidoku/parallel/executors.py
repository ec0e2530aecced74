"""Executors by their addresses: the workers of a Dask scheduler, or processes of this machine.

Nothing here knows what is carried; `unidoku.parallel.dispatch` hands out the tasks. Processes of
this machine (`unidoku.parallel.local_pool`) need no Dask.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unidoku.errors import BackendError, InputError
from unidoku.parallel.local_pool import LocalProcesses
from unidoku.parallel.signals import cleaning_up_at_signals, undisturbed
from unidoku.support.extras import command, not_installed
from unidoku.version import __version__

if TYPE_CHECKING:
    from distributed import Client

_CONNECT = 10.0
"""Seconds in which a scheduler must answer."""

_WORKERS = 30.0
"""Seconds in which a worker must have connected."""

_KNOWN = 2.0
"""Seconds for which the number of workers is remembered."""


@dataclass(slots=True, eq=False)
class Cluster(Executor):
    """A cluster of Dask, as an executor whose window follows the number of its workers."""

    executor: Executor
    client: Client
    _nodes: int = 0
    _looked: float = 0.0
    _seen: float = 0.0

    def submit(
        self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any
    ) -> Future[Any]:
        """Have a worker call the function."""
        return self.executor.submit(function, *arguments, **keywords)

    def nodes(self) -> int:
        """Return how many workers there are now, or were two seconds ago.

        Raises:
            BackendError: there has been none for half a minute, or the scheduler is gone.
        """
        now = time.monotonic()
        if self._looked and now - self._looked < _KNOWN:
            return self._nodes
        try:
            count = len(self.client.nthreads())  # type: ignore[no-untyped-call]  # distributed has no types
        except (OSError, RuntimeError) as error:
            raise BackendError(f"lost the connection to the scheduler: {error}") from error
        self._looked = now
        if count:
            self._nodes, self._seen = count, now
        elif now - self._seen > _WORKERS:
            raise BackendError(f"the scheduler has had no worker for {_WORKERS:g} s")
        return self._nodes

    def window(self) -> int:
        """Return how many tasks may be under way: two a worker."""
        return 2 * self.nodes()


@contextmanager
def executor_for(address: str) -> Iterator[Executor]:
    """Connect to a scheduler, or start processes here, for as long as the ``with`` lasts.

    Args:
        address: ``tcp://host:port`` of a scheduler that is running, ``tls://host:port`` of one
            with certificates, which Dask's own settings name, or ``local:N`` for N processes of
            this machine.

    Raises:
        InputError: any other text; no answer within 10 seconds; no worker within 30; a worker
            that cannot import unidoku, or has another version.
        NotInstalledError: Dask is not installed.
    """
    local = re.fullmatch(r"local:([1-9]\d{0,3})", address)
    if local is None and not re.fullmatch(r"(?:tcp|tls)://[^\s/]+:\d+", address):
        raise InputError(
            f"scheduler: expected tcp://host:port, tls://host:port or local:N, got {address!r}"
        )
    if local is not None:
        with _local(int(local[1])) as processes:
            yield processes
        return
    try:
        import distributed
    except ImportError as error:
        raise not_installed(f"scheduler {address!r} needs Dask", command("dask")) from error
    with contextlib.ExitStack() as stack:
        try:
            _handshake(address)
            client = distributed.Client(address, timeout=_CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]  # distributed has no types
        except Exception as error:  # noqa: BLE001 - a port may send anything
            why = str(error) or type(error).__name__
            raise InputError(
                f"scheduler: expected one of Dask at {address!r}, got no answer of its kind: {why}"
            ) from None  # a message may be one for which there is no memory; this is another error
        stack.callback(client.close)
        _check_workers(client, address)
        # We hand a lost chunk out again ourselves, and no two chunks are the same.
        executor = client.get_executor(retries=0, pure=False)  # type: ignore[no-untyped-call]  # as above
        yield Cluster(executor, client)


def _handshake(address: str) -> None:
    """Exchange the first messages with a scheduler.

    A client does that too; but a client to which something else answers cannot be closed. It needs
    a thread of its own, because this one may have an event loop that runs, as in a notebook.
    """
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(_exchange(address))).result()


async def _exchange(address: str) -> None:
    from distributed import Security
    from distributed.comm.core import connect

    arguments = Security().get_connection_args("client")  # type: ignore[no-untyped-call]  # as above
    greeting = connect(address, timeout=_CONNECT, **arguments)  # type: ignore[no-untyped-call]  # as above
    comm = await asyncio.wait_for(greeting, _CONNECT)
    comm.abort()


@contextmanager
def _local(workers: int) -> Iterator[LocalProcesses]:
    processes = LocalProcesses(workers)
    with cleaning_up_at_signals():
        try:
            yield processes
        except BaseException:
            with undisturbed():
                processes.kill()
            raise
        processes.shutdown()


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
            got = answer if isinstance(answer, str) else f"{type(answer).__name__}: {answer}"
            raise InputError(f"scheduler {address!r}: expected {wanted} on {worker}, got {got}")


def _version() -> str:
    """Return what must be alike on both sides for objects to be sent."""
    return f"unidoku {__version__} on Python {sys.version_info[0]}.{sys.version_info[1]}"
