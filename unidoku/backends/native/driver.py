"""What drives both engines: limits as numbers, the pace of the clock, memory, and threads.

An engine returns to Python every few milliseconds, which checks the clock, makes room and takes
grids.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")

UNLIMITED = 2**62
"""The number that means no limit."""

SECONDS_BETWEEN_LOOKS = 0.004
"""Seconds to search between two checks of the clock, or until the time limit if that is sooner."""

LEAST_BETWEEN_LOOKS = 0.0002
"""Least seconds to search between two checks, however near the time limit is."""

_MOST_GROWTH = 16
"""How many times as many steps follow one check of the clock as the one before, at most."""


def as_number(limit: int | None) -> int:
    """Return a limit as a number for compiled code: `UNLIMITED` for None."""
    return UNLIMITED if limit is None else limit


def steps_until_look(steps: int, seconds: float, left: float | None) -> int:
    """Return how many steps an engine does until the clock is checked again.

    Args:
        steps: number of steps since the last check.
        seconds: how long these took.
        left: seconds until the time limit; None without one.
    """
    aim = SECONDS_BETWEEN_LOOKS
    if left is not None:
        aim = min(aim, max(left, LEAST_BETWEEN_LOOKS))
    pace = aim / max(seconds, 1e-6)
    return max(1, min(int(steps * min(pace, _MOST_GROWTH)), 10**9))


def borrow(idle: list[T], make: Callable[[], T]) -> T:
    """Take an idle memory, which its user gives back later, or make a new one."""
    if not idle:
        return make()
    try:
        return idle.pop()
    except IndexError:  # another thread took it
        return make()


def in_threads(
    work: Callable[[slice, Callable[[], bool]], T], parts: Sequence[slice], threads: int
) -> list[T]:
    """Return the results of the parts of a batch.

    Args:
        work: does a part, and ends soon when its second argument returns that it should.
        parts: the parts.
        threads: largest number of threads.

    Raises:
        Exception: the first error of a part; the others are told to end.
    """
    stop = threading.Event()
    with ThreadPoolExecutor(min(threads, len(parts))) as executor:
        futures = [executor.submit(copy_context().run, work, part, stop.is_set) for part in parts]
        try:
            done, _ = wait(futures, return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()
            return [future.result() for future in futures]
        finally:
            stop.set()
