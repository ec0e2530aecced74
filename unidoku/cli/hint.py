"""``unidoku hint``: the easiest next step, and no more."""

from __future__ import annotations

import click

from unidoku.cli.common import time_limit_of, with_source, with_time_limit
from unidoku.cli.explain import print_grid, with_techniques
from unidoku.files.source import Source
from unidoku.logic import State, chosen, hint

__all__ = ["command"]


@click.command("hint")
@with_source
@with_techniques
@with_time_limit
def command(source: Source, techniques: str, time_limit: float | None) -> int:
    """Print the easiest next step on PUZZLE, and the candidates that it is about.

    The exit code is 1 if a board has no next step.
    """
    rows = chosen(techniques)
    limit = time_limit_of(time_limit)
    found = True
    for number, puzzle in enumerate(source.read()):
        if number:
            click.echo()
        if puzzle.name:
            click.echo(f"# {puzzle.name}")
        state = State.start(puzzle.board)
        step = hint(puzzle.board, rows, time_limit=limit)
        if step is None:
            found = False
            click.echo(_nothing(state))
            continue
        click.echo(step.sentence)
        print_grid(state, step)
    return 0 if found else 1


def _nothing(state: State) -> str:
    """Say why there is no next step."""
    if state.is_solved:
        return "no step: the board is solved"
    if state.contradiction:
        return f"no step: the board has no solutions, {state.contradiction}"
    return "no step: no technique finds one"
