"""The tables that every comparison has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unidoku.comparison.report.table import Table
from unidoku.comparison.report.tables import (
    contradictions_table,
    luck_table,
    phases_table,
    summary_table,
)

if TYPE_CHECKING:
    from unidoku.comparison.results import Results
    from unidoku.comparison.verdict import Verdict

__all__ = ["standard_tables"]

_BOARDS = (1, 1000)
"""Numbers of boards that the table of phases spreads the first search over."""


def standard_tables(
    results: Results,
    verdict: Verdict | None = None,
    *,
    title: str = "Backends",
    with_phases: bool = True,
    brief: bool = False,
    seed: int = 1,
) -> list[Table]:
    """Return the tables of a comparison: backends, phases, luck and contradictions.

    The last two only where there are any; none at all where there are no runs.

    Args:
        results: of all runs.
        verdict: on them; without it there is no table of contradictions.
        title: of the first table.
        with_phases: whether the table of phases is wanted.
        brief: leave out what a terminal has no width for.
        seed: of the intervals.
    """
    from unidoku.comparison import statistics  # numpy, which a listing need not load

    times = statistics.times_of(results)
    summaries = statistics.summarise(times)
    if not summaries:
        return []
    pairs = statistics.pairs_with(times, summaries[0].backend, seed=seed)
    resolution = statistics.resolution(times, results.plan)
    tables = [
        summary_table(
            summaries,
            pairs,
            title=title,
            time_limit=times.time_limit,
            resolution=resolution,
            brief=brief,
        )
    ]
    if with_phases:
        rankings = {boards: statistics.ranking(times, boards) for boards in _BOARDS}
        tables.append(phases_table(statistics.phases(times), rankings))
    if lucks := statistics.luck(results):
        tables.append(luck_table(lucks))
    if verdict and verdict.matrix:
        tables.append(contradictions_table(verdict.matrix, times.backends, brief=brief))
    return tables
