"""The table of groups of cases: each backend in each group, and the best of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from unidoku.comparison.report.columns import COLUMNS, Row, outcomes_of
from unidoku.comparison.report.findings import Findings
from unidoku.comparison.report.summaries import (
    dispensable,
    export_table,
    notes_of,
    table_columns,
    values_of,
)
from unidoku.comparison.results import COUNTERS
from unidoku.comparison.statistics.summary import virtual_best
from unidoku.support.table import Column, Table

_USUAL = ("median", "par2", "ratio")
"""Columns besides those of outcomes."""

_BEST = "best of all"
"""The name of the row that sums a group up."""

_OF_ONE = ("unique", "contribution", "ratio", *COUNTERS)
"""Columns that say nothing of the best of all."""

_BLANK = object()
"""The value of a cell that is empty."""


def groups_table(findings: Findings) -> Table:
    """Return the table of groups, with the backends of each in their order there.

    The last row of a group is that of a backend that is on each case as good as the best one.
    """
    view, reference = findings.view, findings.reference
    summaries = [summary for _, part in findings.parts for summary in part.summaries]
    names = view.show or (*("cases", "solved"), *outcomes_of(summaries), *_USUAL)
    columns = map(_or_blank, table_columns(names, findings.noise_floor, reference))
    sentences = [
        f"{_BEST.capitalize()}: on each case as good as the best backend there.",
        *notes_of(findings, summaries, names, reference),
    ]
    return Table(
        title=f"By {view.by}",
        columns=(Column(str(view.by), kind="name"), Column("backend", kind="name"), *columns),
        rows=tuple(row for group, part in findings.parts for row in _rows(group, part, names)),
        note=" ".join(sentences),
        dispensable=() if view.show else dispensable(names),
    )


def _or_blank(column: Column) -> Column:
    """Return a column of which some cells are empty."""

    def written(write: Callable[[Any], str]) -> Callable[[Any], str]:
        return lambda value: "" if value is _BLANK else write(value)

    return replace(column, text=written(column.text), html=written(column.markup))


def _rows(group: str, findings: Findings, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a group; only the first has its name."""
    for row in findings.rows:
        yield (group, *values_of(row, names))
        group = ""
    times = findings.times
    best = Row(summary=virtual_best(times), time_limit=times.time_limit)
    yield (
        group,
        _BEST,
        *(_BLANK if name in _OF_ONE else COLUMNS[name].value(best) for name in names),
    )


def groups_export(findings: Findings) -> Table:
    """Return the figures of all groups for CSV: one row for each group and backend."""
    tables = {group: export_table(part) for group, part in findings.parts}
    columns = next((table.columns for table in tables.values()), ())
    return Table(
        title=f"By {findings.view.by}",
        columns=(Column(str(findings.view.by)), *columns),
        rows=tuple((group, *row) for group, table in tables.items() for row in table.rows),
    )
