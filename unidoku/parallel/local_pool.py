"""Processes of this machine as an executor that goes on when one of them dies.

The standard library's pool fails as a whole when one of its processes dies. Here the next task
starts another pool; the caller submits again what was lost.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import parent_process, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, TypeAlias

from unidoku.parallel.processes import die_with_parent, kill_tree
from unidoku.parallel.signals import undisturbed
from unidoku.parallel.temporary import VARIABLES, new_folder, variables_for

_ENVIRONMENT = {
    "PYTHONSAFEPATH": "1",
    "MALLOC_TRIM_THRESHOLD_": str(1 << 27),
    "MALLOC_MMAP_THRESHOLD_": str(1 << 25),
}
"""Variables with which processes start. With the first Python does not look for modules in the
working folder first, where any file may have the name of a standard one. With the others the
allocator of glibc uses large arrays again: otherwise each is new memory, which the system clears,
and a million easy boards take a quarter more processor time."""

_END = 5.0
"""Seconds in which processes without a task must end by themselves."""


_Environment: TypeAlias = Mapping[str, str | None]


class LocalProcesses(Executor):
    """Processes of this machine, which Ctrl-C does not reach and which end with this one.

    Their temporary files are in a folder that is removed after them, even if they are killed.
    Tasks may need what is in the main module, which each process imports, so that it must be
    guarded (``if __name__ == "__main__"``).
    """

    def __init__(self, workers: int) -> None:
        """Begin without processes: each task starts one, until there are so many."""
        self._count = workers
        self._pool: ProcessPoolExecutor | None = None
        self._context = _Context()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._pending: set[Future[Any]] = set()
        self._is_closed = False

    def window(self) -> int:
        """Return how many tasks may be under way: two a process."""
        return 2 * self._count

    def submit(
        self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any
    ) -> Future[Any]:
        """Have a process call the function; the future is broken if any process dies."""
        if self._is_closed:
            raise RuntimeError("cannot submit a task after the processes were shut down")
        with _clean_start() as environment:
            try:
                pool = self._pool or self._open(environment)
                future = pool.submit(function, *arguments, **keywords)
            except BrokenProcessPool:
                self.kill()
                pool = self._open(environment)
                future = pool.submit(function, *arguments, **keywords)
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return future

    def _open(self, environment: _Environment) -> ProcessPoolExecutor:
        self._context = _Context()
        variables = dict(environment)
        with suppress(OSError):  # a full disk: they write where this process does
            self._folder = new_folder()
            variables |= variables_for(self._folder.name)
        self._pool = ProcessPoolExecutor(self._count, self._context, _begin, (variables,))
        return self._pool

    def revive(self, *, is_stalled: bool) -> None:
        """Kill the processes if one of them has died; the tasks under way are lost.

        The standard library would wait forever for an answer that has come only in part.

        Args:
            is_stalled: whether to kill them in any case, because one does not answer in time.
        """
        if is_stalled or not all(worker.is_alive() for worker in self._context.workers):
            self.kill()

    def kill(self) -> None:
        """Kill the processes, with all that they have started; the next task starts others."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        answers: Any = pool._result_queue  # private, see below
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in self._context.workers:
            if worker.pid is not None and worker.is_alive():
                kill_tree(worker.pid)
                worker.join()
        if answers is not None:
            # A thread of the pool may be reading an answer whose rest nobody sends any more. It
            # sees the end once this process, which has the other end too, has closed it.
            answers._writer.close()
        if self._folder is not None:
            self._folder.cleanup()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, by force if they have tasks or do not end by themselves."""
        self._is_closed = True
        if self._pool is not None and not self._pending:
            self._pool.shutdown(wait=False)
            until = time.monotonic() + _END
            for worker in self._context.workers:
                worker.join(max(until - time.monotonic(), 0))
        self.kill()


class _Context(SpawnContext):
    """Starts processes as new interpreters, and knows all that it has started."""

    def __init__(self) -> None:
        super().__init__()
        self.workers: list[SpawnProcess] = []

    def Process(self, *arguments: Any, **keywords: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802 - the library's name
        """Return a process that has not begun."""
        self.workers.append(SpawnProcess(*arguments, **keywords))
        return self.workers[-1]


@contextmanager
def _clean_start() -> Iterator[_Environment]:
    """Let processes that start in a ``with`` ignore Ctrl-C, and have the `_ENVIRONMENT`.

    In this process Ctrl-C waits for the end of the ``with``: it would leave a process that has
    begun and gets nothing to do.

    Yields:
        What the variables were before, and are afterwards.
    """
    before = {name: os.environ.get(name) for name in _ENVIRONMENT}
    blocked = None
    with undisturbed():
        os.environ.update(_ENVIRONMENT)
        if hasattr(signal, "pthread_sigmask"):  # which processes and threads inherit
            resource_tracker.ensure_running()  # it takes signals from the mask when it starts
            blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield before
        finally:
            _restore(before)
            if blocked is not None:
                signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _restore(environment: _Environment) -> None:
    for name, value in environment.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _begin(environment: _Environment) -> None:
    """Begin a process that ends with the one that started it, and ignores Ctrl-C.

    Args:
        environment: variables for it and for the programs that it starts; None for one without.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _restore(environment)
    tempfile.tempdir = environment.get(VARIABLES[0]) or tempfile.tempdir
    if sys.platform == "linux":
        die_with_parent()
    else:
        threading.Thread(target=_end_with_parent, daemon=True).start()
    parent = parent_process()
    if parent is not None and not parent.is_alive():  # it has ended while this one began
        os._exit(1)


def _end_with_parent() -> None:
    """Wait for the end of the process that started this one, and end."""
    parent = parent_process()
    assert parent is not None, "a pool has started this process"
    parent.join()
    os._exit(1)
