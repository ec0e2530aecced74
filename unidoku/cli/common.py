"""Code that the commands share: options for boards, backends and techniques, and printing."""

from __future__ import annotations

import contextlib
import json
import math
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import click

from unidoku.api import configured
from unidoku.backends.base import Request, Result
from unidoku.backends.options import parse_label, split_labels
from unidoku.backends.solving.solver import Solver
from unidoku.cli import completers
from unidoku.cli.consent import with_trust
from unidoku.cli.printing import is_terminal, say
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.errors import InputError
from unidoku.files.puzzles import puzzles_of
from unidoku.files.ruled import Skipped
from unidoku.files.source import Sources
from unidoku.formats import Puzzle
from unidoku.settings import Settings, read_settings
from unidoku.support.language import LANGUAGES, in_language
from unidoku.support.notation import NOTATIONS, named_by
from unidoku.support.text import plural, printable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unidoku.logic import State, Step
    from unidoku.support.table import Table

_Command = TypeVar("_Command", bound=Callable[..., object])

DEFAULT_TIME_LIMIT = 60.0
"""Seconds for each board, if neither the command nor the settings state a limit."""


def with_output(help: str, metavar: str = "FILE") -> Callable[[_Command], _Command]:
    """Return the option of a file to write: the command takes ``output``, None for none."""
    return click.option("-o", "--output", metavar=metavar, help=help)


def with_form(help: str) -> Callable[[_Command], _Command]:
    """Return the option of one line for each board, or a frame: the command takes ``form``."""
    return click.option("--format", "form", type=click.Choice(["line", "framed"]), help=help)


def with_backends(help: str, **settings: Any) -> Callable[[_Command], _Command]:
    """Return the option of several labels, for `split_labels`; the command takes ``backends``."""
    complete = completers.backends
    return click.option(
        "--backends", metavar="A,B,…", shell_complete=complete, help=help, **settings
    )


with_threads = click.option(
    "--threads", type=int, default=1, help="Number of threads of the solver."
)
"""The option of commands that search with several threads."""

with_force = click.option("--force", is_flag=True, help="Replace output files that exist.")
"""The option of every command that writes a file."""


with_scheduler = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Dask scheduler: tcp://host:port or tls://host:port; or local:N for N processes here.",
)
"""The option of every command whose searches can run on a cluster."""


def with_running(function: Callable[..., int]) -> Callable[..., int]:
    """Add the options for searches of many boards; the command takes ``running``."""

    @click.option(
        "--resume",
        is_flag=True,
        help="Continue the unfinished --output of an earlier run, if there is one.",
    )
    @with_scheduler
    @wraps(function)
    def command(resume: bool, scheduler: str | None, **options: Any) -> int:
        running = {"resume": resume} if resume else {}
        return function(
            running=running | ({"scheduler": scheduler} if scheduler else {}), **options
        )

    return command


_READING = ("variant", "size", "symbols", "column", "guess")
"""Options of how to read boards that have the names of arguments of `Sources.of`."""


def with_source(function: Callable[..., int]) -> Callable[..., int]:
    """Add the arguments PUZZLE and how to read them; the command takes ``sources``."""

    @click.argument("puzzles", nargs=-1, metavar="[PUZZLE]...")
    @click.option(
        "--variant",
        default="classic",
        metavar="NAME",
        shell_complete=completers.variants,
        help="The layout: classic, classic:2x3, latin, x, windoku, jigsaw, samurai, …; joined by +",
    )
    @click.option(
        "--size",
        type=click.IntRange(min=1),
        help="Number of values, if the board does not determine it.",
    )
    @click.option(
        "--symbols",
        metavar="TEXT",
        help="Symbols of the values in order, such as ABCD…, if the board does not determine them.",
    )
    @click.option(
        "--column",
        metavar="NAME|NUMBER",
        help="Column of a table that holds the boards, if several columns may.",
    )
    @click.option(
        "--from",
        "source_format",
        metavar="FORMAT",
        shell_complete=completers.formats,
        help="Format of PUZZLE, if neither its ending nor its beginning shows it.",
    )
    @click.option(
        "--guess",
        is_flag=True,
        help="Guess rules from pictures and words, if a format has no names for them.",
    )
    @click.option(
        "--names",
        type=click.Choice(NOTATIONS),
        help="How cells are named in messages, pictures and files; A1 by default.",
    )
    @click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        help="Language of rules, steps, techniques, pages and sheets; en by default.",
    )
    @wraps(function)
    def command(
        puzzles: tuple[str, ...], names: str | None, lang: str | None, **options: Any
    ) -> int:
        reading = {name: options.pop(name) for name in _READING}
        sources = Sources.of(puzzles or ["-"], form=options.pop("source_format"), **reading)
        print_notes(sources.notes)
        if "-" in (puzzles or ["-"]):
            tell_of_terminal("a puzzle")
        settings = read_settings()
        with (
            named_by(names or settings.names.value),
            in_language(lang or settings.language.value),
        ):
            return function(sources=sources, **options)

    return command


