"""Processes of this machine as an executor, without threads in the process that uses them.

A thread that sends tasks and one that reads answers, as the standard library's pool has them, take
a quarter of the processor time in which a process hands out a large file and writes the answers.
Here `submit` sends a task, and the caller reads answers while it waits for them.
"""

from __future__ import annotations

import contextlib
import math
import pickle
import signal
import subprocess
import time
import traceback
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from multiprocessing import Pipe, connection, current_process, spawn
from multiprocessing.util import Finalize
from typing import Any

from unidoku.parallel.processes import (
    Connection,
    connect,
    die_with_parent,
    ending,
    interpreter,
    keep_freed_memory,
    kill_tree,
    start,
)
from unidoku.parallel.signals import interrupt_deferred

_SMALL = 4000
"""Bytes of a task that the pipe of any system takes at once, whether or not somebody reads it."""

_LOOK = 1.0
"""Seconds after which a process that says nothing is looked at."""


class LocalProcesses(Executor):
    """Processes of this machine; one that is killed is replaced. For use in one thread.

    Answers are read in `wait_any`, and when a future is asked for its result or exception.
    `concurrent.futures.wait` and `concurrent.futures.as_completed` do not read them.
    """

    shares_memory = True
    """Whether nodes can answer in memory of this process."""

    def __init__(self, workers: int, *, with_main: bool = True) -> None:
        """Begin without processes: the first task starts one.

        Args:
            workers: number of processes.
            with_main: whether tasks may need what is in the main module, which each process then
                imports, so that it must be guarded (``if __name__ == "__main__"``).
        """
        self._number = workers
        self._with_main = with_main
        self._workers: list[_Worker] = []
        self._waiting: deque[tuple[_Answer, bytes]] = deque()
        self._is_closed = False
        # Python waits at its end for processes that nobody has ended.
        self._leftover = Finalize(self, _kill, [self._workers], exitpriority=1)

    def window(self) -> int:
        """Return how many tasks may be under way: two a process."""
        return 2 * self._number

    def submit(
        self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any
    ) -> Future[Any]:
        """Have a process call the function; the future gets the error if it cannot be sent."""
        if self._is_closed:
            raise RuntimeError("cannot submit a task after the processes were shut down")
        future = _Answer(self)
        try:
            task = pickle.dumps((function, arguments, keywords), pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # noqa: BLE001 - whatever a task raises as it is pickled
            future.set_exception(error)
            return future
        self._waiting.append((future, task))
        self._hand_out()
        return future

    def wait_any(
        self, futures: Collection[Future[Any]], timeout: float | None = None
    ) -> list[Future[Any]]:
        """Wait until at least one future is done, and return all that are.

        Args:
            futures: futures of this executor.
            timeout: seconds after which none may be done; None for no limit.
        """
        until = math.inf if timeout is None else time.monotonic() + timeout
        left = 0.0 if timeout is None else timeout
        while not (done := [future for future in futures if future.done()]) and left >= 0:
            left = until - time.monotonic()
            self._receive(max(min(left, _LOOK), 0))
        return done

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes after their tasks; without ``wait`` they end with this object."""
        self._is_closed = True
        while cancel_futures and self._waiting:
            self._waiting.popleft()[0].cancel()
        while wait and self._is_busy():
            self._receive(_LOOK)
        if wait:
            for worker in self._workers:
                worker.pipe.close()
            while self._workers:
                self._remove(self._workers[0])

    def end(self) -> None:
        """End the processes, those that still search what nobody waits for by force."""
        self._receive(0)
        if self._is_busy():
            self.kill()
        else:
            self.shutdown()

    def kill(self) -> None:
        """Kill the processes, with all that they have started."""
        _kill(self._workers)
        while self._workers:
            self._remove(self._workers[0])
        self.shutdown(cancel_futures=True)

    def _is_busy(self) -> bool:
        return bool(self._waiting) or any(worker.futures for worker in self._workers)

    def _hand_out(self) -> None:
        """Send the tasks that wait, as far as processes have room."""
        while self._waiting:
            future, task = self._waiting[0]
            worker = self._worker_for(task)
            if worker is None:
                return
            self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                with self._removed_on_error(worker):
                    worker.send(future, task)

    def _worker_for(self, task: bytes) -> _Worker | None:
        """Return a process that has room for a task, a new one rather than a busy one."""
        worker = min(self._workers, key=lambda each: len(each.futures), default=None)
        if (worker is None or worker.futures) and len(self._workers) < self._number:
            with interrupt_deferred():
                worker = _Worker(with_main=self._with_main)
                self._workers.append(worker)
        return worker if worker is not None and worker.has_room(task) else None

    def _receive(self, timeout: float) -> None:
        """Read the answers that there are, and wait at most so many seconds for one."""
        workers = {worker.pipe: worker for worker in self._workers}
        ready = connection.wait(workers, timeout)
        for pipe in ready:
            worker = workers[pipe]  # type: ignore[index]  # what was waited for
            with self._removed_on_error(worker):
                worker.receive()
        if not ready:  # what a process started may keep the pipe open when it has ended itself
            for worker in [each for each in self._workers if each.process.poll() is not None]:
                self._remove(worker)
        self._hand_out()

    @contextmanager
    def _removed_on_error(self, worker: _Worker) -> Iterator[None]:
        """Remove a process whose pipe fails, or is left in the middle of something."""
        try:
            yield
        except (EOFError, OSError):
            self._remove(worker)
        except BaseException:
            _kill([worker])
            self._remove(worker)
            raise

    def _remove(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.close()


class _Answer(Future[Any]):
    """A future that reads answers while it is asked for its own."""

    def __init__(self, processes: LocalProcesses) -> None:
        super().__init__()
        self._processes = processes

    def result(self, timeout: float | None = None) -> Any:
        self._processes.wait_any([self], timeout)
        return super().result(0)

    def exception(self, timeout: float | None = None) -> BaseException | None:
        self._processes.wait_any([self], timeout)
        return super().exception(0)


class _Worker:
    """A process that does one task after the other.

    It and this process never wait for each other at both ends of a full pipe: when it sends an
    answer, it has read its task, and what may be in the pipe after that is one small task, which
    was sent without waiting.

    Attributes:
        futures: the futures of its tasks, in the order in which they were sent.
    """

    def __init__(self, *, with_main: bool) -> None:
        """Start the process, which begins like those that multiprocessing spawns.

        These look for modules in the working folder first, so multiprocessing does not start it.
        """
        self.futures: deque[Future[Any]] = deque()
        self.pipe, there = Pipe()
        with there:
            handle = there.fileno()
            command = interpreter(f"from {__name__} import main; main({handle})")
            self.process = start(command, handle=handle, apart=False)
        begun = spawn.get_preparation_data("unidoku")
        with contextlib.suppress(OSError):  # it has ended, as is seen when a task is sent
            names = _PREPARED + (_MAIN if with_main else ())
            self.pipe.send({name: begun[name] for name in names if name in begun})

    def has_room(self, task: bytes) -> bool:
        """Return whether a task may be sent: a second one, so that the process need not wait."""
        return len(self.futures) < (2 if len(task) <= _SMALL else 1)

    def send(self, future: Future[Any], task: bytes) -> None:
        """Send a task; raises OSError if the process has ended."""
        self.futures.append(future)
        self.pipe.send_bytes(task)

    def receive(self) -> None:
        """Read an answer; raises EOFError or OSError if the process has ended."""
        answer = self.pipe.recv_bytes()
        try:
            result, error, place = pickle.loads(answer)
        except Exception as failure:  # noqa: BLE001 - whatever an answer raises here
            result, error, place = None, failure, ""
        future = self.futures.popleft()
        if error is None:
            future.set_result(result)
        else:
            error.__cause__ = _RemoteError(place)
            future.set_exception(error)

    def close(self) -> None:
        """Have the process end, by force if it has tasks, which fail."""
        self.pipe.close()
        if self.futures:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_LOOK)  # it may be ending, in a way that the error is to state
            _kill([self])
        lost = BrokenExecutor(f"a process {ending(self.process.wait())}")
        for future in self.futures:
            if not future.done():
                future.set_exception(lost)


class _RemoteError(Exception):
    """The traceback of an error in another process, shown as its cause."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def _kill(workers: Iterable[_Worker]) -> None:
    """Kill processes that run, with all that they have started."""
    for worker in workers:
        if worker.process.poll() is None:
            kill_tree(worker.process.pid)


_PREPARED = ("sys_argv", "orig_dir", "dir")
_MAIN = ("init_main_from_name", "init_main_from_path")
"""What a process takes from the one that started it: tasks may need what is in its main module."""


def main(handle: int) -> None:
    """Do the tasks that come through the inherited pipe until it is closed.

    The terminal's Ctrl-C is for the process at the other end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    pipe: Connection = connect(handle)
    keep_freed_memory()
    with contextlib.suppress(EOFError, OSError):  # the other process has ended
        ours: Any = current_process()
        ours._inheriting = True  # so that a main module without a guard is refused, not started
        spawn.prepare(pipe.recv())
        del ours._inheriting
        while True:
            pipe.send_bytes(_answer(pipe.recv_bytes()))


def _answer(task: bytes) -> bytes:
    """Return the pickled result of a task, or its error with the traceback."""
    try:
        function, arguments, keywords = pickle.loads(task)
        answer = function(*arguments, **keywords), None, ""
        return pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
    except BaseException as error:  # noqa: BLE001 - as everywhere, the future gets it
        place = "".join(traceback.format_exception(error))
        try:
            sent = pickle.dumps((None, error, place))
            pickle.loads(sent)
        except Exception:  # noqa: BLE001 - the error cannot be sent
            sent = pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}"), place))
        return sent
