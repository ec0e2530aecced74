"""Command lines of every command, quick ones, and the exit code of each."""

from __future__ import annotations

import shlex
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
