"""benchmarks/beside.py, run as its users run it, beside a program made for the purpose."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import unidoku
from tests.helpers.neutral_meanings import latin
from tests.helpers.python_process import run_python
from unidoku.backends.native.single.build import layout_tables
from unidoku.backends.solving import policy
from unidoku.core.rules import outside

pytestmark = pytest.mark.bench

OTHER = """
import json, sys
print(json.dumps({"ready": "Other 1.0"}), flush=True)
for number, line in enumerate(sys.stdin, 1):
    asked = json.loads(line)
    puzzle = asked["puzzle"]
    if isinstance(puzzle, str):
        print(json.dumps({"refused": puzzle}), flush=True)
        continue
    count = min(puzzle["count"], asked["solutions"])
    build = [number] if asked["repeats"] == 1 else [2.0, 1.0]
    answer = {"build": build, "search": [1e-9, 3.0], "count": count, "decided": True}
    print(json.dumps(answer), flush=True)
"""

SINGLE = unidoku.load("native[engine=single]")


@pytest.fixture
def ours(root: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(root / "benchmarks" / "programs")
    return importlib.import_module("ours")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions called that make something that is kept."""
    names: list[str] = []

    def noted(module: ModuleType, name: str) -> None:
        function = getattr(module, name)

        def noting(*arguments: object) -> object:
            names.append(name)
            return function(*arguments)

        monkeypatch.setattr(module, name, noting)

    noted(outside, "machine_of_steps")
    noted(policy, "simplified")
    noted(layout_tables, "band_sets")
    return names


THERMO = {"kind": "thermo", "cells": [0, 1, 2]}
SKYSCRAPER = {"kind": "skyscraper", "cells": [0, 1, 2], "value": 2}


def test_unidoku_builds_each_time_what_has_cells_and_no_machine(
    ours: ModuleType, calls: list[str]
) -> None:
    asked = json.loads(latin("one", SKYSCRAPER, count=1))
    table = {"puzzle": asked, "solutions": 2, "seconds": 2.0, "repeats": 3}
    ours.answer(SINGLE, **{**table, "repeats": 1})  # its machine is made now if none before made it
    calls.clear()
    answer = ours.answer(SINGLE, **table)
    assert len(answer["build"]) == 3
    assert calls == ["simplified"] * 3


def test_unidoku_builds_each_time_the_units_of_a_puzzle_that_no_variant_has(
    ours: ModuleType, calls: list[str]
) -> None:
    asked = json.loads(latin("one", SKYSCRAPER, count=1))
    regions = [[0, 1, 3], [2, 4, 5], [6, 7, 8]]
    asked |= {"regions": regions, "units": [*asked["units"][3:], *regions]}
    ours.answer(SINGLE, puzzle=asked, solutions=2, seconds=2.0, repeats=3)
    assert calls.count("band_sets") == 3


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_python("benchmarks/beside.py", *arguments, cwd=root)


def test_kinds_of_three_puzzles_have_a_row_and_all_that_differs_is_named(
    root: Path, tmp_path: Path
) -> None:
    file, other = tmp_path / "few.jsonl", tmp_path / "other.py"
    lines = [latin(f"rising {number}", THERMO, count=2) for number in range(3)]
    lines += [latin("plain", count=12), latin("mistaken", THERMO, count=1)]
    file.write_text("\n".join(lines) + "\n")
    other.write_text(OTHER)
    program = f"Other={sys.executable} {other}"
    ran = run(root, str(file), "--program", program, "--repeats", "2", "--cold")
    assert ran.returncode == 0, ran.stderr
    assert "few.jsonl: 5 puzzles, two solutions asked, 2 s each" in ran.stdout
    assert "Other: Other 1.0" in ran.stdout
    rows = [line.strip("| ").split(" | ") for line in ran.stdout.splitlines() if "| thermo" in line]
    warm, cold = rows
    assert warm[1:4] == ["4", "4", "4"]
    assert (warm[5], warm[8]) == ("0.005", "1,000"), "the least of its times, of 5 µs and more"
    assert " and 5 of Other. As they were measured, all searches are 0.0" in ran.stdout
    assert cold[8] == "1,000", "each of these questions is the first of a process"
    assert "no rules" not in ran.stdout
    assert "### Refused by Other\n\n- nothing\n" in ran.stdout
    assert "### Contradictions\n\n- mistaken: 2 and 1\n" in ran.stdout


def test_a_program_gets_the_text_of_a_file_or_what_our_writer_writes(
    root: Path, tmp_path: Path
) -> None:
    file, texts, other = (tmp_path / name for name in ("few.jsonl", "texts.jsonl", "other.py"))
    holes = json.loads(latin("holes", count=1)) | {
        "units": [[0, 1, 2]],
        "blocked": [3],
        "givens": "...#.....",
    }
    ranks = {"kind": "full_rank", "clues": [{"line": [0, 1, 2], "rank": 8}], "ties": "any"}
    ranked = json.loads(latin("ranked", ranks, count=2)) | {
        "shape": [2, 3],
        "units": [[0, 1, 2], [3, 4, 5]],
        "givens": "......",
    }
    lines = [latin("rising", THERMO, count=2), latin("named", THERMO, count=2), json.dumps(holes)]
    file.write_text("\n".join([*lines, json.dumps(ranked)]) + "\n")
    texts.write_text(json.dumps({"name": "named", "iss": ".Thermo~R1C1~R1C2"}) + "\n")
    other.write_text(OTHER)
    program = ("--program", f"Other={sys.executable} {other}", "--input", "Other=iss")
    ran = run(root, str(file), *program, "--with", str(texts), "--rounds", "1")
    assert ran.returncode == 0, ran.stderr
    refused = ran.stdout.partition("### Refused by Other\n\n")[2].partition("\n\n")[0].splitlines()
    assert refused[:3] == [
        "- rising: .Shape~3x3.Thermo~R1C1~R1C2~R1C3",
        "- named: .Thermo~R1C1~R1C2",
        "- holes: .Shape~3x3~~Raw.AllDifferent~R1C1~R1C2~R1C3.~R2C1_1",
    ]
    assert refused[3].startswith("- ranked: reads iss, which leaves out full-rank: ")
    assert "### Decided by unidoku alone\n\n- rising\n- named\n" in ran.stdout


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("Other", "--program: expected NAME=COMMAND and a new name, got 'Other'"),
        ("Other=no-such-program", "Other: cannot run no-such-program: "),
        ("Other=echo hello", "exited with code 0 without an answer to a line and said: hello"),
        ("--input=Nobody=iss", "--input: expected the name of a --program, got 'Nobody'"),
        ("--input=Other", "--input: expected NAME=FORMAT of a --program, got 'Other'"),
        ("Other=echo {fil}", "Other: command: unknown placeholder '{fil}'; did you mean '{file}'"),
        (
            """Other=sh -c 'echo "{\\"ready\\": 1}"; read line; echo "{\\"count\\": 1}"'""",
            'Other: expected an answer, got {"count": 1}',
        ),
    ],
)
def test_a_program_that_does_not_answer_is_told_in_a_line(
    program: str, message: str, root: Path, tmp_path: Path
) -> None:
    file = tmp_path / "few.jsonl"
    file.write_text(latin("plain", count=12) + "\n")
    option = (program,) if program.startswith("--") else ("--program", program)
    ran = run(root, str(file), *option)
    assert (ran.returncode, message in ran.stderr) == (2, True), ran.stderr
    assert "Traceback" not in ran.stderr
