"""Carries tasks to the nodes of an executor, and their answers back.

Any `concurrent.futures.Executor` works: its nodes are threads, processes, or the workers of a
cluster. Tasks of a node that is lost go to another. A node keeps what all tasks of a job need,
such as a solver with its models, from one task to the next.
"""

from __future__ import annotations

import math
import pickle
import time
import traceback
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future
from concurrent.futures import wait as wait_for
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Generic, TypeVar

from unidoku.errors import BackendError, InputError, UnidokuError

Task = TypeVar("Task")
Answer = TypeVar("Answer")

_TRIES = 3
"""Times that a task is handed out again after it was lost."""

_WAIT = 1.0
"""Seconds to wait for an answer before the window is asked for again."""

_PATIENCE, _START = 2.0, 60.0
"""A process is killed if it takes so many times as long as it may, and so many seconds more, in
which it starts and loads its backend."""

_WINDOW = 64
"""Tasks under way at once, where an executor does not tell its number of workers."""

_LOST = ("KilledWorker", "FutureCancelledError", "CommClosedError", "NoValidWorkerError")
"""Exceptions of Dask that mean that a node was lost: by name, because Dask is not imported."""

_DASK_FUTURES = "distributed.cfexecutor"
"""The module of Dask that hands answers on. Where a node is lost with an answer just as it is
handed on, this module takes the answer for an exception, and itself raises a TypeError."""


@dataclass(frozen=True, slots=True)
class Loss:
    """In place of an answer: each node that had the task was lost, and how."""

    reasons: tuple[str, ...]

    def __str__(self) -> str:
        """Return the text for the end of a message."""
        times = len(self.reasons)
        return f"the node that it was on was lost {times} times, the last: {self.reasons[-1]}"


class Carrier(Generic[Task, Answer]):
    """Tasks under way on the nodes of an executor, which the caller ends."""

    def __init__(
        self,
        executor: Executor,
        function: Callable[[Task], Answer],
        seconds: Callable[[Task], float | None] | None = None,
    ) -> None:
        """Take an executor, and what its nodes are to do.

        Args:
            executor: brings tasks to nodes; unidoku and the backends must be importable there.
            function: what a node calls with a task; both must be picklable.
            seconds: the most that a task may take, None for no limit; processes of this machine
                that exceed it by far are killed, and their tasks are lost.
        """
        self._executor = executor
        self._revive = getattr(executor, "revive", None)  # of our LocalProcesses
        self._function = function
        self._window = window_of(executor)
        self._seconds = seconds
        self._last_answer = time.monotonic()
        # For each task its place, and how it was lost before.
        self._pending: dict[Future[Answer], tuple[int, Task, tuple[str, ...]]] = {}

    def __len__(self) -> int:
        """Return the number of tasks under way."""
        return len(self._pending)

    def has_room(self) -> bool:
        """Return whether another task may be handed out."""
        return len(self._pending) < self._window()

    def submit(self, task: Task, index: int = 0) -> None:
        """Hand out a task; its answer comes back with this place.

        Raises:
            BackendError: the executor no longer accepts tasks.
        """
        self._submit(index, task, ())

    def _submit(self, index: int, task: Task, lost: tuple[str, ...]) -> None:
        try:
            self._pending[self._executor.submit(self._function, task)] = index, task, lost
        except (RuntimeError, OSError) as error:  # RuntimeError: shut down, broken or closed
            reasons = "; ".join([*lost, f"{type(error).__name__}: {error}"])
            raise BackendError(f"the executor no longer accepts tasks: {reasons}") from error

    def ended(self) -> Iterator[tuple[int, Task, Answer | Loss]]:
        """Wait up to a second for answers, and yield those that there are, with their tasks.

        Raises:
            BackendError: the executor no longer accepts tasks.
            Exception: whatever the function has raised.
        """
        for future in self._done():
            index, task, lost = self._pending.pop(future)
            try:
                answer: Answer | Loss = future.result()
            except Exception as error:
                if not _is_loss(error):
                    raise
                lost = (*lost, f"{type(error).__name__}: {error}")
                if len(lost) <= _TRIES:
                    self._submit(index, task, lost)
                    continue
                answer = Loss(lost)
            yield index, task, answer

    def _done(self) -> Collection[Future[Answer]]:
        """Wait up to a second for answers, and return the futures of those that there are."""
        done, _ = wait_for(self._pending, timeout=_WAIT, return_when=FIRST_COMPLETED)
        if done:
            self._last_answer = time.monotonic()
        elif self._revive is not None:
            self._revive(is_stalled=self._is_stalled())
        return [future for future in self._pending if future in done]

    def _is_stalled(self) -> bool:
        """Return whether no answer has come for longer than any task under way may take."""
        if self._seconds is None:
            return False
        limits = [self._seconds(task) for _, task, _ in self._pending.values()]
        longest = max((math.inf if limit is None else limit for limit in limits), default=math.inf)
        return time.monotonic() - self._last_answer > _PATIENCE * longest + _START

    def close(self) -> None:
        """Cancel the tasks that no node has begun."""
        if self._revive is None:  # the library's pool fails if a process dies after that
            for future in self._pending:
                future.cancel()
        self._pending.clear()


