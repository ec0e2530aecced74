"""Records: what one run gave, and its line of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO

from unidoku.backends.base import Status, Stop
from unidoku.core.layout import Grid

__all__ = ["Outcome", "Record", "read_records", "write_record"]


class Outcome(StrEnum):
    """How a run ended, for the reader of a table."""

    SOLVED = "solved"
    """The question was answered."""
    UNKNOWN = "unknown"
    """A limit came first."""
    WRONG = "wrong"
    """A grid that is no solution, or a count that cannot be."""
    FAILED = "failed"
    """The backend raised an exception."""
    UNSUPPORTED = "unsupported"
    """The backend was not asked: it cannot serve the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One run.

    Args:
        case: id of the case.
        name: of the case.
        source: of the case.
        backend: the label.
        version: of the solver beneath.
        round: which repeat it is, from 1.
        outcome: how it ended.
        stop: why the search ended; None if there was none.
        count: solutions found.
        solutions: the grids.
        wall_ns: nanoseconds from the call to the answer.
        cpu_ns: processor time of this process meanwhile, in nanoseconds.
        statistics: the backend's own.
        evidence: what is wrong, failed or unsupported.
    """

    case: str
    name: str
    source: str
    backend: str
    version: str
    round: int
    outcome: Outcome
    stop: Stop | None
    count: int
    solutions: tuple[Grid, ...]
    wall_ns: int
    cpu_ns: int
    statistics: Mapping[str, float]
    evidence: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether it claims that there are no solutions beyond those it counted."""
        return self.stop is Stop.EXHAUSTED

    @property
    def status(self) -> Status:
        """What the backend claims is known."""
        return Status.of(self.count, self.stop)


def write_record(record: Record, file: TextIO) -> None:
    """Append a record as a line of JSON, and flush it: a killed run keeps what it has."""
    line: dict[str, Any] = {field.name: getattr(record, field.name) for field in fields(record)}
    line["outcome"] = record.outcome.value
    line["stop"] = record.stop and record.stop.value
    line["status"] = record.status.value
    file.write(json.dumps(line, separators=(",", ":")) + "\n")
    file.flush()


def read_records(path: Path) -> Iterator[Record]:
    """Yield the records of a file that `write_record` wrote."""
    with path.open(encoding="utf-8") as file:
        for text in file:
            line: dict[str, Any] = json.loads(text)
            del line["status"]
            line["outcome"] = Outcome(line["outcome"])
            line["stop"] = line["stop"] and Stop(line["stop"])
            line["solutions"] = tuple(map(tuple, line["solutions"]))
            line["evidence"] = tuple(line["evidence"])
            yield Record(**line)
