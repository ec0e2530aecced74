"""The figures of a comparison as one table for CSV."""

from __future__ import annotations

from unidoku.comparison import statistics
from unidoku.comparison.report.curves import curve_export
from unidoku.comparison.report.groups import groups_export
from unidoku.comparison.report.summaries import counters_of, export_table
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.results import Results
from unidoku.support.table import Table


def figures_table(results: Results, view: ReportView) -> Table:
    """Return the table that a view asks for: curves, otherwise groups, otherwise all backends.

    Raises:
        InputError: the results lack what the view names.
    """
    view.check(results)
    times = statistics.times_of(results)
    if view.x is not None:
        return curve_export(results, times, view)
    summaries = statistics.summarise(times)
    reference = view.reference or statistics.base_of(summaries)
    if view.by is not None:
        return groups_export(results, times, view, reference)
    return export_table(
        summaries,
        statistics.pairs_with(times, reference) if reference else {},
        time_limit=times.time_limit,
        counters=counters_of(results, times, view.show),
        show=view.show,
    )
