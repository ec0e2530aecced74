"""How busy this machine is, for what is held to seconds."""

from __future__ import annotations

import time

_PROBE = 0.05
"""Seconds of work that tell how much of a core is to be had."""

_SLOWEST = 4.0
"""The busiest machine that is allowed for: a search that overruns by a second is always late."""


def slowdown() -> float:
    """Return how many times as long as on an idle machine work takes now: 2 on half a core.

    More than `_SLOWEST` is not said.
    """
    wall, worked = time.perf_counter(), time.thread_time()
    while time.thread_time() - worked < _PROBE:
        pass
    return min((time.perf_counter() - wall) / (time.thread_time() - worked), _SLOWEST)
