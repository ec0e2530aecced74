"""Records: what one run gave, and its line of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from unidoku.backends.base import Status, Stop
from unidoku.core.layout import Grid
from unidoku.core.portable import grid_from_text, text_of_grid

if TYPE_CHECKING:
    from unidoku.comparison.plan import Run

__all__ = ["RENAMED", "Outcome", "Record", "record_from_table", "record_of", "table_of_record"]

RENAMED = "other answers to the same board with its values renamed"
"""How the evidence begins against a backend whose answers depend on the values' names."""


class Outcome(StrEnum):
    """How a run ended, for the reader of a table."""

    SOLVED = "solved"
    """The question was answered."""
    UNKNOWN = "unknown"
    """A limit came first, and the backend kept it; or it is not complete and could not tell."""
    TIMEOUT = "timeout"
    """The time limit came, the backend did not stop, and its process was ended."""
    MEMORY = "memory"
    """The memory limit came first."""
    CRASHED = "crashed"
    """The backend took its process down."""
    FAILED = "failed"
    """The backend raised an exception."""
    WRONG = "wrong"
    """A grid that is no solution, or a count that cannot be."""
    UNSUPPORTED = "unsupported"
    """The backend was not asked: it cannot serve the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One run.

    Times are integer nanoseconds, of one search: where a run repeats a fast search ``loops``
    times, their mean. ``init_ns``, ``solve_ns`` and ``decode_ns`` add up to ``wall_ns``.

    Args:
        key: names the run; see `unidoku.comparison.plan.run_key`.
        case: id of the case.
        backend: the label.
        round: which repeat it is, from 1.
        image: 0 for the board itself, k for its k-th symmetric image.
        outcome: how it ended.
        stop: why the search ended; None if there was none.
        count: solutions found.
        solutions: the grids, those of an image mapped back to the board.
        wall_ns: from the call to the answer; for a run that was ended, until then.
        cpu_ns: processor time of the worker meanwhile.
        init_ns: of ``wall_ns``, what the backend spent before the search (its ``init_time``).
        solve_ns: of ``wall_ns``, what it spent in the search (its ``solve_time``).
        decode_ns: of ``wall_ns``, the rest: the way in and out of the adapter.
        loops: searches in the sample.
        load_ns: what importing and making the backend took this worker, if it was for this run;
            what several backends import, the first of them pays. No part of the other times.
        first_ns: the backend's first search of this layout in this worker, if it was in this
            run; it is no part of the other times.
        peak_bytes: resident memory at its peak, above that before the run.
        statistics: the backend's own, of one search.
        evidence: what is wrong, failed or unsupported, in words.
        disturbed: what made the times doubtful, in words.
        worker: who ran it, as host and place.
        started: when, in seconds since 1970.
    """

    key: str
    case: str
    backend: str
    round: int
    image: int = 0
    outcome: Outcome
    stop: Stop | None = None
    count: int = 0
    solutions: tuple[Grid, ...] = ()
    wall_ns: int = 0
    cpu_ns: int = 0
    init_ns: int = 0
    solve_ns: int = 0
    decode_ns: int = 0
    loops: int = 1
    load_ns: int | None = None
    first_ns: int | None = None
    peak_bytes: int = 0
    statistics: Mapping[str, float] = field(default_factory=dict)
    evidence: tuple[str, ...] = ()
    disturbed: tuple[str, ...] = ()
    worker: str = ""
    started: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether it claims that there are no solutions beyond those it counted."""
        return self.stop is Stop.EXHAUSTED

    @property
    def status(self) -> Status:
        """What the backend claims is known."""
        return Status.of(self.count, self.stop)


_DEFAULTS = {
    f.name: f.default_factory() if callable(f.default_factory) else f.default
    for f in fields(Record)
}


def record_of(run: Run, outcome: Outcome, **figures: Any) -> Record:
    """Return the record of a run.

    Args:
        run: the run.
        outcome: how it ended.
        figures: the record's other fields.
    """
    return Record(
        key=run.key,
        case=run.case.id,
        backend=run.backend,
        round=run.round,
        image=run.image,
        outcome=outcome,
        **figures,
    )


def table_of_record(record: Record, n: int) -> dict[str, Any]:
    """Return the record as a table for JSON; what has its default value is left out.

    Args:
        record: the run.
        n: of the case's layout, by which the grids are written.
    """
    table = {
        name: value
        for name, default in _DEFAULTS.items()
        if (value := getattr(record, name)) != default
    }
    if record.stop is not None:
        table["stop"] = record.stop.value
    if record.solutions:
        table["solutions"] = [text_of_grid(grid, n) for grid in record.solutions]
    return table


def record_from_table(table: Mapping[str, Any], n: int) -> Record:
    """Return the record of a table that `table_of_record` made.

    Raises:
        FormatError, TypeError, ValueError: it is no such table.
    """
    changed: dict[str, Any] = {"outcome": Outcome(table["outcome"])}
    if "stop" in table:
        changed["stop"] = Stop(table["stop"])
    if "solutions" in table:
        changed["solutions"] = tuple(grid_from_text(text, n) for text in table["solutions"])
    for name in ("evidence", "disturbed"):
        if name in table:
            changed[name] = tuple(table[name])
    return Record(**{**table, **changed})
