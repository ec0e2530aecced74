"""The sections of the page that Python writes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from unidoku.comparison.record import Outcome
from unidoku.comparison.results import OUTCOMES, Results
from unidoku.comparison.statistics.distributions import SymmetrySpread
from unidoku.comparison.verdict import Verdict
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
_MOST_FAILURES = 30

_ICONS = {
    "good": '<circle cx="12" cy="12" r="10"/><path d="M7.5 12.4l3 3 6-6.6"/>',
    "bad": '<path d="M8 2h8l6 6v8l-6 6H8l-6-6V8z"/><path d="M12 6.5v6.6M12 16.6v.2"/>',
    "open": '<circle cx="12" cy="12" r="10" stroke-dasharray="3.2 2.03"/>'
    '<path d="M9.4 9.6a2.7 2.7 0 1 1 3.7 2.5c-.8.3-1.1.9-1.1 1.7M12 16.9v.1"/>',
}


def icon(kind: str) -> str:
    """Return the icon of a tone as SVG; each tone has its own shape and colour."""
    return (
        '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" '
        'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">'
        f"{_ICONS[kind]}</svg>"
    )


def section(table: Table, *, name: str = "", drawn: str = "") -> str:
    """Return a table as a section of the page, with its title as heading and its note.

    Args:
        table: the table.
        name: what the ids in the section begin with; its title if empty.
        drawn: HTML of what the script draws. With it, the table is folded.
    """
    name = name or re.sub(r"[^a-z]+", "-", table.title.lower()).strip("-")
    plain = (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}">'
        f"{to_html(replace(table, title=''), 'further')}</div>"
        f'<p class="fine">{escape(table.note)}</p>'
    )
    if drawn:
        plain = f"{drawn}<details><summary>All figures</summary>{plain}</details>"
    return (
        f'<section aria-labelledby="{name}-title">'
        f'<h2 id="{name}-title">{escape(table.title)}</h2>{plain}</section>\n'
    )


def groups_section(table: Table) -> str:
    """Return the section on groups: the script draws the backends by group above their table."""
    drawn = (
        '<div data-script hidden><p class="lead">Geometric mean of the times; a case that is not '
        "solved costs twice the time limit. The deeper the colour, the nearer to the best of the "
        "column, on a logarithmic scale. A heading chooses the cases of the page.</p>"
        '<div class="scroll" id="groups" tabindex="0" role="region" aria-label="Groups"></div>'
        "</div>"
    )
    return section(table, name="groups", drawn=drawn)


def over_section(table: Table) -> str:
    """Return the section on a number of the boards: the script draws a plot above the table."""
    drawn = (
        '<div data-script hidden><p class="lead">A point is a case; lines go through geometric '
        "means. Points that are not filled were not solved, and count as twice the time limit.</p>"
        '<div class="fields"><label class="field"><span>Over</span>'
        '<select id="over-name"></select></label></div><figure id="over"></figure></div>'
    )
    return section(table, name="over", drawn=drawn)


def symmetry_spread_section(spreads: Sequence[SymmetrySpread]) -> str:
    """Return the section whose table the script writes; empty if no images were run."""
    if not spreads:
        return ""
    return (
        '<section aria-labelledby="spread-title" data-script hidden>'
        '<h2 id="spread-title">Symmetry spread</h2>'
        '<p class="lead">Each board was also run turned, mirrored and renamed. No image is '
        "harder than another: what its time is off the median of all images is luck.</p>"
        '<div class="scroll" id="spread" tabindex="0" role="region" aria-label="Symmetry spread">'
        "</div></section>"
    )


def undecided_list(verdict: Verdict) -> str:
    """Return the list of the undecided cases, which the script fills; empty if there are none."""
    if not verdict.undecided:
        return ""
    return (
        f"<details><summary>Undecided: {plural(len(verdict.undecided), 'case')} that no backend "
        'settled</summary><div class="chips" id="undecided"></div></details>'
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
        *(Column("backend"), Column("outcome", html=_badge)),
        *(Column("runs", "{:,}".format), Column("what it was", kind="evidence")),
    )
    rows = tuple(
        (label, outcome, count, text) for (label, outcome, text), count in ranked[:_MOST_FAILURES]
    )
    hidden = len(ranked) - _MOST_FAILURES
    rest = (
        f'<p class="quiet">and {hidden:,} other messages, in the journal.</p>' if hidden > 0 else ""
    )
    table = to_html(Table(title="", columns=columns, rows=rows), "failures")
    return (
        '<section aria-labelledby="failures-title"><h2 id="failures-title">What went wrong</h2>'
        '<p class="lead">In the runs of all cases, images among them.</p>'
        f'<div class="scroll">{table}</div>{rest}</section>'
    )


def _badge(outcome: Outcome) -> str:
    return f'<span class="badge {outcome.value}">{_SIGNS[outcome]} {outcome.value}</span>'


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
