"""The tables of all backends, on all cases or by groups of them, for readers and as exports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from unidoku.comparison.report.columns import (
    ACROSS,
    COLUMNS,
    Row,
    outcomes_of,
    ratio_column,
    ratio_note,
)
from unidoku.comparison.report.findings import Findings
from unidoku.comparison.results import COUNTERS
from unidoku.comparison.statistics.summary import virtual_best
from unidoku.support import text
from unidoku.support.table import Column, Table

if TYPE_CHECKING:
    from unidoku.comparison.statistics.pairs import NoiseFloor
    from unidoku.comparison.statistics.summary import Summary

_USUAL = ("median", "mean", "max", "par2", "shifted-mean", "unique", "contribution", "ratio")
"""Columns of a summary besides the solved cases and the other outcomes."""

_TOO_WIDE = ("shifted-mean", "contribution")
"""Columns that are too wide for a terminal; Markdown, CSV and the page have them."""

_FEW = ("median", "par2", "ratio")
"""Columns of a summary that fit on a page of a paper, and those of groups."""

_DISPENSABLE = ("unique", "mean", "max", "median")
"""Columns that a narrow terminal leaves out before it leaves out outcomes."""

_TIMED = ("median", "mean", "max", "total", "par2", "shifted-mean", "ratio")
"""Columns of times."""

Width: TypeAlias = Literal["wide", "terminal", "paper"]
"""How much room a table has."""

_BY_WIDTH: Mapping[Width, tuple[str, ...]] = {
    "wide": _USUAL,
    "terminal": tuple(name for name in _USUAL if name not in _TOO_WIDE),
    "paper": _FEW,
}


def summary_table(
    findings: Findings,
    *,
    title: str = "Backends",
    show: Sequence[str] = (),
    width: Width = "wide",
) -> Table:
    """Return the table of all backends, one row for each, in the order of the summaries.

    Args:
        findings: the findings.
        title: the title.
        show: names of the columns; empty for those that fit the width.
        width: ``wide`` for all of the usual columns, ``terminal`` for fewer, ``paper`` for few.
    """
    summaries, floor = findings.summaries, findings.noise_floor
    names = show or (*("solved", *outcomes_of(summaries)), *_BY_WIDTH[width])
    chosen = findings.view.reference
    sentences = _notes_of(findings, summaries, names, chosen)
    if floor:
        sentences.append(
            f"This run cannot resolve less than {text.percent(floor.percent)}: "
            f"{floor.label} against itself, entered as {floor.self_test_twin}."
        )
    sentences += machines_note(findings)
    return Table(
        title=title,
        columns=(Column("backend", kind="name"), *_table_columns(names, floor, chosen)),
        rows=tuple(_values_of(row, names) for row in findings.rows),
        note=" ".join(sentences),
        dispensable=() if show else _dispensable(names),
    )


def _table_columns(
    names: Iterable[str], noise_floor: NoiseFloor | None, reference: str | None = None
) -> list[Column]:
    """Return the columns of these names."""
    return [
        ratio_column(noise_floor, reference) if name == "ratio" else COLUMNS[name].column
        for name in names
    ]


def _values_of(row: Row, names: Iterable[str]) -> tuple[Any, ...]:
    """Return the label of a row's backend, and its values in these columns."""
    return (row.summary.backend, *(COLUMNS[name].value(row) for name in names))


def _dispensable(names: Sequence[str]) -> tuple[str, ...]:
    """Return the headings of columns in the order in which a narrow terminal leaves them out."""
    outcomes = [name for name in names if name not in (*_USUAL, "cases", "solved")]
    order = (*_TOO_WIDE, *_DISPENSABLE, *outcomes, "par2")
    return tuple(COLUMNS[name].heading for name in order if name in names)


def _notes_of(
    findings: Findings,
    summaries: Sequence[Summary],
    names: Sequence[str],
    reference: str | None,
) -> list[str]:
    """Return what the columns of these names mean, in sentences.

    Args:
        findings: the findings, on whose groups a table may be.
        summaries: the summaries of all rows of the table.
        names: names of the columns.
        reference: the reference that the heading of ratios names; None for the first row.
    """
    sentences = []
    if any(name in _TIMED for name in names):
        sentences.append(
            "Each time is the median of a case's rounds; cases that met a limit count with the "
            "time they took, those that failed, crashed, were wrong, refuted or not supported have "
            "none."
        )
    if "par2" in names:
        cases = sorted({summary.cases for summary in summaries})
        sample_size = f"N = {cases[0]}" if len(cases) == 1 else "N = those it was run on"
        limit = findings.times.time_limit
        sentences.append(
            "PAR2 needs a time limit."
            if limit is None
            else f"PAR2: mean over all cases, {sample_size}, each not solved as 2 T, "
            f"T = {limit:g} s."
        )
    sentences += [note for name in names if (note := COLUMNS[name].note)]
    if "ratio" in names:
        sentences += ratio_note(findings.pairs.values(), findings.noise_floor, reference)
    return sentences


def machines_note(findings: Findings) -> list[str]:
    """Return sentences about runs of several machines; none if there is only one."""
    machines = findings.results.machines
    if len(machines) < 2:
        return []
    named = text.listed(name or "one without a name" for name in machines)
    sentences = [
        f"The runs are those of {len(machines)} machines, {named}; "
        "a case's time is the median of its rounds on all of them."
    ]
    if any(pair.across for pair in findings.pairs.values()):
        sentences.append(
            f"{ACROSS}: the ratio is of times from different machines, so it does not show which "
            "backend is faster."
        )
    return sentences


def export_table(findings: Findings) -> Table:
    """Return the table of all figures for CSV: the same columns for every comparison.

    A figure that does not exist is None or nan. An interval without an upper end ends at inf. The
    view may name the columns instead.
    """
    names = findings.view.show or [name for name in COLUMNS if name not in COUNTERS]
    exported = {
        heading: value for name in names for heading, value in COLUMNS[name].exported.items()
    }
    rows = tuple(
        (row.summary.backend, *(value(row) for value in exported.values())) for row in findings.rows
    )
    columns = (Column("backend"), *map(Column, exported))
    return Table(title="Backends", columns=columns, rows=rows)


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
    names = view.show or (*("cases", "solved"), *outcomes_of(summaries), *_FEW)
    columns = map(_or_blank, _table_columns(names, findings.noise_floor, reference))
    sentences = [
        f"{_BEST.capitalize()}: on each case as good as the best backend there.",
        *_notes_of(findings, summaries, names, reference),
    ]
    return Table(
        title=f"By {view.by}",
        columns=(Column(str(view.by), kind="name"), Column("backend", kind="name"), *columns),
        rows=tuple(row for group, part in findings.parts for row in _rows(group, part, names)),
        note=" ".join(sentences),
        dispensable=() if view.show else _dispensable(names),
    )


def _or_blank(column: Column) -> Column:
    """Return a column of which some cells are empty."""

    def written(write: Callable[[Any], str]) -> Callable[[Any], str]:
        return lambda value: "" if value is _BLANK else write(value)

    return replace(column, text=written(column.text), html=written(column.markup))


def _rows(group: str, findings: Findings, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a group; only the first has its name."""
    for row in findings.rows:
        yield (group, *_values_of(row, names))
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
