"""The report of a comparison, as ``compare`` and ``report`` print and write it, and its options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from unidoku.cli.common import print_rich
from unidoku.comparison import Outcome, Verdict
from unidoku.comparison.comparison import Comparison
from unidoku.comparison.results import OUTCOMES, Results

__all__ = ["Reporting", "report", "reporting_options"]

_WIDTH = 132
"""Columns of the tables where the output is no terminal."""

_FAULTS = (Outcome.CRASHED, Outcome.FAILED)
"""Outcomes that make the exit code 1."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporting:
    """What to print and write.

    Args:
        form: format of the tables on standard output: ``text``, ``markdown``, ``latex`` or
            ``csv``.
        phases: whether to print the table of phases as text too.
        html: file for the page; None for no page.
        figures: folder for static figures; None for no figures.
    """

    form: str = "text"
    phases: bool = False
    html: Path | None = None
    figures: Path | None = None


def reporting_options(command: _Command) -> _Command:
    """Add the options that fill `Reporting`."""
    path = click.Path(path_type=Path)
    for option in (
        click.option("--figures", type=path, help="Write PNG, SVG and PDF into this folder."),
        click.option("--report", "html", type=path, help="Write a page of HTML, one file."),
        click.option("--phases", is_flag=True, help="Print the times of the phases as well."),
        click.option("--csv", "form", flag_value="csv", help="Print the figures as CSV."),
        click.option("--latex", "form", flag_value="latex", help="Print the tables as LaTeX."),
        click.option(
            "--markdown", "form", flag_value="markdown", help="Print the tables as Markdown."
        ),
    ):
        command = option(command)
    return command


def report(session: Comparison, reporting: Reporting, title: str) -> int:
    """Print the tables and the verdict, write page and figures, and return the exit code."""
    verdict = session.verdict()
    results = session.results
    if reporting.form == "csv":
        _print_csv(results)
    else:
        _print_tables(results, verdict, title, reporting)
        from unidoku.comparison.report.words import remarks

        click.echo("\n".join(remarks(results, verdict)))
    for text in session.disturbances:
        click.echo(f"The times are doubtful: {text}.", err=True)
    if reporting.html is not None:
        from unidoku.comparison.report.html import write_html

        write_html(reporting.html, results, verdict, title=_heading(results))
        click.echo(f"{reporting.html} has the report", err=True)
    if reporting.figures is not None:
        from unidoku.comparison.report.figures import write_figures

        for path in write_figures(reporting.figures, results):
            click.echo(f"{path} has a figure", err=True)
    faulty = any(OUTCOMES[code] in _FAULTS for code in set(results.column("outcome").tolist()))
    return 1 if verdict.disagreements or faulty else 0


def _heading(results: Results) -> str:
    """Return the title of the page: the sources of its boards."""
    from unidoku.comparison.report.words import first_names

    sources = list(dict.fromkeys(Path(case.source).name for case in results.cases))
    return f"Boards: {first_names(sources)}"


def _print_csv(results: Results) -> None:
    from unidoku.comparison import statistics
    from unidoku.comparison.report import export_table
    from unidoku.table import to_csv

    times = statistics.times_of(results)
    summaries = statistics.summarise(times)
    pairs = statistics.pairs_with(times, summaries[0].backend) if summaries else {}
    table = export_table(summaries, pairs, time_limit=times.time_limit)
    click.echo(to_csv(table), nl=False)


def _print_tables(results: Results, verdict: Verdict, title: str, reporting: Reporting) -> None:
    from rich.markup import escape

    from unidoku.comparison.report import standard_tables
    from unidoku.table import to_latex, to_markdown, to_rich

    form = reporting.form
    phases = reporting.phases or form != "text"
    brief = form == "text"
    tables = standard_tables(results, verdict, title=title, with_phases=phases, brief=brief)
    if form != "text":
        write = to_latex if form == "latex" else to_markdown
        click.echo("\n".join(map(write, tables)))
        return
    for table in tables:
        note = [f"[dim]{escape(table.note)}[/]"] if table.note else []
        print_rich(to_rich(table), *note, width=_WIDTH)
