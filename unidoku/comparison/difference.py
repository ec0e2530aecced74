"""The difference between two journals: changed answers, new timeouts, and the times' ratio."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from unidoku.comparison.cases import Case
from unidoku.comparison.config import differing_settings
from unidoku.comparison.journal import read_header, read_journal, shared_names
from unidoku.comparison.lines import Header
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.results import Results
from unidoku.support.table import Column, Table
from unidoku.support.text import NOTHING, plural

if TYPE_CHECKING:
    from unidoku.comparison.statistics.pairs import PairedTimes

_LIMITS = (Outcome.UNKNOWN, Outcome.TIMEOUT, Outcome.MEMORY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A case that a backend answers differently in the second journal.

    Args:
        case: the case.
        backend: label of the backend.
        before: its answers in the first journal.
        after: its answers in the second journal.
        kind: ``answer``; ``limit`` if the case was solved before and now meets a limit; or
            ``solved``, the reverse.
    """

    case: Case
    backend: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The difference between two journals.

    Args:
        changes: changed answers.
        pairs: for each backend in both journals, the times in the second over those in the first.
        missing: cases and backends that only one journal has, in words.
        environment: differences in machine, versions and settings, in words.
    """

    changes: tuple[Change, ...]
    pairs: Mapping[str, PairedTimes]
    missing: tuple[str, ...]
    environment: tuple[str, ...]

    @property
    def table(self) -> Table:
        """The ratios of the times, with three decimals, because small changes matter."""
        columns = (
            *(Column("backend"), Column("second/first", _three_decimals)),
            *(Column("95 % interval"), Column("cases"), Column("")),
        )
        rows = tuple(
            (
                *(label, pair.ratio, f"{pair.low:.3f} to {pair.high:.3f}", pair.both),
                "changed" if pair.different else "",
            )
            for label, pair in self.pairs.items()
        )
        return Table(title="Times", columns=columns, rows=rows)

    def slower_than(self, ratio: float) -> list[str]:
        """Return the backends whose ratio is above this one and whose interval is above 1."""
        return [label for label, pair in self.pairs.items() if pair.ratio > ratio and pair.low > 1]


def _three_decimals(ratio: float) -> str:
    return NOTHING if math.isnan(ratio) else f"{ratio:.3f}"


_Side: TypeAlias = dict[tuple[str, str], dict[str, Outcome]]
"""The answers of one journal, by case and backend, each with its first outcome."""


def difference(first: Path, second: Path) -> Difference:
    """Compare two journals, case by case and backend by backend.

    Raises:
        InputError: a journal cannot be read.
        FormatError: a journal has a line that is not an entry.
    """
    headers = [read_header(path) for path in (first, second)]
    results = Results(plan={"time_limit": headers[0].plan.get("time_limit")})
    cases: dict[str, Case] = {}
    sides: tuple[_Side, _Side] = ({}, {})
    for index, (path, side) in enumerate(zip((first, second), sides, strict=True)):
        for entry in read_journal(path):
            if isinstance(entry, Case):
                cases[entry.id] = entry
                results.add_case(entry)
            else:
                answers = side.setdefault((entry.case, entry.backend), {})
                answers.setdefault(_words(entry), entry.outcome)
                results.add(replace(entry, backend=_at(entry.backend, index)))
    labels = [dict.fromkeys(label for _, label in side) for side in sides]
    names = shared_names(headers)
    pairs = _pairs(results, [label for label in labels[0] if label in labels[1]])
    changes = _changes(cases, *sides)
    return Difference(
        changes=tuple(replace(c, backend=names.get(c.backend, c.backend)) for c in changes),
        pairs={names.get(label, label): pair for label, pair in pairs.items()},
        missing=tuple(_missing(labels, sides)),
        environment=tuple(_environment(*headers)),
    )


def _at(label: str, index: int) -> str:
    return f"{label} @{index}"


def _words(record: Record) -> str:
    """Return the part of a run's answer that can be compared, in words."""
    if record.outcome is not Outcome.SOLVED:
        return record.outcome.value
    solutions = plural(record.count, "solution")
    return f"{solutions} in total" if record.complete else f"at least {solutions}"


def _changes(cases: Mapping[str, Case], first: _Side, second: _Side) -> Iterator[Change]:
    for (case, backend), before in first.items():
        after = second.get((case, backend))
        if after is None or before.keys() == after.keys():
            continue
        # The answers that do not report a limit, and whether any do.
        was, now = (
            {words for words, outcome in answers.items() if outcome not in _LIMITS}
            for answers in (before, after)
        )
        was_limited, is_limited = len(was) < len(before), len(now) < len(after)
        kind = "answer"
        if was_limited != is_limited and (not was or not now or was == now):
            kind = "limit" if is_limited else "solved"
        elif was == now:
            continue  # it reached another limit than before
        yield Change(
            case=cases[case], backend=backend, before=tuple(before), after=tuple(after), kind=kind
        )


def _pairs(results: Results, labels: list[str]) -> dict[str, PairedTimes]:
    from unidoku.comparison.statistics.pairs import pair
    from unidoku.comparison.statistics.times import times_of  # imports numpy

    times = times_of(results)
    return {label: pair(times, _at(label, 0), _at(label, 1)) for label in labels}


def _missing(labels: list[dict[str, None]], sides: tuple[_Side, _Side]) -> Iterator[str]:
    for index, name in enumerate(("first", "second")):
        for label in labels[index]:
            if label not in labels[1 - index]:
                yield f"{label}: only in the {name} journal"
        mine, other = ({case for case, _ in side} for side in (sides[index], sides[1 - index]))
        if alone := len(mine - other):
            yield f"{plural(alone, 'case')}: only in the {name} journal"


def _environment(first: Header, second: Header) -> Iterator[str]:
    for name, before, after in differing_settings(first.plan, second.plan):
        yield f"{name}: {before!r} → {after!r}"
    flat_first, flat_second = _flat(first.environment), _flat(second.environment)
    for name in flat_first | flat_second:
        if flat_first.get(name) != flat_second.get(name) and not name.startswith(
            ("moment", "merged_with")
        ):
            yield f"{name}: {flat_first.get(name)!r} → {flat_second.get(name)!r}"


def _flat(table: Mapping[str, Any], front: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{front}{name}.")
        else:
            flat[front + name] = value
    return flat
