"""How busy this machine is, for checks that measure seconds."""

from __future__ import annotations

import time

_PROBE = 0.05
"""Seconds of work that measure the share of a core that is free."""

_SLOWEST = 4.0
"""The largest slowdown that is allowed for: a search that is late by a second always fails."""


def slowdown() -> float:
    """Return how many times longer than on an idle machine work takes now: 2 on half a core.

    The result is `_SLOWEST` at most.
    """
    wall, worked = time.perf_counter(), time.thread_time()
    while time.thread_time() - worked < _PROBE:
        pass
    return min((time.perf_counter() - wall) / (time.thread_time() - worked), _SLOWEST)
