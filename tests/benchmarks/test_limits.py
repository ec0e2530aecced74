"""benchmarks/limits.py, run as its users run it, on little."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.helpers.python_process import run_python

pytestmark = pytest.mark.bench


def test_the_report_has_a_row_for_each_backend_and_names_what_is_late(
    root: Path, tmp_path: Path
) -> None:
    journal = tmp_path / "journal.jsonl"
    journal.write_text(json.dumps(["norvig", "hits", 0.02, [0.3, None]]) + "\n", encoding="utf-8")
    options = ["--backends", "norvig", "--boards", "hits;killer", "--limits", "0.02"]
    ran = _run(root, *options, "--journal", str(journal))
    assert ran.returncode == 0, ran.stderr
    (row,) = [line for line in ran.stdout.splitlines() if line.startswith("| `norvig` | 0.02 ")]
    assert row.strip("| ").split(" | ")[1:3] == ["0.02", "2"]
    assert "- `norvig` at 0.02 s, hits: 300 and again in time ms" in ran.stdout
    names = [json.loads(line)[1] for line in journal.read_text("utf-8").splitlines()]
    assert names == ["hits", "killer"], "what is in the journal is not measured again"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--backends", "nosuch"], "nosuch"),
        (["--limits", "soon"], "soon"),
        (["--boards", "x"], "got"),
    ],
)
def test_what_cannot_be_measured_is_one_line_and_exit_code_2(
    root: Path, options: list[str], message: str
) -> None:
    ran = _run(root, *options)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert message in ran.stderr.splitlines()[-1]
    assert "Traceback" not in ran.stderr


def _run(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return run_python("benchmarks/limits.py", *options, cwd=root)
