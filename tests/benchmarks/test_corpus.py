"""benchmarks/corpus.py, run as its users run it, on little."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.helpers.neutral_meanings import latin
from tests.helpers.python_process import run_python

pytestmark = pytest.mark.bench


def test_the_report_has_each_kind_and_names_what_contradicts_and_what_is_not_read(
    root: Path, tmp_path: Path
) -> None:
    file, journal = tmp_path / "few.jsonl", tmp_path / "runs.jsonl"
    thermo = {"kind": "thermo", "cells": [0, 1, 2]}
    lines = [
        latin("plain", count=12),
        latin("rising", thermo, {"kind": "greater", "pairs": [[3, 4]]}, count=1),
        latin("mistaken", thermo, count=1),
        latin("strange", {"kind": "chaos", "cells": [0]}),
    ]
    file.write_text("\n".join(lines) + "\n")

    def run(*options: str) -> str:
        ran = run_python("benchmarks/corpus.py", file, *options, cwd=root)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    text = run("--backends", "norvig,sat", "--journal", str(journal))
    assert "few.jsonl: 4 puzzles, of which 3 are read." in text
    assert "| norvig | 10 s | 3 | 3 | 0 | 0 | 0 |" in text
    for row in ("chaos | 1 | 0 | – | –", "no rules | 1 | 1 | 1, 1 | 1, 1", "thermo | 2 | 2 |"):
        assert f"| {row}" in text
    assert "- mistaken: known count: sat claims at least 2 solutions, but 1 is known" in text
    assert "- rising" not in text
    assert "- strange: rule chaos" in text
    table = run("--backends", "native", "--time-limit", "1", "--with", str(journal))
    assert "| kind | puzzles | read | native | norvig | sat |" in table
    assert "| no rules | 1 | 1 | 1 | 1, 1 | 1, 1 |" in table
    again = run("--backends", "norvig,sat", "--journal", str(journal))
    assert again == text


def test_puzzles_of_other_formats_count_by_our_names_of_kinds(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    puzzles: Any = __import__("corpus").collection(root / "examples" / "rules" / "doublers.toml")
    assert puzzles.kinds == {"Doublers": ("doubler", "killer")}
    assert puzzles.boards.keys() == puzzles.kinds.keys()
