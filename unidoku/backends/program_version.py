"""The version of a program: the number that it prints, or else the digest of its file."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import Thread
from typing import IO

from unidoku.parallel.processes import end_group, has_ended, start
from unidoku.parallel.temporary import temporary_folder, variables_for

SECONDS = 5.0
"""The longest that a command that prints a version may take."""

ASKING = "--version"
"""The argument that most programs take as a question for their version."""

_GUESS_SECONDS = 1.0
"""The longest that a program may take that is asked although nobody says that it answers."""

_BYTES = 4096
"""What is read of the output."""

_DIGITS = 12
"""Hexadecimal digits that are shown of a digest."""

_LABELLED = re.compile(r"^\W*version:?\s+v?(\d+(?:\.\d+)+)", re.IGNORECASE | re.MULTILINE)
"""A line that names the version; Gecode prints the version of its language before."""


def printed_version(program: str, *arguments: str) -> str:
    """Return the name of a program and the version that a command prints; empty if none."""
    number = _number(_printed((program, *arguments), SECONDS)[0])
    return f"{Path(program).stem} {number}" if number else ""


def guessed_version(program: str) -> str:
    """Return the version that a program prints if it is asked for it, or an empty text.

    It gets no input and a second, in a temporary folder, and is believed only if it ends by itself
    without an error, so that an unknown program does not take the argument for a puzzle.
    """
    printed, code = _printed((program, ASKING), _GUESS_SECONDS)
    number = _number(printed) if code == 0 else ""
    return f"{Path(program).stem} {number}" if number else ""


def unknown_version(files: Sequence[str]) -> str:
    """Return in words that a version is unknown, with what tells two builds apart.

    The digests are the beginnings of what ``sha256sum`` prints for the program and for the other
    files of its command, such as the script that an interpreter runs.
    """
    parts = [
        f"{Path(file).name} unknown, sha256 {digest}" for file in files if (digest := _of(file))
    ]
    return "; ".join(parts)


def _of(file: str) -> str:
    """Return the beginning of a file's digest; empty if it cannot be read."""
    try:
        seen = Path(file).stat()
        return _digest(file, seen.st_mtime_ns, seen.st_size)
    except OSError:
        return ""


@lru_cache(maxsize=64)
def _digest(file: str, _changed: int, _size: int) -> str:
    with Path(file).open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()[:_DIGITS]


def _number(text: str) -> str:
    """Return the number of a line that names the version, else the first one with a point."""
    if match := _LABELLED.search(text):
        return match[1]
    first = re.search(r"\d+(?:\.\d+)+", text) or re.fullmatch(r"[\w.+-]{1,20}", text)
    return first[0] if first else ""


@lru_cache(maxsize=64)
def _printed(words: tuple[str, ...], seconds: float) -> tuple[str, int | None]:
    """Return what a command prints, and its exit code; None if it was killed."""
    with temporary_folder() as folder:
        try:
            process = start(
                words,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=os.environ | variables_for(folder),
            )
        except OSError:
            return "", None
        printed: list[bytes] = []
        code: int | None = None
        assert process.stdout is not None
        # A thread, because what it prints may have no end, and so may what it started.
        reader = Thread(target=_read_start, args=(process.stdout, printed), daemon=True)
        try:
            reader.start()
            reader.join(seconds)
            if not reader.is_alive():
                code = _code(process)
        finally:
            end_group(process, kill=True)
        reader.join(1.0)  # it still has what was printed before
    return b"".join(printed).decode(errors="replace").strip(), code


def _code(process: subprocess.Popen[bytes]) -> int | None:
    """Return the exit code of a process that has closed its output; None if it goes on."""
    end = time.monotonic() + _GUESS_SECONDS
    while not has_ended(process):
        if time.monotonic() > end:
            return None
        time.sleep(0.002)
    return end_group(process)


def _read_start(output: IO[bytes], printed: list[bytes]) -> None:
    with output:
        printed.append(output.read(_BYTES))
