"""``unidoku report``: tables, pages and exports of journals, one or several as one."""

from __future__ import annotations

from pathlib import Path

import click

from unidoku.cli.reporting import check_targets, report, reporting_options
from unidoku.comparison import Case, Journal, merged, read_comparison

__all__ = ["command"]

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("report")
@click.argument("journals", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--output", type=_FILE, help="Write the journals, merged, to this new one.")
@click.option("--runs", type=_FILE, help="Write all runs to this .csv or .parquet.")
@reporting_options
def command(
    journals: tuple[Path, ...],
    output: Path | None,
    runs: Path | None,
    form: str | None,
    phases: bool,
    html: Path | None,
    figures: Path | None,
    force: bool,
) -> int:
    """Report what journals of unidoku compare hold; several are merged.

    The exit code is that of unidoku compare.
    """
    check_targets(html, figures, force=force)
    session = read_comparison(list(journals))
    if output is not None:
        _merge(journals, output)
    if runs is not None:
        from unidoku.comparison.export import export

        export(merged(journals)[1], runs, force=force)
    return report(session, form, phases=phases, html=html, figures=figures, force=force)


def _merge(journals: tuple[Path, ...], output: Path) -> None:
    header, entries = merged(journals)
    cases: dict[str, Case] = {}
    with Journal(output, header) as journal:
        for entry in entries:
            if isinstance(entry, Case):
                cases[entry.id] = entry
            else:
                journal.add(cases[entry.case], entry)
    click.echo(f"{output} has all runs", err=True)
