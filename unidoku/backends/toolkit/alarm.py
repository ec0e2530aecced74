"""Time limits of searches in compiled libraries that can only be stopped from outside.

A thread of its own would cost a search some hundred microseconds, which is as long as some take.
Here one thread stops the searches of all adapters. It sleeps until the first deadline that it
knows of; a search that ends before its own only takes its name off the list.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable

from unidoku.backends.toolkit.budget import Budget

__all__ = ["stopped_by_alarm"]

_AGAIN = 0.02
"""Seconds until the library is asked again: a search that is being set up may not have heard."""


class stopped_by_alarm:  # noqa: N801 - it reads as what it does: with stopped_by_alarm(budget, stop)
    """Call ``stop``, maybe several times, once the time is over and the body still runs.

    Args:
        budget: of the search; without a time limit nothing is done.
        stop: makes the library end its search soon; called from another thread.
    """

    __slots__ = ("_alarm", "_budget", "_stop")

    def __init__(self, budget: Budget, stop: Callable[[], object]) -> None:
        """Remember what to call."""
        self._budget = budget
        self._stop = stop
        self._alarm: _Alarm | None = None

    def __enter__(self) -> None:
        """Set the alarm."""
        remaining = self._budget.remaining
        if remaining is not None:
            self._alarm = _Alarm.of_this_process()
            self._alarm.set(self, time.perf_counter() + remaining, self._stop)

    def __exit__(self, *_: object) -> None:
        """Take it back: once this returns, ``stop`` is not called any more."""
        if self._alarm is not None:
            self._alarm.take_back(self)


class _Alarm:
    """The thread that looks at the clock, and the searches that it knows of."""

    current: _Alarm | None = None

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._searches: dict[object, tuple[float, Callable[[], object]]] = {}
        self._changed = threading.Condition()
        self._looks_at = math.inf
        threading.Thread(target=self._watch, name="unidoku-alarm", daemon=True).start()

    @classmethod
    def of_this_process(cls) -> _Alarm:
        """Return the one there is, or a new one; a thread does not survive a fork."""
        if cls.current is None or cls.current._pid != os.getpid():
            cls.current = cls()
        return cls.current

    def set(self, search: object, deadline: float, stop: Callable[[], object]) -> None:
        with self._changed:
            self._searches[search] = (deadline, stop)
            if deadline < self._looks_at:
                self._changed.notify()

    def take_back(self, search: object) -> None:
        with self._changed:
            del self._searches[search]

    def _watch(self) -> None:
        with self._changed:
            while True:
                now = time.perf_counter()
                for deadline, stop in self._searches.values():
                    if deadline <= now:
                        stop()
                first = min((deadline for deadline, _ in self._searches.values()), default=math.inf)
                self._looks_at = max(first, now + _AGAIN)
                forever = self._looks_at == math.inf
                self._changed.wait(None if forever else self._looks_at - now)
