"""Findings: what the fuzzer found, as TOML that can be read back."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unidoku.core.portable import board_from_table, table_of_board
from unidoku.errors import FormatError, InputError
from unidoku.fuzzing.symptom import Boards
from unidoku.version import __version__

__all__ = ["Finding", "finding_from_toml", "read_finding", "toml_of_finding", "versions_of"]


_LONG = 80
"""Characters of a label that stand in a file's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The smallest boards found on which a backend is at fault.

    Args:
        kind: what is wrong; see `unidoku.fuzzing.symptom.Symptom`.
        backend: the label of the one at fault.
        witnesses: labels of the others whose answers are needed to see it.
        evidence: what the backends said of the last board.
        boards: asked in this order; it shows on the last.
        solutions: asked of each; None is all.
        time_limit: of each search, in seconds.
        images: symmetric images of each board that are asked as well.
        digest: of the canonical form of the boards; with kind and backend, the finding's name.
        reproduced: whether it showed again on backends that had seen nothing before. If not,
            the board is as it was found.
        seed: of the fuzzer.
        number: of the trial.
        original: digest of the board on which it was found.
        versions: of Unidoku, Python and the backends.
    """

    kind: str
    backend: str
    witnesses: tuple[str, ...] = ()
    evidence: str
    boards: Boards
    solutions: int | None
    time_limit: float
    images: int = 0
    digest: str
    reproduced: bool = True
    seed: int
    number: int
    original: str
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        """Kind, backend and digest: two findings with the same are one."""
        return self.kind, self.backend, self.digest

    @property
    def slug(self) -> str:
        """The name of its files, without a suffix."""
        label = self.backend
        if len(label) > _LONG:  # a file's name has an end
            label = f"{label[:_LONG]}-{hashlib.sha256(label.encode()).hexdigest()[:8]}"
        return re.sub(r"[^A-Za-z0-9.-]+", "-", f"{self.kind}-{label}-{self.digest}")


def toml_of_finding(finding: Finding) -> str:
    """Return the finding as TOML.

    Raises:
        InputError: a board has a rule without a written form.
    """
    request: dict[str, Any] = {"time_limit": finding.time_limit, "images": finding.images}
    if finding.solutions is not None:
        request["solutions"] = finding.solutions
    found = {
        "kind": finding.kind,
        "backend": finding.backend,
        "witnesses": list(finding.witnesses),
        "evidence": finding.evidence,
        "digest": finding.digest,
        "reproduced": finding.reproduced,
        "seed": finding.seed,
        "number": finding.number,
        "original": finding.original,
    }
    lines = ["# What `unidoku fuzz` found: asked in this order, the last of the boards shows it."]
    lines += _lines(found)
    lines += ["", "[request]", *_lines(request)]
    lines += ["", "[versions]", *_lines(finding.versions)]
    for board in finding.boards:
        lines += ["", "[[boards]]", *_lines(table_of_board(board))]
    return "\n".join(lines) + "\n"


def finding_from_toml(text: str) -> Finding:
    """Return the finding that `toml_of_finding` wrote.

    Raises:
        FormatError: it is no such text; says what it lacks.
    """
    try:
        table = tomllib.loads(text)
        request, boards = table.pop("request"), table.pop("boards")
        table["witnesses"] = tuple(table["witnesses"])
        return Finding(
            **table,
            boards=tuple(map(board_from_table, boards)),
            solutions=request.get("solutions"),
            time_limit=request["time_limit"],
            images=request["images"],
        )
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"expected a finding of the fuzzer: {error!r}") from error


def read_finding(path: Path) -> Finding:
    """Read a finding from its file.

    Raises:
        FormatError: the file holds something else.
        InputError: the file cannot be read.
    """
    try:
        return finding_from_toml(path.read_text(encoding="utf-8"))
    except FormatError as error:
        raise error.of(str(path)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error


def versions_of(specs: Mapping[str, str | None]) -> dict[str, str]:
    """Return the versions to be written down with a finding.

    Args:
        specs: of each backend's label, the version of the solver beneath where it is known.
    """
    known = {label: version for label, version in specs.items() if version}
    return {"unidoku": __version__, "python": platform.python_version(), **known}


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items()]


def _value(value: Any) -> str:
    """Return a value in TOML, of which JSON's numbers, texts and lists are a part."""
    if isinstance(value, Mapping):
        pairs = (f"{_key(key)} = {_value(held)}" for key, held in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _key(text: str) -> str:
    return text if re.fullmatch("[A-Za-z0-9_-]+", text) else _text(text)


def _text(text: str) -> str:
    # TOML wants the one control character escaped that JSON leaves alone.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
