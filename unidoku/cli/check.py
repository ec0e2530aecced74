"""``unidoku check``: is a board proper, and if not, why."""

from __future__ import annotations

from collections.abc import Iterator

import click

from unidoku.backends.base import Request, Result
from unidoku.cli.common import Choice, describe, with_backend, with_puzzles
from unidoku.core.board import Board
from unidoku.core.formats import Puzzle

__all__ = ["command"]

_CELLS_SHOWN = 5


@click.command("check")
@with_puzzles
@with_backend
def command(puzzles: list[Puzzle], choice: Choice) -> int:
    """Check PUZZLE: proper means exactly one solution.

    A board that is not proper is told why: which cells clash in which unit, or where two of its
    solutions differ. The exit code is 1 if a board is not proper, or that is undecided.
    """
    solver, seconds = choice.solver()
    proper = 0
    for number, item in enumerate(puzzles, start=1):
        result = solver.search(item.board, Request(solutions=2, time_limit=seconds))
        name = "" if len(puzzles) == 1 else f"{item.name or number}: "
        verdict = {True: "proper", False: "not proper", None: "not decided"}[result.unique]
        click.echo(f"{name}{verdict}: {describe(result)}")
        for reason in _reasons(item.board, result):
            click.echo(f"  {reason}")
        proper += result.unique is True
    return 0 if proper == len(puzzles) else 1


def _reasons(board: Board, result: Result) -> Iterator[str]:
    problems = board.problems()
    yield from map(str, problems)
    if result.count == 0 and result.unique is False and not problems:
        from unidoku.logic.hidden_units import impossible  # only here is it of use

        no_board = impossible(board.layout)
        yield no_board or "no two givens clash; the search space holds no solution"
    if result.count > 1:
        one, other = result.solutions[:2]
        differ = [cell for cell in board.layout.cells if one[cell] != other[cell]]
        shown = [
            f"{board.layout.names[cell]} ({one[cell]} or {other[cell]})"
            for cell in differ[:_CELLS_SHOWN]
        ]
        more = f" and {len(differ) - len(shown)} more" if len(differ) > len(shown) else ""
        yield f"two solutions differ in {', '.join(shown)}{more}"
