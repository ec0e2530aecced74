"""``unidoku draw``: a board as a picture."""

from __future__ import annotations

from typing import cast, get_args

import click

from unidoku.cli.codes import answer
from unidoku.cli.common import BackendChoice, only_puzzle, with_backend, with_force, with_source
from unidoku.draw import Theme, svg
from unidoku.files.source import Sources
from unidoku.writing import check_target, write_text

__all__ = ["command"]

_ENDINGS = (".svg",)


@click.command("draw")
@with_source
@with_backend
@click.option("--solved", is_flag=True, help="Fill in a solution, which the backend finds.")
@click.option(
    "--theme",
    type=click.Choice(get_args(Theme)),
    default="auto",
    show_default=True,
    help="Fixed colours, or light ones that turn dark in a browser where the system is dark.",
)
@click.option("-o", "--output", metavar="FILE.svg", help="Write it there.")
@with_force
def command(
    sources: Sources,
    choice: BackendChoice,
    solved: bool,
    theme: str,
    output: str | None,
    force: bool,
) -> int:
    """Draw PUZZLE, one board, as SVG, on standard output if there is no --output.

    The exit code is 1 if a solution is asked for, and none is found within the limits.
    """
    board = only_puzzle(sources).board
    if output is not None:
        check_target(output, force=force, endings=_ENDINGS)
    grid = None
    if solved:
        solver, limit = choice.solver()
        result = solver.solve(board, time_limit=limit)
        if not result.solutions:
            click.echo(f"{result}, {solver.label}", err=True)
            return answer(False)
        grid = result.solutions[0]
    picture = svg(board, grid, theme=cast(Theme, theme))
    if output is None:
        click.echo(picture)
    else:
        write_text(output, f"{picture}\n", force=force, endings=_ENDINGS)
        click.echo(f"written: {output}", err=True)
    return answer(True)
