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
    ran = _run(root, file, "--backends", backends, "--limits", "0.02")
    assert ran.returncode == 0, ran.stderr
    assert "each of 9 boards" in ran.stdout
    rows = re.findall(r"^\| `(.*?)` \| 0.02 \| 8 \| ([\d.]+) \| ", ran.stdout, re.MULTILINE)
    assert [label for label, _ in rows] == backends.split(";")
    assert all(float(median) < 2000 for _, median in rows)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--backends", "nosuch"], "nosuch"),
        (["--limits", "soon"], "soon"),
        (["nosuch.txt"], "nosuch.txt"),
    ],
)
def test_what_cannot_be_measured_is_one_line_and_exit_code_2(
    root: Path, options: list[str], said: str
) -> None:
    ran = _run(root, *options)
    assert ran.returncode == 2
    assert not ran.stdout
    assert said in ran.stderr.splitlines()[-1]
    assert "Traceback" not in ran.stderr


def _run(root: Path, *options: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "benchmarks/limits.py", *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=root, check=False)
