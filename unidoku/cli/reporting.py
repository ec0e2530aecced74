"""The report of a comparison, as ``compare`` and ``report`` print and write it, and its options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from unidoku.cli import completers
from unidoku.cli.codes import ERROR, NO, YES
from unidoku.cli.common import print_rich, terminal_width, two_labels, with_force
from unidoku.cli.printing import put, say
from unidoku.comparison.comparison import Comparison
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.results import OUTCOMES, Results
from unidoku.errors import InputError
from unidoku.support.atomic_write import check_target, ending_of
from unidoku.support.page import ENDINGS
from unidoku.support.text import printable

if TYPE_CHECKING:
    from unidoku.comparison.report.summaries import Width

_WIDTH = 132
"""Width of the tables in characters if the output is no terminal."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


def reporting_options(command: _Command) -> _Command:
    """Add the options of a report; the command takes them as ``reporting``."""

    @wraps(command)
    def with_reporting(
        *arguments: Any, show: str | None, scatter: str | None, **options: Any
    ) -> Any:
        view, others = (
            {field.name: options.pop(field.name) for field in fields(kind) if field.name in options}
            for kind in (ReportView, Reporting)
        )
        columns = tuple(show.split(",")) if show is not None else ()
        pair = None if scatter is None else two_labels("--scatter", scatter)
        reporting = Reporting(view=ReportView(show=columns, scatter=pair, **view), **others)
        return command(*arguments, reporting=reporting, **options)

    path = click.Path(path_type=Path)
    decorated: Any = with_reporting
    for option in (
        with_force,
        click.option(
            "--figures", type=path, help="Write the figures as PNG, SVG and PDF into this folder."
        ),
        click.option("--report", "html", type=path, help="Write the report as one HTML file."),
        click.option(
            "--distributions",
            is_flag=True,
            help="Also print quantiles of the times of each board over its symmetric copies.",
        ),
        click.option(
            "--phases", is_flag=True, help="Also print the times of the phases of each run."
        ),
        click.option(
            "--scatter",
            metavar="A,B",
            shell_complete=completers.backends,
            help="Backends of the scatter of --figures and --report, instead of the two best.",
        ),
        click.option(
            "--x",
            metavar="NUMBER",
            help="Also print median times over a number of the boards: givens, holes, cells, "
            "size, values, or one that their file has. --figures and --report draw it.",
        ),
        click.option(
            "--by",
            metavar="GROUPS",
            shell_complete=completers.groupings,
            help="Also print the figures of groups of boards: by source, name, family, layout, "
            "rules or size.",
        ),
        click.option(
            "--reference",
            metavar="BACKEND",
            shell_complete=completers.backends,
            help="Backend that ratios refer to, instead of the first row.",
        ),
        click.option(
            "--show",
            metavar="COLUMNS",
            shell_complete=completers.columns,
            help="Columns of the tables, such as solved,par2,nodes,ratio; search adds the table of "
            "nodes, failures and the time of a node, board by board.",
        ),
        click.option("--csv", "form", flag_value="csv", help="Print the figures as CSV."),
        click.option(
            "--spreadsheet",
            is_flag=True,
            help="In CSV, put an apostrophe before texts that a spreadsheet takes for formulas.",
        ),
        click.option("--latex", "form", flag_value="latex", help="Print the tables as LaTeX."),
        click.option(
            "--markdown", "form", flag_value="markdown", help="Print the tables as Markdown."
        ),
    ):
        decorated = option(decorated)
    return cast(_Command, decorated)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporting:
    """What a comparison is reported as, and where.

    Args:
        view: the content.
        form: form of the tables: ``markdown``, ``latex``, ``csv``, or None for text.
        html: file for the page; None for no page.
        figures: folder for the figures; None for none.
        spreadsheet: whether texts in CSV that a spreadsheet takes for formulas get an apostrophe.
        force: whether files that exist are replaced.
    """

    view: ReportView
    form: str | None
    html: Path | None
    figures: Path | None
    spreadsheet: bool
    force: bool

    def check(self, runs: Path | None = None) -> None:
        """Raise if the report could not be written, before the work for it.

        Args:
            runs: file for a table of all runs, which may be CSV too.
        """
        if self.spreadsheet and self.form != "csv" and (runs is None or ending_of(runs) != ".csv"):
            raise click.UsageError("--spreadsheet: expected CSV; add --csv, or leave it out")
        if self.view.scatter and self.html is None and self.figures is None:
            raise InputError("--scatter: expected --figures or --report, which show the scatter")
        if self.html is not None:
            check_target(self.html, force=self.force, endings=ENDINGS)
        if self.figures is not None:
            from unidoku.comparison.report.figures import check_figures

            check_figures(self.figures, force=self.force)

    def report(self, session: Comparison) -> int:
        """Print the tables and the verdict, write page and figures, and return the exit code."""
        verdict, results, view = session.verdict(), session.results, self.view
        view.check(results)
        if self.form == "csv":
            from unidoku.comparison.report.tables import figures_table
            from unidoku.support.table import to_csv

            put(to_csv(figures_table(results, view), spreadsheet=self.spreadsheet), nl=False)
        else:
            _print_tables(session, self.form, view)
            from unidoku.comparison.report.words import remarks

            say("\n".join(remarks(results, verdict)))
        for text in session.disturbances:
            say(f"The times are doubtful: {text}.", err=True)
        if self.html is not None:
            session.to_html(self.html, title=_heading(results), view=view, force=self.force)
            say(f"written: {self.html}", err=True)
        if self.figures is not None:
            from unidoku.comparison.report.figures import write_figures

            for path in write_figures(self.figures, results, view=view, force=self.force):
                say(f"written: {path}", err=True)
        outcomes = {OUTCOMES[code] for code in set(results.column("outcome").tolist())}
        if verdict.disagreements:
            return NO
        return ERROR if any(outcome.is_failure for outcome in outcomes) else YES


def _heading(results: Results) -> str:
    """Return the title of the page: the sources of its boards."""
    from unidoku.comparison.report.words import first_names

    sources = list(dict.fromkeys(Path(case.source).name for case in results.cases))
    return f"Boards: {first_names(sources)}"


def _print_tables(session: Comparison, form: str | None, view: ReportView) -> None:
    from rich.markup import escape

    from unidoku.comparison.report.tables import standard_tables
    from unidoku.support.table import fitted, to_latex, to_markdown, to_rich

    results, verdict = session.results, session.verdict()
    if form is not None:
        view = replace(view, phases=True)
        width: Width = "paper" if form == "latex" else "wide"
        tables = standard_tables(results, verdict, title=session.title, view=view, width=width)
        write = to_latex if form == "latex" else to_markdown
        put("\n".join(map(write, tables)))
        return
    room = terminal_width(_WIDTH)
    tables = standard_tables(results, verdict, title=session.title, view=view, width="terminal")
    for table in tables:
        narrowed = fitted(table, room, "--markdown prints all columns")
        note = [f"[dim]{escape(printable(narrowed.note))}[/]"] if narrowed.note else []
        print_rich(to_rich(narrowed), *note, width=_WIDTH)
