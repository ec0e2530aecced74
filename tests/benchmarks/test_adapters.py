"""benchmarks/adapters.py, run as its users run it, on few boards."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]


def run(root: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        str(root / "benchmarks" / "adapters.py"),
        "--boards",
        "2",
        *arguments,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_side_of_a_solver_plays_and_nothing_is_written(root: Path) -> None:
    results = root / "benchmarks" / "results"
    before = {path: path.read_bytes() for path in results.rglob("*") if path.is_file()}
    done = run(root, "--backend", "cp-sat", "--backend", "native", "--kind", "easy", "--kind", "X")
    assert done.returncode == 0, done.stderr
    assert re.findall("^## (.*)$", done.stdout, re.MULTILINE)[1:] == ["easy", "X"]
    rows = [line for line in done.stdout.splitlines() if line.startswith("| cp-sat | 2 |")]
    for _, _, boards, *fields, _ in (row.split(" | ") for row in ("| " + row for row in rows)):
        assert boards == "2"
        assert "–" not in fields
    assert len(rows) == 2
    assert rows[0].count(" to ") == 3, "each ratio has its interval"
    native = next(line for line in done.stdout.splitlines() if line.startswith("| native | 2 |"))
    assert native.count("–") == 4, "there is no other way to our own solver"
    assert {path: path.read_bytes() for path in results.rglob("*") if path.is_file()} == before
    assert re.search(r"^adapters: .* s  easy: 2 boards$", done.stderr, re.MULTILINE)


def test_boards_of_a_folder_are_taken_and_one_without_a_solution_ends_it(
    root: Path, tmp_path: Path
) -> None:
    (tmp_path / "easy_kaggle.txt").write_text(f"11{'.' * 79}\n" * 3)
    for name in ("clue17", "forum_hardest_1905"):
        (tmp_path / f"{name}.txt").write_text("." * 81)
    done = run(root, "--data", tmp_path, "--backend", "norvig", "--kind", "easy")
    assert done.returncode == 1
    assert "norvig ours counts 0, not 1: 11......" in done.stderr
    (tmp_path / "clue17.txt").unlink()
    done = run(root, "--data", tmp_path, "--backend", "norvig", "--kind", "17 givens")
    assert done.returncode == 2
    assert "expected a file clue17.txt in " in done.stderr
