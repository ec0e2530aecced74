"""benchmarks/auto.py, run as its users run it, on few boards."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from unidoku.backends import auto, catalogue

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "benchmarks" / "auto.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_table_and_what_it_is_worth_come_of_the_same_boards(root: Path) -> None:
    few = ("--boards", "2", "--time-limit", "1", "--backend", "sat", "--backend", "clingo")
    done = run(root, *few)
    assert done.returncode == 0, done.stderr
    report, _, result = done.stdout.partition("\n# Made by")
    table = tomllib.loads(f"# {result}")
    assert {*table["order"]} == {*table["failures"]} == {*auto.KINDS}
    for order in table["order"].values():
        assert sorted(order) == ["clingo", "sat"]
    assert {*table["load"]} == {"clingo", "sat"}
    for words in auto.KINDS.values():
        assert f"| {words} | " in report
    assert report.count("\n| auto | ") == 2, "the boards that made the table, and those kept apart"


def test_the_table_of_the_package_names_backends_that_there_are_and_its_machine() -> None:
    result = auto.table()
    assert "cores" in result.machine
    for kind in auto.KINDS:
        assert result.failures[kind] >= 100
        assert {*result.order[kind]} <= {*catalogue()} - {"auto", "native"}
        assert {*result.order[kind]} <= {*result.load}
