"""The tables of a comparison, made from its figures."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from unidoku import text
from unidoku.comparison import statistics
from unidoku.comparison.record import Outcome
from unidoku.comparison.report.measured import measured_as
from unidoku.comparison.statistics import LEAST_PERCENT, SHIFT, resolves
from unidoku.table import Column, Table

if TYPE_CHECKING:
    from unidoku.comparison.results import Results
    from unidoku.comparison.statistics import Luck, PairedTimes, Phases, Resolution, Summary
    from unidoku.comparison.verdict import Verdict

__all__ = [
    "NOT_RESOLVED",
    "contradictions_table",
    "export_table",
    "luck_table",
    "phases_table",
    "standard_tables",
    "summary_table",
]

NOT_RESOLVED = "~"
"""The mark after a ratio that this run cannot distinguish from 1."""

LEFT_OUT = ("shifted mean", "contribution")
"""Columns that are too wide for a terminal; Markdown, LaTeX, CSV and the page have them."""

_BOARDS = (1, 1000)
"""Numbers of boards over which the table of phases spreads the first search."""

_EXPORTED = ("median", "mean", "maximum", "total", "par2", "shifted_mean")
"""Durations of a summary that the exported table includes."""


def standard_tables(
    results: Results,
    verdict: Verdict | None = None,
    *,
    title: str = "Backends",
    with_phases: bool = True,
    brief: bool = False,
) -> list[Table]:
    """Return the tables of a comparison: backends, phases, luck and contradictions.

    Luck and contradictions are included only if the results have some. Without runs there are no
    tables. The title is that of the first table; ``brief`` leaves out columns that are too wide for
    a terminal.
    """
    times = statistics.times_of(results)
    summaries = statistics.summarise(times)
    if not summaries:
        return []
    base = statistics.base_of(summaries)
    pairs = statistics.pairs_with(times, base) if base else {}
    table = summary_table(
        summaries,
        pairs,
        title=title,
        time_limit=times.time_limit,
        resolution=statistics.resolution(times, results.plan),
        brief=brief,
    )
    tables = [replace(table, note=" ".join([table.note, *measured_as(times)]))]
    if with_phases:
        rankings = {boards: statistics.ranking(times, boards) for boards in _BOARDS}
        tables.append(phases_table(statistics.phases(times), rankings))
    if lucks := statistics.luck(results):
        tables.append(luck_table(lucks))
    if verdict and verdict.matrix:
        tables.append(contradictions_table(verdict.matrix, times.backends, brief=brief))
    return tables


def summary_table(
    summaries: Sequence[Summary],
    pairs: Mapping[str, PairedTimes],
    *,
    title: str = "Backends",
    time_limit: float | None = None,
    resolution: Resolution | None = None,
    brief: bool = False,
) -> Table:
    """Return the table of all backends, one row for each, in the order of the summaries.

    The pairs are the first backend with each other one, by the label of the other; ``brief`` leaves
    out the columns of `LEFT_OUT`.
    """
    occur = {outcome for summary in summaries for outcome in summary.outcomes}
    outcomes = [o for o in Outcome if o in occur and o is not Outcome.SOLVED]
    twin = resolution.twin if resolution else None
    base = statistics.base_of(summaries)
    columns = (
        Column("backend"),
        Column("solved", lambda summary: str(summary.solved)),
        *(Column(outcome.value) for outcome in outcomes),
        *(Column(name, text.seconds) for name in ("median", "mean", "max", "PAR2")),
        *(Column("shifted mean", text.seconds), Column("unique")),
        *(Column("contribution", text.percent), _ratio_column(resolution)),
    )
    rows = tuple(
        (
            *(summary.backend, summary),
            *(summary.outcomes.get(outcome, 0) for outcome in outcomes),
            *(summary.median, summary.mean, summary.maximum, summary.par2, summary.shifted_mean),
            text.NOTHING if summary.backend == twin else summary.unique,
            *(summary.contribution, pairs.get(summary.backend, base)),
        )
        for summary in summaries
    )
    sentences = _summary_note(summaries, time_limit, resolution)
    table = Table(title=title, columns=columns, rows=rows, note=" ".join(sentences))
    if not brief:
        return table
    kept = [sentence for sentence in sentences if sentence.split(":")[0].lower() not in LEFT_OUT]
    shown = [heading for heading in table.headings if heading not in LEFT_OUT]
    return replace(table.only(shown), note=" ".join(kept))


def _ratio_column(resolution: Resolution | None) -> Column:
    """Return the column of the ratios to a backend, whose own entry is its label."""

    def as_text(pair: PairedTimes | str | None) -> str:
        if isinstance(pair, str):
            return "1"
        if pair is None or not pair.both:
            return text.NOTHING
        interval = f"[{text.ratio(pair.low)}, {text.ratio(pair.high)}]"
        mark = "" if resolves(pair, resolution) else f" {NOT_RESOLVED}"
        return f"{text.ratio(pair.ratio)} {interval}{mark}"

    def as_html(pair: PairedTimes | str | None) -> str:
        if isinstance(pair, str):
            return "1×"
        if pair is None or not pair.both:
            return text.NOTHING
        interval = ""
        if math.isfinite(pair.high):
            ends = f"{text.ratio(pair.low)} – {text.ratio(pair.high)}"
            interval = f'<span class="of"> {ends}</span>'
        kind = "" if resolves(pair, resolution) else ' class="below"'
        return f"<span{kind}>{times_sign(pair.ratio)}{interval}</span>"

    return Column("× first", as_text, as_html)


def times_sign(value: float) -> str:
    """Return a ratio for HTML: ``1.20×``."""
    return escape(f"{text.ratio(value)}×" if math.isfinite(value) else text.NOTHING)


def _summary_note(
    summaries: Sequence[Summary], time_limit: float | None, resolution: Resolution | None
) -> list[str]:
    cases = sorted({summary.cases for summary in summaries})
    number = f"N = {cases[0]}" if len(cases) == 1 else "N = those it was run on"
    par2 = (
        "PAR2 needs a time limit."
        if time_limit is None
        else f"PAR2: mean over all cases, {number}, each not solved as 2 T, T = {time_limit:g} s."
    )
    least = f"differs from 1 by less than {LEAST_PERCENT:g} %"
    sentences = [
        "Each time is the median of a case's rounds; cases that met a limit count with the time "
        "they took, those that failed, crashed, were wrong, refuted or not supported have none.",
        par2,
        f"Shifted mean: geometric, of the time plus {text.seconds(SHIFT)}.",
        "Unique: cases that no other backend solved.",
        "Contribution: by how much the PAR2 of the best on each case rises without it.",
        "× first: time over that of the first row, geometric mean over the cases that both "
        "solved, and its 95 % interval.",
        f"{NOT_RESOLVED}: no difference is shown: the interval has 1 in it, or the ratio {least}"
        + (" or the resolution." if resolution else "."),
    ]
    if resolution:
        sentences.append(
            f"This run cannot resolve less than {text.percent(resolution.percent)}: "
            f"{resolution.label} against itself, entered as {resolution.twin}."
        )
    return sentences


def export_table(
    summaries: Sequence[Summary],
    pairs: Mapping[str, PairedTimes] | None = None,
    *,
    time_limit: float | None = None,
) -> Table:
    """Return the table of all figures for CSV: the same columns for every comparison.

    A figure that does not exist is None or nan. An interval without an upper end ends at inf.
    """
    headings = (
        *("backend", "cases", *(f"{outcome.value}_cases" for outcome in Outcome)),
        *(f"{name}_s" for name in _EXPORTED),
        *("time_limit_s", "unique_cases", "contribution_percent"),
        *("ratio_to", "ratio", "ratio_low", "ratio_high"),
    )
    rows = []
    for summary in summaries:
        pair = (pairs or {}).get(summary.backend)
        rows.append(
            (
                *(summary.backend, summary.cases),
                *(summary.outcomes.get(outcome, 0) for outcome in Outcome),
                *(getattr(summary, name) for name in _EXPORTED),
                *(time_limit and float(time_limit), summary.unique, summary.contribution),
                *((pair.first, pair.ratio, pair.low, pair.high) if pair else (None,) * 4),
            )
        )
    return Table(title="Backends", columns=tuple(map(Column, headings)), rows=tuple(rows))


def phases_table(
    phases: Sequence[Phases],
    rankings: Mapping[int, Sequence[tuple[str, float]]] | None = None,
) -> Table:
    """Return the table of phases, which shows where the time goes.

    Args:
        phases: phases of each backend, one row for each.
        rankings: the results of `unidoku.comparison.statistics.ranking`, by the number of boards.
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


def luck_table(lucks: Sequence[Luck]) -> Table:
    """Return the table of the spread of times over the images of a board."""
    columns = (
        *(Column("backend"), Column("cases")),
        *(Column(f"{which} image", text.ratio, times_sign) for which in ("fastest", "slowest")),
    )
    rows = tuple((luck.backend, luck.cases, luck.low, luck.high) for luck in lucks)
    note = (
        "Time of the fastest and of the slowest symmetric image of a board over the median of "
        "its images; geometric means over the cases."
    )
    return Table(title="Luck", columns=columns, rows=rows, note=note)


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
        there = set(names)
        known = [label for label in backends if label in there or not brief]
        return known + sorted(there.difference(backends))

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
