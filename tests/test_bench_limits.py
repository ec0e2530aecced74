"""benchmarks/limits.py, run as its users run it, on little."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench


def test_the_report_has_a_row_for_each_backend_and_limit_that_is_reached(
    root: Path, tmp_path: Path
) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text("1... ..2. .3.. ...4\n", encoding="utf-8")
    backends = "norvig;native[engine=python]"
    ran = subprocess.run(
        [sys.executable, "benchmarks/limits.py", file, "--backends", backends, "--limits", "0.02"],
        capture_output=True,
        text=True,
        cwd=root,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "each of 9 boards" in ran.stdout
    rows = re.findall(r"^\| `(.*?)` \| 0.02 \| 8 \| ([\d.]+) \| ", ran.stdout, re.MULTILINE)
    assert [label for label, _ in rows] == backends.split(";")
    assert all(float(median) < 2000 for _, median in rows)
