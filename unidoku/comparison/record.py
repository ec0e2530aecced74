"""Records: the outcome of one run, its line of JSON, and its columns."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

from unidoku.backends.base import Stop
from unidoku.core.layout import Grid
from unidoku.core.portable import grid_from_text, text_of_grid
from unidoku.support.schema import (
    FINITE,
    TEXT,
    Kind,
    least,
    listed_of,
    matching,
    one_of,
    table_of,
    whole,
)

if TYPE_CHECKING:
    from unidoku.comparison.order import Run

RENAMED = "other answers to the same board with its values renamed"
"""Beginning of the evidence against a backend whose answers depend on the names of the values."""


class Outcome(StrEnum):
    """How a run ended."""

    SOLVED = "solved"
    """The request was answered."""
    LATE = "late"
    """The request was answered, but too long after the time limit."""
    REFUTED = "refuted"
    """The request was answered, and the verdict refutes the answer; no record has this outcome."""
    UNKNOWN = "unknown"
    """The backend stopped at a limit, or is incomplete and did not decide."""
    TIMEOUT = "timeout"
    """The backend did not stop at the time limit, and its process was killed."""
    MEMORY = "memory"
    """The run needed more memory than its limit."""
    CRASHED = "crashed"
    """The backend crashed its process."""
    FAILED = "failed"
    """The backend raised an exception."""
    WRONG = "wrong"
    """The backend returned a grid that is not a solution, or an impossible count."""
    UNSUPPORTED = "unsupported"
    """The backend does not support the board, and was not run."""

    @property
    def is_failure(self) -> bool:
        """Whether the backend broke down, so that there is no answer, not even a wrong one."""
        return self in (Outcome.CRASHED, Outcome.FAILED)


class Measure(StrEnum):
    """What the time of a run includes."""

    FIRST = "first"
    """A search by a new solver, with all that it makes of the layout."""
    WARM = "warm"
    """A search with a model and tables of the layout that earlier searches left."""
    WHOLE = "whole"
    """A search by a program that reads the whole board each time."""


@dataclass(frozen=True, slots=True)
class RecordColumn:
    """A field of a record as a column, in arrays, exports and pages.

    Args:
        name: name of the field, also in a journal.
        path: path of the field in a record, such as ``timing.wall_ns``.
        kind: its kind in a journal.
        default: its value if none is given.
        array: type code of the `array.array` in which `Results` stores it; empty if it does not.
        export: type of the exported column; None if it is not exported.
        export_name: its heading in an export.
        page: how the page of a report stores it: the number itself, seconds, seconds only of runs
            that have it, or kibibytes; None if the page does not store it.
    """

    name: str
    path: str
    kind: Kind
    default: Any
    array: str
    export: Literal["text", "int", "float", "json"] | None
    export_name: str
    page: Literal["number", "seconds", "some seconds", "kibibytes"] | None


def _column(
    kind: Kind,
    array: str = "",
    export: str = "int",
    *,
    export_name: str = "",
    page: str | None = None,
) -> dict[str, Any]:
    """Return the metadata of a field from which its `RecordColumn` is created."""
    uses = {"export": export or None, "export_name": export_name, "page": page}
    return {"kind": kind, "array": array, **uses}


DIGEST = matching("16 hexadecimal digits", re.compile("[0-9a-f]{16}").fullmatch)
"""Kind of the key of a run and of the id of a case."""

_COUNT = whole(0)  # what an array of the code "q" holds
_TEXTS = listed_of(TEXT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long a run took, in integer nanoseconds.

    Times are those of one search: the mean where a run repeats a fast search ``loops`` times.
    ``init_ns``, ``solve_ns`` and ``decode_ns`` add up to ``wall_ns``.

    Args:
        wall_ns: from the call to the answer; for a run that was killed, until the kill.
        cpu_ns: processor time during that time, of the worker and of all processes that it started
            and waited for, or keeps.
        init_ns: part of ``wall_ns`` before the search, as the backend reports it (``init_time``).
        solve_ns: part of ``wall_ns`` in the search, as the backend reports it (``solve_time``).
        decode_ns: the rest of ``wall_ns``: conversion in the adapter, before and after.
        load_ns: time to import and create the backend, if this run was the first to need it in its
            worker. Shared imports are charged to whichever backend loads first. It is not part of
            the other times.
        first_ns: time of what came before the time of a search: of the worker's first search of
            this layout, on another board, or of the backend's first search in this worker, with
            what was loaded for it; only in the run that it was a part of.
        loops: number of searches in the sample.
    """

    wall_ns: int = field(default=0, metadata=_column(_COUNT, "q", page="seconds"))
    cpu_ns: int = field(default=0, metadata=_column(_COUNT, "q"))
    init_ns: int = field(default=0, metadata=_column(_COUNT, "q", page="seconds"))
    solve_ns: int = field(default=0, metadata=_column(_COUNT, "q", page="seconds"))
    decode_ns: int = field(default=0, metadata=_column(_COUNT, "q"))
    load_ns: int | None = field(default=None, metadata=_column(_COUNT, "q"))
    first_ns: int | None = field(default=None, metadata=_column(_COUNT, "q", page="some seconds"))
    loops: int = field(default=1, metadata=_column(whole(1), "q"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Resources that a run used besides time.

    Args:
        peak_bytes: peak of resident memory during the run, minus the memory before the run; with
            that of processes that it started, as far as the system tells it.
        grown_bytes: by how much the resident memory of the worker grew during the run; 0 for the
            first run of each of a backend's first 20 layouts in its worker, whose models may stay.
        disturbed: reasons why the times are doubtful, in words.
    """

    peak_bytes: int = field(default=0, metadata=_column(_COUNT, "q", page="kibibytes"))
    grown_bytes: int = field(default=0, metadata=_column(whole(), "q"))
    disturbed: tuple[str, ...] = field(
        default=(), metadata=_column(_TEXTS, "b", "json", page="number")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The record of one run.

    Args:
        key: name of the run; see `unidoku.comparison.order.run_key`.
        case: id of the case.
        backend: label of the backend.
        round: number of the repeat, from 1.
        image: 0 for the board itself, k for its k-th symmetric image.
        outcome: how the run ended.
        stop: why the search ended; None without a search.
        count: number of solutions found.
        solutions: the grids, those of an image mapped back to the board.
        timing: the times of the run.
        usage: resources that it used besides time.
        worker: host and number of the worker that measured it.
        started: start in seconds since 1970.
        statistics: the backend's own statistics, for one search.
        evidence: the reason for a wrong answer, a failure or an unsupported board, in words.
        traceback: the end of the backend's traceback, if it raised an exception.
        printed: the end of the backend's output, if the run went wrong.
        answered_by: the backend that answered, if the backend uses others; otherwise empty.
        measure: what the time includes; None if nothing was timed, or an earlier version did it.
        warm_up: id of the case whose board was searched for ``first_ns``; None if it was this one.
    """

    key: str = field(metadata=_column(DIGEST, export="text"))
    case: str = field(metadata=_column(DIGEST, "i", export="", page="number"))
    backend: str = field(metadata=_column(TEXT, "i", "text", page="number"))
    round: int = field(metadata=_column(whole(1, bits=31), "i", page="number"))
    image: int = field(default=0, metadata=_column(whole(0, bits=31), "i", page="number"))
    outcome: Outcome = field(metadata=_column(one_of(Outcome), "b", "text", page="number"))
    stop: Stop | None = field(
        default=None, metadata=_column(one_of(Stop), "b", "text", page="number")
    )
    count: int = field(default=0, metadata=_column(_COUNT, "q", page="number"))
    solutions: tuple[Grid, ...] = field(default=(), metadata=_column(_TEXTS, export=""))
    timing: Timing = field(default=Timing())
    usage: Usage = field(default=Usage())
    worker: str = field(default="", metadata=_column(TEXT, export="text"))
    started: float = field(
        default=0.0, metadata=_column(least(0), export="float", export_name="started_s")
    )
    statistics: Mapping[str, float] = field(
        default_factory=dict, metadata=_column(table_of(FINITE), export="json")
    )
    evidence: tuple[str, ...] = field(default=(), metadata=_column(_TEXTS, export="json"))
    traceback: str = field(default="", metadata=_column(TEXT, export="text"))
    printed: str = field(default="", metadata=_column(TEXT, export="text"))
    answered_by: str = field(default="", metadata=_column(TEXT, export="text"))
    measure: Measure | None = field(
        default=None, metadata=_column(one_of(Measure), "b", "text", page="number")
    )
    warm_up: str | None = field(default=None, metadata=_column(DIGEST, "i", "text", page="number"))

    @property
    def complete(self) -> bool:
        """Whether it claims that there are no solutions beyond those it counted."""
        return self.stop is Stop.EXHAUSTED

    @property
    def machine(self) -> str:
        """The host of its worker, of a node of a cluster without its process; empty if unknown."""
        return self.worker.rpartition("/")[0].partition(":")[0]


_GROUPS: dict[str, type[Timing | Usage]] = {"timing": Timing, "usage": Usage}
"""Fields of a record that contain fields, which become columns like the others."""


_GROUP_FIELDS = {
    group: (kind, [inner.name for inner in fields(kind)]) for group, kind in _GROUPS.items()
}
"""The kind of each group, and the names of its fields."""


def _columns() -> Iterator[RecordColumn]:
    """Yield the columns in the order of the fields."""
    for outer in fields(Record):
        if outer.name in _GROUPS:
            for inner in fields(_GROUPS[outer.name]):
                yield _column_of(inner, f"{outer.name}.{inner.name}")
        else:
            yield _column_of(outer, outer.name)


def _column_of(declared: Field[Any], path: str) -> RecordColumn:
    default = declared.default
    if declared.default_factory is not MISSING:
        default = declared.default_factory()
    metadata = dict(declared.metadata)
    if not metadata["export_name"]:
        metadata["export_name"] = declared.name + ("_json" if metadata["export"] == "json" else "")
    return RecordColumn(name=declared.name, path=path, default=default, **metadata)


COLUMNS = tuple(_columns())
"""All fields of a record, including those of its timing and usage.

A new field needs a line in `Record`, `Timing` or `Usage`, with a default value, so that journals
without it can still be read.
"""

_values = attrgetter(*(column.path for column in COLUMNS))


def record_of(run: Run, outcome: Outcome, **others: Any) -> Record:
    """Return the record of a run; ``others`` are fields that the run does not determine."""
    return Record(
        key=run.key,
        case=run.case.id,
        backend=run.backend,
        round=run.round,
        image=run.image,
        outcome=outcome,
        **others,
    )


def unanswered(
    run: Run,
    outcome: Outcome,
    evidence: str,
    worker: str = "",
    wall_ns: int = 0,
    printed: str = "",
) -> Record:
    """Return the record of a run without an answer; the evidence states why."""
    return record_of(
        run,
        outcome,
        timing=Timing(wall_ns=wall_ns, solve_ns=wall_ns),
        evidence=(evidence,),
        printed=printed,
        worker=worker,
        started=time.time() - wall_ns / 1e9,
    )


def table_of_record(record: Record, n: int) -> dict[str, Any]:
    """Return the record as a flat table for JSON, without fields that have their default values.

    The grids are written with n, the number of values of the case's layout.
    """
    table = {
        column.name: value
        for column, value in zip(COLUMNS, _values(record), strict=True)
        if value != column.default
    }
    if record.stop is not None:
        table["stop"] = record.stop.value
    if record.measure is not None:
        table["measure"] = record.measure.value
    if record.solutions:
        table["solutions"] = [text_of_grid(grid, n) for grid in record.solutions]
    return table


def record_from_table(table: Mapping[str, Any], n: int) -> Record:
    """Return the record of a table that `table_of_record` made.

    The kinds of its values are those of `COLUMNS`.

    Raises:
        FormatError: a solution is not one of a board with n values.
    """
    changed: dict[str, Any] = dict(table) | {"outcome": Outcome(table["outcome"])}
    if "stop" in table:
        changed["stop"] = Stop(table["stop"])
    if "measure" in table:
        changed["measure"] = Measure(table["measure"])
    if "solutions" in table:
        changed["solutions"] = tuple(grid_from_text(text, n) for text in table["solutions"])
    for name in ("evidence", "disturbed"):
        if name in table:
            changed[name] = tuple(table[name])
    for group, (kind, names) in _GROUP_FIELDS.items():
        changed[group] = kind(**{name: changed.pop(name) for name in names if name in table})
    return Record(**changed)
