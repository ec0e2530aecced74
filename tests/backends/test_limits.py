"""Ctrl-C, after a search and during one."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from tests.boards import MANY
from unidoku.testing.limits import slowdown

pytestmark = pytest.mark.processes

PROGRAM = f"""
import sys, time, unidoku
solver = unidoku.load(sys.argv[1])
solver.solve(unidoku.Board.parse("1..." * 4), solutions=2)
print("waiting", flush=True)
try:
    time.sleep(60)
except KeyboardInterrupt:
    print("interrupted", flush=True)
print("searching", flush=True)
try:
    solver.solve(unidoku.Board.parse({MANY!r}), solutions=None, keep=0)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def test_ctrl_c_after_a_search_is_an_exception_as_usual_and_stops_one_within_a_second(
    backend_name: str,
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, backend_name], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for begins, ends in (("waiting", "interrupted"), ("searching", "stopped")):
            assert process.stdout.readline() == f"{begins}\n"
            time.sleep(0.3)
            sent = time.perf_counter()
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == f"{ends}\n"
            took = time.perf_counter() - sent
            assert took < 1 or took < slowdown(), f"{ends} after {took:.2f} s"
        assert process.stdout.read() == ""
        assert process.wait(timeout=20) == 0
