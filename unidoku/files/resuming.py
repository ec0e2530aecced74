"""Continues an output that an interrupted run has left: what it was about, and how far it is.

Beside the unfinished ``NAME.part`` there is ``NAME.part.json``, which says of what boards the lines
are answers, and to what question. Who answered, and within which limits, may change on the way.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unidoku.backends.base import Request
from unidoku.errors import InputError, OutputError
from unidoku.files.source import Source, Sources
from unidoku.files.writer import form_of
from unidoku.writing import ending_of, part_of, write_text

__all__ = ["OutputNote", "check_resumable", "is_resumable", "noted", "question_of"]

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
    # A file may lie in another folder when its output is continued.
    return said | {"puzzle": Path(source.puzzle).name, "bytes": size, "sha256": digest.hexdigest()}


def check_resumable(out: str | os.PathLike[str] | None, question: Question) -> bool:
    """Return whether there is an unfinished output to continue.

    Raises:
        InputError: it answers something else, or there can be none.
    """
    if out is None or str(out) == "-":
        raise InputError("resume: expected an output file, got standard output; name one by -o")
    if not _is_plain(out):
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


def is_resumable(part: Path | None, out: str | os.PathLike[str] | None) -> bool:
    """Return whether an unfinished file is the one that would be continued."""
    return part is not None and out is not None and _is_plain(out) and part == part_of(out)


def _is_plain(out: str | os.PathLike[str]) -> bool:
    return form_of(out) == "text" and not ending_of(out).endswith(".gz")


_WHAT = {"sources": "boards", "solutions": "numbers of solutions", "counted": "answers"}


@dataclass(slots=True)
class OutputNote:
    """What is kept beside an unfinished output, to know what it is about.

    Args:
        question: what its lines answer.
        path: where it is; None if there is none.
    """

    question: Question
    path: Path | None = None

    def write(self, part: Path) -> None:
        """Write it beside an output; raises as `unidoku.writing.write_text`."""
        write_text(_note(part), json.dumps(self.question) + "\n", force=True)
        self.path = _note(part)

    def remove(self) -> None:
        """Remove it: all answers are written."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
            self.path = None


@contextlib.contextmanager
def noted(question: Question) -> Iterator[OutputNote]:
    """Yield the note of an output; it stays if the output is left unfinished, and is named then."""
    note = OutputNote(question)
    try:
        yield note
    except BaseException as error:
        if note.path is None or not note.path.with_suffix("").exists():
            note.remove()
        elif isinstance(error, OutputError):  # which says in one line what is left
            more = f"{note.path.name} tells --resume what that is about"
            raise OutputError(f"{error}; {more}") from error
        raise
    note.remove()


def _note(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")
