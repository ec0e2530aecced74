"""The tables of a page as plain HTML: what is read where scripts do not run."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from unidoku.comparison.record import Outcome
from unidoku.comparison.report.html.pictures import swatch
from unidoku.comparison.report.html.words import counted, digits, ratio, seconds
from unidoku.comparison.results import OUTCOMES, Results
from unidoku.comparison.statistics import (
    Luck,
    Pair,
    Resolution,
    Summary,
    Times,
    phases,
    ranking,
    resolves,
)
from unidoku.comparison.verdict import Disagreement, Verdict
from unidoku.draw import svg

__all__ = [
    "conditions",
    "disagreement_cards",
    "failure_section",
    "luck_section",
    "matrix_table",
    "phase_table",
    "summary_table",
    "undecided_list",
]

_SIGNS = {
    Outcome.SOLVED: "✓",
    Outcome.UNKNOWN: "◷",
    Outcome.TIMEOUT: "◷",
    Outcome.MEMORY: "▣",
    Outcome.CRASHED: "✕",
    Outcome.FAILED: "✕",
    Outcome.WRONG: "≠",
    Outcome.UNSUPPORTED: "–",
}
_MOST_CARDS = 60
_MOST_BOARDS = 6
_MOST_FAILURES = 30
_MOST_NAMES = 100


def _table(kind: str, headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of cells that are HTML already; the first cell of each row heads it."""
    head = "".join(f'<th scope="col">{heading}</th>' for heading in headings)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(cells)}</tr>' for first, *cells in rows
    )
    return f'<table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _number(text: str, kind: str = "") -> str:
    return f'<td class="{f"number {kind}".strip()}">{text}</td>'


def _badge(outcome: Outcome, text: str) -> str:
    return f' <span class="badge {outcome.value}">{_SIGNS[outcome]} {escape(text)}</span>'


def _label(times: Times, backend: str) -> str:
    return f"{swatch(times.backends.index(backend))}{escape(backend)}"


def summary_table(
    times: Times,
    summaries: Sequence[Summary],
    pairs: Mapping[str, Pair],
    within: Resolution | None,
) -> str:
    """Return the table of the summaries, in their order."""
    headings = "backend", "solved", "median", "mean", "max", "PAR2", "geo mean", "× first"
    rows = []
    for summary in summaries:
        others = [
            _badge(outcome, f"{count} {outcome.value}")
            for outcome, count in summary.outcomes.items()
            if outcome is not Outcome.SOLVED
        ]
        of = f'<span class="of"> of {summary.cases:,}</span>'
        figures = (summary.median, summary.mean, summary.maximum, summary.par2)
        rows.append(
            [
                _label(times, summary.backend),
                _number(f"<b>{summary.solved:,}</b>{of}{''.join(others)}"),
                *(_number(seconds(value)) for value in (*figures, summary.shifted_mean)),
                _ratio_cell(pairs.get(summary.backend), within),
            ]
        )
    return _table("summary", headings, rows)


def _ratio_cell(found: Pair | None, within: Resolution | None) -> str:
    if found is None:
        return _number("1×")
    if not found.both:
        return _number("–")
    span = ""
    if math.isfinite(found.high):
        span = f'<span class="of"> {digits(found.low)} – {digits(found.high)}</span>'
    return _number(ratio(found.ratio) + span, "" if resolves(found, within) else "below")


def phase_table(times: Times) -> str:
    """Return the phases of each backend, and what a single board costs with all that is once."""
    cost = dict(ranking(times, 1))
    by_label = {row.backend: row for row in phases(times)}
    rows = []
    for label in cost:
        row = by_label[label]
        parts = {"init": row.init, "solve": row.solve, "decode": row.decode}
        whole = sum(parts.values()) or 1.0
        bar = "".join(
            f'<i class="{name}" style="width: {100 * value / whole:.2f}%"></i>'
            for name, value in parts.items()
        )
        figures = (cost[label], row.first, *parts.values())
        rows.append(
            [
                _label(times, label),
                *(_number(seconds(value)) for value in figures),
                f'<td class="wide"><div class="shares">{bar}</div></td>',
            ]
        )
    if not rows:
        return '<p class="quiet">Nothing was solved.</p>'
    headings = "backend", "one board", "first search", "init", "solve", "decode", "shares"
    return _table("phases", headings, rows)


