"""``unidoku count``: how many solutions."""

from __future__ import annotations

import click

from unidoku.backends.base import Request, Stop
from unidoku.cli.common import backend_options, chosen_solver, puzzle_options, read_input

__all__ = ["command"]


@click.command("count")
@puzzle_options
@backend_options
@click.option("--limit", type=int, help="Stop at this many; all are counted if not given.")
def command(
    puzzle: str,
    variant: str,
    size: int | None,
    symbols: str | None,
    backend: str | None,
    time_limit: float | None,
    limit: int | None,
) -> int:
    """Count the solutions of PUZZLE: a file, the text of a board, or - for standard input.

    A number alone is exact. The exit code is 1 if a board's time limit came first.
    """
    puzzles = read_input(puzzle, variant, size, symbols)
    solver, seconds = chosen_solver(backend, time_limit)
    request = Request(solutions=limit, keep=0, time_limit=seconds)
    late = False
    for item in puzzles:
        result = solver.search(item.board, request)
        late |= result.stop is Stop.TIME
        qualifier = {
            Stop.EXHAUSTED: "{}",
            Stop.SOLUTIONS: "at least {}",
            Stop.TIME: "at least {} (time limit)",
            Stop.NODES: "at least {} (node limit)",
        }[result.stop]
        name = f"  {item.name}" if len(puzzles) > 1 and item.name else ""
        click.echo(qualifier.format(result.count) + name)
    return 1 if late else 0
