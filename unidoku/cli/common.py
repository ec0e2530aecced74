"""What the commands share: reading boards, choosing a backend, saying how a search ended."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from unidoku.api import configured
from unidoku.backends.base import Result, Status, Stop
from unidoku.backends.solver import Solver
from unidoku.config import read_settings
from unidoku.core.formats import Puzzle, read_puzzles
from unidoku.errors import FormatError, InputError

__all__ = [
    "DEFAULT_TIME_LIMIT",
    "backend_options",
    "chosen_solver",
    "describe",
    "print_table",
    "puzzle_options",
    "read_input",
]

DEFAULT_TIME_LIMIT = 60.0
"""Seconds a board, where neither the command nor the settings say."""

Function = TypeVar("Function", bound=Callable[..., Any])


def puzzle_options(function: Function) -> Function:
    """Add the argument PUZZLE and the options that say how to read it."""
    for decorate in (
        click.option(
            "--symbols",
            metavar="TEXT",
            help="The symbols of the values in order, where that is in doubt: ABCD…",
        ),
        click.option("--size", type=int, help="The number of values, where that is in doubt."),
        click.option(
            "--variant",
            default="classic",
            metavar="NAME",
            show_default=True,
            help="The layout: classic, classic:2x3, latin, x, windoku, jigsaw, samurai, …, "
            "joined by +.",
        ),
        click.argument("puzzle", default="-"),
    ):
        function = decorate(function)
    return function


def _seconds(_context: object, _parameter: object, text: str | None) -> float | None:
    """Read a number of seconds; 'none' is infinity, which `chosen_solver` makes no limit."""
    if text is None or text == "none":
        return None if text is None else float("inf")
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--time-limit: expected seconds or 'none', got {text!r}") from None


def backend_options(function: Function) -> Function:
    """Add the options that choose a backend and its time limit."""
    for decorate in (
        click.option(
            "--time-limit",
            metavar="SECONDS|none",
            callback=_seconds,
            help=f"Limit for each board; {DEFAULT_TIME_LIMIT:g} s if the settings say nothing.",
        ),
        click.option(
            "--backend",
            metavar="NAME[OPTION=VALUE,…]",
            help="The solver, such as cp-sat or 'cp-sat[num_workers=1]'; see: unidoku backends.",
        ),
    ):
        function = decorate(function)
    return function


def chosen_solver(backend: str | None, time_limit: float | None) -> tuple[Solver, float | None]:
    """Return the solver and the time limit that options and settings choose."""
    settings = read_settings()
    if time_limit is None:
        limit = settings.time_limit.value
        time_limit = DEFAULT_TIME_LIMIT if limit is None else limit
    solver = configured(backend, settings)
    if time_limit == float("inf"):
        return solver, None
    return solver, time_limit


def read_input(puzzle: str, variant: str, size: int | None, symbols: str | None) -> list[Puzzle]:
    """Read the boards of PUZZLE: a file, ``-`` for standard input, or the text of a board.

    Raises:
        FormatError: it holds something that is no board, or is neither file nor board.
        InputError: the file cannot be read.
    """
    read = partial(read_puzzles, variant=variant, size=size, symbols=symbols)
    if puzzle == "-":
        return _named("standard input", partial(read, sys.stdin.read()))
    if os.path.isfile(puzzle):  # noqa: PTH113 - Path.is_file raises on a board's long text
        try:
            text = Path(puzzle).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{puzzle} cannot be read: {error}") from error
        return _named(puzzle, partial(read, text))
    if re.fullmatch(r".*[/\\].*|.*\.[A-Za-z]\w*", puzzle) and "\n" not in puzzle:
        raise InputError(f"expected a file or the text of a board, got {puzzle!r}: no such file")
    return read(puzzle)


def _named(source: str, read: Callable[[], list[Puzzle]]) -> list[Puzzle]:
    try:
        return read()
    except FormatError as error:
        raise FormatError(f"{source}: {error}") from error


def describe(result: Result) -> str:
    """Say in words what is known after a search.

    >>> describe(Result(count=2, solutions=(), stop=Stop.SOLUTIONS))
    '2 solutions found'
    """
    plural = "" if result.count == 1 else "s"
    limit = {Stop.TIME: " (time limit)", Stop.NODES: " (node limit)"}.get(result.stop, "")
    match result.status:
        case Status.UNSATISFIABLE:
            return "no solutions"
        case Status.ALL_SOLUTIONS:
            return f"exactly {result.count} solution{plural}"
        case Status.SATISFIED if result.stop is Stop.SOLUTIONS:
            return f"{result.count} solution{plural} found"
        case Status.SATISFIED:
            return f"at least {result.count} solution{plural}{limit}"
        case Status.UNKNOWN:
            return f"undecided{limit}"


def print_table(headings: list[str], rows: list[list[str]]) -> None:
    """Print a table, as wide as its texts need when the output is no terminal."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    console = Console(width=None if sys.stdout.isatty() else 10_000)
    with console.capture() as capture:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in capture.get().splitlines()))