def tell_of_terminal(input_name: str) -> None:
    """Print what is waited for, and how to end it, if standard input is a terminal."""
    if is_terminal(sys.stdin):
        end = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D on a line of its own"
        print_notes([f"reading {input_name} from the terminal; end with {end}"])


def print_notes(notes: Iterable[str]) -> None:
    """Print notes to standard error."""
    for note in notes:
        say(f"unidoku: {note}", err=True)


def tell_losses(puzzle: Puzzle) -> None:
    """Print what was lost when a puzzle was read, and which meanings were assumed."""
    name = f"{puzzle.name}: " if puzzle.name else ""
    print_notes(f"{name}{line}" for line in puzzle.losses.lines())


def each_puzzle(sources: Sources, *, placed: bool = True) -> Iterator[Puzzle]:
    """Yield all boards; report each puzzle that cannot be read, and at the end their number.

    Raises:
        InputError: no puzzle can be read.
    """
    skipped = Skipped(lambda remark: print_notes([remark]))
    read = 0
    for puzzle in puzzles_of(sources, skipped, placed=placed):
        read += 1
        tell_losses(puzzle)
        yield puzzle
    if not skipped.count:
        return
    remark = skipped.summary(read)
    if not read:
        raise InputError(f"expected a puzzle with known rules, got none: {remark}")
    print_notes([remark])


def numbered(sources: Sources) -> Iterator[tuple[str, Puzzle]]:
    """Yield all boards, each with a prefix for its answer: empty if there is only one board."""
    puzzles = each_puzzle(sources)
    first = next(puzzles)
    second = next(puzzles, None)
    if second is None and len(sources.sources) == 1:
        yield "", first
        return
    boards = [first] if second is None else chain([first, second], puzzles)
    for number, puzzle in enumerate(boards, start=1):
        yield f"{puzzle.name or number}: ", puzzle


with_entries = click.option(
    "--entries",
    metavar="FILE",
    help="What was entered on PUZZLE so far: a file with the board as it is now.",
)


def numbered_or_entered(sources: Sources, entries: str | None) -> Iterator[tuple[str, Puzzle]]:
    """Yield all boards with their prefixes; only one if ``--entries`` is about it."""
    return numbered(sources) if entries is None else iter([("", only_puzzle(sources, "--entries"))])


def entered_board(entries: str | None, puzzle: Puzzle) -> Board | None:
    """Return the board of a file of entries; None without one.

    Raises:
        InputError: the file has several boards.
    """
    if entries is None:
        return None
    return only_puzzle(Sources.of([entries], puzzle.board.layout), "--entries").board


def only_puzzle(sources: Sources, asking: str = "") -> Puzzle:
    """Return the only board of the sources, reading at most two.

    Args:
        sources: the sources to read.
        asking: the option that needs a single board, if the command itself does not.

    Raises:
        InputError: there are several.
    """
    puzzles = puzzles_of(sources)
    puzzle = next(puzzles)
    if next(puzzles, None) is not None:
        prefix = f"{asking}: " if asking else ""
        raise InputError(f"{prefix}expected one board, got several; give only one as PUZZLE")
    tell_losses(puzzle)
    return puzzle


def seconds_of(_context: object, _parameter: object, text: str | None) -> float | None:
    """Read a number of seconds; 'none' is infinity, which stands for no limit."""
    if text is None or text == "none":
        return None if text is None else math.inf
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--time-limit: expected seconds or 'none', got {text!r}") from None


with_time_limit = click.option(
    "--time-limit",
    metavar="SECONDS|none",
    callback=seconds_of,
    help=f"Time limit for each board; {DEFAULT_TIME_LIMIT:g} s by default.",
)
"""The option of a time limit for each board; see `time_limit_of`."""


def with_backend(function: Callable[..., int]) -> Callable[..., int]:
    """Add the options that choose a backend and its time limit; the command takes ``choice``."""

    @click.option(
        "--backend",
        metavar="NAME[OPTION=VALUE,…]",
        shell_complete=completers.backends,
        help="Solver, such as cp-sat or 'cp-sat[num_workers=1]'; for a list: unidoku backends.",
    )
    @with_time_limit
    @with_trust
    @wraps(function)
    def command(backend: str | None, time_limit: float | None, **options: Any) -> int:
        return function(choice=BackendChoice(backend, time_limit), **options)

    return command


def time_limit_of(seconds: float | None) -> float | None:
    """Return the limit given by the option or else by the settings; None for no limit.

    Raises:
        InputError: it is not above 0.
    """
    limit = read_settings().time_limit.value if seconds is None else seconds
    return Request(time_limit=DEFAULT_TIME_LIMIT if limit is None else limit).time_limit


def two_labels(option: str, text: str) -> tuple[str, str]:
    """Return the two labels that an option names.

    Raises:
        InputError: it names one, or more than two.
    """
    labels = [*split_labels(text)]
    if len(labels) != 2:
        raise InputError(
            f"{option}: expected two backends with a comma between them, such as sat,native, got "
            f"{text!r}"
        )
    return labels[0], labels[1]


