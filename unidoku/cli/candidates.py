"""``unidoku candidates``: what propagation leaves, or what is in some solution."""

from __future__ import annotations

import click

from unidoku.api import search_true_candidates
from unidoku.cli.common import Choice, with_backend, with_puzzles
from unidoku.core.formats import Puzzle
from unidoku.core.propagate import propagate

__all__ = ["command"]


@click.command("candidates")
@with_puzzles
@with_backend
@click.option("--true", "exact", is_flag=True, help="Only candidates that are in some solution.")
def command(puzzles: list[Puzzle], choice: Choice, exact: bool) -> int:
    """Print the candidates of each cell of PUZZLE after propagation, without any guess.

    Propagation is Norvig's: naked singles, and hidden singles in full units. The exit code is 1
    if a board contradicts itself.
    """
    solver, seconds = choice.solver()
    contradictions = 0
    for number, item in enumerate(puzzles):
        if number:
            click.echo()
        if item.name:
            click.echo(f"# {item.name}")
        if exact:
            left = search_true_candidates(item.board, solver, seconds)
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
