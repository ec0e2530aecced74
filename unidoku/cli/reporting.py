"""What ``compare`` and ``report`` print and write of a comparison, and the options for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from unidoku.cli.common import print_rich
from unidoku.comparison import Disagreement, Outcome, Verdict
from unidoku.comparison.comparison import Comparison
from unidoku.comparison.results import OUTCOMES, Results
from unidoku.text import plural

__all__ = ["Reporting", "report", "reporting_options"]

_SHOWN = 10

_WIDTH = 132
"""Columns of the tables where the output is no terminal."""

_TROUBLES = (Outcome.CRASHED, Outcome.FAILED, Outcome.MEMORY, Outcome.TIMEOUT)
"""Ends of a run that are told with their evidence."""

_FAULTS = (Outcome.CRASHED, Outcome.FAILED)
"""Of them, those that make the exit code 1."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporting:
    """What to print and write.

    Args:
        form: of the tables on standard output: ``text``, ``markdown``, ``latex`` or ``csv``.
        phases: whether the table of phases is printed as text too.
        html: the page to write; None for none.
        figures: the folder for static figures; None for none.
    """

    form: str = "text"
    phases: bool = False
    html: Path | None = None
    figures: Path | None = None


def reporting_options(command: _Command) -> _Command:
    """Add the options whose values `Reporting` has."""
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
    """Print the tables and the verdict, write what is to be written; return the exit code."""
    verdict = session.verdict()
    results = session.results
    if reporting.form == "csv":
        _print_csv(results)
    else:
        _print_tables(results, verdict, title, reporting)
        for line in _said(results, verdict):
            click.echo(line)
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
    """Return what stands above the page: where its boards are from."""
    sources = list(dict.fromkeys(Path(case.source).name for case in results.cases))
    return f"Boards: {_listed(sources)}"


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


def _said(results: Results, verdict: Verdict) -> Iterator[str]:
    """Yield what there is to say besides the tables: troubles, the undecided, the verdict."""
    by_outcome = _runs_by_outcome(results)
    for outcome in _TROUBLES:
        for label, rows in by_outcome[outcome].items():
            names = list(dict.fromkeys(results.cases[case].name for case, _ in rows))
            yield f"{outcome}: {label} on {_listed(names)}"
            yield f"  {_first_line(results.evidence.get(rows[0][1], ('',))[0])}"
    if unknown := by_outcome[Outcome.UNKNOWN]:
        yield "Not decided within the limit:"
    for label, rows in unknown.items():
        yield f"  {label}: {_listed(sorted({results.cases[case].name for case, _ in rows}))}"
    if verdict.undecided:
        yield f"Undecided by all: {_listed([case.name for case in verdict.undecided])}"
    if verdict.disagreements:
        yield f"{plural(len(verdict.disagreements), 'disagreement')}:"
        for found in verdict.disagreements[:_SHOWN]:
            yield from _shown(found)
        if len(verdict.disagreements) > _SHOWN:
            more = len(verdict.disagreements) - _SHOWN
            yield f"  and {more} more; the page of --report shows them all"
    elif verdict.shared:
        yield (
            f"No disagreement: {verdict.shared} of {verdict.cases} cases were decided by several "
            "backends, all alike."
        )
    else:
        yield f"Nothing to compare: none of {verdict.cases} cases was decided by several backends."


def _runs_by_outcome(results: Results) -> dict[Outcome, dict[str, list[tuple[int, int]]]]:
    """Return for each outcome and backend the cases and places of its runs."""
    found: defaultdict[Outcome, dict[str, list[tuple[int, int]]]] = defaultdict(dict)
    backends, cases = results.column("backend"), results.column("case")
    outcomes = results.column("outcome")
    for outcome in (*_TROUBLES, Outcome.UNKNOWN):
        for row in (outcomes == OUTCOMES.index(outcome)).nonzero()[0].tolist():
            label = results.backends[backends[row]]
            found[outcome].setdefault(label, []).append((int(cases[row]), row))
    return found


def _shown(found: Disagreement) -> Iterator[str]:
    board = found.case.board
    marks = board.has_pencil_marks
    yield f"  {found.case.name} ({found.case.id}, {found.case.source})"
    yield f"    {found.evidence}"
    yield f"    {board.layout!r}: {board.text('candidates' if marks else 'line')}"


def _listed(names: list[str]) -> str:
    more = f"; and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return "; ".join(names[:_SHOWN]) + more


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0][:200]
