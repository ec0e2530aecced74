"""Several processes at one journal: one writes, the others are told, and nothing is lost."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.command_runner import Runner
from tests.helpers.made_runs import CASES, PLAN
from tests.helpers.made_runs import run as made
from tests.helpers.volume import SOAK, volume
from unidoku.comparison.journal import Journal, read_journal
from unidoku.comparison.lines import Header
from unidoku.comparison.record import Record
from unidoku.errors import OutputError

HEADER = Header(plan=PLAN)

HOLDER = """
import sys
from pathlib import Path
from tests.helpers.made_runs import CASES, PLAN, run
from unidoku.comparison.journal import Journal
from unidoku.comparison.lines import Header
with Journal(Path(sys.argv[1]), Header(plan=PLAN), resume=True) as journal:
    before = list(journal.before())
    journal.add(CASES[0], run("a", 0, 1, round=1 + len(before)))
    print(flush=True)
    input()
"""
"""Begins or resumes a journal, adds a run, says so, and holds the journal until it is told."""

RACER = """
import random, sys, time
from pathlib import Path
from unidoku import compare
from unidoku.errors import OutputError
boards = ["1... ..2. .3.. ...4", "12.. .... .... 21..", "1... .2.. ..3. ...."]
folder, last, order = Path(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]))
class Enough(Exception): pass
def watch(found, record):
    time.sleep(0.003)  # so that the others meet it
    if order.random() < 0.1:
        raise Enough
told = 0
print(flush=True)
input()
for number in range(last):
    while True:
        try:
            compare(boards, ["norvig"], engine="inline", sample_ms=0, repeats=4, watch=watch,
                output=folder / f"{number}.jsonl", resume=True)
            break
        except OutputError as error:
            assert "another process writes" in str(error), error
            told += 1
        except Enough:
            pass
        time.sleep(order.random() / 1000)
print(told)
"""
"""Takes part in each of several journals until it is complete, a few runs at a time."""


def python(program: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-c", program, *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the journal tw.jsonl and has added a run."""
    with python(HOLDER, str(tmp_path / "tw.jsonl")) as process:
        assert process.stdout
        assert process.stdout.readline() == "\n", process.communicate()[1]
        yield process
        if process.poll() is None:
            process.communicate("\n")


@pytest.mark.processes
@pytest.mark.parametrize("resume", [False, True])
def test_a_second_writer_is_told_who_the_first_is_and_writes_nothing(
    tmp_path: Path, holder: subprocess.Popen[str], resume: bool
) -> None:
    path = tmp_path / "tw.jsonl"
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    before = path.read_bytes()
    for name in (path, link):
        who = rf"another process writes .*\.jsonl \(process {holder.pid} on {platform.node()}\)"
        with pytest.raises(OutputError, match=who):
            Journal(name, HEADER, resume=resume)
    assert path.read_bytes() == before
    assert len(list(read_journal(path))) == 2  # which readers may do meanwhile
    holder.communicate("\n")
    assert {item.name for item in tmp_path.iterdir()} == {"tw.jsonl", "link.jsonl"}


@pytest.mark.processes
def test_the_command_that_comes_second_ends_with_2(
    tmp_path: Path, holder: subprocess.Popen[str], run: Runner
) -> None:
    path = tmp_path / "tw.jsonl"
    board = tmp_path / "board.txt"
    board.write_text("1.....2..3.....4\n")
    for options in ([], ["--resume"]):
        error = run.refused(
            "compare", str(board), "--backends", "norvig", "--output", str(path), *options
        )
        assert error.startswith(f"unidoku: another process writes {path} (process ")
    ran = run("report", str(path), "--output", str(path))
    assert ran.code == 2


@pytest.mark.processes
def test_the_lock_goes_with_its_process_however_that_ends(
    tmp_path: Path, holder: subprocess.Popen[str]
) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    path = tmp_path / "tw.jsonl"
    with path.open("ab") as file:
        file.write(b'{"type":"run","key":"00')  # what a writer may leave
    with Journal(path, HEADER, resume=True) as journal:
        assert len(list(journal.before())) == 2
        journal.add(CASES[0], made("a", 0, 1, round=7))
    assert len(list(read_journal(path))) == 3
    assert os.listdir(tmp_path) == ["tw.jsonl"]  # noqa: PTH208 - the plainest question


@pytest.mark.parametrize("fails", [b"notes\n", b'{"type":"header","schema":99}\n'])
def test_a_journal_that_cannot_be_resumed_is_not_left_locked(tmp_path: Path, fails: bytes) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(fails)
    for _ in range(2):
        with pytest.raises(ValueError, match=r"expected (a journal|schema)"):
            Journal(path, HEADER, resume=True)
    assert os.listdir(tmp_path) == ["j.jsonl"]  # noqa: PTH208 - as above


@pytest.mark.processes
@pytest.mark.volume
@pytest.mark.parametrize(
    ("processes", "rounds"), [(2, 4), pytest.param(8 if SOAK else 4, 2, marks=pytest.mark.thorough)]
)
def test_processes_that_resume_one_journal_at_once_lose_and_mix_nothing(
    tmp_path: Path, processes: int, rounds: int
) -> None:
    count = volume(rounds)
    racers = [python(RACER, str(tmp_path), str(count), str(seed)) for seed in range(processes)]
    for racer in racers:  # all have imported what they need before one begins
        assert racer.stdout
        assert racer.stdout.readline() == "\n", racer.communicate()[1]
    for racer in racers:
        assert racer.stdin
        racer.stdin.write("\n")
        racer.stdin.flush()
    messages = [racer.communicate() for racer in racers]
    assert not any(err for _, err in messages), messages
    for number in range(count):
        path = tmp_path / f"{number}.jsonl"
        runs = Counter(e.key for e in read_journal(path) if isinstance(e, Record))
        assert len(runs) == 3 * 4
        assert set(runs.values()) == {1}
    assert sum(int(out) for out, _ in messages)
    assert not list(tmp_path.glob(".*"))
