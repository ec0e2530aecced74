"""A worker from the supervisor's point of view: what it is doing, and for how long."""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome
from unidoku.comparison.run.messages import Ended, Heard, Job, Message, message_in
from unidoku.comparison.run.searched import Measured
from unidoku.deadline import Deadline
from unidoku.process import Connection

__all__ = ["WatchedWorker"]


@dataclass(eq=False, slots=True)
class WatchedWorker:
    """A worker, from the supervisor's point of view."""

    job: Job
    pipe: Connection
    theirs: Connection  # its end of the pipe, kept open until the worker has it
    pid: int | None = None  # id of its process, when it is known
    runs: deque[Run] = field(default_factory=deque)  # not answered yet; the current run is first
    begun: bool = False  # whether it has reported that the first of them began
    loading: bool = True  # whether the search of that run has not begun
    warming: bool = False  # whether it searches another board before that
    deadline: Deadline = field(default_factory=Deadline)  # starts with the current search
    condemned: Run | None = None  # the run for which it was killed
    speaker: int | None = None  # id of the process that sent the first message
    foreign: int = 0  # messages during the current run that the worker did not send
    ended: Ended | None = None
    deaf: bool = False  # whether it has closed its pipe
    spoke: Callable[[], bool] = field(init=False)

    def __post_init__(self) -> None:
        """Prepare to check whether the pipe has data or has been closed."""
        self.spoke = self.pipe.poll
        if hasattr(select, "poll"):  # `Connection.poll` creates a selector at each call
            poll = select.poll()
            poll.register(self.pipe.fileno(), select.POLLIN)
            self.spoke = lambda: bool(poll.poll(0))

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
            or (message.kind is Heard.ANSWER and message.key != self.runs[0].key)
        ):
            self.foreign += 1
            return None
        return message

    def blamed(self, found: Measured) -> Measured:
        """Return the result of the current run, failed if other processes sent messages in it."""
        if not self.foreign:
            return found
        return replace(found, outcome=Outcome.FAILED, evidence=(*found.evidence, _FOREIGN))


_FOREIGN = "another process wrote to the pipe on which its worker answers"
