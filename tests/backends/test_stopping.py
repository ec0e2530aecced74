from __future__ import annotations

import os
import threading
import time
import warnings

from unidoku import Request
from unidoku.backends.toolkit.budget import Budget
from unidoku.backends.toolkit.stopping import stopped_from_outside


def waits(limit: float | None, rings: threading.Event, most: float) -> float:
    """Return the seconds that a body waited for the alarm."""
    started = time.perf_counter()
    with stopped_from_outside(rings.set, Budget(Request(time_limit=limit))):
        rings.wait(most)
    return time.perf_counter() - started


def test_it_rings_when_the_time_is_over_and_not_before() -> None:
    rings = threading.Event()
    assert 0.1 <= waits(0.1, rings, most=10) < 5
    assert rings.is_set()


def test_it_rings_for_an_earlier_deadline_than_the_one_it_sleeps_to() -> None:
    with stopped_from_outside(lambda: None, Budget(Request(time_limit=50))):
        assert waits(0.1, threading.Event(), most=10) < 5


def test_it_rings_again_until_the_body_ends() -> None:
    rung: list[float] = []
    enough = threading.Event()

    def stop() -> None:
        rung.append(time.perf_counter())
        if len(rung) == 3:
            enough.set()

    with stopped_from_outside(stop, Budget(Request(time_limit=0.01))):
        assert enough.wait(10)
    after = len(rung)
    time.sleep(0.1)
    assert len(rung) == after


def test_without_a_limit_or_with_one_that_is_not_reached_it_does_not_ring() -> None:
    rings = threading.Event()
    for limit in (None, 0.2):
        waits(limit, rings, most=0)
    time.sleep(0.3)
    assert not rings.is_set()


def test_it_rings_in_a_forked_process_too() -> None:
    """A thread does not survive a fork."""
    waits(0.01, threading.Event(), most=1)
    with warnings.catch_warnings():
        # Newer Pythons warn of what is the matter here.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        rings = threading.Event()
        waits(0.05, rings, most=10)
        os._exit(0 if rings.is_set() else 1)
    assert os.waitpid(child, 0)[1] == 0
