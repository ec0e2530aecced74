"""The board that `export` writes, and that `read-answer` reads the answer of a solver for."""

from __future__ import annotations

import click

from unidoku.cli.common import each_puzzle
from unidoku.core.layout import Grid
from unidoku.errors import InputError
from unidoku.files.source import Sources
from unidoku.formats import Puzzle


def one_of(sources: Sources) -> Puzzle:
    """Return the only board of the sources.

    Raises:
        InputError: there are several.
    """
    puzzles = [*each_puzzle(sources)]
    if len(puzzles) != 1:
        raise InputError(f"expected one board, got {len(puzzles)}; name a file with one")
    return puzzles[0]


with_not_the_solution = click.option(
    "--not-the-solution",
    is_flag=True,
    help="Exclude the solution that the file has, to search for another one.",
)


def left_out(puzzle: Puzzle, not_the_solution: bool) -> list[Grid]:
    """Return the solutions that an exported board must exclude.

    Raises:
        InputError: the solution is to be excluded, but the file has none.
    """
    if not not_the_solution:
        return []
    if puzzle.solution is None:
        raise InputError("--not-the-solution: expected a file with the solution of its puzzle")
    return [puzzle.solution]
