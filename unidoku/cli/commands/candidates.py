"""``unidoku candidates``: those that propagation leaves, or those in some solution."""

from __future__ import annotations

import click

from unidoku import api
from unidoku.backends.solving.solver import Solver
from unidoku.cli.asking import Each
from unidoku.cli.common import BackendChoice, numbered, with_backend, with_source
from unidoku.cli.printing import example, say
from unidoku.core.board import Board
from unidoku.core.propagation.propagate import propagate
from unidoku.files.source import Sources


@click.command("candidates", epilog=example("candidates boards.txt --true"))
@with_source
@with_backend
@click.option(
    "--true", "exact", is_flag=True, help="Print only the candidates that occur in some solution."
)
@click.option("--backbone", is_flag=True, help="Print only the values that all solutions share.")
def command(sources: Sources, choice: BackendChoice, exact: bool, backbone: bool) -> int:
    """Print the candidates of each cell of PUZZLE.

    They are those after propagation, without any guess. Propagation is that of Norvig's essay:
    naked singles, and hidden singles in full units. With --true or --backbone, a backend that is
    complete searches instead. The exit code is 1 if the propagation or the search shows that a
    board has no solution.
    """
    if exact and backbone:
        raise click.UsageError("expected --true or --backbone, got both; leave one out")
    solver, limit = choice.solver()
    for _, item in (each := Each(numbered(sources))):
        each.head()
        with each.going_on():
            if backbone:
                board = _backbone(item.board, solver, limit)
            elif exact:
                board = api.true_candidates(item.board, backend=solver, time_limit=limit)
            else:
                board = propagate(item.board)
            has_candidates = board is not None and any(board.candidates)
            each.answer(has_candidates)
            if board is None or not has_candidates:
                reasons = "; ".join(map(str, item.board.problems()))
                say(f"# a contradiction: no solutions{reasons and f' ({reasons})'}")
            else:
                say(board.text("framed" if backbone else "candidates"))
    return each.code()


def _backbone(board: Board, solver: Solver, limit: float) -> Board | None:
    """Return a board with the values that all solutions share; None without solutions."""
    values = api.backbone(board, backend=solver, time_limit=limit)
    if any(values) or solver.solve(board, time_limit=limit).count:
        return Board.from_values(board.layout, values)
    return None
