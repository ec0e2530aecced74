"""Faults of files: each call that writes fails once, for every command, and the real things beside.

Whatever fails, a target is the old file or the new one as a whole, what else is left in the folder
is named in the one line that says what happened, and the exit code is 2.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from tests.helpers.command_runner import Runner
from tests.helpers.volume import SOAK
from unidoku.cli import main
from unidoku.comparison.run import open_runner
from unidoku.support import atomic_write

BOARD = "1.....2..3.....4"
BOARDS = [BOARD, "11" + "." * 14, "." * 16]

SOLVE = ["solve", "{input}/boards.txt", "--size", "4", "--backend", "norvig", "-o"]
REPORT = ["report", "{input}/runs.jsonl"]
COMMANDS = {
    "solve text": [*SOLVE, "{output}/a.txt"],
    "solve gz": [*SOLVE, "{output}/a.txt.gz"],
    "solve csv": [*SOLVE, "{output}/a.csv"],
    "solve npy": [*SOLVE, "{output}/a.npy"],
    "count": ["count", *SOLVE[1:], "{output}/a.txt"],
    "generate": ["generate", "--size", "4", "--count", "3", "--seed", "1", "-o", "{output}/a.csv"],
    "explain": ["explain", BOARD, "--html", "{output}/a.html"],
    "proof": ["solve", BOARD, "--backend", "sat[proof={output}/a.drat{force}]", "--solutions", "2"],
    "report": [*REPORT, "--report", "{output}/a.html"],
    "runs csv": [*REPORT, "--runs", "{output}/a.csv"],
    "runs parquet": [*REPORT, "--runs", "{output}/a.parquet"],
    "merged": [*REPORT, "--output", "{output}/a.jsonl"],
    "figures": [*REPORT, "--figures", "{output}"],
    "fuzz": ["fuzz", "--backends", "norvig", "--boards=1", "--sizes=2", "--output", "{output}"],
}
"""Every command that writes files, except journals, which are appended to."""


class System(FileIO):
    """The calls of the system beneath a file, which can be replaced."""

    def write(self, data: Any, /) -> int:
        return super().write(data)

    def close(self) -> None:
        super().close()


atomic_write._File.__bases__ = (System,)

CALLS: dict[str, tuple[object, str, int]] = {
    "open": (atomic_write, "_File", errno.ENOSPC),
    "write": (System, "write", errno.ENOSPC),
    "fsync": (os, "fsync", errno.EIO),
    "close": (System, "close", errno.EDQUOT),
    "link": (os, "link", errno.EPERM),
    "unlink": (os, "unlink", errno.EACCES),
    "replace": (os, "replace", errno.EIO),
    "stat": (os, "stat", errno.EACCES),
    "chmod": (os, "chmod", errno.EPERM),
}
"""The calls that `unidoku.support.atomic_write` makes of the system, where they are, and how each
fails."""

NUMBERS = (1, 2, 3, 4, 6, 12, 1000) if SOAK else (1, 2, 3, 12, 1000)
"""Which of the calls fails; there are 50 at most."""

HARMLESS = {"chmod", "link", "stat"}
"""Those without which a file can be written; click asks for a file's kind too, for no use here."""


PAIRS = [
    pytest.param(command, call, marks=[pytest.mark.thorough] if thorough else [])
    for command in COMMANDS
    for call in CALLS
    for thorough in [
        call not in {"write", "replace"} and command not in {"solve gz", "report", "fuzz"}
    ]
]
"""All that can fail at the commands that write in three ways; the others write by the same code."""


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with boards and a journal."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "boards.txt").write_text("".join(f"{board}\n" for board in BOARDS))
    journal = ["--output", str(folder / "runs.jsonl"), "--engine", "inline", "--repeats", "1"]
    arguments = [str(folder / "boards.txt"), "--backends", "norvig,logic", *journal]
    assert main(["compare", *arguments, "--sample-ms", "0"]) == 0
    return folder


def line_of(command: str, inputs: Path, output: Path, *, force: bool) -> list[str]:
    """Return the arguments of a command, with the option that replaces files where it takes one."""
    inside = {"input": inputs, "output": output, "force": ",force=true" if force else ""}
    line = [argument.format(**inside) for argument in COMMANDS[command]]
    return [*line, "--force"] if force and command not in {"proof", "fuzz"} else line


def contents(folder: Path) -> dict[str, bytes]:
    """Return what is in a folder; of a hunt's progress without the time that it took."""
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    if progress := files.get("progress.json"):
        files["progress.json"] = re.sub(rb'"seconds": [\d.]+', b"", progress)
    return files


def quicken(patch: pytest.MonkeyPatch) -> None:
    """Leave out what takes long and is not writing: drawing figures, starting workers."""

    def saved(_: object, file: BinaryIO, **__: object) -> None:
        file.write(b"a figure")

    patch.setattr("matplotlib.figure.Figure.savefig", saved)
    patch.setattr("matplotlib.figure.Figure.draw_without_rendering", lambda _: None)
    patch.setattr("unidoku.fuzzing.run.open_runner", partial(open_runner, kind="inline"))


@contextmanager
def failing(call: str, number: int, folder: Path) -> Iterator[list[int]]:
    """Have the call of this number on files of a folder fail; yields the numbers of all calls."""
    position, name, code = CALLS[call]
    real: Callable[..., Any] = getattr(position, name)
    calls: list[int] = []

    def call_or_fail(first: Any, *arguments: Any, **options: Any) -> Any:
        about = Path(f"/proc/self/fd/{first}").readlink() if name == "fsync" else first
        if not str(getattr(about, "name", about)).startswith(str(folder)):
            return real(first, *arguments, **options)
        calls.append(len(calls) + 1)
        if calls[-1] != number:
            return real(first, *arguments, **options)
        if name == "close":  # as the system does it: closed all the same
            real(first)
        raise OSError(code, os.strerror(code))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(position, name, call_or_fail)
        yield calls


@pytest.mark.parametrize(("command", "call"), PAIRS)
def test_wherever_writing_fails_files_are_old_or_new_and_what_is_left_is_told(
    command: str,
    call: str,
    inputs: Path,
    tmp_path: Path,
    run: Runner,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quicken(monkeypatch)
    (tmp_path / "whole").mkdir()
    assert run(*line_of(command, inputs, tmp_path / "whole", force=False)).code in {0, 1}
    new = contents(tmp_path / "whole")
    for force in (False, True):
        for number in NUMBERS:
            output = tmp_path / f"{force} {number}"
            output.mkdir()
            old = dict.fromkeys(new, b"old") if force and command != "fuzz" else {}
            for name, content in old.items():
                (output / name).write_bytes(content)
            with failing(call, number, output) as calls:
                ran = run(*line_of(command, inputs, output, force=force))
            left = contents(output)
            if len(calls) < number:
                assert left == new, "nothing failed"
                break
            if call in HARMLESS and ran.code in {0, 1}:
                assert left == new
                continue
            assert ran.code == 2, ran.err
            messages = [line for line in ran.err.splitlines() if line.startswith("unidoku: ")]
            assert len(messages) == 1, ran.err
            assert "Traceback" not in ran.err
            for name, content in left.items():
                assert name in new or name in messages[0], (left, messages)
                assert name not in new or content in (new[name], old.get(name)), (name, content)
            assert old.keys() <= left.keys()
            shutil.rmtree(output)


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(capfd, monkeypatch)
