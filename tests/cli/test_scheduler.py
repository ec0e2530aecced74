"""Commands whose boards are shared among processes, and unfinished outputs that are continued."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Runner

PLAIN = "1.....2..3.....4\n12..........21..\n11..............\n1.....2..3.....4\n" * 100


@pytest.mark.processes
def test_commands_share_boards_among_processes(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("boards.txt").write_text(PLAIN)
    ran = run("solve", "boards.txt", "--size", "4", "--scheduler", "local:1", "-o", "out.txt")
    assert ran.code == 1
    assert ran.err.startswith("400 boards: 300 with a solution, 100 without solution; ")
    assert len(Path("out.txt").read_text().splitlines()) == 400


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("solve boards.txt --size 4 --scheduler local:0", "expected tcp://host:port or local:N"),
        ("count boards.txt --size 4 --scheduler mpi:2", "expected tcp://host:port or local:N"),
        ("solve boards.txt --json --scheduler local:1", "because JSON goes to standard output"),
        ("count boards.txt --json --resume", "because JSON goes to standard output"),
        (
            "solve boards.txt --format framed --scheduler local:1",
            "expected one solution for each board",
        ),
        ("solve boards.txt --size 4 --resume", "name one by -o"),
    ],
)
def test_what_cannot_be_shared_or_gone_on_with_is_refused(
    arguments: str, said: str, run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("boards.txt").write_text(PLAIN)
    ran = run(*arguments.split())
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.processes
def test_puzzles_made_by_processes_are_those_of_one(run: Runner) -> None:
    asked = ["generate", "--size", "4", "--count", "20", "--seed", "3"]
    assert run(*asked, "--scheduler", "local:2").out == run(*asked).out


def test_a_walk_by_processes_is_refused(run: Runner) -> None:
    ran = run("generate", "--walk", "--time-limit", "1", "--scheduler", "local:1")
    assert ran.code == 2
    assert "walk: a walk is made in one process" in ran.err
