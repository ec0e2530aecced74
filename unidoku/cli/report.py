"""``unidoku report``: tables, pages and exports of journals, one or several as one."""

from __future__ import annotations

from pathlib import Path

import click

from unidoku.cli.reporting import check_targets, report, reporting_options
from unidoku.comparison.anonymous import anonymous
from unidoku.comparison.export import ENDINGS, export
from unidoku.comparison.journal import write_journal
from unidoku.comparison.reading import merged
from unidoku.comparison.session import comparison_of
from unidoku.writing import check_target

__all__ = ["command"]

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("report")
@click.argument("journals", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--output", type=_FILE, help="Write the journals, merged, to this one.")
@click.option("--runs", type=_FILE, help="Write all runs to this .csv or .parquet.")
@click.option("--anonymise", is_flag=True, help="Leave out who, where and on which machine.")
@reporting_options
def command(
    journals: tuple[Path, ...],
    output: Path | None,
    runs: Path | None,
    anonymise: bool,
    form: str | None,
    phases: bool,
    html: Path | None,
    figures: Path | None,
    force: bool,
) -> int:
    """Report what journals of unidoku compare hold; several are merged.

    With --anonymise, all that is printed and written is without the names of machines, people
    and folders, so that it can be published; figures are unchanged. Have a look at it
    nevertheless: a backend may say anything in its messages.

    The exit code is that of unidoku compare.
    """
    check_targets(html, figures, force=force)
    if runs is not None:
        check_target(runs, force=force, endings=ENDINGS)
    read = anonymous if anonymise else merged
    session = comparison_of(*read(journals))
    if output is not None:
        write_journal(output, *read(journals), force=force)
        click.echo(f"{output} has all runs", err=True)
    if runs is not None:
        export(read(journals)[1], runs, force=force)
    return report(session, form, phases=phases, html=html, figures=figures, force=force)
