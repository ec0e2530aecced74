"""Processes of this machine: a task that is lost is told, nothing hangs, and nothing is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from tests.helpers.engines import all_gone, until
from tests.helpers.killing import COMMANDS
from tests.helpers.python_process import run_python
from tests.helpers.tasks import (
    LARGE,
    killed_in_an_answer_once,
    leave,
    pid_after,
    stopped_once,
    temporary_file,
    variables,
)
from tests.helpers.volume import SOAK
from unidoku.parallel import dispatch, local_pool
from unidoku.parallel.dispatch import on_nodes
from unidoku.parallel.local_pool import LocalProcesses

pytestmark = pytest.mark.processes


@pytest.fixture
def two() -> Iterator[LocalProcesses]:
    """Two processes."""
    processes = LocalProcesses(2)
    yield processes
    processes.kill()


def test_tasks_are_shared_among_all_processes(two: LocalProcesses) -> None:
    futures = [two.submit(pid_after, 0.2) for _ in range(4)]
    pids = [future.result() for future in futures]
    assert len(set(pids)) == 2
    assert os.getpid() not in pids


def test_after_a_process_has_ended_others_take_tasks(two: LocalProcesses) -> None:
    before = two.submit(pid_after, 0).result()
    with pytest.raises(BrokenExecutor):
        two.submit(leave, 3).result()
    assert two.submit(pid_after, 0).result() != before


def test_a_process_has_the_variables_of_this_one(two: LocalProcesses) -> None:
    names = tuple(local_pool._ENVIRONMENT)
    before = variables(names)
    assert two.submit(variables, names).result() == before == variables(names)


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such signal")
@pytest.mark.parametrize("folder", [{}, {"TMPDIR": "/of/the/pool"}])
def test_a_folder_for_temporary_files_that_the_program_has_set_is_kept_without_another(
    folder: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("die_with_parent", "_restore"):
        monkeypatch.setattr(local_pool, name, lambda *_: None)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(tempfile, "tempdir", "/of/the/program")
    local_pool._begin(folder)
    assert tempfile.gettempdir() == folder.get("TMPDIR", "/of/the/program")


def test_a_process_that_does_not_answer_in_time_is_replaced(
    two: LocalProcesses, tmp_path: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "_START", 2.0)
    markers = [str(tmp_path / name) for name in "aab"]
    answers = on_nodes(two, stopped_once, markers, lambda _: 0.1)
    assert len([pid for _, pid in answers]) == 3
    two.shutdown()
    assert all_gone(mark)


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such signal")
def test_an_answer_of_which_the_end_is_missing_is_a_lost_task(
    two: LocalProcesses, tmp_path: Path
) -> None:
    two.submit(abs, 1).result()
    answers = on_nodes(two, killed_in_an_answer_once, [str(tmp_path / "marker")] * 2)
    assert [len(answer) for _, answer in answers] == [LARGE, LARGE]


def test_a_search_that_nobody_waits_for_is_killed(
    two: LocalProcesses, mark: str, temporary: Path
) -> None:
    assert two.submit(temporary_file).result().startswith(f"{temporary}/unidoku-")
    two.submit(pid_after, 600)
    two.submit(bytes, 100 * LARGE)
    begun = time.monotonic()
    two.shutdown()
    assert time.monotonic() - begun < 5
    assert all_gone(mark)
    assert not list(temporary.iterdir())
    with pytest.raises(RuntimeError, match="shut down"):
        two.submit(abs, 1)


def test_processes_are_killed_while_large_tasks_wait(two: LocalProcesses, mark: str) -> None:
    futures = [two.submit(pid_after, 600) for _ in range(2)]
    futures += [two.submit(len, bytes(LARGE)) for _ in range(8)]
    assert until(futures[1].running)
    two.kill()
    assert all_gone(mark)
    assert until(lambda: all(future.done() for future in futures))


@pytest.mark.parametrize("delay", [0.0, 2.0])
@pytest.mark.usefixtures("temporary")  # a kill leaves an empty folder
def test_a_program_that_is_killed_leaves_no_process(delay: float, root: Path, mark: str) -> None:
    program = (
        "import time\n"
        "from unidoku.parallel.local_pool import LocalProcesses\n"
        "processes = LocalProcesses(2)\n"
        "futures = [processes.submit(time.sleep, 600) for _ in range(2)]\n"
        "print('begun', flush=True)\n"
        "time.sleep(600)\n"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(delay)
        process.kill()
    assert all_gone(mark)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_lost_when_a_process_is_killed_or_stopped(name: str) -> None:
    ran = run_python("-m", "tests.helpers.killing", SOAK, name)
    assert ran.returncode == 0, ran.stdout + ran.stderr[-2000:]