def settings_for(label: str | None) -> Settings:
    """Return the settings for a backend, None for the one they name; print what is ignored."""
    wanted = "backend" if label is None else parse_label(label)[0]
    settings = read_settings().granted(wanted)
    print_notes(map(str, settings.ignored_at(wanted)))
    return settings


@dataclass(frozen=True, slots=True)
class BackendChoice:
    """The backend and the time limit that the command line names, if any."""

    backend: str | None
    time_limit: float | None

    def solver(self) -> tuple[Solver, float]:
        """Return the solver, and the time limit by options and settings; infinity for no limit.

        A backend that does not support time limits gets one only if the user asks for it.
        """
        settings = settings_for(self.backend)
        solver = configured(self.backend, settings)
        limit = settings.time_limit.value if self.time_limit is None else self.time_limit
        if limit is None:
            honoured = "time_limit" in solver.spec.capabilities.honours
            limit = DEFAULT_TIME_LIMIT if honoured else math.inf
        return solver, limit


with_json = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON: one line with an object for each board."
)
"""The option of commands that print JSON: they take ``as_json`` and use `print_json`."""


def print_json(record: Mapping[str, object]) -> None:
    """Print a line of JSON in ASCII, which every encoding of the output contains."""
    say(json.dumps(record, allow_nan=False, default=str))


def search_record(
    puzzle: Puzzle, result: Result, solver: Solver, seconds: float
) -> dict[str, object]:
    """Return the result of a search as a table for JSON."""
    search = {"backend": solver.label, "seconds": round(seconds, 6)}
    return {**puzzle.board.record(puzzle.name), **search, **result.about(puzzle.board).record()}


def answerer(solver: Solver, result: Result) -> str:
    """Return who answered: the solver, and for `auto` the backend that answered, and when."""
    if not result.answered_by:
        return solver.label
    turns = int(result.statistics.get("turns", 0))
    after = f" after {plural(turns, 'turn')}" if turns else ""
    return f"{solver.label}: {result.answered_by}{after}"


def print_table(headings: list[str], rows: list[list[str]]) -> None:
    """Print a table; if the output is no terminal, it is as wide as its texts need."""
    from unidoku.support.table import Column, Table

    columns = tuple(map(Column, headings))
    print_figures(Table(title="", columns=columns, rows=tuple(map(tuple, rows))))


def print_figures(table: Table) -> None:
    """Print a table of figures without a frame, as `print_table` does."""
    from unidoku.support.table import to_rich

    print_rich(to_rich(table, framed=False), width=10_000)


def print_rich(*renderables: RenderableType, width: int) -> None:
    """Print with rich, without trailing blanks; the width is for outputs other than terminals."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else width)
    with console.capture() as capture:
        for renderable in renderables:
            console.print(renderable, highlight=False)
    click.echo("\n".join(line.rstrip() for line in capture.get().splitlines()))


def terminal_width(width: int) -> int:
    """Return the width of the terminal; for other outputs the given one."""
    from rich.console import Console

    return Console().width if sys.stdout.isatty() else width


@contextlib.contextmanager
def notes_printed() -> Iterator[None]:
    """Print the notes on an exception, such as the path of unfinished output."""
    try:
        yield
    except BaseException as error:
        for note in getattr(error, "__notes__", ()):
            say(f"unidoku: {note}", err=True)
        raise


@contextlib.contextmanager
def progress_bar(total: float | None) -> Iterator[Callable[[float, object], None] | None]:
    """Show a progress bar while the body runs; None if standard error is no terminal."""
    if not is_terminal(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = BarColumn(), TextColumn("{task.description}", markup=False), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda done, text: progress.update(
            task, completed=done, description=printable(str(text))
        )


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


_PLAIN_WIDTH = 160
"""Characters in a line if the output is no terminal."""


def _list_techniques(context: click.Context, parameter: click.Parameter, names: str) -> str:
    """Print the techniques and end, in place of the command, if the names are ``list``."""
    if names == "list":
        from unidoku.logic import TECHNIQUES  # most commands do without

        columns = ["technique", "also called", "rating", "score"]
        rows = [
            [row.name, ", ".join(row.aliases), f"{row.rating:g}", str(row.score)]
            for row in TECHNIQUES
        ]
        print_table(columns, rows)
        context.exit()
    return names


with_techniques = click.option(
    "--techniques",
    default="usual",
    metavar="NAMES",
    shell_complete=completers.techniques,
    is_eager=True,
    callback=_list_techniques,
    help="Techniques to use: names joined by commas; usual, for all that are valid on every board; "
    "all; or ..NAME, for the usual ones up to that one. list prints them all.",
)


def print_grid(state: State, step: Step | None = None) -> None:
    """Print the candidates of a state, and mark those that a step is about."""
    from unidoku.logic.show.terminal import grid_text  # imports rich

    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else _PLAIN_WIDTH
    print_rich(grid_text(state, step, width), width=10_000)
