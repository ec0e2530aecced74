"""The page "Grade a class": its assignments, its answer and its commands are run."""

from __future__ import annotations

import csv
import re
import shlex
from pathlib import Path

import pytest

from unidoku.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "teaching.md").read_text(encoding="utf-8")
TABLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
TEXTS = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
(ENCODING,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
SEARCH = """
import unidoku
def solve(puzzle): return unidoku.solve(puzzle, backend="norvig").text("line") or None
"""


def test_the_commands_grade_the_assignments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("students").mkdir()
    Path("students/search.py").write_text(SEARCH)
    Path("students/encoding.py").write_text(ENCODING)
    full, propagation, backtracking, encoding = TABLES
    easy, hard = TEXTS
    Path("easy.txt").write_text(easy)
    Path("hard.txt").write_text(hard)
    names = ("backtracking", "propagation", "backtracking", "encoding")
    points = {}
    for name, table, command in zip(
        names, (full, propagation, backtracking, encoding), COMMANDS, strict=True
    ):
        Path(f"{name}.toml").write_text(table)
        words = shlex.split(command)
        assert words[0] == "unidoku"
        assert main(words[1:]) == 0
        with (Path(words[-1]) / "grades.csv").open(newline="") as file:
            points[words[-1]] = [
                (row["student"], row["points"], row["of"]) for row in csv.DictReader(file)
            ]
    assert points == {
        "grades": [("encoding", "6.0", "6.0"), ("search", "6.0", "6.0")],
        "propagation": [("encoding", "3.0", "3.0"), ("search", "3.0", "3.0")],
        "backtracking": [("encoding", "3.0", "3.0"), ("search", "3.0", "3.0")],
        "encoding": [("encoding", "2.0", "2.0"), ("search", "0.0", "2.0")],
    }
