"""The tables of a comparison, made from its figures, and all of them as one table for CSV."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from unidoku.comparison.report.columns import times_sign
from unidoku.comparison.report.curves import curve_export, curve_table
from unidoku.comparison.report.effort import effort_export, effort_table
from unidoku.comparison.report.findings import Findings
from unidoku.comparison.report.summaries import (
    Width,
    export_table,
    groups_export,
    groups_table,
    summary_table,
)
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.report.words import measured_as
from unidoku.comparison.results import Results
from unidoku.comparison.statistics.distributions import (
    Distribution,
    SymmetrySpread,
    distributions,
    symmetry_spread,
)
from unidoku.comparison.statistics.phases import Phases, phases, ranking
from unidoku.support import text
from unidoku.support.table import Column, Table

if TYPE_CHECKING:
    from unidoku.comparison.verdict import Verdict

_BOARDS = (1, 1000)
"""Numbers of boards over which the table of phases spreads the first search."""


def standard_tables(
    results: Results,
    verdict: Verdict | None = None,
    *,
    title: str = "Backends",
    view: ReportView = ReportView(),  # noqa: B008 - a view never changes
    width: Width = "wide",
) -> list[Table]:
    """Return the tables of a comparison, of which the first is that of the backends.

    The others are groups, curves, searches, phases and distributions, if the view asks for them,
    and symmetry spread and contradictions, if the results have some. Without runs there are no
    tables. The title is that of the first table.

    Raises:
        InputError: the results lack what the view names.
    """
    findings = Findings.of(results, view)
    times = findings.times
    if not findings.summaries:
        return []
    table = summary_table(findings, title=title, show=view.show, width=width)
    tables = [replace(table, note=" ".join([table.note, *measured_as(times)]))]
    if view.by is not None:
        tables.append(groups_table(findings))
    if view.x is not None:
        tables.append(curve_table(findings))
    if view.effort:
        tables.append(effort_table(findings))
    if view.phases:
        rankings = {boards: ranking(times, boards) for boards in _BOARDS}
        tables.append(phases_table(phases(times), rankings))
    if spreads := symmetry_spread(results):
        tables.append(symmetry_spread_table(spreads))
    if view.distributions:
        tables.append(distributions_table(distributions(results), times.time_limit))
    if verdict and verdict.matrix:
        brief = width == "terminal"
        tables.append(contradictions_table(verdict.matrix, times.backends, brief=brief))
    return tables


def phases_table(
    phases: Sequence[Phases],
    rankings: Mapping[int, Sequence[tuple[str, float]]] | None = None,
) -> Table:
    """Return the table of phases, which shows where the time goes.

    Args:
        phases: phases of each backend, one row for each.
        rankings: the results of `ranking`, by the number of boards.
    """
    # Without a case whose layout is shared, there is nothing to spread.
    rankings = {
        boards: ranking
        for boards, ranking in (rankings or {}).items()
        if any(math.isfinite(cost) for _, cost in ranking)
    }
    costs = [dict(ranking) for ranking in rankings.values()]
    rows = tuple(
        (
            *(phase.backend, phase.load, phase.first, phase.init, phase.solve, phase.decode),
            *(cost.get(phase.backend, math.nan) for cost in costs),
        )
        for phase in phases
    )
    note = (
        "Medians over the cases that the backend solved; load: importing and making the backend, "
        "without what another had imported before; first: a worker's first search of a layout, on "
        "another board, or its first search at all."
    )
    if rankings:
        note += (
            " 1 of n: end-to-end time a board, over the cases that all solved and whose layout "
            "others share, if what the first search takes longer is spread over n boards."
        )
    headings = ("load", "first", "init", "solve", "decode", *(f"1 of {n:,}" for n in rankings))
    columns = (Column("backend"), *(Column(heading, text.seconds) for heading in headings))
    return Table(title="Phases", columns=columns, rows=rows, note=note)


def symmetry_spread_table(spreads: Sequence[SymmetrySpread]) -> Table:
    """Return the table of the spread of times over the images of a board."""
    columns = (
        *(Column("backend"), Column("cases")),
        *(Column(f"{which} image", text.ratio, times_sign) for which in ("fastest", "slowest")),
    )
    rows = tuple(
        (symmetry_spread.backend, symmetry_spread.cases, symmetry_spread.low, symmetry_spread.high)
        for symmetry_spread in spreads
    )
    note = (
        "Time of the fastest and of the slowest symmetric image of a board over the median of "
        "its images; geometric means over the cases."
    )
    return Table(title="Symmetry spread", columns=columns, rows=rows, note=note)


def contradictions_table(
    matrix: Mapping[tuple[str, str], Collection[object]],
    backends: Sequence[str],
    *,
    brief: bool = False,
) -> Table:
    """Return the matrix of contradictions: how often each column's backend refutes each row's.

    All backends have a row and a column; if ``brief``, only those with a contradiction.
    """

    def ordered(names: Iterable[str]) -> list[str]:
        labels = set(names)
        in_order = [label for label in backends if label in labels or not brief]
        return in_order + sorted(labels.difference(backends))

    refuted = ordered(name for name, _ in matrix)
    witnesses = ordered(name for _, name in matrix)
    return Table(
        title="Contradictions",
        columns=(
            Column("refuted by"),
            *(Column(name, lambda count: str(count or text.NOTHING)) for name in witnesses),
        ),
        rows=tuple(
            (row, *(len(matrix.get((row, witness), ())) for witness in witnesses))
            for row in refuted
        ),
        note="Cases on which the answer of the row's backend is refuted by the column's.",
    )


def figures_table(results: Results, view: ReportView) -> Table:
    """Return the table that a view asks for: curves, groups, searches, otherwise all backends.

    Raises:
        InputError: the results lack what the view names.
    """
    findings = Findings.of(results, view)
    if view.x is not None:
        return curve_export(findings)
    if view.by is not None:
        return groups_export(findings)
    return effort_export(findings) if view.effort else export_table(findings)


_SHARES = (0.1, 0.5, 0.9, 0.99, 1.0)
"""The quantiles of the table."""

_MOST_BOARDS = 20
"""The most boards of the table: those with the largest spread."""


def distributions_table(series: Sequence[Distribution], time_limit: float | None) -> Table:
    """Return the table of quantiles, with a row for each board and backend."""
    spreads: dict[str, float] = {}
    for distribution in series:
        spreads[distribution.case.id] = max(
            spreads.get(distribution.case.id, 0.0), _finite(distribution.spread)
        )
    widest = sorted(spreads, key=lambda case: -spreads[case])[:_MOST_BOARDS]
    quantile = _quantile(time_limit)
    columns = (
        *(Column("board"), Column("backend", kind="name"), Column("images"), Column("solved")),
        *(Column(f"{share:.0%}".replace("%", " %"), quantile) for share in _SHARES),
    )
    rows = tuple(
        (
            *(
                distribution.case.name,
                distribution.backend,
                distribution.images,
                len(distribution.seconds),
            ),
            *(distribution.quantile(share) for share in _SHARES),
        )
        for distribution in series
        if distribution.case.id in widest
    )
    note = (
        "Quantiles of the times over the symmetric images of a board, itself included: the time "
        "within which that share of them is solved."
    )
    if left_out := len(spreads) - len(widest):
        note += f" {text.plural(left_out, 'board')} with smaller spreads left out."
    if not series:
        note = "No board was run on symmetric images; unidoku compare --symmetries runs some."
    return Table(title="Run-time distributions", columns=columns, rows=rows, note=note)


def _finite(spread: float) -> float:
    return 0.0 if math.isnan(spread) else spread


def _quantile(time_limit: float | None) -> Callable[[float], str]:
    beyond = "not solved" if time_limit is None else f"> {text.seconds(time_limit)}"
    return lambda value: beyond if math.isinf(value) else text.seconds(value)
