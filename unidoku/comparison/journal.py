"""The journal: all results of a comparison, as lines of JSON that survive a crash.

The first line is the header: the plan and the machine. Each case has a line before its first run,
and each run has a line, which is flushed when the run ends. Only one process at a time writes a
journal. A writer that is killed leaves at most one torn line, which readers drop. Several journals
are read as one, if their runs were measured alike.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import warnings
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, cast

from unidoku.comparison.cases import Case
from unidoku.comparison.config import differing_settings
from unidoku.comparison.lines import (
    FRONT,
    Entry,
    Header,
    OrphanError,
    TornError,
    entry_of,
    header_of,
    line_of,
    table_of_case,
    table_of_header,
    table_of_line,
    table_of_run,
    tables_of,
)
from unidoku.comparison.record import Record
from unidoku.errors import FormatError, InputError, OutputError, reason
from unidoku.support.atomic_write import new_file
from unidoku.support.lock import locked
from unidoku.support.text import plural


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
            self._file = _descriptor(path, new=not (resume or force))
            stack.callback(os.close, self._file)
            if existing is None:
                self._begin(header)
            self._stack = stack.pop_all()

    def before(self) -> Iterator[Entry]:
        """Yield the entries of a resumed file, before anything is added; then cut off a torn end.

        Raises:
            FormatError, InputError: as `read_journal`.
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


def _descriptor(path: Path, *, new: bool) -> int:
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


_LONGEST = 1 << 26
"""The most bytes of a header; a file without a line end by then is not a journal."""


def is_compressed(path: Path) -> bool:
    """Return whether a journal is compressed, according to its name."""
    return path.suffix.lower() == ".gz"


class JournalReader:
    """One pass over the cases and runs of a journal, in the order of its lines.

    Attributes:
        path: the file.
        end: offset in bytes of the end of the last whole line that was read.
    """

    def __init__(self, path: Path) -> None:
        """Store the path; the file is opened when the pass starts."""
        self.path = path
        self.end = 0
        self._torn = 0
        self._orphans = 0

    def header(self) -> Header | None:
        """Return the header; None if the file is empty, or its writer was killed in the header.

        Raises:
            FormatError: the file is not a journal, or has another schema.
            InputError: it cannot be read.
        """
        line = next(self._lines(), b"")
        if not line.endswith(b"\n"):
            if line[: len(FRONT)] != FRONT[: len(line)]:
                raise FormatError(f"{self.path}: {_NO_JOURNAL}, whose first line is a header")
            return None
        header = self._read(line, 1, {})
        assert isinstance(header, Header)
        return header

    def __iter__(self) -> Iterator[Entry]:
        """Yield the cases and records, each case before its records; warn about skipped lines.

        Raises:
            FormatError: a line does not belong in a journal; the message names the field.
            InputError: the file cannot be read.
        """
        sizes: dict[str, int] = {}
        first: Header | None = None
        for line_number, line in enumerate(self._lines(), start=1):
            if not line.endswith(b"\n"):
                break  # torn: its writer was killed, or is writing it
            match entry := self._read(line, line_number, sizes):
                case Header():
                    first = first or entry
                    _check_same(first, entry, str(self.path), f"{self.path}, line {line_number},")
                case Case():
                    sizes[entry.id] = entry.board.layout.n
                    yield entry
                case Record():
                    yield entry
            self.end += len(line)
        if self._torn:
            self._warn()

    def _lines(self) -> Iterator[bytes]:
        if _is_pipe(self.path):  # which a second pass, such as the one over the runs, finds empty
            raise InputError(f"{self.path}: {_NO_JOURNAL} in a file, got a pipe; write it to one")
        try:
            with _opened(self.path) as file:
                yield file.readline(_LONGEST)
                yield from file
        # ValueError: a name that no file can have; the others: a compressed file that is cut off.
        except (OSError, ValueError, EOFError, zlib.error) as error:
            raise InputError(f"{self.path} cannot be read: {reason(error)}") from error

    def _read(self, line: bytes, line_number: int, sizes: dict[str, int]) -> Entry | Header | None:
        """Return the case or record of a line; None if it is torn, or closes the journal."""
        try:
            table = table_of_line(line)
            if line_number == 1 or table["type"] == "header":  # files were concatenated
                return header_of(table)
            return entry_of(table, sizes)
        except TornError as error:
            if line_number == 1:
                message = f"{_NO_JOURNAL}: {error}"
                raise FormatError(message, line_number, source=str(self.path)) from error
            self._torn += 1
        except FormatError as error:
            if not (self._torn and isinstance(error, OrphanError)):
                raise FormatError(error.message, line_number, source=str(self.path)) from error
            self._orphans += 1
        return None

    def _warn(self) -> None:
        verbs = "is torn and was" if self._torn == 1 else "are torn and were"
        text = f"{plural(self._torn, 'line')} of {self.path} {verbs} skipped"
        if self._orphans:
            text += f", with {plural(self._orphans, 'run')} of boards that were in them"
        text += "; the runs that are missing are repeated by unidoku compare --resume"
        warnings.warn(text, stacklevel=3)


def _is_pipe(path: Path) -> bool:
    try:
        return path.is_fifo()
    except OSError:  # opening it tells why
        return False


