"""``unidoku count``: how many solutions."""

from __future__ import annotations

import click

from unidoku.backends.base import Request, Stop
from unidoku.cli.common import Choice, limit_reached, with_backend, with_puzzles
from unidoku.core.formats import Puzzle

__all__ = ["command"]


@click.command("count")
@with_puzzles
@with_backend
@click.option("--limit", type=int, help="Stop at this many; all are counted if not given.")
def command(puzzles: list[Puzzle], choice: Choice, limit: int | None) -> int:
    """Count the solutions of PUZZLE: a file, the text of a board, or - for standard input.

    A number alone is exact. The exit code is 1 if a board's time limit came first.
    """
    solver, seconds = choice.solver()
    request = Request(solutions=limit, keep=0, time_limit=seconds)
    late = False
    for item in puzzles:
        result = solver.search(item.board, request)
        late |= result.stop is Stop.TIME
        least = "" if result.stop is Stop.EXHAUSTED else "at least "
        name = f"  {item.name}" if len(puzzles) > 1 and item.name else ""
        click.echo(f"{least}{result.count}{limit_reached(result.stop)}{name}")
    return 1 if late else 0
