"""A signal that ends this process comes through where it leaves nothing behind."""

from __future__ import annotations

import asyncio
import signal
import sys
from threading import Thread

import pytest

from unidoku.parallel.signals import cleaning_up_at_signals, undisturbed


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


def test_each_handler_is_called_once_also_after_one_that_raises() -> None:
    calls: list[int] = []

    def raising(number: int, _: object) -> None:
        calls.append(number)
        raise KeyError

    def interrupted() -> None:
        with undisturbed():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)

    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        for number in handlers:
            signal.signal(number, raising)
        with pytest.raises(KeyError):
            interrupted()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert calls == [signal.SIGINT, signal.SIGTERM]


@pytest.mark.skipif(sys.platform == "win32", reason="asyncio takes signals on POSIX only")
def test_asyncio_takes_a_signal_that_waited_once() -> None:
    calls: list[int] = []

    async def interrupted() -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, calls.append, 1)
        with undisturbed():
            signal.raise_signal(signal.SIGTERM)
        for _ in range(3):  # rounds of the loop, which reads signals as it reads files
            await asyncio.sleep(0.01)
        loop.remove_signal_handler(signal.SIGTERM)

    asyncio.run(interrupted())
    assert calls == [1]


def test_a_handler_that_is_set_in_a_body_stays() -> None:
    before = signal.getsignal(signal.SIGTERM)
    calls: list[int] = []
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        with cleaning_up_at_signals():
            signal.signal(signal.SIGTERM, lambda number, _: calls.append(number))
        signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert calls == [signal.SIGTERM]


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
