"""The tables of a comparison, from its figures."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from unidoku.comparison.record import Outcome
from unidoku.comparison.report.table import Table
from unidoku.comparison.report.units import NOTHING, format_percent, format_ratio, format_seconds

if TYPE_CHECKING:
    from unidoku.comparison.statistics import Luck, Pair, Phases, Resolution, Summary

__all__ = [
    "NOT_RESOLVED",
    "contradictions_table",
    "luck_table",
    "phases_table",
    "summary_table",
]

NOT_RESOLVED = "~"
"""Stands after a ratio that this run cannot tell from 1."""

LEFT_OUT = ("shifted mean", "contribution")
"""Columns that a terminal does without; Markdown, LaTeX, CSV and the page have them."""


def summary_table(
    summaries: Sequence[Summary],
    pairs: Mapping[str, Pair],
    *,
    title: str = "Backends",
    time_limit: float | None = None,
    resolution: Resolution | None = None,
    brief: bool = False,
) -> Table:
    """Return the table of all backends, a row each, in the order of the summaries.

    Args:
        summaries: the first is the one that the others are measured by.
        pairs: of the first with each other, by the other's label.
        title: of the table.
        time_limit: seconds a run; None if there was none.
        resolution: of the run, where it had a twin.
        brief: leave out the columns of `LEFT_OUT`, for a terminal's width.
    """
    outcomes = [o for o in Outcome if o is not Outcome.SOLVED and _occurs(o, summaries)]
    headings = (
        *("backend", "solved", *(outcome.value for outcome in outcomes)),
        *("median", "mean", "max", "PAR2", "shifted mean", "unique", "contribution", "× first"),
    )
    twin = resolution.twin if resolution else None
    rows = [
        _summary_row(summary, outcomes, pairs.get(summary.backend), resolution, twin)
        for summary in summaries
    ]
    sentences = _summary_note(summaries, time_limit, resolution)
    table = Table(title=title, headings=headings, rows=tuple(rows), note=" ".join(sentences))
    if not brief:
        return table
    said = [text for text in sentences if text.partition(":")[0].lower() not in LEFT_OUT]
    return replace(table.without(LEFT_OUT), note=" ".join(said))


def _occurs(outcome: Outcome, summaries: Sequence[Summary]) -> bool:
    return any(summary.outcomes.get(outcome, 0) for summary in summaries)


def _summary_row(
    summary: Summary,
    outcomes: Sequence[Outcome],
    pair: Pair | None,
    resolution: Resolution | None,
    twin: str | None,
) -> tuple[str, ...]:
    durations = (
        *(summary.median, summary.mean, summary.maximum),
        *(summary.par2, summary.shifted_mean),
    )
    competes = summary.backend != twin
    return (
        summary.backend,
        str(summary.solved),
        *(str(summary.outcomes.get(outcome, 0)) for outcome in outcomes),
        *map(format_seconds, durations),
        str(summary.unique) if competes else NOTHING,
        format_percent(summary.contribution),
        _ratio(pair, resolution) if pair else "1",
    )


def _ratio(pair: Pair, resolution: Resolution | None) -> str:
    from unidoku.comparison.statistics import resolves  # numpy, which a listing need not load

    if not pair.both:
        return NOTHING
    interval = f"[{format_ratio(pair.low)}, {format_ratio(pair.high)}]"
    mark = "" if resolves(pair, resolution) else f" {NOT_RESOLVED}"
    return f"{format_ratio(pair.ratio)} {interval}{mark}"


def _summary_note(
    summaries: Sequence[Summary], time_limit: float | None, resolution: Resolution | None
) -> list[str]:
    from unidoku.comparison.statistics import LEAST_PERCENT, SHIFT

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
        "they took, those that failed, crashed, were wrong or not supported have none.",
        par2,
        f"Shifted mean: geometric, of the time plus {format_seconds(SHIFT)}.",
        "Unique: cases that no other backend solved.",
        "Contribution: by how much the PAR2 of the best on each case rises without it.",
        "× first: time over that of the first row, geometric mean over the cases that both "
        "solved, and its 95 % interval.",
        f"{NOT_RESOLVED}: no difference is shown: the interval has 1 in it, or the ratio {least}"
        + (" or the resolution." if resolution else "."),
    ]
    if resolution:
        sentences.append(
            f"This run cannot resolve less than {format_percent(resolution.percent)}: "
            f"{resolution.label} against itself, entered as {resolution.twin}."
        )
    return sentences


def phases_table(
    phases: Sequence[Phases],
    rankings: Mapping[int, Sequence[tuple[str, float]]] | None = None,
    *,
    title: str = "Phases",
) -> Table:
    """Return the table of where the time goes.

    Args:
        phases: a row each.
        rankings: by a number of boards, what `unidoku.comparison.statistics.ranking` says for it.
        title: of the table.
    """
    rankings = rankings or {}
    costs = [dict(ranking) for ranking in rankings.values()]
    rows = [
        (
            phase.backend,
            *map(format_seconds, (phase.load, phase.first, phase.init, phase.solve, phase.decode)),
            *(format_seconds(cost.get(phase.backend, float("nan"))) for cost in costs),
        )
        for phase in phases
    ]
    note = (
        "Medians over the cases that the backend solved; load: importing and making the backend; "
        "first: a worker's first search of a layout."
    )
    if rankings:
        note += (
            " 1 of n: end-to-end time a board, over the cases that all solved, if what the first "
            "search takes longer is spread over n boards."
        )
    headings = (
        "backend",
        "load",
        "first",
        "init",
        "solve",
        "decode",
        *(f"1 of {n:,}" for n in rankings),
    )
    return Table(title=title, headings=headings, rows=tuple(rows), note=note)


def luck_table(lucks: Sequence[Luck], *, title: str = "Luck") -> Table:
    """Return the table of how far times spread over the images of a board."""
    rows = tuple(
        (luck.backend, str(luck.cases), format_ratio(luck.low), format_ratio(luck.high))
        for luck in lucks
    )
    note = (
        "Time of the fastest and of the slowest symmetric image of a board over the median of "
        "its images; geometric means over the cases."
    )
    headings = ("backend", "cases", "fastest image", "slowest image")
    return Table(title=title, headings=headings, rows=rows, note=note)


def contradictions_table(
    matrix: Mapping[tuple[str, str], Collection[object]],
    backends: Sequence[str],
    *,
    title: str = "Contradictions",
    brief: bool = False,
) -> Table:
    """Return the matrix of who is refuted, a row each, by whom, a column each, on how many cases.

    Args:
        matrix: of a `Verdict`.
        backends: all of them, also those that nobody contradicts.
        title: of the table.
        brief: leave out the rows and columns without a contradiction, for a terminal's width.
    """
    names = {name for pair in matrix for name in pair}
    known = list(dict.fromkeys(backends))
    others = sorted(names - set(known))
    rows_with = {refuted for refuted, _ in matrix}
    columns_with = {witness for _, witness in matrix}
    refuted = [*known, *(name for name in others if name in rows_with)]
    witnesses = [*known, *(name for name in others if name in columns_with)]
    if brief:
        refuted = [name for name in refuted if name in rows_with]
        witnesses = [name for name in witnesses if name in columns_with]
    rows = tuple(
        (row, *(str(len(matrix.get((row, witness), ())) or NOTHING) for witness in witnesses))
        for row in refuted
    )
    return Table(
        title=title,
        headings=("refuted by", *witnesses),
        rows=rows,
        note="Cases on which the backend of the row says what the one of the column refutes.",
    )
