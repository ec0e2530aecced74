"""benchmarks/harness.py, run as its users run it, on little."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench


def test_the_report_has_all_sections(root: Path) -> None:
    sections = ["engines", "faults", "aa", "memory"]
    options = [part for name in sections for part in ("--section", name)]
    ran = subprocess.run(
        [sys.executable, "benchmarks/harness.py", *options, "--runs", "100", "--trials", "1"],
        capture_output=True,
        text=True,
        cwd=root,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    headings = re.findall(r"^## (.*)$", ran.stdout, re.MULTILINE)
    assert headings == [
        "A run of one search",
        "A backend that hangs, at a limit of 0.2 s",
        "One backend entered twice",
        "100 runs into a journal",
    ]
    for engine in ("inline", "pool", "spawn"):
        assert re.search(rf"\| {engine} \| \d+ µs \|", ran.stdout)
    assert "| sat | 1 | " in ran.stdout
    assert re.search(r"\| 100 \| \d+ MB \|", ran.stdout)
    assert "Disagreements: 0;" in ran.stdout
