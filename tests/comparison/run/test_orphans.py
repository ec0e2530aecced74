"""Nothing is left running, however a comparison ends; a fork server that ends costs no run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.helpers.engines import (
    CASES,
    KINDS,
    all_gone,
    label,
    marked,
    measuring,
    solvers_of,
    until,
)
from tests.helpers.volume import thorough
from unidoku import Request, load
from unidoku.comparison.order import Run, schedule
from unidoku.comparison.record import Outcome
from unidoku.comparison.run import open_runner
from unidoku.comparison.run.chunks import PoolSettings
from unidoku.comparison.run.messages import Job
from unidoku.comparison.run.pool import Pool
from unidoku.comparison.run.start import Forked
from unidoku.errors import BackendError
from unidoku.parallel.processes import Connection

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("kind", KINDS)
def test_the_consumer_that_is_interrupted_leaves_nothing_behind(
    kind: str, mark: str, temporary: Path
) -> None:
    def consume() -> None:
        names = ["Slow", "ForksAChild"]
        runs = schedule(CASES, [label(name) for name in names], 50, 1)
        engine = open_runner(solvers_of(*names), measuring(), kind=kind, workers=2)
        with engine as pool:
            for record in pool.run(runs):
                assert record.outcome in (Outcome.SOLVED, Outcome.TIMEOUT)
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        consume()
    assert all_gone(mark)
    assert not list(temporary.iterdir())


def test_a_program_that_a_backend_keeps_goes_on_until_the_pool_ends(mark: str) -> None:
    with Pool(solvers_of("KeepsAProgram"), measuring()) as pool:
        for number in (1, 2):
            (record,) = pool.run([Run(CASES[1], label("KeepsAProgram"), number)])
            assert record.outcome is Outcome.SOLVED
            assert not any("running" in reason for reason in record.usage.disturbed)
            assert sum("sleep" in process.name() for process in marked(mark)) == 1
    assert all_gone(mark)


PROGRAM = """
import os
import sys

from tests.helpers.engines import CASES, label, measuring, solvers_of
from unidoku.comparison.order import schedule
from unidoku.comparison.run import open_runner

name, value, *backends = sys.argv[1:]
if __name__ == "__main__":
    solvers = solvers_of(*backends)
    with open_runner(solvers, measuring(), workers=2, **{name: value}) as engine:
        try:
            for record in engine.run(schedule(CASES, list(solvers), 500, 1)):
                os.write(1, f"{record.key} {record.outcome}\\n".encode())  # whole or not at all
        except KeyboardInterrupt:
            os.write(1, b"interrupted")
"""


@pytest.fixture
def comparison(
    root: Path, mark: str, temporary: Path
) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a program that compares in an engine, as a terminal would; it ends with the test."""
    begun: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=root,
            start_new_session=True,
        )
        begun.append(process)
        assert process.stdout is not None
        process.stdout.readline()
        return process

    yield start
    for process in begun:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("engine", [("kind", "pool"), ("scheduler", "local:1")])
def test_nothing_outlives_a_program_that_is_killed(
    engine: tuple[str, str], comparison: Callable[..., subprocess.Popen[str]], mark: str
) -> None:
    process = comparison(*engine, "Slow", "ForksAChild")
    assert until(lambda: any("sleep" in each.name() for each in marked(mark)))
    process.kill()
    process.wait()
    assert all_gone(mark)


def test_no_spawned_worker_outlives_a_program_that_is_killed(
    comparison: Callable[..., subprocess.Popen[str]], mark: str
) -> None:
    process = comparison("kind", "spawn", "Slow", "HangsHoldingTheGil")
    assert len(marked(mark)) == 3  # the program and two workers
    process.kill()
    process.wait()
    assert all_gone(mark)


@pytest.mark.parametrize(
    "engine", [("kind", "pool"), *thorough(("kind", "spawn")), ("scheduler", "local:1")]
)
def test_ctrl_c_ends_a_comparison_at_once_and_what_was_found_is_kept(
    engine: tuple[str, str],
    comparison: Callable[..., subprocess.Popen[str]],
    mark: str,
    temporary: Path,
) -> None:
    process = comparison(*engine, "Slow", "HangsInPython")
    os.killpg(process.pid, signal.SIGINT)
    message, errors = process.communicate(timeout=20)
    assert process.returncode == 0
    assert not errors
    *records, last = message.splitlines()
    assert last == "interrupted"
    assert all(len(line.split()) == 2 for line in records)
    assert all_gone(mark)
    assert not list(temporary.iterdir())


@pytest.mark.parametrize(
    "engine", [*thorough(("kind", "pool")), ("kind", "spawn"), *thorough(("scheduler", "local:1"))]
)
def test_a_signal_that_ends_a_comparison_leaves_no_file_of_it(
    engine: tuple[str, str], comparison: Callable[..., subprocess.Popen[str]], temporary: Path
) -> None:
    process = comparison(*engine, "Slow", "ForksAChild")
    assert until(lambda: bool(list(temporary.rglob("tmp*"))))
    process.terminate()
    assert process.wait() == -signal.SIGTERM
    assert not list(temporary.iterdir())


def test_a_fork_server_that_is_killed_costs_no_run(tmp_path: Path, mark: str) -> None:
    name = f"{label('KillsTheForkServer')}[folder={tmp_path}]"
    solvers = {name: load(name)} | solvers_of("Slow")
    slow = measuring(request=Request(time_limit=None))
    with Pool(solvers, slow, PoolSettings(workers=2)) as pool:
        records = list(pool.run(schedule(CASES, list(solvers), 3, 1)))
    assert len({record.key for record in records}) == len(records) == 18
    assert {record.outcome for record in records} == {Outcome.SOLVED}
    assert len(list(tmp_path.iterdir())) == 1
    assert all_gone(mark)


def test_fork_servers_that_are_killed_one_after_the_other_are_an_error_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = Forked.start

    def kill_first(
        self: Forked, job: Job, supervisor_end: Connection, worker_end: Connection
    ) -> None:
        self._process.kill()
        self._process.wait()
        start(self, job, supervisor_end, worker_end)

    monkeypatch.setattr(Forked, "start", kill_first)
    with (
        Pool(solvers_of("Sound"), measuring()) as pool,
        pytest.raises(BackendError, match="the fork server has ended"),
    ):
        list(pool.run([Run(case, label("Sound"), 1) for case in CASES]))
