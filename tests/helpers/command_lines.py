"""Command lines of every command, quick ones, and the exit code of each."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

from unidoku.cli import codes

BOARD = "1.....2..3.....4"
CLASH = "11.............."
ONCE = "--backends native,norvig --repeats 1 --sample-ms 0 --engine inline"

EVERY = {
    f"solve {BOARD}": codes.YES,
    f"solve {CLASH}": codes.NO,
    f"count {BOARD}": codes.YES,
    f"check {BOARD}": codes.YES,
    f"check {CLASH}": codes.NO,
    f"candidates {BOARD}": codes.YES,
    f"candidates {CLASH}": codes.NO,
    f"draw {BOARD}": codes.YES,
    f"draw {CLASH} --solved": codes.NO,
    f"convert {BOARD} --to toml": codes.YES,
    f"export {BOARD} --to dimacs": codes.YES,
    f"read-answer {BOARD} --answer answer.txt --language dimacs": codes.NO,
    f"explain {BOARD} --grids all": codes.YES,
    f"explain {CLASH}": codes.NO,
    f"hint {BOARD}": codes.YES,
    f"hint {CLASH}": codes.NO,
    f"why {BOARD} A2=2": codes.YES,
    f"why {CLASH} A2=2": codes.NO,
    f"rate {BOARD}": codes.YES,
    f"rate {CLASH} --no-measure": codes.NO,
    f"trace {BOARD}": codes.YES,
    f"trace {CLASH} --backend norvig": codes.YES,
    "generate --seed 1 --size 4": codes.YES,
    "generate --seed 1 --size 4 --count 3": codes.YES,
    "generate --seed 1 --size 4 --discriminate norvig,native --budget 4": codes.YES,
    "generate --seed 1 --clues 17 --time-limit 0.1": codes.NO,
    f"compare boards.txt {ONCE}": codes.YES,
    "report runs.jsonl": codes.YES,
    "diff runs.jsonl runs.jsonl": codes.YES,
    "replay KEY runs.jsonl": codes.YES,
    "grade students --assignment boards.txt": codes.YES,
    "fuzz --backends native,norvig --sizes 4 --boards 1 --workers 1": codes.YES,
    "serve boards.txt --no-browser": codes.ERROR,
    "backends": codes.YES,
    "config": codes.YES,
    "warm classic --size 4": codes.YES,
    "warm classic --size 80": codes.NO,
    "trust --list": codes.YES,
    "trust --remove .": codes.NO,
    "completion bash": codes.YES,
}
"""Command lines, and what they return; KEY stands for the key of a run in the journal."""


ONE_AFTER_THE_OTHER = """
import shlex, sys
from unidoku.cli import main
for line in sys.argv[1:]:
    code = main(shlex.split(line)[1:])
    print(f">{code}", flush=True)
    print(f">{code}", file=sys.stderr, flush=True)
"""
"""A program that runs the command lines which it gets, and writes the exit code after each."""


def of_each(done: subprocess.CompletedProcess[str]) -> list[tuple[str, str, int]]:
    """Return what each line of `ONE_AFTER_THE_OTHER` printed, what it said, and its exit code."""
    code = re.compile(r"^>(\d+)\n", re.MULTILINE)
    out, err = code.split(done.stdout), code.split(done.stderr)
    assert len(out) == len(err), done.stderr
    assert "Traceback" not in done.stderr
    return [(out[k], err[k], int(out[k + 1])) for k in range(0, len(out) - 1, 2)]


def make_files(folder: Path) -> None:
    """Make the files that the command lines name."""
    from unidoku.cli.program import run

    (folder / "answer.txt").write_text("s UNSATISFIABLE\n")
    boards = folder / "boards.txt"
    boards.write_text(f"{BOARD}  proper\n12..........21..  several\n")
    (folder / "students").mkdir()
    (folder / "students" / "anna.py").write_text("def solve(board):\n    return board.givens\n")
    assert run(["compare", str(boards), *ONCE.split(), "--output", str(folder / "runs.jsonl")]) == 0


def arguments_of(command: str, folder: Path) -> list[str]:
    """Return the arguments of a command line of `EVERY`, or of another, in this folder."""
    if "KEY" in command:
        _, _, rest = (folder / "runs.jsonl").read_text().partition('"key":"')
        command = command.replace("KEY", rest.partition('"')[0])
    return shlex.split(command)
