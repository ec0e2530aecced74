"""The journal: all results of a comparison, as lines of JSON that survive a crash.

The first line is the header: the plan and the machine. Each case has a line before its first run,
and each run has a line, which is flushed when the run ends. Only one process at a time writes a
journal. A writer that is killed leaves at most one torn line, which readers drop.
"""

from __future__ import annotations

import contextlib
import gzip
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

from unidoku.comparison.cases import Case
from unidoku.comparison.lines import (
    Entry,
    Header,
    line_of,
    table_of_case,
    table_of_header,
    table_of_run,
    tables_of,
)
from unidoku.comparison.reading import JournalReader, is_compressed
from unidoku.comparison.record import Record
from unidoku.errors import InputError, OutputError
from unidoku.support.atomic_write import new_file
from unidoku.support.lock import locked


class Journal:
    """A journal that this process, and no other, is writing.

    Attributes:
        path: the file.
        header: its header; in a resumed journal the header of the file.
    """

    def __init__(
        self, path: Path, header: Header, *, resume: bool = False, force: bool = False
    ) -> None:
        """Create a new file, or open the file to resume if it exists.

        A journal that is empty, or has only a part of a header, is started again.

        Args:
            path: the file.
            header: its header.
            resume: whether to continue a file that exists.
            force: whether to replace a file that exists and is not resumed.

        Raises:
            OutputError: another process writes the file; it exists, and is neither to be resumed
                nor replaced; or it cannot be written.
            FormatError, InputError: the file to resume is not a journal, cannot be read, or is
                compressed, so that it cannot grow line by line.
        """
        if is_compressed(path):
            raise InputError(
                f"expected a journal's name without .gz, got {path}: it grows line by line; "
                f"afterwards type unidoku report {path.stem} --output {path.name}"
            )
        self.path = path
        self._cases: set[str] = set()
        with contextlib.ExitStack() as stack:
            stack.enter_context(locked(path))
            self._reader = JournalReader(path)
            existing = self._reader.header() if resume and path.exists() else None
            self.header = existing or header
            self._file = _opened(path, new=not (resume or force))
            stack.callback(os.close, self._file)
            if existing is None:
                self._begin(header)
            self._stack = stack.pop_all()

    def before(self) -> Iterator[Entry]:
        """Yield the entries of a resumed file, before anything is added; then cut off a torn end.

        Raises:
            FormatError, InputError: as `unidoku.comparison.reading.read_journal`.
            OutputError: the file cannot be cut.
        """
        for entry in self._reader:
            if isinstance(entry, Case):
                self._cases.add(entry.id)
            yield entry
        self._cut(self._reader.end)

    def add(self, case: Case, record: Record) -> None:
        """Append a run, and its case if this is its first.

        Raises:
            OutputError: the line could not be written, for example because the disk is full. The
                file ends with the last whole line.
        """
        if case.id not in self._cases:
            self._write(table_of_case(case))
            self._cases.add(case.id)
        self._write(table_of_run(record, case.board.layout.n))

    def end(self, environment: Mapping[str, Any]) -> None:
        """Append the closing line, with the state of the machine at the end.

        Raises:
            OutputError: as for `add`.
        """
        self._write({"type": "end", "environment": environment})

    def _begin(self, header: Header) -> None:
        try:
            self._cut(0)
            self._write(table_of_header(header))
        except OutputError:
            with contextlib.suppress(OSError):  # it is empty, and may stay if it cannot be removed
                self.path.unlink()
            raise

    def _write(self, table: Mapping[str, Any]) -> None:
        line = line_of(table)
        start = os.fstat(self._file).st_size
        try:
            written = 0
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as error:
            if os.fstat(self._file).st_size > start:
                self._cut(start)
            raise OutputError(
                f"{self.path} cannot be written: {error}; it holds all runs before this one. "
                "Make room, then continue with --resume"
            ) from error

    def _cut(self, size: int) -> None:
        try:
            os.ftruncate(self._file, size)
        except OSError as error:
            raise OutputError(f"{self.path} cannot be written: {error}") from error

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def write_journal(
    path: Path, header: Header, entries: Iterable[Entry], *, force: bool = False
) -> None:
    """Write a journal as a whole, or not at all.

    Args:
        path: the file; compressed if its name ends in ``.gz``.
        header: its header.
        entries: cases and records, each case before its records.
        force: whether to replace a file that exists.

    Raises:
        OutputError: the file exists, cannot be written, or another process writes it.
        InputError, FormatError: an entry cannot be read.
    """
    with locked(path), new_file(path, force=force) as plain, contextlib.ExitStack() as stack:
        file = plain
        if is_compressed(path):  # no name and no date, so that equal runs give equal files
            packed = stack.enter_context(gzip.GzipFile("", "wb", 9, plain, 0))
            file = cast(BinaryIO, packed)
        file.write(line_of(table_of_header(header)))
        file.writelines(map(line_of, tables_of(entries)))


def _opened(path: Path, *, new: bool) -> int:
    """Return a descriptor for appending; each line is one write, which the system then holds."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags | (os.O_EXCL if new else 0), 0o666)
    except FileExistsError:
        raise OutputError(
            f"{path} exists; name another file, continue it with --resume, or replace it with "
            "--force"
        ) from None
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error}") from error
