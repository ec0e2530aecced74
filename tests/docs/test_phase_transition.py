"""The page of the phase transition: it is what its tables make, and its commands make these."""

from __future__ import annotations

import csv
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import unidoku
from unidoku.generation import InstanceGeneration, InstanceRequest

pytestmark = pytest.mark.docs


@pytest.fixture
def program(root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    return import_module("phase_transition")


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def test_page_and_picture_are_what_the_published_tables_make(program: Any, root: Path) -> None:
    text, picture = program.page(root / "benchmarks" / "results" / "phase-transition")
    docs = root / "docs"
    advice = "python benchmarks/phase_transition.py"
    assert (docs / "phase-transition.md").read_text(encoding="utf-8") == text, advice
    assert (docs / program.PICTURE).read_text(encoding="utf-8") == picture, advice


def test_the_published_tables_have_the_boards_that_the_commands_make(
    program: Any, root: Path
) -> None:
    for experiment in (program.COMPLETION, program.HOLES):
        path = root / "benchmarks" / "results" / "phase-transition" / f"{experiment.name}.csv"
        rows = table(path)
        settings = len(experiment.orders) * len(experiment.percents)
        assert len(rows) == settings * experiment.boards
        order, percent = experiment.orders[0], experiment.percents[-1]
        asked: Any = {experiment.option: (percent / 100,)}
        request = InstanceRequest(family=experiment.family, n=order, **asked)
        for puzzle in InstanceGeneration(request=request, count=5, seed=1):
            [row] = [
                row
                for row in rows
                if all(int(row[name]) == puzzle.numbers[name] for name in program.COLUMNS[:3])
            ]
            assert int(row["satisfiable"]) == unidoku.solve(puzzle.board, backend="sat").count


@pytest.mark.processes
def test_everything_is_made_from_scratch_on_a_few_small_boards(
    program: Any, root: Path, tmp_path: Path
) -> None:
    folders = ("--results", str(tmp_path / "tables"), "--docs", str(tmp_path / "docs"))
    command = [sys.executable, str(root / "benchmarks" / "phase_transition.py"), *folders]
    command += ["--measure", "--small"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in ("qcp", "qwh"):
        rows = table(tmp_path / "tables" / f"{name}.csv")
        assert len(rows) == 2 * 2 * 3
        assert all(row["satisfiable"] in "01" and row["native"] != "" for row in rows)
    assert all(row["satisfiable"] == "1" for row in rows), "squares with holes have a solution"
    text = (tmp_path / "docs" / "phase-transition.md").read_text(encoding="utf-8")
    assert "with 24 boards, of which 24 were decided" in text
    assert (tmp_path / "docs" / program.PICTURE).read_text(encoding="utf-8").startswith("<svg ")


def test_boards_that_nobody_decided_are_shown_as_such(program: Any, tmp_path: Path) -> None:
    lines = ["size,holes,attempt,satisfiable,native,choco", "4,8,0,,,", "4,8,1,1,,3", "4,8,2,1,5,"]
    for name in ("qcp", "qwh"):
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    [point] = program.points(tmp_path / "qcp.csv", "holes_share")[4]
    assert (point.boards, point.decided, point.satisfiable) == (3, 2, 2)
    text, picture = program.page(tmp_path)
    assert "| 50 % | 67 %, not decided |" in text
    assert "not decided" not in picture
