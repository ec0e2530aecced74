"""Runners by name, and on systems that cannot fork."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.comparison.engines import CASES, all_gone, label, measuring, solvers_of
from unidoku.comparison import Outcome, Run, schedule
from unidoku.comparison.run import open_runner
from unidoku.errors import InputError

pytestmark = pytest.mark.processes


def test_a_runner_is_known_by_its_name() -> None:
    solvers = solvers_of("Sound")
    for kind in ("pool", "spawn", "inline", "pebble", None):
        with open_runner(solvers, measuring(), kind=kind) as engine:
            (record,) = engine.run([Run(CASES[0], label("Sound"), 1)])
        assert record.outcome is Outcome.SOLVED
    with pytest.raises(InputError, match="expected pool, spawn, inline, got 'polo'"):
        open_runner(solvers, measuring(), kind="polo")
    with pytest.raises(InputError, match="a scheduler's nodes use 'pool', got 'inline'"):
        open_runner(solvers, measuring(), kind="inline", scheduler="local:1")


def test_a_system_whose_python_cannot_look_before_it_reaps_has_a_pool_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, pathlib\ndel os.waitid, os.sched_setaffinity\n"
        "pathlib.Path(__file__).with_name('seen').touch()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))  # of which the fork server's path is made
    names = ["SegFaults", "ForksAChild"]
    with open_runner(solvers_of(*names), measuring(), kind="pool") as engine:
        records = list(engine.run(schedule(CASES, [label(name) for name in names], 1, 1)))
    assert (tmp_path / "seen").exists()
    assert Counter(record.outcome for record in records) == {
        Outcome.SOLVED: 4,
        Outcome.CRASHED: 1,
        Outcome.TIMEOUT: 1,
    }
    assert all_gone(mark)


ELSEWHERE = """
import sys
import psutil
for name in ("resource", "fcntl"):
    sys.modules[name] = None
import os, signal, socket, select
for module, name in [(os, "fork"), (signal, "SIGKILL"), (socket, "send_fds"),
                     (socket, "SOCK_SEQPACKET"), (os, "killpg"), (select, "poll"),
                     (os, "sched_getaffinity"), (os, "waitid")]:
    delattr(module, name)
import subprocess
def kill(process):  # by TerminateProcess
    if process.poll() is None:
        os.kill(process.pid, 9)
subprocess.Popen.kill = kill
from tests.comparison.engines import CASES, label, measuring, solvers_of
from unidoku.comparison import schedule
from unidoku.comparison.run import Inline, open_runner
names = ["Sound", "SegFaults", "HangsInPython"]
solvers = solvers_of(*names)
runs = list(schedule(CASES, list(solvers), 1, 1))
print(*(record.outcome for record in Inline(solvers, measuring()).run(runs[:1])))
with open_runner(solvers, measuring(memory_limit=1 << 30)) as runner:
    print(type(runner._start).__name__)
    print(*sorted(record.outcome for record in runner.run(runs)))
"""


def test_a_system_that_cannot_fork_spawns_its_workers(root: Path, mark: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
    )
    assert done.stdout.splitlines() == [
        "solved",
        "Spawned",
        "crashed " + "solved " * 7 + "timeout",
    ], done.stderr
    assert all_gone(mark)
