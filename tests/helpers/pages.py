"""The pages of the documentation, whose commands and programs the tests run as a reader does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Page:
    """A page of Markdown."""

    name: str
    text: str

    def blocks(self, language: str) -> list[str]:
        """Return the blocks of code in a language; of none where it is empty."""
        return re.findall(rf"^```{language}\n(.*?)^```$", self.text, re.DOTALL | re.MULTILINE)

    @property
    def commands(self) -> Iterator[tuple[str, str]]:
        """Yield each command of the console blocks, and what the page shows that it prints."""
        for block in self.blocks("console"):
            yield from re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)

    @property
    def programs(self) -> list[tuple[str, str]]:
        """Each program in Python whose output is shown below it, and that output."""
        return re.findall(
            r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL
        )


PAGES = [
    Page(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
    for path in (*ROOT.glob("*.md"), *sorted((ROOT / "docs").glob("*.md")))
]
"""README.md and its neighbours, and those of docs/."""


def shell(command: str, folder: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command line where ``unidoku`` is on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8"},
        check=False,
        timeout=100,
    )


TIME = re.compile(
    r"[\d.]+ (µs|ms|s)\b|(?<=seconds: )\d+|(?<=solve_time=)[\d.e-]+"
    r'|(?<="seconds": )[\d.e-]+|(?<=_time": )[\d.e-]+'
)
NOW_AND_THEN = re.compile(
    r"^(The times are doubtful|boards: \d+, \d+/s|\d+ of \d+ runs, ).*\n?", re.MULTILINE
)
"""What commands print only where they take long."""
RATIO = re.compile(r"(TIME|[\d.,]+)( \[.*\])?( ~| \(~\))?")


def steady(text: str) -> list[str]:
    """Return the lines of an output with kinds in place of what differs from run to run.

    Durations become ``TIME``. In a table the cells after the first become ``TIME`` or ``NUMBER``,
    the rows are sorted, for their order is that of their times, and widths are left out.
    Headings, the columns and their number, and pictures stay as they are.
    """
    texts: list[str] = []
    rows: list[str] = []
    for line in TIME.sub("TIME", NOW_AND_THEN.sub("", text)).splitlines():
        if line.startswith("│"):
            rows.append(_row(line))
            continue
        texts += sorted(rows)
        rows.clear()
        if line[:1] and line[0] in "┏┡└├┃":
            line = re.sub(r"[━─]+", "─", line)
        if line[:1] == "┃" or "TIME" in line:
            line = re.sub(r"\s+", " ", line)
        if line.strip():
            texts.append(line.rstrip())
    return texts + sorted(rows)


def _row(line: str) -> str:
    name, *cells = (cell.strip() for cell in line.strip("│").split("│"))
    kinds = ("TIME" if c == "TIME" else "NUMBER" if RATIO.fullmatch(c) else c for c in cells)
    return " │ ".join((name, *kinds))
