"""``unidoku candidates``: what propagation leaves, or what is in some solution."""

from __future__ import annotations

import click

from unidoku.api import true_candidates
from unidoku.cli.common import backend_options, chosen_solver, puzzle_options, read_input
from unidoku.core.propagate import propagate

__all__ = ["command"]


@click.command("candidates")
@puzzle_options
@backend_options
@click.option("--true", "exact", is_flag=True, help="Only candidates that are in some solution.")
def command(
    puzzle: str,
    variant: str,
    size: int | None,
    symbols: str | None,
    backend: str | None,
    time_limit: float | None,
    exact: bool,
) -> int:
    """Print the candidates of each cell of PUZZLE after propagation, without any guess.

    Propagation is Norvig's: naked singles, and hidden singles in full units. The exit code is 1
    if a board contradicts itself.
    """
    puzzles = read_input(puzzle, variant, size, symbols)
    contradictions = 0
    for number, item in enumerate(puzzles):
        if number:
            click.echo()
        if item.name:
            click.echo(f"# {item.name}")
        if exact:
            solver, seconds = chosen_solver(backend, time_limit)
            left = true_candidates(item.board, solver, seconds)
            contradicts = 0 in left.candidates
        else:
            propagated = propagate(item.board)
            contradicts = propagated is None
            left = propagated or item.board
        if contradicts:
            contradictions += 1
            reasons = "; ".join(map(str, item.board.problems()))
            click.echo(f"# a contradiction: no solutions{reasons and f' ({reasons})'}")
        else:
            click.echo(left.text("candidates"))
    return 1 if contradictions else 0
