"""benchmarks/reasons.py, run as its users run it, on few boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.python_process import run_python

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

STALLED = "5......7.47..2...8...7..3.17.....18...391.....6.......6...7581.3..2....5...89.6.."


def test_the_report_has_the_sizes_of_the_reasons_and_what_is_left_out(
    root: Path, tmp_path: Path
) -> None:
    """The second board has several solutions; the third stalls without short reasons."""
    boards = tmp_path / "boards.txt"
    boards.write_text(f"1.....2..3.....4\n12..........21..\n{STALLED}\n")
    done = run_python(root / "benchmarks" / "reasons.py", boards)
    assert done.returncode == 0, done.stderr
    (row,) = [line for line in done.stdout.splitlines() if line.startswith("| boards.txt |")]
    number, before, after = row.strip("| ").split(" | ")[1:4]
    assert (number, before) == ("2", "1")
    assert after == "2"
    assert "Wrong steps: 0." in done.stdout
