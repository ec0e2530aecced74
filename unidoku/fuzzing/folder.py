"""The folder of a hunt: its progress, and its findings as TOML and as tests for pytest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from unidoku.errors import FormatError, InputError, reason
from unidoku.fuzzing.finding import Finding, pytest_of_finding, read_finding, toml_of_finding
from unidoku.support.atomic_write import make_folder, write_text
from unidoku.support.lock import locked
from unidoku.support.schema import TABLE, TEXT, WHOLE, least, listed_of, misfit, table_of, whole

_PROGRESS = "progress.json"


@dataclass(slots=True, kw_only=True)
class HuntState:
    """The progress of a hunt.

    Args:
        seed: seed of the random boards.
        backends: labels of the backends.
        options: all other settings that determine the boards and the requests.
        next: number of the first trial that is not done yet.
        boards: number of boards searched so far.
        runs: number of runs so far, each of one backend on one board.
        seconds: seconds spent so far.
        shown: how often each symptom occurred, shrunk or not, as ``kind: backend``.
        refused: number of runs that each backend did not support.
    """

    seed: int
    backends: list[str]
    options: Mapping[str, Any] = field(default_factory=dict)
    next: int = 0
    boards: int = 0
    runs: int = 0
    seconds: float = 0.0
    shown: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)


_STATE = {
    "seed": WHOLE,
    "backends": listed_of(TEXT),
    "options": TABLE,
    "next": whole(0),
    "boards": whole(0),
    "runs": whole(0),
    "seconds": least(0),
    "shown": table_of(whole(0)),
    "refused": table_of(whole(0)),
}
"""The possible values of the fields of a `HuntState`."""


def _state_of(text: str, path: Path) -> HuntState:
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}: expected the progress of a hunt: {error}") from error
    if not TABLE.holds(table):
        raise FormatError(f"{path}: expected the progress of a hunt, a table")
    if wrong := misfit(table, _STATE, ("seed", "backends")):
        raise FormatError(f"{path}: expected the progress of a hunt: {wrong}")
    return HuntState(**table)


class Folder:
    """The folder that keeps the findings and the progress of a hunt, which can be continued."""

    def __init__(self, path: Path) -> None:
        """Take the path of the folder, which is created when something is written."""
        self.path = path

    def locked(self) -> AbstractContextManager[None]:
        """Return a context in which no other process can hunt in the folder.

        Raises:
            OutputError: another process hunts here, or the folder cannot be made.
        """
        make_folder(self.path)
        return locked(self.path / _PROGRESS)

    def open(self, wanted: HuntState) -> HuntState:
        """Return the progress of the hunt in this folder; ``wanted`` if there is no hunt yet.

        Raises:
            InputError: the folder holds a hunt with another seed, backends or options, or a file
                that cannot be read.
            OutputError: the folder cannot be made.
        """
        path = self.path / _PROGRESS
        make_folder(self.path)
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path} cannot be read: {reason(error)}") from error
        if not text:
            return wanted
        state = _state_of(text, path)
        for name in ("seed", "backends", "options"):
            if getattr(state, name) != getattr(wanted, name):
                raise InputError(
                    f"{self.path} holds a hunt with {name} {getattr(state, name)}, "
                    f"got {getattr(wanted, name)}; name another folder"
                )
        return state

    def findings(self) -> list[Finding]:
        """Read the findings in the folder.

        Raises:
            FormatError, InputError: a file with the suffix .toml is not a finding.
        """
        return [read_finding(path) for path in sorted(self.path.glob("*.toml"))]

    def save(self, state: HuntState) -> None:
        """Write the progress of the hunt."""
        text = json.dumps(asdict(state), indent=2) + "\n"
        self._write(self.path / _PROGRESS, text, force=True)

    def add(self, finding: Finding) -> Path:
        """Write a finding, and its pytest file beside it; return the path of the finding.

        An existing file of that name holds the same finding, and is not changed.
        """
        name = finding.slug
        module = "test_" + "".join(letter if letter.isalnum() else "_" for letter in name)
        path = self.path / f"{name}.toml"
        for file, text in (
            (path.with_name(f"{module}.py"), pytest_of_finding(finding)),
            (path, toml_of_finding(finding)),
        ):
            if not file.exists():
                self._write(file, text)
        return path

    def _write(self, path: Path, text: str, *, force: bool = False) -> None:
        make_folder(self.path)
        write_text(path, text, force=force)
