"""Section 4: many boards from a text file to a text file, by the command line."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from measuring.boards import Cells, chosen, relabelled
from measuring.clock import Settings
from measuring.machine import say
from measuring.page import figure, table

BOARDS = 1_000_000
BACKEND = "native[engine=lanes]"

CHILD = """\
import os, sys, time
begun = time.perf_counter()
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
seconds = time.perf_counter() - begun
unit = 1 if sys.platform == "darwin" else 1024
print(os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss * unit)
"""
"""Runs a command; prints its exit code, its seconds and its peak memory in bytes.

In a process of its own, because the peak memory of a process begins with that of its parent.
"""


def section(settings: Settings, files: Mapping[str, Cells]) -> Iterator[str]:
    """Yield the lines of the section.

    Raises:
        RuntimeError: the command failed, or wrote not as many lines as it read.
    """
    name, cells = chosen(files)
    count = settings.of(BOARDS)
    yield from ("## From file to file", "")
    if not hasattr(os, "wait4"):
        yield from ("Not measured: this system does not tell the peak memory of a process.", "")
        return
    yield f"`unidoku solve in.txt -o out.txt --backend '{BACKEND}'` on boards of {name}, repeated"
    yield "with digits permuted; one solution asked; from the start of Python to its end."
    yield ""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        read, written = Path(folder, "in.txt"), Path(folder, "out.txt")
        for boards in (1, count):
            say(f"the command line on {boards} boards")
            _write(read, relabelled(cells, boards, 9, np.random.default_rng(4)))
            seconds, peak = _run(read, written)
            with written.open("rb") as file:
                lines = sum(1 for _ in file)
            if lines != boards:
                raise RuntimeError(f"{boards} boards, but {lines} lines were written")
            rows.append(
                [f"{boards:,}", figure(seconds), figure(seconds / boards * 1e6), f"{peak:.0f}"]
            )
    yield from table(["boards", "seconds", "µs a board", "peak memory, MB"], rows)


def _write(path: Path, cells: Cells) -> None:
    lines = np.full((len(cells), cells.shape[1] + 1), ord("\n"), np.uint8)
    lines[:, :-1] = np.where(cells == 0, ord("."), cells + ord("0"))
    path.write_bytes(lines.tobytes())


def _run(read: Path, written: Path) -> tuple[float, float]:
    """Return the seconds and the megabytes that the command needs."""
    command = [sys.executable, "-m", "unidoku", "solve", str(read)]
    command += ["-o", str(written), "--force", "--backend", BACKEND]
    done = subprocess.run(
        [sys.executable, "-S", "-c", CHILD, *command], capture_output=True, text=True, check=True
    )
    code, seconds, peak = done.stdout.split()[-3:]
    if code != "0":
        raise RuntimeError(f"{' '.join(command)} ended with {code}: {done.stderr}")
    return float(seconds), float(peak) / 1e6
