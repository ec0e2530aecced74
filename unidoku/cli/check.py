"""``unidoku check``: is a board proper, and if not, why."""

from __future__ import annotations

import click

from unidoku.checking import check
from unidoku.cli.codes import answer
from unidoku.cli.common import BackendChoice, numbered, with_backend, with_source
from unidoku.files.source import Sources


@click.command("check")
@with_source
@with_backend
def command(sources: Sources, choice: BackendChoice) -> int:
    """Check PUZZLE: proper means exactly one solution.

    A board that is not proper is told why: which cells clash in which unit, or where two of its
    solutions differ. The exit code is 1 if a board is not proper, or that is undecided.
    """
    solver, limit = choice.solver()
    boards = proper = 0
    for name, item in numbered(sources):
        found = check(item.board, backend=solver, time_limit=limit)
        click.echo(f"{name}{found}")
        boards += 1
        proper += found.proper is True
    return answer(proper == boards)
