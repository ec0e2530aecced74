"""Ctrl-C, after a search and during one."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from tests.conftest import backend_labels
from tests.helpers.boards import MANY
from tests.helpers.python_process import run_python
from unidoku.testing.limits import slowdown

pytestmark = pytest.mark.processes

PROGRAM = f"""
import sys, time, unidoku
solver = unidoku.load(sys.argv[1])
solver.solve(unidoku.Board.parse("1..." * 4), solutions=2)
try:
    print("waiting", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    print("stopped", flush=True)
try:
    print("searching", flush=True)
    solver.solve(unidoku.Board.parse({MANY!r}), solutions=None, keep=0)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


FIRST = {"norvig", "native", "sat", "cp-sat", "z3", "minizinc"}
"""One of each way to search: in Python, in ours, in libraries of three kinds, in another process.
That the others can be stopped from outside is part of their conformance."""


def hears_ctrl_c(backend: str, program: str = PROGRAM) -> None:
    """Assert that a program stops whatever it says that it does within a second of Ctrl-C."""
    with subprocess.Popen(
        [sys.executable, "-c", program, backend], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in range(program.count('"stopped"')):
            assert process.stdout.readline(), "it says what it does"
            time.sleep(0.3)
            sent = time.perf_counter()
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "stopped\n"
            took = time.perf_counter() - sent
            assert took < 1 or took < slowdown(), f"stopped after {took:.2f} s"
        assert process.wait(timeout=20) == 0


@pytest.mark.parametrize(
    "backend_name",
    [
        pytest.param(label, marks=[] if name in FIRST else [pytest.mark.thorough], id=name)
        for name, label in backend_labels().items()
    ],
)
def test_ctrl_c_stops_a_search_within_a_second_and_is_an_exception_after_it(
    backend_name: str,
) -> None:
    hears_ctrl_c(backend_name)


IMPORTING = """
import signal, sys
from unidoku import Board
from unidoku.backends import BackendSpec
from unidoku.backends.base import Capabilities
from unidoku.backends.solving.solver import Solver

class Importing:
    def search(self, *_):
        exec("signal.raise_signal(signal.SIGINT)")  # as in an import that makes a dataclass

    prepare = search_many = search

board = Board.parse("1..." * 4)
spec = BackendSpec(name="importing", target="", summary="", capabilities=Capabilities())
solver = Solver(spec, Importing())
try:
    {call}
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.parametrize(
    "call", ["solver.solve(board)", "solver.solve_many([board])", "solver.prepare(board.layout)"]
)
def test_a_program_that_catches_ctrl_c_in_an_import_ends_with_its_own_exit_code(call: str) -> None:
    ran = run_python("-c", IMPORTING.format(call=call))
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "stopped\n", "")
