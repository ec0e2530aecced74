"""benchmarks/auto.py, run as its users run it, on few boards."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.helpers.python_process import run_python

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_python(root / "benchmarks" / "auto.py", *arguments)


def test_each_backend_has_its_times_and_auto_its_ratios(root: Path) -> None:
    done = run(root, "--boards", "2", "--time-limit", "1")
    assert done.returncode == 0, done.stderr
    for name in ("native", "sat", "auto"):
        assert f"\n| {name} | " in done.stdout
    assert "| board | native ms | sat ms | auto ms | ratio | answered by |" in done.stdout
    assert "\n| impossible jigsaws (2) | " in done.stdout
