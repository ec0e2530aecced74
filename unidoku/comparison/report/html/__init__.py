"""A comparison as one HTML file: to be looked at first, and read where it is surprising.

The file needs no network and no library: style, script and data are in it, and its policy
forbids every request. Python writes all tables as plain HTML, which is what a reader without
scripts sees; where scripts run, they draw the same from the columns of all runs, filtered.
"""

from __future__ import annotations

import base64
import hashlib
import math
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from unidoku.comparison.report.html import tables
from unidoku.comparison.report.html.data import embedded, json_text
from unidoku.comparison.report.html.pictures import cdf_svg
from unidoku.comparison.report.html.words import (
    broken,
    counted,
    facts,
    icon,
    limit,
    sentence,
    tone,
)
from unidoku.comparison.results import Results
from unidoku.comparison.statistics import (
    SHIFT,
    Resolution,
    luck,
    pairs_with,
    resolution,
    summarise,
    times_of,
)
from unidoku.comparison.verdict import Verdict
from unidoku.errors import InputError
from unidoku.version import __version__

__all__ = ["html", "write_html"]

_SCRIPTS = (
    "words",
    "data",
    "state",
    "statistics",
    "plots",
    "curves",
    "scatter",
    "board",
    "panel",
    "tables",
    "phases",
    "page",
)
"""In the order in which they are put together; each uses those before it."""


def write_html(
    path: Path,
    results: Results,
    verdict: Verdict,
    *,
    title: str = "Comparison of backends",
) -> None:
    """Write the page of a comparison; 40 bytes a run and 100 a case.

    Args:
        path: of the file; one that is there is replaced.
        results: of all runs.
        verdict: on them.
        title: of the page.

    Raises:
        InputError: the file cannot be written.
    """
    # A name read from a file may hold a lone surrogate, which no encoding has.
    content = html(results, verdict, title=title).encode("utf-8", "replace")
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error}") from error


def html(results: Results, verdict: Verdict, *, title: str = "Comparison of backends") -> str:
    """Return the page of a comparison as text; see `write_html`."""
    times = times_of(results)
    summaries = summarise(times)
    pairs = pairs_with(times, summaries[0].backend) if summaries else {}
    within = resolution(times, results.plan)
    kind = tone(verdict)
    theme, script = _read("theme.js"), _script()
    return Template(_read("page.html")).substitute(
        policy=_policy(theme, script),
        generator=f"unidoku {__version__}",
        title=escape(title),
        style=_read("page.css"),
        theme=theme,
        script=script,
        data=json_text(embedded(results, verdict, pairs.values(), within)),
        tone=kind,
        icon=icon(kind),
        sentence=escape(sentence(verdict)),
        broken=escape(broken(results)),
        facts=facts(results),
        warnings=_warnings(results, within),
        summary_lead=_summary_lead(results),
        summary=tables.summary_table(times, summaries, pairs, within),
        note=_note(),
        cdf=cdf_svg(times),
        phases=tables.phase_table(times),
        matrix=tables.matrix_table(verdict),
        luck=tables.luck_section(times, luck(results)),
        disagreements=tables.disagreement_cards(verdict),
        undecided=tables.undecided_list(verdict),
        failures=tables.failure_section(results),
        plan=tables.conditions(results.plan),
        environment=tables.conditions(results.environment),
        footer=escape(f"Written by unidoku {__version__}. This file makes no request."),
    )


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def _script() -> str:
    """Return all scripts as one, in a scope of their own."""
    parts = "\n".join(_read(f"{name}.js") for name in _SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}\n}})();'


def _policy(*scripts: str) -> str:
    """Return a policy that allows these scripts only, and no request at all."""
    hashes = []
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        hashes.append(f"'sha256-{digest}'")
    return (
        f"default-src 'none'; script-src {' '.join(hashes)}; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _summary_lead(results: Results) -> str:
    if results.time_limit is None:
        return "Ranked by cases solved, then by the time on them. The run had no time limit."
    cases = counted(len(results.cases), "case")
    return (
        f"Ranked by cases solved, then by PAR2 with T = {limit(results.time_limit)} and "
        f"N = {cases}: the mean time, in which a case not solved costs 2 T."
    )


def _note() -> str:
    return (
        "A case's time is the median of its rounds; cases that met a limit count with the time "
        "until then, those that failed do not count, except in PAR2. Geo mean: geometric mean, "
        f"shifted by {limit(SHIFT)}. × first: time over that of the first row, paired geometric "
        "mean over the cases that both solved, with its 95 % interval; pale where it is no more "
        "than chance."
    )


def _warnings(results: Results, within: Resolution | None) -> str:
    found = []
    if within is not None and math.isinf(within.percent):
        found.append("Too few cases were solved to say what this run can resolve.")
    elif within is not None:
        found.append(
            f"This run cannot resolve less than {within.percent:.2g} %: {within.label}, entered "
            f"twice, took {within.ratio:.3f} times its own time "
            f"({within.low:.3f} to {within.high:.3f}). Smaller ratios are pale."
        )
    disturbed = int(results.column("disturbed").sum())
    if disturbed:
        found.append(f"{disturbed:,} of {counted(len(results), 'run')} were disturbed.")
    return "".join(f'<p class="warning">{escape(text)}</p>' for text in found)
