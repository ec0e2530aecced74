"""benchmarks/cluster.py, run as its users run it, on little."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.bench, pytest.mark.processes]


def test_it_says_how_long_one_process_and_several_take(root: Path) -> None:
    little = ["--boards", "500", "--processes", "1", "--rounds", "1", "--backend", "norvig"]
    ran = subprocess.run(
        [sys.executable, "benchmarks/cluster.py", *little],
        capture_output=True,
        text=True,
        cwd=root,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    said = (
        r"{}: one process [\d.]+ s, 1 processes [\d.]+ s, ratio [\d.]+; at most [\d.]+, in [\d.]+ s"
    )
    solved, counted = ran.stdout.splitlines()
    assert re.fullmatch(said.format("solve, text to text"), solved)
    assert re.fullmatch(said.format("count --limit 2"), counted)
