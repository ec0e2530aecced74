"""An end for every test: one that hangs fails with its name, after a traceback of every thread.

A time limit raises an exception, once and in the main thread. Code that waits in C does not hear
it, and a ``finally`` or a fixture may wait for ever after it. So each process has a watchdog that
needs no Python: it prints all tracebacks and ends the process, and xdist names the test. What keeps
xdist itself waiting, such as a fork that holds the pipe of a process that is gone, is for the
process that shares the tests out: it names the tests that run and ends them all.
"""

from __future__ import annotations

import _thread
import faulthandler
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from types import FrameType
from typing import Any

import pytest

LIMIT = "time limit"
"""What of a test's report has its time limit in seconds."""

GRACE = 0.5
"""How long a test may go on after its time limit or a failure, as a part of the limit."""

SILENCE = 2.5
"""How long it may run until all tests are ended, as a multiple of its time limit."""

IDLE = 900.0
"""Seconds without a test until all are ended: on a busy machine, collecting them takes minutes."""

LAST_WORDS = 60.0
"""Seconds for the summary of all tests once they are ended."""

_SECONDS = pytest.StashKey[float]()
_STDERR = pytest.StashKey[int]()


class OutOfTime(BaseException):
    """The time limit of a test has passed.

    Hypothesis takes pytest's own exception for one more failure of the property, and continues with
    no limit; this one it lets through.
    """


def _watch(item: pytest.Item, seconds: float) -> None:
    """End this process after so many seconds, with the tracebacks of all threads."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=item.config.stash[_STDERR])


class EachTest:
    """The time limit and the watchdog of each test, in the process that runs it."""

    def pytest_configure(self, config: pytest.Config) -> None:
        """Keep the standard error output, which tests capture."""
        config.stash[_STDERR] = os.dup(2)

    @pytest.hookimpl(wrapper=True)
    def pytest_timeout_set_timer(
        self, item: pytest.Item, settings: Any
    ) -> Generator[None, object, object]:
        """End a test that takes too long with `OutOfTime`, and one that goes on after it at all."""
        answer = yield
        item.stash[_SECONDS] = settings.timeout
        _watch(item, (1 + GRACE) * settings.timeout)
        fail = signal.getsignal(signal.SIGALRM)
        if callable(fail):  # not where a thread is the timer

            def end(number: int, frame: FrameType | None) -> None:
                try:
                    fail(number, frame)
                except pytest.fail.Exception as error:
                    raise OutOfTime(error.msg) from None

            signal.signal(signal.SIGALRM, end)
        return answer

    def pytest_timeout_cancel_timer(self) -> None:
        """Let the process be: the test has ended."""
        faulthandler.cancel_dump_traceback_later()

    @pytest.hookimpl(trylast=True)
    def pytest_exception_interact(self, node: pytest.Item | pytest.Collector) -> None:
        """Watch the end of a test that failed, of which pytest has called the watchdog off."""
        if isinstance(node, pytest.Item) and _SECONDS in node.stash:
            _watch(node, GRACE * node.stash[_SECONDS])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Say in the first report of a test what its time limit is."""
        report = yield
        if call.when == "setup" and _SECONDS in item.stash:
            report.user_properties.append((LIMIT, item.stash[_SECONDS]))
        return report


class AllTests:
    """The tests of all processes, in the one that shares them out."""

    def __init__(self, seconds: float) -> None:
        """Begin to watch.

        Args:
            seconds: the time limit of a test that has no other.
        """
        self._seconds = seconds
        self._until = time.monotonic() + IDLE
        self._running: dict[str, float] = {}
        self._workers: list[subprocess.Popen[bytes]] = []
        threading.Thread(target=self._look, daemon=True).start()

    def pytest_testnodeready(self, node: Any) -> None:
        """Note a process that runs tests."""
        self._workers.append(node.gateway._io.popen)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note that a test runs."""
        self._running[nodeid] = time.monotonic() + SILENCE * self._seconds

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the time limit of a test, or that it has ended."""
        now = time.monotonic()
        self._until = now + IDLE
        limit = dict(report.user_properties).get(LIMIT)
        if report.when == "setup" and isinstance(limit, float):
            self._running[report.nodeid] = now + SILENCE * limit
        elif report.when != "call":
            self._running.pop(report.nodeid, None)

    def _look(self) -> None:
        """Wait until a test runs far too long, or none for long; then end this process."""
        while True:
            time.sleep(1)
            now = time.monotonic()
            running = dict(self._running)
            late = [name for name, until in running.items() if until < now]
            if late or now > max(self._until, *running.values(), 0):
                break
        reason = ", ".join(late) or f"none has run for {IDLE:.0f} s"
        sys.stderr.write(f"\nThe tests are ended, as they hang: {reason}\n")
        for worker in self._workers:
            worker.send_signal(signal.SIGABRT)  # for which faulthandler prints all tracebacks
        faulthandler.dump_traceback(sys.stderr)
        _thread.interrupt_main()
        time.sleep(LAST_WORDS)
        os._exit(1)


def pytest_configure(config: pytest.Config) -> None:
    """Watch the tests of this process, or those of the others."""
    seconds = float(config.getoption("timeout") or config.getini("timeout"))
    if config.getoption("dist", "no") == "no" or hasattr(config, "workerinput"):
        config.pluginmanager.register(EachTest())
    elif seconds > 0:
        config.pluginmanager.register(AllTests(seconds))