def check_executor(executor: object) -> None:
    """Refuse what is neither an executor nor None.

    Raises:
        InputError: it is something else.
    """
    if executor is not None and not isinstance(executor, Executor):
        raise InputError(f"executor: expected a concurrent.futures.Executor, got {executor!r}")


def window_of(executor: Executor) -> Callable[[], int]:
    """Return how many tasks to keep under way: two a worker, as far as the executor tells.

    Our own executors count their workers each time, and may raise an UnidokuError if none is left.
    """
    window = getattr(executor, "window", None)
    if callable(window):
        return window  # type: ignore[no-any-return]  # of our own executors
    workers = getattr(executor, "_max_workers", None)  # of those in the standard library
    return lambda: 2 * workers if isinstance(workers, int) else _WINDOW


def in_order(
    carrier: Carrier[Task, Answer],
    tasks: Iterable[Task],
) -> Generator[tuple[Task, Answer], None, None]:
    """Carry out tasks on the nodes, and yield each with its answer, in the order of the tasks.

    Tasks are taken from the iterable as nodes become free, and as answers are taken.

    Args:
        carrier: carries them.
        tasks: what to do.

    Raises:
        BackendError: a task was lost with each node that had it.
        Exception: whatever a task has raised.
    """
    waiting = iter(tasks)
    answers: dict[int, tuple[Task, Answer]] = {}
    given = yielded = 0
    is_over = False
    try:
        while True:
            while not is_over and len(answers) < _WINDOW and carrier.has_room():
                for task in waiting:
                    carrier.submit(task, given)
                    given += 1
                    break
                else:
                    is_over = True
            if yielded == given:
                return
            for index, task, answer in carrier.ended():
                if isinstance(answer, Loss):
                    raise BackendError(f"task {index + 1}: {answer}")
                answers[index] = task, answer
            while yielded in answers:
                yield answers.pop(yielded)
                yielded += 1
    finally:
        carrier.close()


def on_nodes(
    executor: Executor,
    work: Callable[[Task], Answer],
    tasks: Iterable[Task],
    seconds: Callable[[Task], float | None] | None = None,
) -> Generator[tuple[Task, Answer], None, None]:
    """Call a function with each task on the nodes; yield tasks and answers as `in_order` does.

    Each node unpickles the function once and keeps it, with what it stores, such as the models of
    a solver, for its later tasks.

    Args:
        executor: brings tasks to nodes.
        work: called with a task on a node; it must be picklable.
        tasks: the tasks, each of which must be picklable.
        seconds: the most seconds that a task may take, as in `Carrier`.

    Raises:
        BackendError: a task was lost with each node that had it.
        Exception: whatever a task has raised.
    """
    function: Callable[[Task], Answer] = partial(_done, pickle.dumps(work))
    return in_order(Carrier(executor, function, seconds=seconds), tasks)


def _done(work: bytes, task: Any) -> Any:
    """Call the pickled function with a task, on this node."""
    return _unpickled(work)(task)


@lru_cache(maxsize=4)
def _unpickled(work: bytes) -> Any:
    """Return the unpickled function; a node keeps the last few for its later tasks."""
    return pickle.loads(work)


def _is_loss(error: BaseException) -> bool:
    """Return whether an exception means that a node was lost, not a failure of the task."""
    if isinstance(error, UnidokuError):
        return False
    if isinstance(error, (BrokenExecutor, CancelledError, OSError, EOFError)):
        return True
    if any(kind.__name__ in _LOST for kind in type(error).__mro__):
        return True
    return isinstance(error, TypeError) and _raised_in(error) == _DASK_FUTURES


def _raised_in(error: BaseException) -> str | None:
    """Return the name of the module that raised an exception."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return frames[-1].f_globals.get("__name__") if frames else None
