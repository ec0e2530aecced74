"""benchmarks/rules.py, run as its users run it, on few boards."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "benchmarks" / "rules.py"), "--boards", "1", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def rows(printed: str, backend: str) -> list[list[str]]:
    """The fields of a backend's rows except its name, in the order of the tables."""
    lines = [line for line in printed.splitlines() if line.startswith(f"| {backend} |")]
    return [line.strip("| ").split(" | ")[1:] for line in lines]


def test_every_side_is_measured_and_counts_one_solution(root: Path) -> None:
    """A side that counts anything else ends the program with 1."""
    names = ("cp-sat", "choco")
    words = [word for name in names for word in ("--backend", name)]
    done = run(root, *words, "--family", "killer", "--family", "futoshiki")
    assert done.returncode == 0, done.stderr
    for name in names:
        overview, killer, futoshiki = rows(done.stdout, name)
        assert [len(overview), len(killer), len(futoshiki)] == [2, 8, 3]
        assert "–" not in [*overview, *killer, *futoshiki], "each way is measured"
        assert all(" + " in field for field in overview)


@pytest.mark.parametrize(
    "library", ["cp_sat", "sat", "clingo", "choco", "z3", "pumpkin", "highs", "minizinc"]
)
def test_the_form_of_a_manual_says_what_ours_does_on_every_family(
    library: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    families: Any = import_module("measuring.families")
    solve: Any = import_module(f"textbook.{library}").solve
    for name in families.FAMILIES:
        for board in families.family(name, 2, n=6):
            found, seconds = solve(board)
            assert (found, seconds > 0) == (1, True), name
