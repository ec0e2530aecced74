"""``unidoku check``: is a board proper, and if not, why."""

from __future__ import annotations

import click

from unidoku.checking import check
from unidoku.cli.codes import answer
from unidoku.cli.common import (
    BackendChoice,
    numbered,
    print_json,
    search_record,
    with_backend,
    with_json,
    with_source,
)
from unidoku.deadline import Deadline
from unidoku.files.source import Sources


@click.command("check")
@with_source
@with_backend
@with_json
def command(sources: Sources, choice: BackendChoice, as_json: bool) -> int:
    """Check PUZZLE: proper means exactly one solution.

    A board that is not proper is told why: which cells clash in which unit, or where two of its
    solutions differ. The exit code is 1 if a board is not proper, or that is undecided.
    """
    solver, limit = choice.solver()
    boards = proper = 0
    for name, item in numbered(sources):
        clock = Deadline()
        found = check(item.board, backend=solver, time_limit=limit)
        boards += 1
        proper += found.proper is True
        if as_json:
            told = search_record(item, found.result, solver, clock.elapsed)
            print_json({**told, "reasons": list(found.reasons)})
        else:
            click.echo(f"{name}{found}")
    return answer(proper == boards)
