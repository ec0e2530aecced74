"""``unidoku fuzz``: random boards for all backends; what they disagree on, shrunk and saved."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Protocol

import click

from unidoku.backends.base import Request
from unidoku.backends.options import split_labels
from unidoku.backends.solver import Solver, load
from unidoku.comparison.run import Measuring, Runner, open_runner
from unidoku.errors import InputError
from unidoku.fuzzing import IMAGE_SEED, Done, Finding, Folder, Hunt, Hunting, Progress

__all__ = ["Show", "command", "live", "showing"]

_IMAGES = 2
"""Symmetric images of each board for a backend alone, which has no other to disagree with."""

_MEMORY_LIMIT = 2 << 30
"""Bytes that a search may use."""

_EVERY = 10.0
"""Seconds between two lines that say how far the hunt is, where there is no terminal."""


@click.command("fuzz")
@click.option("--backends", metavar="A,B,…", required=True, help="Labels of one or more.")
@click.option("--minutes", type=float, default=5.0, show_default=True, help="Of this call.")
@click.option(
    "--boards",
    metavar="N",
    type=click.IntRange(min=1),
    help="Stop after the first N trials, each a board or a few in a row.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of the boards.")
@click.option("--sizes", metavar="N-M", default="2-16", show_default=True, help="Of the layouts.")
@click.option(
    "--time-limit", type=float, default=1.0, show_default=True, help="Seconds for each search."
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("fuzz-findings"),
    show_default=True,
    help="Folder for what is found; a hunt that is in it goes on.",
)
def command(
    backends: str,
    minutes: float,
    boards: int | None,
    seed: int,
    sizes: str,
    time_limit: float,
    output: Path,
) -> int:
    """Ask backends about random boards, and look for the smallest on which one is at fault.

    At fault is a backend whose answer another's refutes, that returns what is no solution, that
    fails or crashes, or that overruns its limit. Each such board is shrunk, and saved as TOML
    and as a pytest file. A backend alone is asked about symmetric images of each board as well.

    The same seed gives the same boards. With the same --output the hunt goes on where it was.
    The exit code is 1 if the folder holds findings, 0 if not.
    """
    labels = list(dict.fromkeys(split_labels(backends)))
    if not labels:
        raise InputError(f"--backends: expected labels of backends, got {backends!r}")
    if not 0 < minutes < float("inf"):
        raise InputError(f"--minutes: expected a number above 0, got {minutes:g}")
    solvers = {label: load(label) for label in labels}
    hunting = Hunting(
        seed=seed,
        sizes=_sizes(sizes),
        time_limit=Request(time_limit=time_limit).time_limit or 0.0,
        images=_IMAGES if len(labels) == 1 else 0,
    )
    if not hunting.time_limit:
        raise InputError("--time-limit: expected seconds, for a search may never end")

    def engine(request: Request, labels: Sequence[str]) -> AbstractContextManager[Runner]:
        return _engine({label: solvers[label] for label in labels}, request)

    folder = Folder(output)
    options = {"sizes": sizes, "time_limit": time_limit, "images": hunting.images}
    progress = folder.open(Progress(seed=seed, backends=labels, options=options))
    hunter = _Hunter(folder, progress, seconds=60 * minutes)
    if progress.next or hunter.findings:
        click.echo(f"goes on at number {progress.next}; known findings: {len(hunter.findings)}")
    try:
        with (
            closing(Hunt(solvers, engine, hunting, hunter.findings)) as hunt,
            showing() as show,
        ):
            hunter.hunt(hunt, boards, show)
    finally:
        hunter.save()
        click.echo(hunter.summary())
    return 1 if hunter.findings else 0


def _sizes(text: str) -> range:
    low, dash, high = text.partition("-")
    try:
        sizes = range(int(low), int(high if dash else low) + 1)
    except ValueError:
        sizes = range(0)
    if not sizes or sizes[0] < 1 or sizes[-1] > 25:
        raise InputError(f"--sizes: expected sizes such as 2-16, from 1 to 25, got {text!r}")
    return sizes


def _engine(solvers: Mapping[str, Solver], request: Request) -> AbstractContextManager[Runner]:
    """Start an engine in processes of its own, which a backend may crash, hang or fill."""
    measuring = Measuring(
        request=request,
        sample_ns=0,
        memory_limit=_MEMORY_LIMIT,
        seed=IMAGE_SEED,
        relabel=False,
    )
    # One worker, which sees the boards in their order: what it keeps of one may spoil the next.
    return open_runner(solvers, measuring, workers=1)


class Show(Protocol):
    """Says how far the hunt is."""

    def __call__(self, text: str, *, lasting: bool) -> None:
        """Show a text; a lasting one, such as a finding, stays."""


class _Hunter:
    """Hears the events of a hunt, and keeps what they say."""

    def __init__(self, folder: Folder, progress: Progress, seconds: float) -> None:
        self.findings = folder.findings()
        self._folder = folder
        self._progress = progress
        self._seconds = seconds
        self._before = progress.seconds
        self._began = time.monotonic()
        self._first = progress.boards

    @property
    def _elapsed(self) -> float:
        return time.monotonic() - self._began

    def hunt(self, hunt: Hunt, end: int | None, show: Show) -> None:
        """Hunt until the time is over or the last number done."""
        progress = self._progress
        show(self._line(), lasting=False)
        for event in hunt.run(progress.next, end, self._began + self._seconds):
            match event:
                case Finding():
                    path = self._folder.add(event)
                    self.findings.append(event)
                    show(f"found: {event.kind}: {event.evidence}\n  {path}", lasting=True)
                case Done():
                    progress.next = event.next
                    progress.boards += event.boards
                    progress.runs += event.runs
                    for symptom, times in event.shown.items():
                        progress.shown[symptom] = progress.shown.get(symptom, 0) + times
                    self.save()
            show(self._line(), lasting=False)

    def save(self) -> None:
        """Write how far the hunt is."""
        self._progress.seconds = round(self._before + self._elapsed, 3)
        self._folder.save(self._progress)

    def _line(self) -> str:
        done = self._progress.boards - self._first
        left = max(self._seconds - self._elapsed, 0.0)
        return (
            f"boards: {self._progress.boards}, {done / max(self._elapsed, 1e-9):.0f}/s, "
            f"findings: {len(self.findings)}, left: {left / 60:.1f} min"
        )

    def summary(self) -> str:
        """Return what there is to say in the end."""
        progress = self._progress
        lines = [
            f"boards: {progress.boards}, runs: {progress.runs}, seed: {progress.seed}, "
            f"next number: {progress.next}, seconds: {progress.seconds:.0f}"
        ]
        for symptom, times in sorted(progress.shown.items()):
            lines.append(f"  {symptom}: seen {times} times")
        found = len(self.findings)
        where = f", in {self._folder.path}" if found else ""
        lines.append(f"findings: {found}{where}")
        return "\n".join(lines)


@contextmanager
def showing() -> Iterator[Show]:
    """Show a line that changes on a terminal; else a line now and then."""
    if sys.stderr is not None and sys.stderr.isatty():
        with live() as show:
            yield show
        return
    last = time.monotonic()

    def plain(text: str, *, lasting: bool) -> None:
        nonlocal last
        now = time.monotonic()
        if lasting or now - last >= _EVERY:
            last = last if lasting else now
            click.echo(text, err=not lasting)

    yield plain


@contextmanager
def live() -> Iterator[Show]:
    """Show a line that changes in place, and what lasts above it."""
    from rich.console import Console
    from rich.status import Status
    from rich.text import Text

    console = Console(stderr=True)
    with Status("", console=console) as status:

        def show(text: str, *, lasting: bool) -> None:
            if lasting:
                console.print(Text(text))
            else:
                status.update(Text(text))

        yield show
