"""benchmarks/scale.py, run as its users run it, on few boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.python_process import run_python

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

BOARD = "4.7...6..8..2..5...6..4...3...89......67..8...7.....9.....1...4.....57.1...3....2"


def test_the_report_counts_what_is_the_same_and_names_the_others(
    root: Path, tmp_path: Path
) -> None:
    boards = tmp_path / "boards.txt"
    boards.write_text(f"{BOARD} 2.0/1.2/1.2\n{BOARD} 2.0/1.5/1.2\n{BOARD} 2.3/1.2/1.2\n")
    command = [str(root / "benchmarks" / "scale.py"), str(boards)]
    done = run_python(*command)
    assert done.returncode == 0, done.stderr
    (row,) = [line for line in done.stdout.splitlines() if line.startswith("| all |")]
    assert row.strip("| ").split(" | ")[1:4] == ["3", "2", "1"]
    assert f"- `{BOARD}`: 2.3/1.2/1.2, here 2.0/1.2/1.2" in done.stdout
    command[-1] = str(tmp_path / "none.txt")
    missing = run_python(*command)
    assert (missing.returncode, missing.stdout) == (2, "")
