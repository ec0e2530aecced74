"""``unidoku check``: is a board proper, and if not, why."""

from __future__ import annotations

import click

from unidoku.checking import check
from unidoku.cli.codes import answer
from unidoku.cli.common import BackendChoice, with_backend, with_source
from unidoku.files.source import Source


@click.command("check")
@with_source
@with_backend
def command(source: Source, choice: BackendChoice) -> int:
    """Check PUZZLE: proper means exactly one solution.

    A board that is not proper is told why: which cells clash in which unit, or where two of its
    solutions differ. The exit code is 1 if a board is not proper, or that is undecided.
    """
    solver, limit = choice.solver()
    puzzles = source.read()
    proper = 0
    for number, item in enumerate(puzzles, start=1):
        found = check(item.board, backend=solver, time_limit=limit)
        name = "" if len(puzzles) == 1 else f"{item.name or number}: "
        click.echo(f"{name}{found}")
        proper += found.proper is True
    return answer(proper == len(puzzles))
