"""A signal that ends this process comes through where it leaves nothing behind."""

from __future__ import annotations

import signal
from threading import Thread

import pytest

from unidoku.parallel.signals import undisturbed


def test_ctrl_c_waits_for_the_end_of_a_body_and_is_raised_then() -> None:
    steps = []

    def interrupted() -> None:
        with undisturbed():
            signal.raise_signal(signal.SIGINT)
            steps.append("whole")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert steps == ["whole"]
    with pytest.raises(KeyboardInterrupt):  # the handler is there again
        signal.raise_signal(signal.SIGINT)


def test_in_other_threads_handlers_stay() -> None:
    seen = []

    def look() -> None:
        with undisturbed():
            seen.append(signal.getsignal(signal.SIGINT))

    before = signal.getsignal(signal.SIGINT)
    thread = Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [before]
