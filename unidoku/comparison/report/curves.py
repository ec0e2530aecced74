"""The table of a curve: a figure of each backend over a number of the boards."""

from __future__ import annotations

import math

from unidoku.comparison.report.findings import Findings
from unidoku.comparison.statistics.curves import Curve, Point, curve
from unidoku.support import text
from unidoku.support.table import Column, Table


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
        *(Column(str(view.x), kind="name"), Column("cases"), Column("satisfiable", _share)),
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


def _share(value: float) -> str:
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
