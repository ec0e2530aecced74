"""Writers of one file, started at once: a program that runs rounds of them and says what was wrong.

    python -m tests.helpers.races FOLDER WRITERS ROUNDS [--force]

It is a program because it forks, which a test runner with threads must not.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

from unidoku.cli import main

PUZZLE = "1.....2..3.....4"
BOARDS = 40


def commands(folder: Path, writers: int) -> list[list[str]]:
    """Return command lines that each write something else, every other one solving."""
    lines = []
    for number in range(writers):
        if number % 2:
            line = ["generate", "--size", "4", "--count", "6", "--seed", str(number)]
        else:
            boards = folder / f"{number}.txt"
            turned = [str((value + number // 2) % 4 + 1) for value in range(4)]
            text = PUZZLE.translate(str.maketrans("1234", "".join(turned)))
            boards.write_text(f"{text}\n" * BOARDS)
            line = ["solve", str(boards), "--size", "4"]
        lines.append([*line, "--backend", "norvig", "-o"])
    return lines


def race(lines: Sequence[Sequence[str]], folder: Path) -> list[tuple[int, str]]:
    """Run commands at once; return the exit code of each, and what it said."""
    ready, go = os.pipe()
    processes = []
    for number, line in enumerate(lines):
        process = os.fork()
        if not process:
            os.close(go)
            errors = os.open(folder / f"{number}.said", os.O_WRONLY | os.O_CREAT)
            os.dup2(errors, 2)
            os.read(ready, 1)  # until all are there
            code = main(line)
            sys.stderr.flush()
            os._exit(code)
        processes.append(process)
    os.close(go)
    os.close(ready)
    codes = [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in processes]
    return [(code, (folder / f"{k}.said").read_text()) for k, code in enumerate(codes)]


def faults(lines: list[list[str]], wholes: list[bytes], folder: Path, *, force: bool) -> list[str]:
    """Run a round, and return what is wrong with what came of it."""
    (out := folder / "out").mkdir()
    target = out / "a.txt"
    ends = race([[*line, str(target), *["--force"] * force] for line in lines], folder)
    content = target.read_bytes() if target.exists() else b""
    wrong = [] if content in wholes else [f"mixed: {len(content)} bytes"]
    winners = [number for number, (code, _) in enumerate(ends) if code == 0]
    left = {str(path): path.read_bytes() for path in out.iterdir() if path != target}
    if len(winners) != (len(lines) if force else 1):
        wrong.append(f"{len(winners)} winners of {len(lines)}")
    elif not force and content != wholes[winners[0]]:
        wrong.append("the file is not that of the winner")
    for number, (code, errors) in enumerate(ends):
        if code == 0:
            continue
        (message,) = [text for text in errors.splitlines() if text.startswith("unidoku: ")] or [
            errors
        ]
        copy, _, note = message.rpartition("its whole content is in ")[2].partition("; keep ")
        if note and not left.pop(f"{copy}.json", b""):
            wrong.append(f"there is no note: {message}")
        if code != 2 or not (left.pop(copy, b"") == wholes[number] or " exists; name" in message):
            wrong.append(f"exit code {code}: {message}")
    return wrong + [f"left behind: {name}" for name in left]


def rounds(folder: Path, writers: int, number: int, *, force: bool) -> list[str]:
    """Run so many rounds; return what was wrong, none if all was well."""
    lines = commands(folder, writers)
    wholes = []
    for k, line in enumerate(lines):
        path = folder / f"{k}.whole.txt"
        with redirect_stderr(StringIO()) as errors:  # here, so that what forks has all modules
            assert main([*line, str(path)]) == 0, errors.getvalue()
        wholes.append(path.read_bytes())
    assert len(set(wholes)) == writers, "each writes something else"
    wrong = []
    for k in range(number):
        (subfolder := folder / f"round {k}").mkdir()
        wrong += [f"round {k}: {fault}" for fault in faults(lines, wholes, subfolder, force=force)]
    return wrong


if __name__ == "__main__":
    where, how_many, how_often, *options = sys.argv[1:]
    wrong = rounds(Path(where), int(how_many), int(how_often), force=bool(options))
    sys.exit("\n".join(wrong) or 0)
