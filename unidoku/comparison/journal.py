"""The journal: all that a comparison found, as lines of JSON that survive a crash.

The first line is the header: what was asked, and of which machine. Then there is a line for
each case ahead of its first run, and a line for each run, flushed as it ends. A writer that is
killed leaves at most one torn line, which readers drop.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from unidoku.comparison.cases import Case
from unidoku.comparison.config import MEASURED
from unidoku.comparison.record import Record, record_from_table, table_of_record
from unidoku.core.portable import board_from_table, table_of_board
from unidoku.errors import FormatError, InputError

__all__ = ["SCHEMA", "Entry", "Header", "Journal", "merged", "read_header", "read_journal"]

SCHEMA = 1
"""Version of the lines: 1 has header, case, run and end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line of a journal.

    Args:
        plan: what was asked; see `ComparisonPlan.plan_table`.
        environment: the machine and the versions; see `unidoku.comparison.environment`.
    """

    plan: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)


Entry: TypeAlias = Case | Record
"""What lines after the header hold."""


class Journal:
    """A journal being written."""

    def __init__(self, path: Path, header: Header) -> None:
        """Begin a new file.

        Raises:
            InputError: the file exists or cannot be written.
        """
        self.path = path
        self._cases: set[str] = set()
        self._file = _opened(path, "xb")
        try:
            line = {"type": "header", "schema": SCHEMA, "plan": header.plan}
            self._write(line | {"environment": header.environment})
        except InputError:
            self._file.close()
            path.unlink(missing_ok=True)
            raise

    @classmethod
    def resumed(cls, path: Path, cases: Iterable[str]) -> Journal:
        """Continue a file that was read and has these cases; a torn last line is cut off.

        Raises:
            InputError: the file cannot be written.
        """
        journal = cls.__new__(cls)
        journal.path = path
        journal._cases = set(cases)
        journal._file = _opened(path, "r+b")
        size = journal._file.seek(0, os.SEEK_END)
        journal._file.seek(max(0, size - _LONGEST))
        tail = journal._file.read()
        journal._file.truncate(size - len(tail) + tail.rfind(b"\n") + 1)
        journal._file.seek(0, os.SEEK_END)
        return journal

    def add(self, case: Case, record: Record) -> None:
        """Append a run, and its case if this is its first.

        Raises:
            InputError: the line could not be written, as when the disk is full. The file ends
                with the last line that could.
        """
        if case.id not in self._cases:
            line: dict[str, Any] = {"type": "case", "id": case.id, "name": case.name}
            line |= {"source": case.source, "solutions": case.solutions}
            self._write(line | {"board": table_of_board(case.board)})
            self._cases.add(case.id)
        self._write({"type": "run"} | table_of_record(record, case.board.layout.n))

    def end(self, environment: Mapping[str, Any]) -> None:
        """Append the closing line: how the machine was at the end."""
        self._write({"type": "end", "environment": environment})

    def _write(self, table: Mapping[str, Any]) -> None:
        line = json.dumps(table, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        start = self._file.tell()
        try:
            written = 0
            while written < len(line):
                written += self._file.write(line[written:])
        except OSError as error:
            if self._file.seek(0, os.SEEK_END) > start:
                self._file.truncate(start)
            raise InputError(
                f"{self.path} cannot be written: {error}; it holds all runs before this one. "
                "Make room, then go on with --resume"
            ) from error

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


_LONGEST = 1 << 26
"""Bytes at the end of a file among which the last line begins."""


def _opened(path: Path, mode: str) -> Any:
    try:
        # Unbuffered: each line is one write, and is with the system when it returns.
        return path.open(mode, buffering=0)
    except FileExistsError:
        raise InputError(
            f"{path} exists; name a new file, remove it, or go on with it by --resume"
        ) from None
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error}") from error


def read_header(path: Path) -> Header:
    """Read the header of a journal.

    Raises:
        FormatError: the file is not a journal, or of a later schema.
        InputError: it cannot be read.
    """
    for header in _lines(path):
        return _header(path, header)
    raise FormatError(f"{path}: expected a journal of unidoku compare, got an empty file")


def read_journal(path: Path) -> Iterator[Entry]:
    """Yield the cases and records of a journal, each case ahead of its records.

    Memory does not grow with the number of runs. A torn last line is dropped.

    Raises:
        FormatError: the file is not a journal, or has a line that no journal has.
        InputError: it cannot be read.
    """
    sizes: dict[str, int] = {}
    for number, table in enumerate(_lines(path), start=1):
        if number == 1:
            _header(path, table)
            continue
        try:
            kind = table.pop("type")
            if kind == "case":
                case = _case(table)
                sizes[case.id] = case.board.layout.n
                yield case
            elif kind == "run":
                yield record_from_table(table, sizes[table["case"]])
        except (FormatError, KeyError, TypeError, ValueError, AttributeError) as error:
            message = f"{path}, line {number}: expected a case or a run: {error!r}"
            raise FormatError(message) from error


def merged(paths: Sequence[Path]) -> tuple[Header, Iterator[Entry]]:
    """Return several journals as one: its header, and its cases and records, each once.

    Of a run that is in several, the first counts.

    Raises:
        InputError: the journals answer different questions, so that their runs cannot be
            compared; also as `read_journal`.
        FormatError: as `read_journal`.
    """
    headers = [read_header(path) for path in paths]
    first = headers[0]
    labels: dict[str, None] = {}
    for path, header in zip(paths, headers, strict=True):
        for name in MEASURED:
            if header.plan.get(name) != first.plan.get(name):
                raise InputError(
                    f"{path} was run with {name} = {header.plan.get(name)!r}, {paths[0]} with "
                    f"{first.plan.get(name)!r}; only journals of one question can be merged"
                )
        labels.update(dict.fromkeys(header.plan["backends"]))
    plan = dict(first.plan)
    if len(headers) > 1:
        plan["backends"] = list(labels)
        plan["repeats"] = max(header.plan["repeats"] for header in headers)
        plan.pop("cases_digest", None)
        plan.pop("cases", None)
    environment = dict(first.environment)
    if others := [dict(h.environment) for h in headers[1:] if h.environment != environment]:
        environment["merged_with"] = others
    return Header(plan=plan, environment=environment), _without_doubles(paths)


def _without_doubles(paths: Iterable[Path]) -> Iterator[Entry]:
    seen: set[int] = set()
    for path in paths:
        for entry in read_journal(path):
            name = int(entry.id if isinstance(entry, Case) else entry.key, 16)
            if name not in seen:
                seen.add(name)
                yield entry


def _lines(path: Path) -> Iterator[Any]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    return  # torn: its writer was killed
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise FormatError(f"{path}, line {number}: expected JSON: {error}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error}") from error


def _header(path: Path, table: Any) -> Header:
    if not (isinstance(table, dict) and table.get("type") == "header"):
        raise FormatError(f"{path}: expected a journal of unidoku compare, which has a header")
    if table.get("schema") != SCHEMA:
        raise FormatError(
            f"{path}: expected schema {SCHEMA}, got {table.get('schema')!r}; "
            "read it with the version of unidoku that wrote it"
        )
    return Header(plan=table["plan"], environment=table["environment"])


def _case(table: Mapping[str, Any]) -> Case:
    case = Case(
        board=board_from_table(table["board"]),
        name=table["name"],
        source=table["source"],
        solutions=table["solutions"],
    )
    if case.id != table["id"]:
        raise FormatError(f"expected the board {table['id']}, got {case.id}")
    return case
