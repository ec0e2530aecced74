"""A comparison as one HTML file that readers can look at and filter.

Scripts draw its tables and plots from the columns of all runs, for the cases and backends that the
reader selects. Without scripts the page shows the verdict, the summary, what went wrong and the
conditions.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from string import Template
from typing import Any

from unidoku.comparison.environment import crowded, lacking
from unidoku.comparison.record import Outcome
from unidoku.comparison.report.columns import NOT_JOINTLY
from unidoku.comparison.report.findings import Findings
from unidoku.comparison.report.html.data import embedded, viewed
from unidoku.comparison.report.summaries import groups_table, machines_note, summary_table
from unidoku.comparison.report.tables import curve_table, distributions_table, effort_table
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.report.words import broken, facts, growing, sentence, tone
from unidoku.comparison.results import OUTCOMES, Results
from unidoku.comparison.statistics.distributions import (
    SymmetrySpread,
    distributions,
    symmetry_spread,
)
from unidoku.comparison.statistics.summary import SHIFT
from unidoku.comparison.verdict import Verdict
from unidoku.draw.paint import BOARD
from unidoku.support.page import page, read_part
from unidoku.support.table import Column, Table, to_html
from unidoku.support.text import percent, plural, seconds
from unidoku.version import __version__

_SCRIPTS = (
    *("words", "data", "state", "statistics", "plots", "curves", "scatter", "over"),
    *("board", "panel", "tables", "groups", "phases", "page"),
)
"""The scripts in the order of the page; each uses the ones before it."""

_NOTE = (
    "A case's time is the median of its rounds; cases that met a limit count with the time until "
    f"then, those that failed do not count, except in PAR2. Shifted mean: geometric mean, of the "
    f"time plus {seconds(SHIFT)}. × {{heading}}: time over that of {{base}}, paired geometric mean "
    "over the cases that both solved, with its 95 % interval; pale where it is no more than "
    f"chance. {NOT_JOINTLY}: more than chance by itself, but not if all ratios of the column are "
    "to be right together (Bonferroni)."
)


def _note(reference: str | None) -> str:
    return escape(_NOTE.format(heading=reference or "first", base=reference or "the first row"))


def _further(findings: Findings) -> str:
    """Return sections with the tables that the view asks for."""
    parts = []
    if findings.view.by is not None:
        parts.append(groups_section(groups_table(findings)))
    if findings.view.x is not None:
        parts.append(over_section(curve_table(findings)))
    if findings.view.effort:
        parts.append(section(effort_table(findings)))
    if findings.view.distributions:
        series = distributions(findings.results)
        parts.append(section(distributions_table(series, findings.times.time_limit)))
    return "".join(parts)


def html(
    results: Results,
    verdict: Verdict,
    *,
    title: str = "Comparison of backends",
    view: ReportView = ReportView(),  # noqa: B008 - a view never changes
) -> str:
    """Return the page of a comparison as text; it takes 40 bytes for each run, 100 for each case.

    Raises:
        InputError: the results lack what the view names.
    """
    findings = Findings.of(results, view)
    summary = summary_table(findings)
    body = Template(read_part(__name__, "page.html")).substitute(
        title=escape(title),
        tone=tone(verdict),
        icon=icon(tone(verdict)),
        sentence=escape(sentence(verdict)),
        broken=escape(broken(results)),
        facts=escape(facts(results)),
        warnings=_warnings(findings),
        summary_lead=_summary_lead(results),
        summary=to_html(replace(summary, title=""), "summary"),
        note=_note(view.reference),
        further=_further(findings) if findings.summaries else "",
        spread=symmetry_spread_section(symmetry_spread(results)),
        undecided=undecided_list(verdict),
        failures=failure_section(results),
        plan=conditions(results.plan),
        environment=conditions(results.environment),
        footer=escape(f"Written by unidoku {__version__}. This file makes no request."),
    )
    return page(
        title=title,
        body=body,
        data=embedded(findings, verdict) | viewed(findings),
        style=BOARD.page_style + read_part(__name__, "page.css"),
        script="\n".join(read_part(__name__, f"{name}.js") for name in _SCRIPTS),
        early=read_part(__name__, "theme.js"),
        generator=f"unidoku {__version__}",
    )


def _summary_lead(results: Results) -> str:
    if results.time_limit is None:
        return "Ranked by cases solved, then by the time on them. The run had no time limit."
    cases = plural(len(results.cases), "case")
    return (
        f"Ranked by cases solved, then by PAR2 with T = {seconds(results.time_limit)} and "
        f"N = {cases}: the mean time, in which a case not solved costs 2 T."
    )


def _warnings(findings: Findings) -> str:
    results, within = findings.results, findings.noise_floor
    warnings = []
    if within is not None and math.isinf(within.percent):
        warnings.append("Too few cases were solved to show what this run can resolve.")
    elif within is not None:
        warnings.append(
            f"This run cannot resolve less than {percent(within.percent)}: {within.label}, entered "
            f"twice, took {within.ratio:.3f} times its own time "
            f"({within.low:.3f} to {within.high:.3f}). Smaller ratios are pale."
        )
    for text in (*lacking(results.environment), *crowded(results.environment)):
        warnings.append(f"{text[0].upper()}{text[1:]}.")
    if notes := machines_note(findings):
        warnings.append(" ".join(notes))
    warnings.extend(f"{text}." for text in growing(results))
    disturbed = int(results.column("disturbed").sum())
    if disturbed:
        warnings.append(f"{disturbed:,} of {plural(len(results), 'run')} were disturbed.")
    return "".join(f'<p class="warning">{escape(text)}</p>' for text in warnings)


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
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}: table">'
        f"{to_html(replace(table, title=''), 'further')}</div>"
        f'<p class="fine">{escape(table.note)}</p>'
    )
    if drawn:
        plain = f"{drawn}<details><summary>All figures</summary>{plain}</details>"
    return f"{_framed(name, table.title, plain)}\n"


def _framed(name: str, title: str, content: str, attributes: str = "") -> str:
    """Return content as a section of the page with a heading, whose id begins with this name."""
    return (
        f'<section aria-labelledby="{name}-title"{attributes}>'
        f'<h2 id="{name}-title">{escape(title)}</h2>{content}</section>'
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
    content = (
        '<p class="lead">Each board was also run turned, mirrored and renamed. No image is '
        "harder than another: what its time is off the median of all images is luck.</p>"
        '<div class="scroll" id="spread" tabindex="0" role="region" '
        'aria-label="Symmetry spread: table"></div>'
    )
    return _framed("spread", "Symmetry spread", content, " data-script hidden")


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
    omission = (
        f'<p class="quiet">and {hidden:,} other messages, in the journal.</p>' if hidden > 0 else ""
    )
    table = to_html(Table(title="", columns=columns, rows=rows), "failures")
    lead = '<p class="lead">In the runs of all cases, images among them.</p>'
    content = f'{lead}<div class="scroll">{table}</div>{omission}'
    return _framed("failures", "What went wrong", content)


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
