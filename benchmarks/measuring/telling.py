"""The boards on which two backends differ most, each made by a command that a reader can repeat."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import unidoku
from measuring.machine import say
from measuring.page import figure, table
from unidoku.formats import Puzzle
from unidoku.support.atomic_write import make_folder
from unidoku.support.deadline import Deadline


@dataclass(frozen=True)
class Telling:
    """The walks of `published.toml`: each pair of backends, in both directions, on each request.

    Args:
        entry: its table ``telling``.
        folder: where the boards are kept, one file for each command.
    """

    entry: Mapping[str, Any]
    folder: Path

    def make(self, deadline: Deadline) -> None:
        """Run the commands whose boards are not there, until the time is up."""
        make_folder(self.folder)
        for pair in permutations(self.entry["backends"], 2):
            for request in self.entry["requests"]:
                path = self._path(pair, request)
                if path.exists():
                    continue
                if (seconds := deadline.left) is not None and seconds <= 0:
                    return
                say(f"telling: {' '.join(pair)}: {request['title']}")
                words = shlex.split(self._command(pair, request))[1:]
                limit = "none" if seconds is None else f"{seconds:.3f}"
                limits = ["--time-limit", limit, "--output", str(path), "--force"]
                command = [sys.executable, "-m", "unidoku", *words, *limits]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode:  # the time limit, or a backend that is not installed
                    path.unlink(missing_ok=True)
                    say(done.stderr.strip().splitlines()[-1])

    def section(self) -> Iterator[str]:
        """Yield the most telling board of each pair, with its command."""
        yield from (f"## {self.entry['title']}", "", self.entry["about"], "")
        rows = []
        for pair in permutations(self.entry["backends"], 2):
            walks = [
                (puzzle, request)
                for request in self.entry["requests"]
                if (puzzle := self._board(self._path(pair, request))) is not None
            ]
            if not walks:
                rows.append([*pair, "not run", "–", "–", "–"])
                continue
            puzzle, request = max(walks, key=lambda both: both[0].numbers["ratio"])
            ratio = figure(puzzle.numbers["ratio"])
            command = f"`{self._command(pair, request)}`"
            rows.append([*pair, request["title"], puzzle.name, ratio, command])
        head = ["hard for", "easy for", "board", "figures", "ratio", "command"]
        yield from table(head, rows)

    def _command(self, pair: tuple[str, str], request: Mapping[str, str]) -> str:
        boards, seed = self.entry["boards"], self.entry["seed"]
        words = f"--discriminate {','.join(pair)} {request['arguments']}"
        return f"unidoku generate {words} --budget {boards} --seed {seed}"

    def _path(self, pair: tuple[str, str], request: Mapping[str, str]) -> Path:
        return self.folder / f"{'-'.join(pair)}-{request['name']}.toml"

    def _board(self, path: Path) -> Puzzle | None:
        return unidoku.read(path)[0] if path.exists() else None
