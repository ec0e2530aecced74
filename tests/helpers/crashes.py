"""Runs of `unidoku solve` that die at each call of the system, and are continued: a program.

    python -m tests.helpers.crashes FOLDER [--force] [--power]

It says what was lost or is wrong, nothing if all is well. With ``--force`` there is an old output,
with ``--power`` the disk loses what was not forced onto it. It is a program because it forks,
which a test runner with threads must not.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr
from io import FileIO, StringIO
from pathlib import Path
from typing import Any

from unidoku.cli import main
from unidoku.support import atomic_write

BOARDS = 500

DEAD = 9
"""The exit code of a process that died."""

UNFINISHED_NOTE = "out.txt.part.json.part"
"""A few bytes that stay of a run that dies before it has a line."""


class System(FileIO):
    """The calls of the system beneath a file, which can be replaced."""

    def write(self, data: Any, /) -> int:
        return super().write(data)


atomic_write._File.__bases__ = (System,)

CALLS = [(atomic_write, "_File"), (System, "write")]
CALLS += [(os, name) for name in ("fsync", "link", "unlink", "replace", "chmod")]
"""The calls that change something, and where they are."""


def puzzles() -> Iterator[str]:
    """Yield boards of 4x4, no two neighbours with the same solution."""
    for number in range(BOARDS):
        turned = "".join(str((value + number) % 4 + 1) for value in range(4))
        yield "1.....2..3.....4".translate(str.maketrans("1234", turned))


def solve(folder: Path, *options: str) -> tuple[int, str]:
    """Solve the boards into a file of a folder; return the exit code and what it says."""
    boards, out = str(folder.parent / "boards.txt"), str(folder / "out.txt")
    with redirect_stderr(StringIO()) as errors:
        code = main(["solve", boards, "--size=4", "--backend=norvig", "-o", out, *options])
    return code, errors.getvalue()


def die_at(number: int, power: bool, folder: Path) -> None:
    """Have the process die before the call of this number."""
    calls = 0
    synced: dict[int, int] = {}

    def dying(name: str, real: Any) -> Any:
        def call(first: Any, *rest: Any, **options: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == number:
                if power:
                    lose(folder, synced)
                os._exit(DEAD)
            done = real(first, *rest, **options)
            if name == "fsync":
                synced[os.fstat(first).st_ino] = os.fstat(first).st_size
            return done

        return call

    for site, name in CALLS:
        setattr(site, name, dying(name, getattr(site, name)))


def lose(folder: Path, synced: dict[int, int]) -> None:
    """Put zeros, as file systems do, in place of some of what was not forced onto the disk."""
    for path in folder.iterdir():
        content, synced_bytes = path.read_bytes(), synced.get(path.stat().st_ino, 0)
        if len(content) > synced_bytes and content != b"old":
            start = synced_bytes + (len(content) - synced_bytes) // 2
            end = min(start + 4096, len(content))
            path.write_bytes(content[:start] + bytes(end - start) + content[end:])


def faults(folder: Path, number: int, whole: bytes, options: list[str]) -> list[str] | None:
    """Die at a call and continue; return what is wrong, None if there is no call of this number."""
    force = [option for option in options if option == "--force"]
    folder.mkdir()
    out, part = folder / "out.txt", folder / "out.txt.part"
    old = [b"old"] if force else []
    for content in old:
        out.write_bytes(content)
    if not (process := os.fork()):
        die_at(number, "--power" in options, folder)
        os._exit(solve(folder, *force)[0])
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if code != DEAD:
        return None if (code, out.read_bytes()) == (0, whole) else [f"exit code {code}"]
    wrong = []
    delivered = out.exists() and out.read_bytes() == whole
    if out.exists() and not delivered and out.read_bytes() not in old:
        wrong.append("the output is neither the old one nor the whole new one")
    saved = part.read_bytes().partition(b"\0")[0].count(b"\n") if part.exists() else 0
    code, errors = solve(folder, "--resume", *force)
    if delivered and not force:
        return wrong if code == 2 and "exists; name another" in errors else [*wrong, errors]
    if code or out.read_bytes() != whole:
        wrong.append(f"exit code {code}: {errors}")
    if saved and f" after {saved:,} of an earlier run" not in errors:
        wrong.append(f"{saved} lines were lost: {errors}")
    if left := {path.name for path in folder.iterdir()} - {"out.txt", UNFINISHED_NOTE}:
        wrong.append(f"left behind: {left}")
    return wrong


def rounds(folder: Path, options: list[str]) -> list[str]:
    """Die at each call in turn; return what was wrong."""
    (folder / "boards.txt").write_text("".join(f"{line}\n" for line in puzzles()))
    (folder / "whole").mkdir()
    assert solve(folder / "whole")[0] == 0  # here, so that what forks has all modules
    whole = (folder / "whole" / "out.txt").read_bytes()
    failures, number = [], 1
    while (wrong := faults(folder / str(number), number, whole, options)) is not None:
        failures += [f"call {number}: {fault}" for fault in wrong]
        number += 1
    return failures if number > 10 else [f"only {number} calls"]


if __name__ == "__main__":
    sys.exit("\n".join(rounds(Path(sys.argv[1]), sys.argv[2:])) or 0)
