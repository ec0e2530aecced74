"""The page's tables as plain HTML, for readers without scripts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from unidoku.comparison.record import Outcome
from unidoku.comparison.report import tables
from unidoku.comparison.report.html.pictures import swatch
from unidoku.comparison.results import OUTCOMES, Results
from unidoku.comparison.statistics import (
    Luck,
    PairedTimes,
    Phases,
    Resolution,
    Summary,
    Times,
    phases,
    ranking,
)
from unidoku.comparison.verdict import Disagreement, Verdict
from unidoku.draw import picture
from unidoku.support.table import Column, Table, to_html
from unidoku.support.text import plural

_SIGNS = {
    Outcome.SOLVED: "✓",
    Outcome.LATE: "◷",
    Outcome.REFUTED: "≠",
    Outcome.UNKNOWN: "◷",
    Outcome.TIMEOUT: "◷",
    Outcome.MEMORY: "▣",
    Outcome.CRASHED: "✕",
    Outcome.FAILED: "✕",
    Outcome.WRONG: "≠",
    Outcome.UNSUPPORTED: "–",
}
_MOST_CARDS, _MOST_BOARDS, _MOST_FAILURES, _MOST_NAMES = 60, 6, 30, 100


def _written(table: Table, kind: str, **formats: Callable[[Any], str]) -> str:
    """Return a table without its title, with the page's formats for some columns."""
    columns = tuple(
        replace(column, html=formats.get(column.heading, column.html)) for column in table.columns
    )
    return to_html(replace(table, title="", columns=columns), kind)


def _badge(outcome: Outcome, text: str) -> str:
    return f' <span class="badge {outcome.value}">{_SIGNS[outcome]} {escape(text)}</span>'


def _label(times: Times) -> Callable[[str], str]:
    """Return the format of labels, which adds the legend of each curve."""
    return lambda backend: f"{swatch(times.backends.index(backend))}{escape(backend)}"


def summary_table(
    times: Times,
    summaries: Sequence[Summary],
    pairs: Mapping[str, PairedTimes],
    within: Resolution | None,
    reference: str | None = None,
) -> str:
    """Return the table of the summaries, with outcomes as badges."""
    table = tables.summary_table(summaries, pairs, resolution=within, reference=reference)
    durations = ("median", "mean", "max", "PAR2", "shifted mean")
    table = table.only(("backend", "solved", *durations, f"× {reference or 'first'}"))
    return _written(table, "summary", backend=_label(times), solved=_solved)


def _solved(summary: Summary) -> str:
    badges = [
        _badge(outcome, f"{count} {outcome.value}")
        for outcome, count in summary.outcomes.items()
        if outcome is not Outcome.SOLVED
    ]
    of = f'<span class="of"> of {summary.cases:,}</span>'
    return f"<b>{summary.solved:,}</b>{of}{''.join(badges)}"


def section(table: Table) -> str:
    """Return a table as a section of the page, with its title as heading and its note."""
    name = re.sub(r"[^a-z]+", "-", table.title.lower()).strip("-")
    return (
        f'<section aria-labelledby="{name}-title">'
        f'<h2 id="{name}-title">{escape(table.title)}</h2>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}">'
        f'{_written(table, "further")}</div><p class="fine">{escape(table.note)}</p></section>\n'
    )


def phase_table(times: Times) -> str:
    """Return the phases of each backend, and the cost of a single board with all one-off costs."""
    cost = ranking(times, 1)
    found = {row.backend: row for row in phases(times)}
    if not cost:
        return '<p class="quiet">Nothing was solved.</p>'
    ranked = [found[label] for label, _ in cost]
    table = tables.phases_table(ranked, {1: cost})
    headings = {"1 of 1": "one board", "first": "first search"}
    names = ("backend", "1 of 1", "first", "init", "solve", "decode")
    table = table.only([name for name in names if name in table.headings])
    columns = [
        replace(column, heading=headings.get(column.heading, column.heading))
        for column in table.columns
    ]
    shares = Column("shares", html=_shares, kind="wide")
    table = replace(
        table,
        columns=(*columns, shares),
        rows=tuple((*row, phase) for row, phase in zip(table.rows, ranked, strict=True)),
    )
    return _written(table, "phases", backend=_label(times))


def _shares(phase: Phases) -> str:
    parts = {"init": phase.init, "solve": phase.solve, "decode": phase.decode}
    whole = sum(parts.values()) or 1.0
    bar = "".join(
        f'<i class="{name}" style="width: {100 * value / whole:.2f}%"></i>'
        for name, value in parts.items()
    )
    return f'<div class="shares">{bar}</div>'


