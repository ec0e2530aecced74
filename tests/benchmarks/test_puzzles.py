"""benchmarks/generate.py, logic.py and rating.py, run as their users run them, on little."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench

PRACTICE = "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4."
OTHER = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def run(root: Path, program: str, *arguments: str | Path) -> str:
    command = [sys.executable, str(root / "benchmarks" / program), *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_puzzles_are_made_and_examined(root: Path) -> None:
    text = run(root, "generate.py", "--puzzles", "10", "--kind", "x")
    assert len(re.findall(r"^\| x\b.*\| 10 \|", text, re.MULTILINE)) == 2


def test_puzzles_with_rules_are_made_examined_and_solved_by_logic(root: Path) -> None:
    text = run(root, "generate.py", "--ruled", "2", "--rules", "nonogram", "--rules", "xv")
    rows = re.findall(
        r"^\| (nonogram|xv)(?:, minimal)? \| 2 \| .* of 2 \|.*\| none \|$", text, re.MULTILINE
    )
    assert rows == ["nonogram", "nonogram", "xv", "xv"]


def test_the_study_of_techniques_has_every_collection(root: Path, tmp_path: Path) -> None:
    (tmp_path / "minimal.txt").write_text(f"{PRACTICE}\n")
    text = run(root, "logic.py", "--data", tmp_path, "--puzzles", "1", "--family", "kenken")
    solved = r"1 \| 0 \| 0 \| 1 \|.*\| 1 \| 1 \| 0 \| 0 \| "
    assert re.search(rf"^\| minimal.txt \| {solved}", text, re.MULTILINE)
    assert re.search(r"^\| kenken, generated \| 1 \|.*\| 1 \| 0 \| 0 \| ", text, re.MULTILINE)
    for variant in ("x", "windoku", "jigsaw"):
        assert re.search(rf"^\| {variant}, generated \| 1 \|", text, re.MULTILINE)
    assert "Wrong steps" not in text


def test_boards_are_ranked_twice(root: Path, tmp_path: Path) -> None:
    (tmp_path / "top95.txt").write_text(f"{PRACTICE}\n{OTHER}\n{PRACTICE[::-1]}\n")
    text = run(root, "rating.py", "--data", tmp_path, "--backend", "native[engine=python]")
    assert "## top95, 3 boards" in text
    assert "| native[engine=python] |" in text
