"""A worker from the supervisor's point of view: what it is doing, and for how long."""

from __future__ import annotations

import os
import re
import select
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.run.messages import Ended, Job, Message, WorkerSignal, message_in
from unidoku.comparison.run.prints import tail
from unidoku.parallel.processes import Connection, ending, tree_cpu_ns
from unidoku.support.deadline import Deadline

_CORES = os.cpu_count() or 1

_OUT_OF_MEMORY = re.compile(
    r"bad_alloc|MemoryError|out of memory|OutOfMemory|cannot allocate memory|"
    r"memory allocation of \d+ bytes failed",
    re.IGNORECASE,
)
"""Messages of libraries that cannot get the memory that they need."""

_LEAST = 0.02
"""Seconds between two looks at the processor time of a worker and what it started."""


@dataclass(eq=False, slots=True)
class WatchedWorker:
    """A worker, from the supervisor's point of view."""

    job: Job
    pipe: Connection
    worker_end: Connection  # its end of the pipe, kept open until the worker has it
    pid: int | None = None  # id of its process, when it is known
    runs: deque[Run] = field(default_factory=deque)  # not answered yet; the current run is first
    begun: bool = False  # whether it has reported that the first of them began
    loading: bool = True  # whether the search of that run has not begun
    warming: bool = False  # whether it searches another board before that
    deadline: Deadline = field(default_factory=Deadline)  # starts with the current search
    cpu_before: int = 0  # nanoseconds of processor time when the current search began
    cpu_look: Deadline = field(default_factory=Deadline)  # when to look how much it has used
    cpu_used: float | None = None  # seconds, if the search has used more than it may
    killed_run: Run | None = None  # the run for which it was killed
    speaker: int | None = None  # id of the process that sent the first message
    foreign: int = 0  # messages during the current run that the worker did not send
    ended: Ended | None = None
    pipe_closed: bool = False  # whether it has closed its pipe
    has_data: Callable[[], bool] = field(init=False)

    def __post_init__(self) -> None:
        """Prepare to check whether the pipe has data or has been closed."""
        self.has_data = self.pipe.poll
        if hasattr(select, "poll"):  # `Connection.poll` creates a selector at each call
            poll = select.poll()
            poll.register(self.pipe.fileno(), select.POLLIN)
            self.has_data = lambda: bool(poll.poll(0))

    def next_message(self) -> Message | None:
        """Read a message; None if another process sent it, or if it is about another run.

        Raises:
            EOFError, OSError: the pipe is closed.
        """
        message = message_in(self.pipe.recv_bytes())
        if message is not None and self.speaker is None:
            self.speaker = message.pid  # no backend has done anything before the first message
        if (
            message is None
            or message.pid != self.speaker
            or (message.kind is WorkerSignal.ANSWER and message.key != self.runs[0].key)
        ):
            self.foreign += 1
            return None
        return message

    def begin_search(self, message: Message, seconds: float | None, cpu: float | None) -> None:
        """Note that a search begins.

        Args:
            message: the message that says so.
            seconds: how long it may last.
            cpu: seconds of processor time that it may use.
        """
        self.deadline = Deadline(seconds)
        self.cpu_before, self.cpu_used = message.cpu_ns, None
        self.cpu_look = Deadline(None if cpu is None else max(cpu / _CORES, _LEAST))

    def is_overdue(self, cpu: float | None) -> bool:
        """Return whether its search has lasted too long or used too much processor time."""
        if self.deadline.passed or self.cpu_used is not None:
            return True
        if cpu is None or not self.cpu_look.passed or self.pid is None or not self.begun:
            return False
        used = (tree_cpu_ns(self.pid) - self.cpu_before) / 1e9
        if used > cpu:
            self.cpu_used = used
        self.cpu_look = Deadline(max((cpu - used) / _CORES, _LEAST))
        return self.cpu_used is not None

    @property
    def patience(self) -> float | None:
        """Seconds until it may be overdue; None for no end."""
        remaining = [
            seconds for seconds in (self.deadline.left, self.cpu_look.left) if seconds is not None
        ]
        return min(remaining, default=None)

    def delay_in_words(self, limit: float | None) -> str:
        """Return why it was killed at the deadline of its current run.

        Args:
            limit: time limit of the run in seconds; None for none.
        """
        if self.cpu_used is not None:
            return f"was ended after {self.cpu_used:.2f} s of processor time, more than its limit"
        fault = "could not be loaded"
        if not self.loading and limit is not None:
            fault = f"did not stop at its limit of {limit:g} s"
        return f"{fault} and was ended after {self.deadline.elapsed:.2f} s"

    def end_in_words(self, ended: Ended) -> tuple[Outcome, str]:
        """Return the outcome of the current run, in which its process ended, and how it ended."""
        message = tail(self.job.errors)
        too_large = ended.large or _OUT_OF_MEMORY.search(message)
        evidence = f"its process {ending(ended.code)}"
        if ended.large:
            evidence += ", for the memory that it and what it started used"
        if message:
            evidence += f": {message.splitlines()[-1]}"
        return Outcome.MEMORY if too_large else Outcome.CRASHED, evidence

    def blamed(self, record: Record) -> Record:
        """Return the record of the current run, failed if other processes sent messages in it."""
        if not self.foreign:
            return record
        return replace(record, outcome=Outcome.FAILED, evidence=(*record.evidence, _FOREIGN))


_FOREIGN = "another process wrote to the pipe on which its worker answers"
