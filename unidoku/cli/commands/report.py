"""``unidoku report``: tables, pages and exports of one journal or of several together."""

from __future__ import annotations

from pathlib import Path

import click

from unidoku.cli.printing import example, say
from unidoku.cli.reporting import Reporting, reporting_options
from unidoku.comparison.anonymous import anonymous
from unidoku.comparison.export import ENDINGS, export
from unidoku.comparison.journal import merged, write_journal
from unidoku.comparison.session import comparison_of
from unidoku.support.atomic_write import check_target

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("report", epilog=example("report runs.jsonl --latex"))
@click.argument("journals", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--output", type=_FILE, help="Write one journal with all runs of the journals.")
@click.option(
    "--runs", type=_FILE, help="Write a table of all runs to this file: .csv or .parquet."
)
@click.option(
    "--anonymise", is_flag=True, help="Leave out the names of machines, people and folders."
)
@reporting_options
def command(
    journals: tuple[Path, ...],
    output: Path | None,
    runs: Path | None,
    anonymise: bool,
    reporting: Reporting,
) -> int:
    """Print the tables of journals that unidoku compare wrote.

    Several journals are merged. With --anonymise, all output leaves out the names of machines,
    people and folders, so that it can be published; figures are unchanged. Read it before you
    publish it, because the messages of a backend may contain anything.

    The exit code is that of unidoku compare.
    """
    reporting.check(runs)
    if runs is not None:
        check_target(runs, force=reporting.force, endings=ENDINGS)
    read = anonymous if anonymise else merged
    session = comparison_of(*read(journals))
    reporting.view.check(session.results)
    if output is not None:
        write_journal(output, *read(journals), force=reporting.force)
        say(f"written: {output}", err=True)
    if runs is not None:
        force, escaped = reporting.force, reporting.spreadsheet
        export(read(journals)[1], runs, force=force, spreadsheet=escaped, names=session.names)
    return reporting.report(session)
