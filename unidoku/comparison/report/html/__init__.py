"""A comparison as one HTML file that readers can look at and filter.

Scripts draw its tables and plots from the columns of all runs, for the cases and backends that the
reader selects. Without scripts the page shows the verdict, the summary, what went wrong and the
conditions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from html import escape
from pathlib import Path
from string import Template

from unidoku.comparison.environment import crowded, lacking
from unidoku.comparison.report.columns import NOT_JOINTLY
from unidoku.comparison.report.curves import curve_table
from unidoku.comparison.report.groups import groups_table
from unidoku.comparison.report.html import sections
from unidoku.comparison.report.html.data import embedded, viewed
from unidoku.comparison.report.summaries import machines_note, summary_table
from unidoku.comparison.report.tables import distributions_table
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.report.words import broken, facts, growing, sentence, tone
from unidoku.comparison.results import Results
from unidoku.comparison.statistics.distributions import distributions, symmetry_spread
from unidoku.comparison.statistics.pairs import NoiseFloor, PairedTimes, noise_floor, pairs_with
from unidoku.comparison.statistics.summary import SHIFT, base_of, summarise
from unidoku.comparison.statistics.times import Times, times_of
from unidoku.comparison.verdict import Verdict
from unidoku.draw.paint import BOARD
from unidoku.support.page import page, read_part, write_page
from unidoku.support.table import to_html
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


def _further(results: Results, times: Times, view: ReportView, reference: str | None) -> str:
    """Return sections with the tables that the view asks for."""
    found = []
    if view.by is not None:
        table = groups_table(results, times, view, reference)
        found.append(sections.groups_section(table))
    if view.x is not None:
        found.append(sections.over_section(curve_table(results, times, view)))
    if view.distributions:
        table = distributions_table(distributions(results), times.time_limit)
        found.append(sections.section(table))
    return "".join(found)


def write_html(
    path: Path,
    results: Results,
    verdict: Verdict,
    *,
    title: str = "Comparison of backends",
    view: ReportView = ReportView(),  # noqa: B008 - a view never changes
    force: bool = False,
) -> None:
    """Write the page of a comparison; it takes 40 bytes for each run and 100 for each case.

    A file that exists is replaced only with ``force``.

    Raises:
        InputError: the name of the file does not have the ending of a page, or the results lack
            what the view names.
        OutputError: the file exists or cannot be written.
    """
    write_page(path, html(results, verdict, title=title, view=view), force=force)


def html(
    results: Results,
    verdict: Verdict,
    *,
    title: str = "Comparison of backends",
    view: ReportView = ReportView(),  # noqa: B008 - a view never changes
) -> str:
    """Return the page of a comparison as text; see `write_html`."""
    view.check(results)
    times = times_of(results)
    summaries = summarise(times)
    reference = view.reference or base_of(summaries)
    pairs = pairs_with(times, reference) if reference else {}
    within = noise_floor(times, results.plan)
    summary = summary_table(
        summaries,
        pairs,
        time_limit=results.time_limit,
        noise_floor=within,
        machines=results.machines,
        reference=view.reference,
    )
    body = Template(read_part(__name__, "page.html")).substitute(
        title=escape(title),
        tone=tone(verdict),
        icon=sections.icon(tone(verdict)),
        sentence=escape(sentence(verdict)),
        broken=escape(broken(results)),
        facts=escape(facts(results)),
        warnings=_warnings(results, pairs.values(), within),
        summary_lead=_summary_lead(results),
        summary=to_html(replace(summary, title=""), "summary"),
        note=_note(view.reference),
        further=_further(results, times, view, reference) if summaries else "",
        spread=sections.symmetry_spread_section(symmetry_spread(results)),
        undecided=sections.undecided_list(verdict),
        failures=sections.failure_section(results),
        plan=sections.conditions(results.plan),
        environment=sections.conditions(results.environment),
        footer=escape(f"Written by unidoku {__version__}. This file makes no request."),
    )
    return page(
        title=title,
        body=body,
        data=embedded(results, verdict, pairs.values(), within) | viewed(results, times, view),
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


def _warnings(results: Results, pairs: Iterable[PairedTimes], within: NoiseFloor | None) -> str:
    found = []
    if within is not None and math.isinf(within.percent):
        found.append("Too few cases were solved to show what this run can resolve.")
    elif within is not None:
        found.append(
            f"This run cannot resolve less than {percent(within.percent)}: {within.label}, entered "
            f"twice, took {within.ratio:.3f} times its own time "
            f"({within.low:.3f} to {within.high:.3f}). Smaller ratios are pale."
        )
    for text in (*lacking(results.environment), *crowded(results.environment)):
        found.append(f"{text[0].upper()}{text[1:]}.")
    if notes := machines_note(results.machines, pairs):
        found.append(" ".join(notes))
    found.extend(f"{text}." for text in growing(results))
    disturbed = int(results.column("disturbed").sum())
    if disturbed:
        found.append(f"{disturbed:,} of {plural(len(results), 'run')} were disturbed.")
    return "".join(f'<p class="warning">{escape(text)}</p>' for text in found)