def matrix_table(times: Times, verdict: Verdict) -> str:
    """Return the contradiction matrix with the number of cases."""
    if not verdict.matrix:
        return '<p class="quiet">No backend contradicts another.</p>'
    table = tables.contradictions_table(verdict.matrix, times.backends, brief=True)
    return f'<div class="scroll">{_written(table, "matrix")}</div>'


def luck_section(times: Times, found: Sequence[Luck]) -> str:
    """Return the section on luck; empty if no images were run."""
    if not found:
        return ""
    table = tables.luck_table(found).only(("backend", "fastest image", "slowest image", "cases"))
    return (
        '<section aria-labelledby="luck-title"><h2 id="luck-title">Luck</h2>'
        '<p class="lead">Each board was also run turned, mirrored and renamed. No image is '
        "harder than another: what its time is off the median of all images is luck.</p>"
        '<div class="scroll" id="luck" tabindex="0" role="region" aria-label="Luck">'
        f"{_written(table, 'lucks', backend=_label(times))}</div></section>"
    )


def disagreement_cards(verdict: Verdict) -> str:
    """Return the disagreements; the first few include their boards."""
    found = verdict.disagreements
    if not found:
        return '<p class="quiet">None.</p>'
    cards = "".join(
        _card(disagreement, index < _MOST_BOARDS)
        for index, disagreement in enumerate(found[:_MOST_CARDS])
    )
    hidden = len(found) - _MOST_CARDS
    rest = f'<p class="quiet">and {hidden:,} more, in the journal.</p>' if hidden > 0 else ""
    return f'<div class="cards">{cards}</div>{rest}'


def _card(found: Disagreement, with_board: bool) -> str:
    board = picture(found.case.board) if with_board else ""
    return (
        f'<article class="case"><div>{board}</div><div><h3>{escape(found.case.name)}</h3>'
        f"<p>{_badge(Outcome.WRONG, found.kind)} {escape(' against '.join(found.backends))}</p>"
        f'<p class="evidence">{escape(found.evidence)}</p></div></article>'
    )


def undecided_list(verdict: Verdict) -> str:
    """Return the undecided cases by name."""
    cases = verdict.undecided
    if not cases:
        return ""
    names = ", ".join(escape(case.name) for case in cases[:_MOST_NAMES])
    hidden = len(cases) - _MOST_NAMES
    rest = f" and {hidden:,} more" if hidden > 0 else ""
    return (
        f"<details><summary>Undecided: {plural(len(cases), 'case')} that no backend settled"
        f'</summary><div class="chips" id="undecided">{names}{rest}</div></details>'
    )


def failure_section(results: Results) -> str:
    """Return the section on failures: each message once, with the number of its runs."""
    codes, backend = results.column("outcome"), results.column("backend")
    messages = Counter(
        (results.backends[backend[run]], OUTCOMES[codes[run]], "; ".join(texts))
        for run, texts in results.evidence.items()
    )
    if not messages:
        return ""
    ranked = messages.most_common()
    columns = (
        *(Column("backend"), Column("outcome", html=lambda outcome: _badge(outcome, outcome))),
        *(Column("runs", "{:,}".format), Column("what it was", kind="evidence")),
    )
    rows = tuple(
        (label, outcome, count, text) for (label, outcome, text), count in ranked[:_MOST_FAILURES]
    )
    hidden = len(ranked) - _MOST_FAILURES
    rest = (
        f'<p class="quiet">and {hidden:,} other messages, in the journal.</p>' if hidden > 0 else ""
    )
    table = _written(Table(title="", columns=columns, rows=rows), "failures")
    return (
        '<section aria-labelledby="failures-title"><h2 id="failures-title">What went wrong</h2>'
        '<p class="lead">In the runs of all cases, images among them.</p>'
        f'<div class="scroll">{table}</div>{rest}</section>'
    )


def conditions(table: Mapping[str, Any]) -> str:
    """Return settings as a nested description list."""
    if not table:
        return '<p class="quiet">Not recorded.</p>'
    items = "".join(f"<dt>{escape(str(k))}</dt><dd>{_value(v)}</dd>" for k, v in table.items())
    return f"<dl>{items}</dl>"


def _value(value: Any) -> str:
    match value:
        case Mapping():
            return conditions(value)
        case list() | tuple():
            return "<br>".join(map(_value, value)) or "none"
        case None:
            return "none"
        case True | False:
            return "yes" if value else "no"
    return escape(str(value))
