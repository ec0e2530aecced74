"""One clock for everything that has a time limit.

>>> Deadline(None).left is None
True
>>> 0 < Deadline(5.0).left <= 5.0
True
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar

from unidoku.errors import InputError, TimeLimitError
from unidoku.support.cancel import in_force, raise_if_cancelled
from unidoku.support.moved import former_names
from unidoku.support.setting import in_context

_check: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)


class EndOfWork(Exception):  # noqa: N818 - a stop, not an error
    """What gives work up, and is no error of what it passes through."""


def time_limit_scope(check: Callable[[], None]) -> AbstractContextManager[None]:
    """Have `check_time_limit` call a function in the block; it raises what ends the work."""
    return in_context(_check, check)


def check_time_limit() -> None:
    """Check the time limit of the search that the work is done for, and whether it is cancelled.

    It is called in loops that may take milliseconds, such as those that make the machine of a rule,
    by code that is not given the limit. It may raise, so that the work is given up.
    """
    if tokens := in_force():
        raise_if_cancelled(tokens)
    if (check := _check.get()) is not None:
        check()


def time_check() -> Callable[[], None] | None:
    """Return `check_time_limit`, None if it has nothing to check: for loops of microseconds.

    The loop must run in the same context, and end before its tokens change.
    """
    return check_time_limit if in_force() or _check.get() is not None else None


_LEAST = 0.001
"""Seconds that a search gets at least: no backend takes a limit of 0."""

FOREVER = 1e9
"""Seconds of a time limit that limits nothing: thirty years."""

_SOON = 0.02
"""Seconds after which a search that can be cancelled looks whether it is."""


class Deadline:
    """A moment on the monotonic clock after which work stops, or none.

    All but `elapsed` also look at the tokens that were in force when it was made
    (`unidoku.support.cancel`), and raise `Cancelled` once one of them is cancelled.

    Args:
        seconds: from the start; None, or more than thirty years, for no deadline.
        started: when it started, on the clock of `time.perf_counter`; by default now.

    Raises:
        InputError: the seconds are not positive.
    """

    __slots__ = ("_end", "_tokens", "seconds", "started")

    def __init__(self, seconds: float | None = None, started: float | None = None) -> None:
        """Start the clock."""
        if seconds is not None and not seconds > 0:
            raise InputError(f"time_limit: expected seconds above 0, got {seconds!r}")
        self.seconds = None if seconds is None or seconds >= FOREVER else seconds
        self.started = time.perf_counter() if started is None else started
        self._end = math.inf if self.seconds is None else self.started + self.seconds
        self._tokens = in_force()

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was started."""
        return time.perf_counter() - self.started

    @property
    def left(self) -> float | None:
        """Seconds until the deadline, negative once it has passed; None if there is none."""
        raise_if_cancelled(self._tokens)
        return None if self.seconds is None else self._end - time.perf_counter()

    @property
    def limit(self) -> float | None:
        """Time limit in seconds for the next search: what is left, but at least a millisecond."""
        return None if (left := self.left) is None else max(left, _LEAST)

    def pause(self, longest: float) -> float:
        """Return for how many seconds to wait or search before the next look at this clock.

        That is until the deadline, but not longer than ``longest``, and only for a moment where the
        work can be cancelled.
        """
        left = self.left
        longest = min(longest, _SOON) if self._tokens else longest
        return longest if left is None else min(longest, max(left, 0.0))

    @property
    def passed(self) -> bool:
        """Whether the deadline has passed."""
        raise_if_cancelled(self._tokens)
        return time.perf_counter() >= self._end

    def check(self, work: str) -> None:
        """Raise an error once the deadline has passed; before it, do nothing.

        Args:
            work: the work, with which the error begins.

        Raises:
            TimeLimitError: the deadline has passed.
            Cancelled: the work was cancelled.
        """
        if self.passed:
            raise TimeLimitError(f"{work}: time limit of {self.seconds:g} s reached")


__getattr__ = former_names(__name__, look="check_time_limit", looking="time_limit_scope")
