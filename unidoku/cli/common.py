"""What the commands share: reading boards, choosing a backend, saying how a search ended."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from unidoku.api import configured
from unidoku.backends.base import Request, Result, Status, Stop
from unidoku.backends.solver import Solver
from unidoku.config import read_settings
from unidoku.core.formats import Puzzle, read_puzzle_file, read_puzzles
from unidoku.errors import FormatError, InputError

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = [
    "DEFAULT_TIME_LIMIT",
    "GZIP",
    "LARGE",
    "NPY",
    "Choice",
    "Source",
    "count_text",
    "describe",
    "limit_reached",
    "print_rich",
    "print_table",
    "read_input",
    "seconds_of",
    "time_limit_of",
    "with_backend",
    "with_puzzles",
    "with_source",
    "with_time_limit",
]

DEFAULT_TIME_LIMIT = 60.0
"""Seconds a board, where neither the command nor the settings say."""

LARGE = 1 << 16
"""Bytes above which a file of boards is read in parts."""

GZIP, NPY = b"\x1f\x8b", b"\x93NUMPY"
"""How such files begin, whatever their names are."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where the command line says the boards are, and how they are written.

    Args:
        puzzle: a file, ``-`` for standard input, or the text of a board.
        variant: the layout's name.
        size: n, where that is in doubt.
        symbols: of the values in order, where that is in doubt.
    """

    puzzle: str
    variant: str
    size: int | None
    symbols: str | None

    def read(self) -> list[Puzzle]:
        """Read all boards at once; see `read_input`."""
        return read_input(self.puzzle, self.variant, self.size, self.symbols)

    @property
    def is_batch(self) -> bool:
        """Whether it is a file to be read in parts: large, compressed, or no plain text."""
        try:
            path = Path(self.puzzle)
            if not path.is_file():
                return False
            with path.open("rb") as file:
                packed = file.read(len(NPY)).startswith((GZIP, NPY))
            return packed or path.suffix == ".csv" or path.stat().st_size > LARGE
        except (OSError, ValueError):  # the text of a board may be no path at all
            return False


def with_source(function: Callable[..., int]) -> Callable[..., int]:
    """Add the argument PUZZLE and how to read it; the command takes ``source``."""

    @click.argument("puzzle", default="-")
    @click.option(
        "--variant",
        default="classic",
        metavar="NAME",
        show_default=True,
        help="The layout: classic, classic:2x3, latin, x, windoku, jigsaw, samurai, …; joined by +",
    )
    @click.option(
        "--size", type=click.IntRange(min=1), help="The number of values, where that is in doubt."
    )
    @click.option(
        "--symbols",
        metavar="TEXT",
        help="The symbols of the values in order, where that is in doubt: ABCD…",
    )
    @wraps(function)
    def command(
        puzzle: str, variant: str, size: int | None, symbols: str | None, **options: Any
    ) -> int:
        return function(source=Source(puzzle, variant, size, symbols), **options)

    return command


def with_puzzles(function: Callable[..., int]) -> Callable[..., int]:
    """Add the argument PUZZLE and how to read it; the command takes ``puzzles``."""

    @with_source
    @wraps(function)
    def command(source: Source, **options: Any) -> int:
        return function(puzzles=source.read(), **options)

    return command


def with_backend(function: Callable[..., int]) -> Callable[..., int]:
    """Add the options that choose a backend and its time limit; the command takes ``choice``."""

    @click.option(
        "--backend",
        metavar="NAME[OPTION=VALUE,…]",
        help="The solver, such as cp-sat or 'cp-sat[num_workers=1]'; see: unidoku backends.",
    )
    @with_time_limit
    @wraps(function)
    def command(backend: str | None, time_limit: float | None, **options: Any) -> int:
        return function(choice=Choice(backend, time_limit), **options)

    return command


def with_time_limit(function: Callable[..., int]) -> Callable[..., int]:
    """Add the option of a time limit for each board; see `time_limit_of`."""
    return click.option(
        "--time-limit",
        metavar="SECONDS|none",
        callback=seconds_of,
        help=f"Limit for each board; {DEFAULT_TIME_LIMIT:g} s if the settings say nothing.",
    )(function)


def time_limit_of(seconds: float | None) -> float | None:
    """Return the limit that the option, else the settings choose; None for none.

    Raises:
        InputError: it is not above 0.
    """
    limit = read_settings().time_limit.value if seconds is None else seconds
    return Request(time_limit=DEFAULT_TIME_LIMIT if limit is None else limit).time_limit


def seconds_of(_context: object, _parameter: object, text: str | None) -> float | None:
    """Read a number of seconds; 'none' is infinity, of which `Choice` makes no limit."""
    if text is None or text == "none":
        return None if text is None else math.inf
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--time-limit: expected seconds or 'none', got {text!r}") from None


@dataclass(frozen=True, slots=True)
class Choice:
    """The backend and time limit that the command line names, if it does."""

    backend: str | None
    time_limit: float | None

    def solver(self) -> tuple[Solver, float | None]:
        """Return the solver and the limit in seconds that options and settings choose."""
        settings = read_settings()
        solver = configured(self.backend, settings)
        limit = settings.time_limit.value if self.time_limit is None else self.time_limit
        if limit is None and "time_limit" in solver.spec.capabilities.honours:
            limit = DEFAULT_TIME_LIMIT
        return solver, None if limit == math.inf else limit


def read_input(puzzle: str, variant: str, size: int | None, symbols: str | None) -> list[Puzzle]:
    """Read the boards of PUZZLE: a file, ``-`` for standard input, or the text of a board.

    Raises:
        FormatError: it holds something that is no board, or is neither file nor board.
        InputError: the file cannot be read.
    """
    if puzzle == "-":
        try:
            return read_puzzles(_standard_input(), variant, size=size, symbols=symbols)
        except FormatError as error:
            raise error.of("standard input") from error
    if os.path.exists(puzzle):  # noqa: PTH110 - Path.exists raises on a board's long text
        return read_puzzle_file(Path(puzzle), variant, size=size, symbols=symbols)
    if re.fullmatch(r".*[/\\].*|.*\.[A-Za-z]\w*", puzzle):
        raise InputError(f"expected a file or the text of a board, got {puzzle!r}: no such file")
    return read_puzzles(puzzle, variant, size=size, symbols=symbols)


def _standard_input() -> str:
    if sys.stdin is None:
        raise InputError("expected a board on standard input, but it is closed")
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise InputError(f"standard input cannot be read: {error}") from error


_STOPPED = MappingProxyType(
    {
        Stop.TIME: " (time limit)",
        Stop.NODES: " (node limit)",
        Stop.INCOMPLETE: " (the backend can do no more)",
    }
)


def limit_reached(stop: Stop) -> str:
    """Say what ended a search short of an answer, as the tail of a phrase; empty if nothing."""
    return _STOPPED.get(stop, "")


def count_text(count: int, stop: Stop) -> str:
    """Say how many solutions were counted; a number alone is exact."""
    return f"{'' if stop is Stop.EXHAUSTED else 'at least '}{count}{limit_reached(stop)}"


def describe(result: Result) -> str:
    """Say in words what is known after a search.

    >>> describe(Result(count=2, solutions=(), stop=Stop.SOLUTIONS))
    '2 solutions found'
    """
    plural = "" if result.count == 1 else "s"
    limit = limit_reached(result.stop)
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
    from unidoku.table import Column, Table, to_rich

    table = Table(title="", columns=tuple(map(Column, headings)), rows=tuple(map(tuple, rows)))
    print_rich(to_rich(table, framed=False), width=10_000)


def print_rich(*renderables: RenderableType, width: int) -> None:
    """Print with rich, in this width when the output is no terminal, without trailing blanks."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else width)
    with console.capture() as capture:
        for renderable in renderables:
            console.print(renderable, highlight=False)
    click.echo("\n".join(line.rstrip() for line in capture.get().splitlines()))
