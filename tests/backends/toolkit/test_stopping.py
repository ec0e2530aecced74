from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Iterator

import pytest

from unidoku import Cancel, Cancelled, Request
from unidoku.backends.toolkit.budget import Budget, LimitReached
from unidoku.backends.toolkit.stopping import stopped_from_outside
from unidoku.support.cancel import cancellable


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


def test_it_rings_for_a_token_that_was_cancelled_before_the_body_began() -> None:
    token = Cancel()
    rings = threading.Event()

    @cancellable
    def searches(*, cancel: Cancel) -> None:
        cancel.cancel()
        with stopped_from_outside(rings.set):
            rings.wait(10)

    with stopped_from_outside(lambda: None, Budget(Request(time_limit=50))):
        time.sleep(0.1)  # it sleeps for 50 s now
        with pytest.raises(Cancelled):
            searches(cancel=token)
    assert rings.is_set()


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


def test_a_library_that_refuses_to_stop_is_asked_again_and_others_are_stopped_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refusals: list[object] = []
    monkeypatch.setattr(threading, "excepthook", refusals.append)
    asked: list[float] = []
    rings = threading.Event()

    def stop() -> None:
        asked.append(time.perf_counter())
        if len(asked) < 3:
            raise RuntimeError("not yet")
        rings.set()

    with stopped_from_outside(stop, Budget(Request(time_limit=0.01))):
        assert rings.wait(10)
    assert len(refusals) == 1
    assert waits(0.01, threading.Event(), most=10) < 5


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


def test_ctrl_c_that_is_heard_late_does_not_stop_the_next_search() -> None:
    """In Python code the exception comes at once, maybe before the thread has read the signal."""
    for _ in range(20):
        with pytest.raises(KeyboardInterrupt), stopped_from_outside(lambda: None):
            signal.raise_signal(signal.SIGINT)
        stopped = threading.Event()
        with stopped_from_outside(stopped.set):
            stopped.wait(0.005)
        assert not stopped.is_set()


@pytest.fixture
def deaf() -> Iterator[None]:
    """The main thread's own handler of Ctrl-C does nothing."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    yield
    signal.signal(signal.SIGINT, before)


def interrupts(*stopped: threading.Event) -> None:
    signal.raise_signal(signal.SIGINT)
    assert all(event.wait(10) for event in stopped)


@pytest.mark.usefixtures("deaf")
def test_ctrl_c_still_stops_a_search_after_one_that_was_left_by_an_exception() -> None:
    with pytest.raises(ZeroDivisionError), stopped_from_outside(lambda: None):
        raise ZeroDivisionError
    stopped = threading.Event()
    with pytest.raises(KeyboardInterrupt), stopped_from_outside(stopped.set):
        interrupts(stopped)


@pytest.mark.usefixtures("deaf")
def test_ctrl_c_stops_a_search_and_the_one_that_it_is_part_of() -> None:
    outer, inner = threading.Event(), threading.Event()
    with (
        pytest.raises(KeyboardInterrupt),
        stopped_from_outside(outer.set),
        stopped_from_outside(inner.set),
    ):
        interrupts(outer, inner)


def test_all_searches_of_a_process_share_one_thread() -> None:
    for limit in (0.01, None, 50):
        waits(limit, threading.Event(), most=0)
    names = [thread.name for thread in threading.enumerate()]
    assert names.count("unidoku-stopping") == 1


def test_a_library_that_ends_late_begins_where_it_ends_at_most_50_ms_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    budget = Budget(Request(time_limit=0.05))
    begun = budget.started
    monkeypatch.setattr(time, "perf_counter", lambda: begun + 0.03)
    given = budget.left_to_search(0.0625)
    assert given is not None
    assert 0 < given < 0.02, "something, but not all that is left"
    with pytest.raises(LimitReached):
        budget.left_to_search(0.0725)
    assert Budget(Request()).left_to_search(9.0) is None
