"""The report of a comparison, as ``compare`` and ``report`` print and write it, and its options."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from unidoku.cli.codes import ERROR, NO, YES
from unidoku.cli.common import print_rich, with_force
from unidoku.comparison.comparison import Comparison
from unidoku.comparison.results import OUTCOMES, Results
from unidoku.page import check_page

__all__ = ["check_targets", "report", "reporting_options"]

_WIDTH = 132
"""Width of the tables in characters if the output is no terminal."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


def reporting_options(command: _Command) -> _Command:
    """Add the options of `report`."""
    path = click.Path(path_type=Path)
    for option in (
        with_force,
        click.option(
            "--figures", type=path, help="Write the figures as PNG, SVG and PDF into this folder."
        ),
        click.option("--report", "html", type=path, help="Write the report as one HTML file."),
        click.option(
            "--phases", is_flag=True, help="Also print the times of the phases of each run."
        ),
        click.option("--csv", "form", flag_value="csv", help="Print the figures as CSV."),
        click.option("--latex", "form", flag_value="latex", help="Print the tables as LaTeX."),
        click.option(
            "--markdown", "form", flag_value="markdown", help="Print the tables as Markdown."
        ),
    ):
        command = option(command)
    return command


def check_targets(html: Path | None, figures: Path | None, *, force: bool) -> None:
    """Raise if the page or the figures could not be written, before the work for them."""
    if html is not None:
        check_page(html, force=force)
    if figures is not None:
        from unidoku.comparison.report.figures import check_figures

        check_figures(figures, force=force)


def report(
    session: Comparison,
    form: str | None,
    *,
    phases: bool,
    html: Path | None,
    figures: Path | None,
    force: bool,
) -> int:
    """Print the tables and the verdict, write the page and figures, and return the exit code.

    The form is ``markdown``, ``latex``, ``csv``, or None for text.
    """
    verdict = session.verdict()
    results = session.results
    if form == "csv":
        _print_csv(results)
    else:
        _print_tables(session, form, phases)
        from unidoku.comparison.report.words import remarks

        click.echo("\n".join(remarks(results, verdict)))
    for text in session.disturbances:
        click.echo(f"The times are doubtful: {text}.", err=True)
    if html is not None:
        session.to_html(html, title=_heading(results), force=force)
        click.echo(f"written: {html}", err=True)
    if figures is not None:
        from unidoku.comparison.report.figures import write_figures

        for path in write_figures(figures, results, force=force):
            click.echo(f"written: {path}", err=True)
    outcomes = {OUTCOMES[code] for code in set(results.column("outcome").tolist())}
    if verdict.disagreements:
        return NO
    return ERROR if any(outcome.is_failure for outcome in outcomes) else YES


def _heading(results: Results) -> str:
    """Return the title of the page: the sources of its boards."""
    from unidoku.comparison.report.words import first_names

    sources = list(dict.fromkeys(Path(case.source).name for case in results.cases))
    return f"Boards: {first_names(sources)}"


def _print_csv(results: Results) -> None:
    from unidoku.comparison import statistics
    from unidoku.comparison.report.tables import export_table
    from unidoku.table import to_csv

    times = statistics.times_of(results)
    summaries = statistics.summarise(times)
    base = statistics.base_of(summaries)
    pairs = statistics.pairs_with(times, base) if base else {}
    table = export_table(summaries, pairs, time_limit=times.time_limit)
    click.echo(to_csv(table), nl=False)


def _print_tables(session: Comparison, form: str | None, phases: bool) -> None:
    from rich.markup import escape

    from unidoku.table import to_latex, to_markdown, to_rich

    if form is not None:
        write = to_latex if form == "latex" else to_markdown
        click.echo("\n".join(map(write, session.tables(phases=True, brief=False))))
        return
    for table in session.tables(phases=phases):
        note = [f"[dim]{escape(table.note)}[/]"] if table.note else []
        print_rich(to_rich(table), *note, width=_WIDTH)
