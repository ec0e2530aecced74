"""benchmarks/rules.py, run as its users run it, on few boards."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "benchmarks" / "rules.py"), "--boards", "1", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def rows(printed: str, backend: str) -> list[list[str]]:
    """The fields of a backend's rows but for its name, in the order of the tables."""
    lines = [line for line in printed.splitlines() if line.startswith(f"| {backend} |")]
    return [line.strip("| ").split(" | ")[1:] for line in lines]


def test_every_side_of_every_library_counts_what_ours_does_on_every_family(root: Path) -> None:
    """A side that counts anything but one solution ends the program."""
    names = ("cp-sat", "sat", "clingo", "choco", "pumpkin", "highs", "minizinc")
    done = run(root, *[word for name in names for word in ("--backend", name)])
    assert done.returncode == 0, done.stderr
    families = 7
    for name in names:
        overview, *each = rows(done.stdout, name)
        assert (len(overview), len(each)) == (families, families)
        assert not any("–" in fields for fields in each), "each way is measured"
        assert all(" + " in field for field in overview)


def test_results_that_exist_are_replaced_by_force_alone(root: Path) -> None:
    results = root / "benchmarks" / "results" / "rules.md"
    before = results.read_bytes()
    done = run(root, "--family", "futoshiki", "--backend", "norvig", "--write")
    assert (done.returncode, results.read_bytes()) == (2, before)
    assert "which exists; replace it with --force" in done.stderr
