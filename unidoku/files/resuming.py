"""Going on with an output that an interrupted run has left: what it was about, and how far it is.

Beside the unfinished ``NAME.part`` there is ``NAME.part.json``, which says of what boards the lines
are answers, and to what question. Who answered, and within which limits, may change on the way.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from unidoku.backends.base import Request
from unidoku.errors import InputError, OutputError
from unidoku.files.source import Source, Sources
from unidoku.files.writer import form_of
from unidoku.writing import ending_of, part_of, write_text

__all__ = ["check_resumable", "noted", "question_of"]

_READ = 1 << 20
"""Bytes at the beginning and at the end of a file that tell it from others."""

Question = Mapping[str, Any]
"""What the lines of an output answer."""


def question_of(sources: Sources, request: Request) -> Question:
    """Return what the lines of an output say of the boards of some sources."""
    return {
        "sources": [_identity(source) for source in sources.sources],
        "solutions": request.solutions,
        "counted": not request.keep,
    }


def _identity(source: Source) -> dict[str, Any]:
    said = {"puzzle": source.puzzle, "variant": str(source.variant), "size": source.size}
    said |= {"symbols": source.symbols, "column": source.column, "format": source.form}
    if not source.is_plain_file:
        return said
    with open(source.puzzle, "rb") as file:  # noqa: PTH123 - Path raises on a long text
        digest = hashlib.sha256(file.read(_READ))
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - _READ, 0))
        digest.update(file.read(_READ))
    # A file may lie in another folder when its boards are gone on with.
    return said | {"puzzle": Path(source.puzzle).name, "bytes": size, "sha256": digest.hexdigest()}


def check_resumable(out: str | os.PathLike[str] | None, question: Question) -> bool:
    """Return whether there is an unfinished output to continue.

    Raises:
        InputError: it answers something else, or there can be none.
    """
    if out is None or str(out) == "-":
        raise InputError("resume: expected an output file, got standard output; name one by -o")
    if form_of(out) != "text" or ending_of(out).endswith(".gz"):
        raise InputError(f"resume: expected an output of plain text, got {os.fspath(out)!r}")
    if any(each["puzzle"] == "-" for each in question["sources"]):
        raise InputError("resume: expected a file of boards, got standard input; it has gone by")
    part = part_of(out)
    if not part.exists():
        return False
    try:
        before = json.loads(_note(part).read_text("utf-8"))
    except (OSError, ValueError):
        raise InputError(
            f"cannot resume {part}: {_note(part).name}, which says what it answers, cannot be "
            "read; remove the former to start again"
        ) from None
    for name, said in question.items():
        if not isinstance(before, dict) or before.get(name) != said:
            raise InputError(
                f"cannot resume {part}: it is about other {_WHAT[name]} than those asked for now; "
                "name another output"
            )
    return True


_WHAT = {"sources": "boards", "solutions": "numbers of solutions", "counted": "answers"}


@contextlib.contextmanager
def noted(question: Question) -> Iterator[Callable[[Path | None], None]]:
    """Yield what notes beside an unfinished output what it is about; None has no such file.

    The note goes when the file has got its name, or nothing is left of it.
    """
    parts: list[Path] = []

    def note(part: Path | None) -> None:
        if part is not None:
            parts.append(part)
            with contextlib.suppress(OutputError):  # what is left cannot be resumed then
                write_text(_note(part), json.dumps(question) + "\n", force=True)

    try:
        yield note
    finally:
        for part in parts:
            if not part.exists():
                _note(part).unlink(missing_ok=True)


def _note(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")
