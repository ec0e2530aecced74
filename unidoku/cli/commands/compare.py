"""``unidoku compare``: run a comparison, print its tables and its verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from unidoku.backends.options import split_labels
from unidoku.cli import completers
from unidoku.cli.common import print_notes, with_backends, with_scheduler
from unidoku.cli.consent import with_trust
from unidoku.cli.printing import example, say
from unidoku.cli.progress import Progress
from unidoku.cli.reporting import Reporting, reporting_options
from unidoku.comparison import read_plan
from unidoku.comparison.cases import PuzzleSource
from unidoku.comparison.config import ComparisonPlan
from unidoku.comparison.session import RunOptions, carry_out
from unidoku.errors import InputError
from unidoku.files.examples import comparison_file
from unidoku.files.source import Sources, is_puzzle_file

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(
    "compare", epilog=example("compare boards.txt --backends native,sat --report report.html")
)
@click.argument("sources", nargs=-1, metavar="[CONFIG.toml | PUZZLES…]")
@with_backends("Labels of the backends, instead of those in CONFIG.toml.")
@click.option(
    "--variant",
    default="classic",
    shell_complete=completers.variants,
    help="Layout of the puzzle files on the command line.",
)
@click.option("--repeats", type=int, help="Number of runs of each case with each backend.")
@click.option("--solutions", type=int, help="Solutions to find in each run; 2 proves uniqueness.")
@click.option("--time-limit", type=float, help="Time limit of each search, in seconds.")
@click.option(
    "--cpu-limit",
    type=float,
    help="Limit of the processor time of each search, with what it starts, in seconds; 0 for none.",
)
@click.option(
    "--memory-limit",
    type=int,
    metavar="MIB",
    help="Memory limit of each run, in mebibytes; 0 for none.",
)
@click.option(
    "--sample-ms",
    type=float,
    help="Milliseconds for which a fast search is repeated; 0 for one search.",
)
@click.option(
    "--measure",
    type=click.Choice(["auto", "first", "warm"]),
    help="Whether times include what a layout costs, such as the model; by default only if it has "
    "one board.",
)
@click.option("--seed", type=int, help="Seed of the order of the runs and of the symmetric copies.")
@click.option(
    "--symmetries", type=int, metavar="K", help="Run K symmetric copies of each board too."
)
@click.option(
    "--self-test",
    is_flag=True,
    default=None,
    help="Run the first backend twice, to see the noise of the measurement.",
)
@click.option("--workers", type=int, help="Number of processes that measure at the same time.")
@click.option("--cores", type=int, help="Processor cores for each worker.")
@click.option(
    "--engine",
    type=click.Choice(["pool", "spawn", "inline", "pebble"]),
    metavar="[pool|spawn|inline]",
    help="Where runs take place: in forked workers, in spawned workers, or in this process.",
)
@with_scheduler
@with_trust
@click.option("--output", type=_FILE, help="Write every run to this journal (.jsonl).")
@click.option("--resume", is_flag=True, help="Continue the journal of --output.")
@reporting_options
def command(
    sources: tuple[str, ...],
    variant: str,
    backends: str | None,
    engine: str | None,
    scheduler: str | None,
    output: Path | None,
    resume: bool,
    reporting: Reporting,
    **changes: Any,
) -> int:
    """Compare backends on puzzles: their answers and times.

    The puzzles are those of CONFIG.toml, or of puzzle files and folders. Without any of these,
    several backends run on the built-in examples. Each run is measured in a worker process, which
    is killed at its limits. Every grid is checked, and all answers are compared: the exit code is 1
    if two backends disagree or one gives a wrong answer, otherwise 2 if one fails or crashes. The
    settings that unidoku config shows are not used: only the file and the options decide what is
    run.
    """
    if resume and output is None:
        raise InputError(
            "--resume: expected a journal to continue, got none; name it with --output"
        )
    plan = _asked(sources, variant).changed(
        backends=tuple(split_labels(backends)) if backends is not None else None, **changes
    )
    reporting.check()
    where = RunOptions(
        engine=engine, scheduler=scheduler, journal=output, resume=resume, force=reporting.force
    )
    with Progress() as progress:
        run = carry_out(
            plan,
            where,
            progress,
            check=lambda begun: reporting.view.check(begun.results),
            waiting=progress.waiting,
        )
    code = reporting.report(run)
    if run.interrupted:
        say(f"interrupted after {run.done} of {run.total} runs", err=True)
        raise run.interrupted
    return code


def _asked(sources: tuple[str, ...], variant: str) -> ComparisonPlan:
    configs = [source for source in sources if _is_config(source)]
    if not sources:
        return read_plan(comparison_file())
    if configs and len(sources) > 1:
        raise InputError(f"expected one CONFIG.toml or puzzle files, got {', '.join(sources)}")
    if configs:
        return read_plan(Path(configs[0]))
    default = read_plan(comparison_file())
    named = Sources.of(sources)
    print_notes(named.notes)
    files = tuple(source.puzzle for source in named.sources)
    return default.changed(puzzles=(PuzzleSource(files=files, variant=variant),), folder=Path())


def _is_config(source: str) -> bool:
    """Return whether a source is the file of a comparison: TOML, but not a puzzle file."""
    path = Path(source)
    return source.endswith(".toml") and not (path.is_file() and is_puzzle_file(path))
