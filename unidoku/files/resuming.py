"""Continues the output of an interrupted run: checks that it answers the same question.

Beside the unfinished ``NAME.part`` there is ``NAME.part.json``, which records the boards and the
question that the lines answer. The backend and its limits may differ when a run is resumed.

The note is on the disk before the first line, and is removed after the output has got its name:
whenever the process is killed, an unfinished line has its note. A note without an output beside it
has no effect, and the next run that writes this output replaces it.
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
from unidoku.errors import InputError, OutputError, reason
from unidoku.files.source import Source, Sources
from unidoku.files.writer import form_of
from unidoku.support.atomic_write import ending_of, part_of, write_text

_READ = 1 << 16
"""Bytes at the beginning and at the end of a file that identify it."""

Question = Mapping[str, Any]
"""The boards and the question that the lines of an output answer."""


def question_of(sources: Sources, request: Request) -> Question:
    """Return what an output depends on: its sources and what is asked of each board.

    An unfinished output is continued only for the same question.
    """
    return {
        "sources": [_identity(source) for source in sources.sources],
        "solutions": request.solutions,
        "counted": not request.keep,
    }


def _identity(source: Source) -> dict[str, Any]:
    identity = {"puzzle": source.puzzle, "variant": str(source.variant), "size": source.size}
    identity |= {"symbols": source.symbols, "column": source.column, "format": source.form}
    if not source.is_plain_file:
        return identity
    with open(source.puzzle, "rb") as file:  # noqa: PTH123 - Path raises on a long text
        digest = hashlib.sha256(file.read(_READ))
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - _READ, 0))
        digest.update(file.read(_READ))
    # The file may be in another folder when its output is continued.
    return identity | {
        "puzzle": Path(source.puzzle).name,
        "bytes": size,
        "sha256": digest.hexdigest(),
    }


def check_resumable(out: str | os.PathLike[str] | None, question: Question) -> bool:
    """Return whether there is an unfinished output to continue.

    Raises:
        InputError: it answers another question, or an output of this kind cannot be continued.
    """
    if out is None or str(out) == "-":
        raise InputError("resume: expected an output file, got standard output; name one by -o")
    if not _is_plain(out):
        raise InputError(f"resume: expected an output of plain text, got {os.fspath(out)!r}")
    if any(each["puzzle"] == "-" for each in question["sources"]):
        raise InputError("resume: expected a file of boards, got standard input")
    part = part_of(out)
    if not part.exists():
        return False
    try:
        before = json.loads(_note(part).read_text("utf-8"))
    except (OSError, ValueError):
        if not part.stat().st_size:  # killed before there was a note
            return True
        raise InputError(
            f"cannot resume {part}: its note {_note(part).name} cannot be read; remove {part.name} "
            "to start again"
        ) from None
    for name, value in question.items():
        if not isinstance(before, dict) or before.get(name) != value:
            raise InputError(
                f"cannot resume {part}: it was begun with {_WHAT[name]}; name another output"
            )
    return True


def is_resumable(part: Path | None, out: str | os.PathLike[str] | None) -> bool:
    """Return whether an unfinished file is the one that would be continued."""
    return part is not None and out is not None and _is_plain(out) and part == part_of(out)


def _is_plain(out: str | os.PathLike[str]) -> bool:
    return form_of(out) == "text" and not ending_of(out).endswith(".gz")


_WHAT = {
    "sources": "other boards",
    "solutions": "another number of solutions",
    "counted": "another command (solve or count)",
}


@dataclass(slots=True)
class OutputNote:
    """The file beside an unfinished output that records which question it answers.

    Args:
        question: the question that the lines answer.
        path: path of the note; None if there is none.
        file: the file that was written there; another process may have put its own in its place.
    """

    question: Question
    path: Path | None = None
    file: os.stat_result | None = None

    def write(self, part: Path) -> None:
        """Write the note beside an output; raises what `atomic_write.write_text` raises."""
        write_text(_note(part), json.dumps(self.question) + "\n", force=True)
        self.path = _note(part)
        self.file = self.path.stat()

    def remove(self) -> None:
        """Remove the note: the output has its name, or nothing is left of it.

        Once the output has its name, that of its unfinished file is free: a note that another
        writer has put there since then stays.

        Raises:
            OutputError: it cannot be removed.
        """
        if self.path is not None and self.file is not None:
            try:
                if os.path.samestat(self.file, self.path.stat()):
                    self.path.unlink()
            except FileNotFoundError:
                pass
            except OSError as error:
                raise OutputError(f"{self.path} cannot be removed: {reason(error)}") from error
            self.path = None


@contextlib.contextmanager
def noted(question: Question) -> Iterator[OutputNote]:
    """Yield the note of an output; an unfinished output keeps it, and the error names it."""
    note = OutputNote(question)
    try:
        yield note
    except BaseException as error:
        if note.path is None or not note.path.with_suffix("").exists():
            note.remove()
        elif isinstance(error, OutputError):  # whose one line names the file that is left
            advice = f"keep {note.path.name}, which --resume needs"
            raise OutputError(f"{error}; {advice}") from error
        raise
    note.remove()


def _note(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")
