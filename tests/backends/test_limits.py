"""Ctrl-C, during a search and after it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from tests.boards import MANY

pytestmark = pytest.mark.processes

ENDLESS = f"""
import sys, unidoku
board = unidoku.Board.parse({MANY!r})
solver = unidoku.load(sys.argv[1])
solver.solve(unidoku.Board.parse("1..."*4))
print("searching", flush=True)
try:
    solver.solve(board, solutions=None, keep=0)
except KeyboardInterrupt:
    print("stopped cleanly", flush=True)
"""

AFTERWARDS = """
import sys, time, unidoku
unidoku.load(sys.argv[1]).solve(unidoku.Board.parse("1..............."), solutions=2)
print("searching", flush=True)
try:
    time.sleep(30)
except KeyboardInterrupt:
    print("stopped cleanly", flush=True)
"""


def interrupted(program: str, backend: str) -> tuple[str, float, int]:
    """Run a program, send it Ctrl-C once it says that it searches, return what it then says."""
    with subprocess.Popen(
        [sys.executable, "-c", program, backend], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "searching\n"
        time.sleep(0.3)
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
        said = process.stdout.read()
        code = process.wait(timeout=20)
        return said, time.perf_counter() - started, code


def test_ctrl_c_stops_a_search_within_a_second(backend_name: str) -> None:
    said, elapsed, code = interrupted(ENDLESS, backend_name)
    assert said == "stopped cleanly\n"
    assert elapsed < 1
    assert code == 0


def test_ctrl_c_after_a_search_is_an_exception_as_usual(backend_name: str) -> None:
    said, _, code = interrupted(AFTERWARDS, backend_name)
    assert said == "stopped cleanly\n"
    assert code == 0
