"""``unidoku compare``: run a comparison, print its tables and its verdict.

Its progress is a live table on a terminal, else a plain line from time to time on standard error.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from unidoku.backends.options import split_labels
from unidoku.cli import completers
from unidoku.cli.common import print_notes, with_backends, with_scheduler
from unidoku.cli.consent import with_trust
from unidoku.cli.printing import example, say
from unidoku.cli.reporting import Reporting, reporting_options
from unidoku.comparison import read_plan
from unidoku.comparison.cases import PuzzleSource
from unidoku.comparison.comparison import Comparison
from unidoku.comparison.config import ComparisonPlan
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.session import RunOptions, carry_out
from unidoku.errors import InputError
from unidoku.files.examples import comparison_file
from unidoku.files.source import Sources, is_puzzle_file
from unidoku.support.text import printable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

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


_LONG_LOAD = 1_000_000_000
"""Nanoseconds of a load that takes long enough to spoil the estimate of the time left."""

_EVERY = 10.0
"""Seconds between two plain lines."""

_REFRESH = 0.25
"""Seconds between two updates of the live table."""


class Progress:
    """Shows the progress of a comparison while the body of a ``with`` runs it."""

    def __init__(self, console: Console | None = None) -> None:
        """Choose a live table or plain lines for a console; by default standard error."""
        from rich.console import Console

        self._console = console or Console(stderr=True)
        self._live: Live | None = None
        self._outcomes: dict[str, Counter[Outcome]] = {}
        self._seconds: Counter[str] = Counter()
        self._shown = time.monotonic()
        self._first: tuple[float, int] | None = None

    def __enter__(self) -> Progress:
        if self._console.is_terminal:
            from rich.live import Live

            self._live = Live(console=self._console, auto_refresh=False, transient=True)
            self._live.start()
            self._live.update("preparing the backends", refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, session: Comparison, record: Record) -> None:
        """Show a run."""
        backend = session.name(record.backend)
        self._outcomes.setdefault(backend, Counter())[record.outcome] += 1
        self._seconds[backend] += record.timing.wall_ns
        now = time.monotonic()
        is_first = self._first is None
        if is_first or (record.timing.load_ns or 0) > _LONG_LOAD:
            self._first = now, session.done
        if is_first and self._live is None:
            self._shown = now
            return
        doing = f"{backend}: {session.case(record.case).name}"
        self._show(session, now, self._left(session, now), doing)

    def waiting(self, session: Comparison, run: Run, loading: bool, seconds: float) -> None:
        """Show what a run that takes long is doing."""
        now, lasting, backend = time.monotonic(), _duration(seconds), session.name(run.backend)
        if loading:
            remaining, doing = "", f"preparing {backend} for {lasting}: imported, or compiled once"
        else:
            remaining, doing = self._left(session, now), f"{backend}: {run.case.name} for {lasting}"
        self._show(session, now, remaining, doing, f", {doing}")

    def _show(
        self, session: Comparison, now: float, remaining: str, doing: str, ending: str = ""
    ) -> None:
        """Show the progress unless it was shown a moment ago; plain lines end with ``ending``."""
        if now - self._shown < (_EVERY if self._live is None else _REFRESH):
            return
        self._shown = now
        if self._live is None:
            line = f"{self._line(session)}{remaining}{ending}"
            self._console.print(line, highlight=False, markup=False, soft_wrap=True)
        else:
            self._live.update(self._picture(session, remaining, doing), refresh=True)

    def _line(self, session: Comparison) -> str:
        """Return the progress, and what went wrong so far."""
        outcomes = sum(self._outcomes.values(), Counter[Outcome]())
        failures = [
            f"{n} {outcome}" for outcome, n in outcomes.items() if outcome is not Outcome.SOLVED
        ]
        parts = [f"{session.done} of {session.total} runs", *sorted(failures)]
        return ", ".join(parts)

    def _left(self, session: Comparison, now: float) -> str:
        """Return the estimated time for the remaining runs, at the pace so far; at first nothing.

        The time until the last long load, in which a backend was compiled, does not count.
        """
        since, before = self._first or (now, session.done)
        if session.done == before:
            return ""
        pace = (now - since) / (session.done - before)
        return f", {_duration(pace * (session.total - session.done))} left"

    def _picture(self, session: Comparison, remaining: str, doing: str) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        from unidoku.support.text import seconds

        seen = [o for o in Outcome if any(o in counted for counted in self._outcomes.values())]
        table = Table(box=None, pad_edge=False)
        table.add_column("backend")
        for heading in ("runs", *(outcome.value for outcome in seen), "mean"):
            table.add_column(heading, justify="right")
        for label, counted in self._outcomes.items():
            runs = counted.total()
            figures = [str(counted[outcome] or "") for outcome in seen]
            mean = seconds(self._seconds[label] / runs / 1e9)
            table.add_row(Text(printable(label)), str(runs), *figures, mean)
        bar = ProgressBar(total=session.total, completed=session.done, width=60)
        line = Text(f"{session.done} of {session.total} runs{remaining}  {printable(doing)}")
        line.no_wrap, line.overflow = True, "ellipsis"
        return Group(table, line, bar)  # the bar ends without a new line


def _duration(seconds: float) -> str:
    """Return a duration in convenient units.

    >>> _duration(4.2), _duration(95), _duration(7300)
    ('4 s', '1:35 min', '2:01 h')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02} h"