def matrix_table(verdict: Verdict) -> str:
    """Return the contradiction matrix, counts only."""
    matrix = verdict.matrix
    if not matrix:
        return '<p class="quiet">Nobody contradicts anybody.</p>'
    witnesses = list(dict.fromkeys(witness for _, witness in matrix))
    rows = [
        [
            escape(refuted),
            *(_number(str(len(matrix.get((refuted, other), ())) or "·")) for other in witnesses),
        ]
        for refuted in dict.fromkeys(refuted for refuted, _ in matrix)
    ]
    headings = ["refuted ↓ by →", *map(escape, witnesses)]
    return f'<div class="scroll">{_table("matrix", headings, rows)}</div>'


def luck_section(times: Times, found: Sequence[Luck]) -> str:
    """Return the section on luck, or nothing where no images were run."""
    if not found:
        return ""
    rows = [
        [
            _label(times, row.backend),
            _number(ratio(row.low)),
            _number(ratio(row.high)),
            _number(counted(row.cases, "case")),
        ]
        for row in found
    ]
    return (
        '<section aria-labelledby="luck-title"><h2 id="luck-title">Luck</h2>'
        '<p class="lead">Each board was also run turned, mirrored and renamed. No image is '
        "harder than another: what its time is off the median of all images is luck.</p>"
        '<div class="scroll" id="luck" tabindex="0" role="region" aria-label="Luck">'
        f"{_table('lucks', ('backend', 'fastest', 'slowest', ''), rows)}</div></section>"
    )


def disagreement_cards(verdict: Verdict) -> str:
    """Return the disagreements, the first few with their boards."""
    found = verdict.disagreements
    if not found:
        return '<p class="quiet">None.</p>'
    cards = "".join(
        _card(disagreement, number < _MOST_BOARDS)
        for number, disagreement in enumerate(found[:_MOST_CARDS])
    )
    more = len(found) - _MOST_CARDS
    rest = f'<p class="quiet">and {more:,} more, in the journal.</p>' if more > 0 else ""
    return f'<div class="cards">{cards}</div>{rest}'


def _card(found: Disagreement, with_board: bool) -> str:
    picture = svg(found.case.board) if with_board else ""
    return (
        f'<article class="case"><div>{picture}</div><div><h3>{escape(found.case.name)}</h3>'
        f"<p>{_badge(Outcome.WRONG, found.kind)} {escape(' against '.join(found.backends))}</p>"
        f'<p class="evidence">{escape(found.evidence)}</p></div></article>'
    )


def undecided_list(verdict: Verdict) -> str:
    """Return the undecided cases by name."""
    cases = verdict.undecided
    if not cases:
        return ""
    names = ", ".join(escape(case.name) for case in cases[:_MOST_NAMES])
    more = len(cases) - _MOST_NAMES
    rest = f" and {more:,} more" if more > 0 else ""
    return (
        f"<details><summary>Undecided: {counted(len(cases), 'case')} that no backend settled"
        f'</summary><div class="chips" id="undecided">{names}{rest}</div></details>'
    )


def failure_section(results: Results) -> str:
    """Return what went wrong in words, each message once with how often it came."""
    codes, backend = results.column("outcome"), results.column("backend")
    messages: defaultdict[tuple[str, Outcome, str], int] = defaultdict(int)
    for run, texts in results.evidence.items():
        outcome = OUTCOMES[codes[run]]
        messages[results.backends[backend[run]], outcome, "; ".join(texts)] += 1
    if not messages:
        return ""
    ranked = sorted(messages.items(), key=lambda item: -item[1])
    rows = [
        [
            escape(label),
            f"<td>{_badge(outcome, outcome.value)}</td>",
            _number(f"{count:,}"),
            f'<td class="evidence">{escape(text)}</td>',
        ]
        for (label, outcome, text), count in ranked[:_MOST_FAILURES]
    ]
    more = len(ranked) - _MOST_FAILURES
    rest = f'<p class="quiet">and {more:,} other messages, in the journal.</p>' if more > 0 else ""
    headings = ("backend", "outcome", "runs", "what it was")
    return (
        '<section aria-labelledby="failures-title"><h2 id="failures-title">What went wrong</h2>'
        '<p class="lead">In the runs of all cases, images among them.</p>'
        f'<div class="scroll">{_table("failures", headings, rows)}</div>{rest}</section>'
    )


def conditions(table: Mapping[str, Any]) -> str:
    """Return a table of settings as a description list, nested where it is."""
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
