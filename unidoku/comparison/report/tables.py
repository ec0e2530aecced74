"""The tables of a comparison, made from its figures, and all of them as one table for CSV."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from unidoku.comparison.report.columns import times_sign
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
from unidoku.comparison.results import COUNTERS, Results
from unidoku.comparison.statistics.curves import Curve, Point, curve
from unidoku.comparison.statistics.distributions import (
    Distribution,
    SymmetrySpread,
    distributions,
    symmetry_spread,
)
from unidoku.comparison.statistics.effort import (
    RELATED,
    Effort,
    MeanEffort,
    efforts,
    mean_efforts,
    reported,
)
from unidoku.comparison.statistics.summary import Phases, phases, ranking
from unidoku.support import text
from unidoku.support.table import Column, Table

if TYPE_CHECKING:
    from unidoku.comparison.verdict import Verdict

_BOARDS = (1, 1000)
"""Numbers of boards over which the table of phases spreads the first search."""

_MOST_BOARDS = 20
"""The most boards of a table: those with the largest spread; an export has all."""


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


def curves_of(findings: Findings) -> list[tuple[str, Curve]]:
    """Return the curves that the view asks for: of times, or of the first counter that it shows.

    There is one for each group of the view, with its name; or one without a name.
    """
    number, name = findings.view.x, findings.view.curve_figure
    assert number is not None
    curves = []
    for group, part in findings.parts:
        figures = part.times.seconds if name == "median" else part.counters[name]
        curves.append((group, curve(part.times, number, figures, part.satisfiable)))
    return curves


def curve_table(findings: Findings) -> Table:
    """Return the table of curves, with a row for each point and a column for each backend."""
    curves, view, times = curves_of(findings), findings.view, findings.times
    name = view.curve_figure
    write = text.seconds if name == "median" else text.count
    columns = [
        *(Column(str(view.x), kind="name"), Column("cases"), Column("satisfiable", _share_text)),
        *(Column(label, write) for label in times.backends),
    ]
    rows = []
    for group, line in curves:
        for index, point in enumerate(line.points):
            row = (number_words(point), point.cases, point.satisfiable, *point.figures)
            rows.append((group if index == 0 else "", *row) if view.by else row)
    if view.by:
        columns.insert(0, Column(view.by, kind="name"))
    figure = "time" if name == "median" else f"number of {name}"
    note = (
        f"Median {figure} of the cases, up to the limit for those that met one; satisfiable: the "
        "share that has a solution, of the cases that are decided."
    )
    if without := sum(curve.without for _, curve in curves):
        has = "has" if without == 1 else "have"
        note += f" {text.plural(without, 'case')} {has} no number {view.x}."
    return Table(title=f"Over {view.x}", columns=tuple(columns), rows=tuple(rows), note=note)


def number_words(point: Point) -> str:
    """Return the number of a point, or the range of its numbers."""
    low, high = f"{point.low:.6g}", f"{point.high:.6g}"
    return low if low == high else f"{low} – {high}"


def _share_text(value: float) -> str:
    return text.NOTHING if math.isnan(value) else f"{100 * value:.0f} %"


def curve_export(findings: Findings) -> Table:
    """Return curves for CSV: one row for each group, point and backend."""
    view = findings.view
    name = view.curve_figure
    headings = [
        *(f"{view.x}_low", f"{view.x}_high", f"{view.x}_mean", "cases", "satisfiable_share"),
        *("backend", "solved_cases", "median_s" if name == "median" else f"{name}_median"),
    ]
    rows = [
        (
            *((group,) if view.by else ()),
            *(point.low, point.high, point.middle, point.cases, point.satisfiable),
            *(label, solved, value),
        )
        for group, curve in curves_of(findings)
        for point in curve.points
        for label, solved, value in zip(curve.backends, point.solved, point.figures, strict=True)
    ]
    if view.by:
        headings.insert(0, view.by)
    return Table(title=f"Over {view.x}", columns=tuple(map(Column, headings)), rows=tuple(rows))


def _if_known(form: Callable[[float], str]) -> Callable[[float], str]:
    """Return the form of a figure, whose cell stays empty if the figure is not known."""
    return lambda value: "" if math.isnan(value) else form(value)


_FIGURE, _TIME, _RATIO = map(_if_known, (text.count, text.seconds, text.ratio))


def effort_table(findings: Findings) -> Table:
    """Return the table: means over all boards first, then the boards, the most different first."""
    labels, reference = findings.labels, findings.reference
    by_case = efforts(findings.results, findings.times, labels, reference)
    cases = sorted(by_case, key=lambda case: -_search_spread(by_case[case]))[:_MOST_BOARDS]
    reported_by = reported(by_case.values())
    counters = [name for name in COUNTERS if any(name in names for names in reported_by.values())]
    rows: list[tuple[Any, ...]] = []
    empty = (math.nan,) * (2 + len(counters))
    title = "all boards"
    means = mean_efforts(by_case.values(), labels)
    for mean in means:
        rows.append((title, mean.backend, *empty, *(mean.ratios[name] for name in RELATED)))
        title = ""
    for case in cases:
        title = case.name
        for effort in by_case[case]:
            rows.append((title, effort.backend, *_effort_row(effort, counters)))
            title = ""
    left_out = []
    if hidden := len(by_case) - len(cases):
        left_out = [
            f"{text.plural(hidden, 'board')} with smaller differences left out; --csv has all."
        ]
    return Table(
        title="Searches",
        columns=(
            *(Column("board", kind="name"), Column("backend", kind="name")),
            *(Column("search", _TIME), *(Column(name, _FIGURE) for name in counters)),
            Column("a node", _TIME),
            *(
                Column(f"× {name}", _RATIO, _if_known(times_sign))
                for name in ("search", "nodes", "a node")
            ),
        ),
        rows=tuple(rows),
        note=" ".join(
            [*_effort_notes(means, reference), *_silences(reported_by, counters), *left_out]
        ),
        dispensable=("guesses", "restarts", "propagations"),
    )


def _effort_row(effort: Effort, counters: Sequence[str]) -> tuple[float, ...]:
    counts = (effort.counters[name] for name in counters)
    return (effort.search, *counts, effort.node, *(effort.ratios[name] for name in RELATED))


def _search_spread(of_case: Sequence[Effort]) -> float:
    """Return by which factor the times of the searches of a board differ."""
    seconds = [effort.search for effort in of_case if effort.search > 0]
    return max(seconds) / min(seconds) if seconds else 0.0


def _effort_notes(means: Sequence[MeanEffort], reference: str | None) -> Iterator[str]:
    yield (
        "Search: the time of the search without the model and conversion, as far as the backend "
        "tells it apart. Nodes and the others: as each backend counts them. A node: the time of "
        "the search over its nodes."
    )
    if reference is not None:
        others = [mean for mean in means if mean.backend != reference]
        counts = ", ".join(f"{mean.backend} {mean.boards}" for mean in others)
        yield (
            f"×: over {reference} on the same board, if both solved it; × search is × nodes times "
            f"× a node. All boards: geometric means, boards: {counts}."
        )


def _silences(reported_by: Mapping[str, Collection[str]], counters: Sequence[str]) -> Iterator[str]:
    """Yield which of the counters each backend does not report."""
    for label, names in reported_by.items():
        if missing := [name for name in counters if name not in names]:
            yield f"{label} does not tell {text.listed(missing)}."


def effort_export(findings: Findings) -> Table:
    """Return the searches of all boards for CSV: one row for each board and backend."""
    labels, reference = findings.labels, findings.reference
    by_case = efforts(findings.results, findings.times, labels, reference)
    headings = (
        *("board", "case", "backend", "search_s", *COUNTERS, "node_s", "ratio_to"),
        *(f"ratio_{name}" for name in RELATED),
    )
    rows = []
    for case, of_board in by_case.items():
        for effort in of_board:
            figures = _effort_row(effort, COUNTERS)
            ratios = figures[-len(RELATED) :]
            plain = figures[: -len(RELATED)]
            rows.append((case.name, case.id, effort.backend, *plain, reference, *ratios))
    return Table(title="Searches", columns=tuple(map(Column, headings)), rows=tuple(rows))
