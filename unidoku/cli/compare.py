"""``unidoku compare``: run a comparison, print its tables and whether the backends agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from unidoku.backends.options import split_labels
from unidoku.cli import completion
from unidoku.cli.common import tell, with_scheduler
from unidoku.cli.progress import Progress
from unidoku.cli.reporting import check_targets, report, reporting_options
from unidoku.comparison import ComparisonPlan, PuzzleSource, read_plan
from unidoku.comparison.session import Where, carry_out
from unidoku.errors import InputError
from unidoku.examples import comparison_file
from unidoku.files.source import Sources, is_puzzle_file

__all__ = ["command"]

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("compare")
@click.argument("sources", nargs=-1, metavar="[CONFIG.toml | PUZZLES…]")
@click.option(
    "--backends",
    metavar="A,B,…",
    shell_complete=completion.backends,
    help="Labels, instead of those of the config.",
)
@click.option(
    "--variant",
    default="classic",
    shell_complete=completion.variants,
    help="Of puzzle files named on the command.",
)
@click.option("--repeats", type=int, help="Runs of each case by each backend.")
@click.option("--solutions", type=int, help="Asked of each run; 2 tells if there is just one.")
@click.option("--time-limit", type=float, help="Seconds a search.")
@click.option("--memory-limit", type=int, metavar="MIB", help="Mebibytes a run; 0: no limit.")
@click.option("--sample-ms", type=float, help="Milliseconds to repeat a fast search; 0: once.")
@click.option("--seed", type=int, help="Of the order of the runs, and of the images.")
@click.option("--symmetries", type=int, metavar="K", help="Run K symmetric images of each too.")
@click.option("--self-test", is_flag=True, default=None, help="Enter the first backend twice.")
@click.option("--workers", type=int, help="Processes that measure at the same time.")
@click.option("--cores", type=int, help="Processor cores of each worker.")
@click.option(
    "--engine",
    type=click.Choice(["pool", "spawn", "inline", "pebble"]),
    metavar="[pool|spawn|inline]",
    help="Runs in forked workers, in spawned ones, or in this process.",
)
@with_scheduler
@click.option("--output", type=_FILE, help="Write every run to this journal.")
@click.option("--resume", is_flag=True, help="Go on with the journal of --output.")
@reporting_options
def command(
    sources: tuple[str, ...],
    variant: str,
    backends: str | None,
    engine: str | None,
    scheduler: str | None,
    output: Path | None,
    resume: bool,
    form: str | None,
    phases: bool,
    html: Path | None,
    figures: Path | None,
    force: bool,
    **changes: Any,
) -> int:
    """Compare backends on the puzzles of CONFIG.toml, or of puzzle files and folders.

    Without either: all backends of the examples' own comparison on the built-in examples. Each
    run is measured in a process of its own, which is ended at the limits. Every grid is checked,
    all answers are compared; the exit code is 1 if two backends disagree or one gives a wrong
    answer, and else 2 if one fails or crashes. Settings (unidoku config) do not count here: a
    comparison is what its file and its options say.
    """
    if resume and output is None:
        raise InputError("--resume goes on with a journal: name it with --output")
    asked = _asked(sources, variant).changed(
        backends=tuple(split_labels(backends)) if backends is not None else None, **changes
    )
    check_targets(html, figures, force=force)
    where = Where(engine=engine, scheduler=scheduler, journal=output, resume=resume, force=force)
    with Progress() as progress:
        found = carry_out(asked, where, progress)
    code = report(found, form, phases=phases, html=html, figures=figures, force=force)
    if found.interrupted:
        click.echo(f"interrupted after {found.done} of {found.total} runs", err=True)
        raise found.interrupted
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
    tell(named.notes)
    files = tuple(source.puzzle for source in named.sources)
    return default.changed(puzzles=(PuzzleSource(files=files, variant=variant),), folder=Path())


def _is_config(source: str) -> bool:
    """Tell whether a source is the file of a comparison: TOML that is no puzzle file."""
    path = Path(source)
    return source.endswith(".toml") and not (path.is_file() and is_puzzle_file(path))
