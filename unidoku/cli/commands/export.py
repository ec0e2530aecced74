"""``unidoku export``: a board in a language that solvers read."""

from __future__ import annotations

import click

from unidoku.backends.languages import LANGUAGES, export
from unidoku.cli import completers
from unidoku.cli.codes import answer
from unidoku.cli.common import (
    left_out,
    only_puzzle,
    with_force,
    with_not_the_solution,
    with_output,
    with_source,
)
from unidoku.cli.printing import example, put, say
from unidoku.files.source import Sources
from unidoku.support.atomic_write import check_target, write_text


@click.command("export", epilog=example('export "1... ..2. .3.. ...4" --to dimacs -o board.cnf'))
@with_source
@click.option(
    "--to",
    metavar="LANGUAGE",
    required=True,
    shell_complete=completers.languages,
    help=f"Language to write: {', '.join(LANGUAGES)}.",
)
@click.option("--fast", is_flag=True, help="Write the form that our own backends give to programs.")
@with_not_the_solution
@with_output("Write the text to this file.")
@with_force
def command(
    sources: Sources, to: str, fast: bool, not_the_solution: bool, output: str | None, force: bool
) -> int:
    """Write PUZZLE, one board, in a language that solvers read.

    The file is for people too: it names the cells and has a comment for each unit and each rule.
    To read and check the answer of the solver, use: unidoku read-answer.
    """
    if output is not None:
        check_target(output, force=force)
    puzzle = only_puzzle(sources)
    text = export(puzzle.board, to, other_than=left_out(puzzle, not_the_solution), fast=fast)
    if output is None:
        put(text, nl=False)
    else:
        write_text(output, text, force=force)
        say(f"written: {output}", err=True)
    return answer(True)
