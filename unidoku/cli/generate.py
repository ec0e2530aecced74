"""``unidoku generate``: puzzles as wished, of any variant."""

from __future__ import annotations

import contextlib
import re
import secrets
import sys
from collections.abc import Callable, Iterator

import click
import numpy as np

from unidoku.backends.base import Stop
from unidoku.backends.batch import STOPS, BatchResult
from unidoku.cli.common import DEFAULT_TIME_LIMIT, Source, seconds_of
from unidoku.cli.sinks import Sink, Writer, open_sink, solution_lines
from unidoku.cli.status import showing
from unidoku.core.batch import Batch
from unidoku.errors import InputError
from unidoku.generation import SYMMETRIES, Generation, Puzzles, Wish, framed_text, puzzle_lines

__all__ = ["command"]


def _clues(_context: object, _parameter: object, text: str | None) -> tuple[int, int] | None:
    """Read a number, or two with a dash between them."""
    if text is None:
        return None
    if (match := re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", text)) is None:
        raise InputError(f"--clues: expected a number or a range such as 24-28, got {text!r}")
    return int(match[1]), int(match[2] or match[1])


@click.command("generate")
@click.option("--variant", default="classic", metavar="NAME", show_default=True, help="The layout.")
@click.option("--size", "n", type=click.IntRange(min=1), default=9, show_default=True)
@click.option("--clues", metavar="N|N-M", callback=_clues, help="How many givens.")
@click.option(
    "--symmetry",
    type=click.Choice(list(SYMMETRIES)),
    default="none",
    show_default=True,
    help="Of the pattern of givens.",
)
@click.option("--minimal", is_flag=True, help="No single given can go.")
@click.option("--difficulty", metavar="TECHNIQUE", help="The hardest technique that is needed.")
@click.option("--walk", is_flag=True, help="Exchange givens until there are as few as --clues.")
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), help="By chance if not given; it is told.")
@click.option(
    "--per-layout",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Puzzles that share regions, of jigsaws without a map.",
)
@click.option("--backend", metavar="LABEL", help="Who decides uniqueness; native if not given.")
@click.option(
    "--cross-check/--no-cross-check",
    default=None,
    help="Whether a second backend confirms it; it does if --count is 1.",
)
@click.option("--cross-check-backend", metavar="LABEL", default="sat", show_default=True)
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True)
@click.option(
    "--time-limit",
    metavar="SECONDS|none",
    default=f"{DEFAULT_TIME_LIMIT:g}",
    show_default=True,
    callback=seconds_of,
    help="Limit for all puzzles together.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["line", "framed"]),
    help="How puzzles are written; framed for one, a line each for several.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write a puzzle a line: text or .csv (with solutions), either of them .gz, or .npy.",
)
def command(
    variant: str,
    n: int,
    clues: tuple[int, int] | None,
    symmetry: str,
    minimal: bool,
    difficulty: str | None,
    walk: bool,
    count: int,
    seed: int | None,
    per_layout: int,
    backend: str | None,
    cross_check: bool | None,
    cross_check_backend: str,
    threads: int,
    time_limit: float,
    form: str | None,
    output: str | None,
) -> int:
    """Make puzzles that have exactly one solution, proved.

    Puzzles go to standard output, a summary to standard error. Wishes that are seldom met are
    met by making many puzzles and refusing most; the summary counts them. The exit code is 1 if
    the time limit came before there were enough.

    The same seed and the same arguments give the same puzzles.
    """
    checked = count == 1 if cross_check is None else cross_check
    run = Generation(
        variant=variant,
        n=n,
        wish=Wish(clues=clues, symmetry=symmetry, minimal=minimal, difficulty=difficulty),
        wanted=count,
        seed=secrets.randbits(32) if seed is None else seed,
        time_limit=time_limit,
        backend=backend,
        second=cross_check_backend if checked else None,
        per_layout=per_layout,
        walk=walk,
        threads=threads,
    )
    if output and form == "framed":
        raise click.UsageError("--output takes a puzzle a line")
    try:
        if form == "framed" or (form is None and count == 1 and not output):
            _print_framed(run)
        else:
            _write_lines(run, output)
    finally:
        click.echo(f"{run.tally}; seed {run.seed}", err=True)
    if not run.tally.made:
        click.echo(_advice(run.wish), err=True)
    return 0 if run.tally.made == count else 1


def _advice(wish: Wish) -> str:
    """Say which wishes could be given up, where no puzzle met them all."""
    named = {
        "--clues": wish.clues is not None,
        "--minimal": wish.minimal,
        "--symmetry": wish.symmetry != "none",
        "--difficulty": wish.difficulty is not None,
    }
    wishes = ", ".join(name for name, wished in named.items() if wished)
    relaxed = f"relax one of {wishes}, or " if wishes else ""
    return f"no puzzle was as wished: {relaxed}give more time (--time-limit)"


def _print_framed(run: Generation) -> None:
    """Print each puzzle in rows, with an empty line between two."""
    separator = ""
    with _progress(run) as advance:
        for puzzles in run:
            for board in puzzles.boards():
                click.echo(separator + framed_text(board, with_map=run.has_maps))
                separator = "\n"
            advance()


def _write_lines(run: Generation, output: str | None) -> None:
    """Write a puzzle a line to a file or to standard output, as they come."""

    def lines(batch: Batch, _: BatchResult) -> bytes:
        return puzzle_lines(batch.layout, batch.cells, with_map=run.has_maps)

    kind = (output or "").removesuffix(".gz").rpartition(".")[2]
    whole = kind in ("csv", "npy") and not run.has_maps
    writer: Writer = solution_lines if whole else lines
    nowhere = Source("", "", None, None)
    with open_sink(output, nowhere, writer) as sink, _progress(run) as advance:
        for puzzles in run:
            if len(puzzles):
                _write(sink, puzzles, puzzles.cells if kind == "npy" else puzzles.grids)
            advance()


def _write(
    sink: Sink, puzzles: Puzzles, rows: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
) -> None:
    """Hand puzzles to a sink.

    Args:
        sink: takes boards and what was found of them.
        puzzles: the boards.
        rows: what a file of rows of values holds of each.
    """
    ones = np.ones(len(puzzles), np.int64)
    stops = np.full(len(puzzles), STOPS.index(Stop.EXHAUSTED), np.uint8)
    batch = Batch(layout=puzzles.layout, cells=np.ascontiguousarray(puzzles.cells))
    sink.write(batch, BatchResult(counts=ones, grids=np.ascontiguousarray(rows), stops=stops))


@contextlib.contextmanager
def _progress(run: Generation) -> Iterator[Callable[[], None]]:
    """Show a bar on a terminal; else a line now and then."""
    if sys.stderr is None or not sys.stderr.isatty():
        with showing() as show:
            yield lambda: show(str(run.tally), lasting=False)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=run.wanted)
        yield lambda: progress.update(task, completed=run.tally.made, description=str(run.tally))
