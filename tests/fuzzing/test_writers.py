"""Several processes at one folder: one hunts, the others are told, and nothing is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.python_process import run_python
from tests.helpers.volume import thorough, volume
from unidoku import fuzz
from unidoku.errors import OutputError
from unidoku.fuzzing.folder import Folder
from unidoku.fuzzing.run import FuzzRun

BACKENDS = ["norvig", "exact-cover"]

RACER = """
import random, sys, time
from pathlib import Path
from unidoku.errors import OutputError
from unidoku.fuzzing.run import FuzzRun
folder, last, order = Path(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]))
refused, done = False, False
while not done:
    try:
        with FuzzRun(["norvig", "exact-cover"], sizes=range(2, 5), folder=folder, workers=1) as run:
            for _ in run.events(min(run.state.next + 4, last)):
                pass
            done = run.state.next == last
    except OutputError as error:
        assert "another process writes" in str(error), error
        if not refused:
            print("refused", flush=True)
        refused = True
    time.sleep(order.random() / 100)
"""
"""Goes on with a hunt a few trials at a time until it is at its end."""


def test_a_second_process_is_told_and_writes_nothing(tmp_path: Path) -> None:
    with FuzzRun(BACKENDS, folder=tmp_path):
        ran = run_python(
            "-m", "unidoku", "fuzz", "--backends", ",".join(BACKENDS), "--output", str(tmp_path)
        )
        assert ran.returncode == 2
        assert "another process writes" in ran.stderr
        assert ran.stderr.count("\n") == 1
        assert not list(tmp_path.glob("*.json"))
    assert [path.name for path in tmp_path.iterdir()] == ["progress.json"]


def test_a_hunt_that_cannot_be_continued_does_not_stay_locked(tmp_path: Path) -> None:
    (tmp_path / "progress.json").write_text("[]", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(ValueError, match="progress of a hunt"):
            fuzz(BACKENDS, folder=tmp_path, boards=1)
    with Folder(tmp_path).locked(), pytest.raises(OutputError, match="another process writes"):
        fuzz(BACKENDS, folder=tmp_path, boards=1)


@pytest.mark.processes
@pytest.mark.volume
@pytest.mark.parametrize("processes", [2, *thorough(4), pytest.param(8, marks=pytest.mark.soak)])
def test_processes_that_hunt_into_one_folder_lose_nothing(tmp_path: Path, processes: int) -> None:
    trials = volume(12)
    command = [sys.executable, "-W", "error", "-c", RACER, str(tmp_path), str(trials)]
    with Folder(tmp_path).locked():  # until each has found it so
        racers = [
            subprocess.Popen([*command, str(seed)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for seed in range(processes)
        ]
        for racer in racers:
            assert racer.stdout is not None
            assert racer.stdout.readline() == b"refused\n"
    messages = [racer.communicate() for racer in racers]
    assert not any(err for _, err in messages), messages
    with FuzzRun(BACKENDS, sizes=range(2, 5), folder=tmp_path) as run:
        together = run.state
    alone = fuzz(BACKENDS, sizes=range(2, 5), boards=trials, seconds=None, workers=1).state
    assert (together.next, together.boards, together.runs) == (trials, alone.boards, alone.runs)