def _opened(path: Path) -> BinaryIO:
    """Open a journal for reading bytes; it may be compressed."""
    return cast(BinaryIO, gzip.open(path, "rb")) if is_compressed(path) else path.open("rb")


_NO_JOURNAL = "expected a journal of unidoku compare"


def read_header(path: Path) -> Header:
    """Read the header of a journal.

    Raises:
        FormatError: the file is not a journal, has another schema, or ends within its header.
        InputError: it cannot be read.
    """
    if (header := JournalReader(path).header()) is not None:
        return header
    if not path.stat().st_size:
        raise FormatError(f"{path}: {_NO_JOURNAL}, got an empty file")
    raise FormatError(
        f"{path}: {_NO_JOURNAL}, got one that ends before its first run; "
        "start it again with unidoku compare --resume"
    )


def read_journal(path: Path) -> Iterator[Entry]:
    """Yield the cases and records of a journal, each case before its records.

    Memory does not grow with the number of runs. A torn last line is dropped, because a writer may
    still be writing it; other lines that are not JSON are skipped, and a warning counts them.

    Raises:
        FormatError: the file is not a journal, or has a line that does not fit.
        InputError: it cannot be read.
    """
    yield from JournalReader(path)


def merged(paths: Sequence[Path]) -> tuple[Header, Iterator[Entry]]:
    """Return several journals as one: its header, and its cases and records, each once.

    A run is named by its key and its machine, so that runs of one plan on two machines are all
    there. If one machine has a run several times, the first one is used, and a warning at the end
    counts the others. The header's environment is that of the first journal; it names all
    ``machines``, and contains the environments of the other journals as ``merged_with``.

    Raises:
        InputError: the journals have different plans, so that their runs cannot be compared; or as
            for `read_journal`.
        FormatError: as for `read_journal`.
    """
    headers = [read_header(path) for path in paths]
    first = headers[0]
    labels: dict[str, None] = {}
    for path, header in zip(paths, headers, strict=True):
        _check_same(first, header, str(paths[0]), str(path))
        labels.update(dict.fromkeys(header.plan["backends"]))
    plan = dict(first.plan)
    if len(headers) > 1:
        if names := shared_names(headers):
            plan["names"] = names
        plan["backends"] = list(labels)
        plan["repeats"] = max(header.plan["repeats"] for header in headers)
        plan.pop("cases_digest", None)
        plan.pop("cases", None)
    hosts = [str(header.environment.get("host", "")) for header in headers]
    return Header(plan=plan, environment=_environment(headers)), _without_doubles(paths, hosts)


def shared_names(headers: Iterable[Header]) -> dict[str, str]:
    """Return the short names of backends by label, where each name has one label in all journals.

    A label with several names has the first.
    """
    names: dict[str, str] = {}
    labels: dict[str, set[str]] = {}
    for header in headers:
        for label, name in header.plan.get("names", {}).items():
            names.setdefault(label, name)
            labels.setdefault(name, set()).add(label)
        for label in header.plan["backends"]:
            labels.setdefault(label, set()).add(label)
    return {label: name for label, name in names.items() if labels[name] == {label}}


def _environment(headers: Sequence[Header]) -> dict[str, Any]:
    """Return the environment of a merged journal: that of the first, and all machines."""
    environment = dict(headers[0].environment)
    if others := [dict(h.environment) for h in headers[1:] if h.environment != environment]:
        environment["merged_with"] = [*environment.get("merged_with", ()), *others]
    machines: dict[str, None] = {}
    for header in headers:
        machines.update(dict.fromkeys(_machines(header.environment)))
    if len(machines) > 1:
        environment["machines"] = list(machines)
    return environment


def _machines(environment: Mapping[str, Any]) -> Iterator[str]:
    """Yield the machines of an environment, and of those that it was merged with."""
    if host := environment.get("host"):
        yield str(host)
    for other in environment.get("merged_with", ()):
        yield from _machines(other)


def _check_same(first: Header, other: Header, first_name: str, other_name: str) -> None:
    """Raise if runs that were measured in different ways would be mixed."""
    for name, value, other_value in differing_settings(first.plan, other.plan):
        raise InputError(
            f"{other_name} was run with {name} = {other_value!r}, {first_name} with "
            f"{value!r}; only journals with the same settings can be merged"
        )


def _without_doubles(paths: Sequence[Path], hosts: Sequence[str]) -> Iterator[Entry]:
    """Yield the entries of journals, each case and each run of a machine once."""
    cases: set[str] = set()
    runs: dict[str, set[int]] = {}
    for path, host in zip(paths, hosts, strict=True):
        repeated = 0
        for entry in read_journal(path):
            if isinstance(entry, Case):
                if entry.id not in cases:
                    cases.add(entry.id)
                    yield entry
                continue
            key, of_machine = int(entry.key, 16), runs.setdefault(entry.machine or host, set())
            if key in of_machine:
                repeated += 1
                continue
            of_machine.add(key)
            if host != hosts[0] and not entry.machine:  # the merged header names another host
                entry = replace(entry, worker=f"{host}/{entry.worker}")
            yield entry
        if repeated:
            verbs = "was" if repeated == 1 else "were"
            warnings.warn(
                f"{plural(repeated, 'run')} of {path} {verbs} left out: the same runs of the same "
                "machine come before",
                stacklevel=1,  # the same place for every reader, so that it is said once
            )
