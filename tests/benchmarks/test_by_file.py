"""benchmarks/by_file.py, run as its users run it, on few boards."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.programs import needs

pytestmark = pytest.mark.bench


@needs("cadical", "clasp", "gringo", "minizinc", "fzn-gecode")
def test_each_solver_that_is_there_has_a_row_and_nothing_is_written(root: Path) -> None:
    results = root / "benchmarks" / "results" / "by_file.md"
    before = results.read_bytes()
    command = [sys.executable, str(root / "benchmarks" / "by_file.py"), "--boards", "1"]
    command += ["--kind", "easy"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    for solver in ("CaDiCaL", "clingo", "Gecode"):
        (row,) = (line for line in done.stdout.splitlines() if line.startswith(f"| {solver} ("))
        assert "| easy | 1 of 1 |" in row
    assert results.read_bytes() == before
