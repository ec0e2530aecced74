"""The folder of a hunt: its findings, and how far it is, so that it can go on later."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from unidoku.errors import InputError
from unidoku.fuzzing.finding import Finding, read_finding, toml_of_finding
from unidoku.fuzzing.pytest_file import pytest_of_finding

__all__ = ["Folder", "Progress"]

_PROGRESS = "progress.json"


@dataclass(slots=True, kw_only=True)
class Progress:
    """How far a hunt is.

    Args:
        seed: of the boards.
        backends: the labels.
        options: whatever else the boards and what is asked of them depend on.
        next: number of the first trial that is still to come.
        boards: asked so far.
        runs: of one backend on one board.
        seconds: spent so far.
        shown: how often each symptom showed, shrunk or not, as ``kind: backend``.
    """

    seed: int
    backends: list[str]
    options: Mapping[str, Any] = field(default_factory=dict)
    next: int = 0
    boards: int = 0
    runs: int = 0
    seconds: float = 0.0
    shown: dict[str, int] = field(default_factory=dict)


class Folder:
    """Where a hunt keeps what it finds."""

    def __init__(self, path: Path) -> None:
        """Take the folder's path; it is made when something is written."""
        self.path = path

    def open(self, wanted: Progress) -> Progress:
        """Return how far the hunt in this folder is; the one wanted, if there is none yet.

        Raises:
            InputError: the folder holds a hunt with another seed, backends or options, or
                cannot be used.
        """
        path = self.path / _PROGRESS
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8") if path.exists() else ""
        except OSError as error:
            raise InputError(f"{self.path} cannot be used: {error}") from error
        if not text:
            return wanted
        try:
            held = Progress(**json.loads(text))
        except (TypeError, ValueError) as error:
            raise InputError(f"{path}: expected the progress of a hunt: {error}") from error
        for name in ("seed", "backends", "options"):
            if getattr(held, name) != getattr(wanted, name):
                raise InputError(
                    f"{self.path} holds a hunt with {name} {getattr(held, name)}, "
                    f"got {getattr(wanted, name)}; name another folder"
                )
        return held

    def findings(self) -> list[Finding]:
        """Read the findings that are there.

        Raises:
            FormatError, InputError: a file with the suffix .toml is none.
        """
        return [read_finding(path) for path in sorted(self.path.glob("*.toml"))]

    def save(self, progress: Progress) -> None:
        """Write how far the hunt is.

        Raises:
            InputError: it cannot be written.
        """
        self._write(_PROGRESS, json.dumps(asdict(progress), indent=2) + "\n")

    def add(self, finding: Finding) -> Path:
        """Write a finding, and its pytest file beside it; return the path of the former.

        Raises:
            InputError: it cannot be written.
        """
        name = finding.slug
        module = "test_" + "".join(letter if letter.isalnum() else "_" for letter in name)
        self._write(f"{module}.py", pytest_of_finding(finding))
        return self._write(f"{name}.toml", toml_of_finding(finding))

    def _write(self, name: str, text: str) -> Path:
        """Write a file as a whole: whoever reads it sees the old one or the new one."""
        path = self.path / name
        part = path.with_name(f"{path.name}.part")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with part.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error}") from error
        return path
