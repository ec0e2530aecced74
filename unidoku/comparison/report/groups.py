"""The table of groups of cases: each backend in each group, and the best of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from unidoku.comparison.report.columns import COLUMNS, Row, outcomes_of, ratio_note
from unidoku.comparison.report.summaries import (
    counters_of,
    dispensable,
    export_table,
    figures_of,
    notes_of,
    rows_of,
    table_columns,
)
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.results import COUNTERS
from unidoku.comparison.statistics.groups import CaseGroup, grouped
from unidoku.comparison.statistics.pairs import PairedTimes, noise_floor, pairs_with
from unidoku.comparison.statistics.summary import Summary, summarise, virtual_best
from unidoku.support.table import Column, Table

if TYPE_CHECKING:
    from unidoku.comparison.results import Results
    from unidoku.comparison.statistics.times import Times

_USUAL = ("median", "par2", "ratio")
"""Columns besides those of outcomes."""

_BEST = "best of all"
"""The name of the row that sums a group up."""

_OF_ONE = ("unique", "contribution", "ratio", *COUNTERS)
"""Columns that say nothing of the best of all."""

_BLANK = object()
"""The value of a cell that is empty."""


def groups_table(results: Results, times: Times, view: ReportView, reference: str | None) -> Table:
    """Return the table of groups, with the backends of each in their order there.

    The last row of a group is that of a backend that is on each case as good as the best one.

    Args:
        results: the results.
        times: their times.
        view: names the grouping, and the columns if the reader chose them.
        reference: label of the backend that ratios refer to, the same in all groups; None for no
            ratios.
    """
    assert view.by is not None
    groups = grouped(times, view.by)
    summaries = {group.name: summarise(group.times) for group in groups}
    every = [summary for group in summaries.values() for summary in group]
    names = view.show or (*("cases", "solved"), *outcomes_of(every), *_USUAL)
    noise = noise_floor(times, results.plan)
    figures = figures_of(results, names)
    rows: list[tuple[Any, ...]] = []
    pairs: list[PairedTimes] = []
    for group in groups:
        of_group = _pairs(group, reference)
        pairs += of_group.values()
        counters = counters_of(results, group.times, names, figures)
        rows += _rows(group, summaries[group.name], of_group, counters, names, reference)
    columns = map(_or_blank, table_columns(names, noise, reference))
    sentences = [
        f"{_BEST.capitalize()}: on each case as good as the best backend there.",
        *notes_of(every, names, times.time_limit),
        *(ratio_note(pairs, noise, reference) if "ratio" in names else ()),
    ]
    return Table(
        title=f"By {view.by}",
        columns=(Column(view.by, kind="name"), Column("backend", kind="name"), *columns),
        rows=tuple(rows),
        note=" ".join(sentences),
        dispensable=() if view.show else dispensable(names),
    )


def _pairs(group: CaseGroup, reference: str | None) -> dict[str, PairedTimes]:
    return {} if reference is None else pairs_with(group.times, reference)


def _or_blank(column: Column) -> Column:
    """Return a column of which some cells are empty."""

    def written(write: Callable[[Any], str]) -> Callable[[Any], str]:
        return lambda value: "" if value is _BLANK else write(value)

    return replace(column, text=written(column.text), html=written(column.markup))


def _rows(
    group: CaseGroup,
    summaries: Sequence[Summary],
    pairs: Mapping[str, PairedTimes],
    counters: Mapping[str, Mapping[str, float]],
    names: Sequence[str],
    reference: str | None,
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a group; only the first has its name."""
    title, times = group.name, group.times
    for row in rows_of(
        summaries, pairs, counters, times.time_limit, times.self_test_twin, reference
    ):
        yield (title, row.summary.backend, *(COLUMNS[name].value(row) for name in names))
        title = ""
    best = Row(summary=virtual_best(times), time_limit=times.time_limit)
    yield (
        title,
        _BEST,
        *(_BLANK if name in _OF_ONE else COLUMNS[name].value(best) for name in names),
    )


def groups_export(results: Results, times: Times, view: ReportView, reference: str | None) -> Table:
    """Return the figures of all groups for CSV: one row for each group and backend."""
    assert view.by is not None
    rows: list[tuple[Any, ...]] = []
    columns: tuple[Column, ...] = ()
    figures = figures_of(results, view.show)
    for group in grouped(times, view.by):
        table = export_table(
            summarise(group.times),
            _pairs(group, reference),
            time_limit=times.time_limit,
            counters=counters_of(results, group.times, view.show, figures),
            show=view.show,
        )
        columns = table.columns
        rows += [(group.name, *row) for row in table.rows]
    return Table(
        title=f"By {view.by}",
        columns=(Column(view.by), *columns),
        rows=tuple(rows),
    )
