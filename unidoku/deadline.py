"""One clock for everything that has a time limit.

>>> Deadline(None).left is None
True
>>> 0 < Deadline(5.0).left <= 5.0
True
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from unidoku.errors import InputError, TimeLimitError

_check: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)


@contextmanager
def looking(check: Callable[[], None]) -> Iterator[None]:
    """Have `look` call a function while the block runs; it raises what ends the work."""
    before = _check.set(check)
    try:
        yield
    finally:
        _check.reset(before)


def look() -> None:
    """Check the time limit of the search that the work is done for, if it has one.

    It is called in loops that may take milliseconds, such as those that make the machine of a rule,
    by code that is not given the limit. It may raise, so that the work is given up.
    """
    if (check := _check.get()) is not None:
        check()


_LEAST = 0.001
"""Seconds that a search gets at least: no backend takes a limit of 0."""


class Deadline:
    """A moment on the monotonic clock after which work stops, or none.

    Args:
        seconds: from the start; None or infinity for no deadline.
        started: when it started, on the clock of `time.perf_counter`; by default now.

    Raises:
        InputError: the seconds are not positive.
    """

    __slots__ = ("_end", "seconds", "started")

    def __init__(self, seconds: float | None = None, started: float | None = None) -> None:
        """Start the clock."""
        if seconds is not None and not seconds > 0:
            raise InputError(f"time_limit: expected seconds above 0, got {seconds!r}")
        self.seconds = None if seconds is None or math.isinf(seconds) else seconds
        self.started = time.perf_counter() if started is None else started
        self._end = math.inf if self.seconds is None else self.started + self.seconds

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was started."""
        return time.perf_counter() - self.started

    @property
    def left(self) -> float | None:
        """Seconds until the deadline, negative once it has passed; None if there is none."""
        return None if self.seconds is None else self._end - time.perf_counter()

    @property
    def limit(self) -> float | None:
        """Time limit in seconds for the next search: what is left, but at least a millisecond."""
        return None if self.seconds is None else max(self._end - time.perf_counter(), _LEAST)

    @property
    def passed(self) -> bool:
        """Whether the deadline has passed."""
        return time.perf_counter() >= self._end

    def check(self, what: str) -> None:
        """Do nothing before the deadline; ``what`` names the work in the error.

        Raises:
            TimeLimitError: the deadline has passed.
        """
        if self.passed:
            raise TimeLimitError(f"{what}: time limit of {self.seconds:g} s reached")

    def __repr__(self) -> str:
        """Name the seconds that are left."""
        left = self.left
        return "<Deadline: none>" if left is None else f"<Deadline in {left:.3g} s>"
