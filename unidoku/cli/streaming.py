"""Files of many boards: read, searched and written in parts, with one summary at the end."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import click
import numpy as np

from unidoku import text
from unidoku.backends.base import Request
from unidoku.backends.batch import INVALID, STOPS, BatchResult, add_figures
from unidoku.backends.many import batch_request
from unidoku.backends.solver import Solver
from unidoku.cli.common import Source
from unidoku.cli.sinks import Writer, count_lines, open_sink, solution_lines
from unidoku.cli.sources import Parts, open_parts
from unidoku.cli.text_source import Numbered

__all__ = ["count_file", "solve_file"]

SHOWN = 10
"""Boards that cannot be read which are named; all of them are counted."""

SECONDS = 0.2
"""How long a part should take: as much is lost when a run is interrupted."""

FEWEST, MOST = 16, 1 << 20
"""Boards of a part: to begin with, and when they take long; and however fast they are."""


@dataclass(slots=True)
class _Totals:
    """What is known of all boards so far."""

    boards: int = 0
    solved: int = 0
    impossible: int = 0
    undecided: int = 0
    invalid: int = 0
    statistics: dict[str, float] = field(default_factory=dict)

    def add(self, result: BatchResult) -> None:
        """Add the boards of a part."""
        read = result.stops != INVALID
        answered = np.isin(result.stops, [k for k, stop in enumerate(STOPS) if stop.answered])
        self.boards += len(result)
        self.solved += int(result.solved.sum())
        self.impossible += int((answered & ~result.solved).sum())
        self.undecided += int((read & ~answered).sum())
        self.invalid += int((~read).sum())
        add_figures(self.statistics, result.statistics)

    def text(self) -> str:
        """Return the counts, what there is none of left out."""
        others = {
            "without solution": self.impossible,
            "undecided": self.undecided,
            "invalid": self.invalid,
        }
        told = [f"{self.solved:,} with a solution"]
        told += [f"{count:,} {what}" for what, count in others.items() if count]
        return f"{self.boards:,} board{'' if self.boards == 1 else 's'}: {', '.join(told)}"


def solve_file(
    source: Source, target: str | None, solver: Solver, request: Request, *, stats: bool = False
) -> int:
    """Solve all boards of a source and write a line each; return the exit code.

    Args:
        source: where the boards are.
        target: where the solutions go; standard output if not given (see `open_sink`).
        solver: who solves.
        request: its limits hold for each board.
        stats: whether to show the backend's own figures.
    """
    totals = _run(source, target, solution_lines, solver, request)
    if stats:
        figures = "  ".join(f"{name}={value:g}" for name, value in totals.statistics.items())
        click.echo(f"  {figures}", err=True)
    return 2 if totals.invalid else int(totals.solved < totals.boards)


def count_file(source: Source, target: str | None, solver: Solver, request: Request) -> int:
    """Count the solutions of all boards of a source; as `solve_file`."""
    totals = _run(source, target, count_lines, solver, request)
    return 2 if totals.invalid else int(totals.undecided > 0)


def _run(
    source: Source, target: str | None, writer: Writer, solver: Solver, request: Request
) -> _Totals:
    """Read, search and write; say how it went, also when it is interrupted."""
    started = time.perf_counter()
    request = batch_request(request)
    totals = _Totals()

    def tell() -> None:
        seconds = time.perf_counter() - started
        each = text.seconds(seconds / max(totals.boards, 1))
        told = f"{totals.text()}; {solver.label}, {text.seconds(seconds)}, {each} a board"
        click.echo(told, err=True)

    try:
        with (
            open_parts(source) as parts,
            open_sink(target, source, writer) as sink,
            _progress(totals) as advance,
        ):
            for batch, numbers in _in_steps(parts, advance):
                name = _Names(parts, numbers)
                result = solver.search_batch(batch, request, name)
                sink.write(batch, result)
                _name_invalid(result, name, totals.invalid)
                totals.add(result)
    except KeyboardInterrupt:
        tell()
        raise
    tell()
    return totals


@dataclass(frozen=True, slots=True)
class _Names:
    """What messages call the boards of a part: where they stand in the file."""

    parts: Parts
    numbers: Sequence[int]

    def __call__(self, index: int) -> str:
        return f"{self.parts.name}, {self.parts.place} {self.numbers[index]}"


def _in_steps(parts: Parts, advance: Callable[[float], None]) -> Iterator[Numbered]:
    """Cut batches so that each piece takes about as long as `SECONDS`, whoever solves it.

    Args:
        parts: the batches.
        advance: told after each piece how much of the source is done, from 0 to 1.
    """
    size = FEWEST
    before = 0.0
    for batch, numbers in parts.batches:
        after = parts.done()
        start = 0
        while start < len(batch):
            began = time.perf_counter()
            yield batch[start : start + size], numbers[start : start + size]
            elapsed = time.perf_counter() - began
            start += size
            advance(before + (after - before) * min(start / len(batch), 1))
            if elapsed < SECONDS / 2:
                size = min(size * 2, MOST)
            elif elapsed > SECONDS * 2:
                size = max(size // 2, FEWEST)
        before = after


def _name_invalid(result: BatchResult, name: Callable[[int], str], before: int) -> None:
    """Say where the first boards are that cannot be read, and why.

    Args:
        result: of a part.
        name: what its boards are called.
        before: how many could not be read in the parts before.
    """
    for number, (index, reason) in enumerate(sorted(result.invalid.items()), start=before + 1):
        if number <= SHOWN:
            click.echo(f"unidoku: {name(index)}: {reason}", err=True)
        if number == SHOWN + 1:
            click.echo("unidoku: further boards that cannot be read are only counted", err=True)


@contextlib.contextmanager
def _progress(totals: _Totals) -> Iterator[Callable[[float], None]]:
    """Show a bar while the run lasts, if standard error is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=1.0)
        yield lambda done: progress.update(task, completed=done, description=totals.text())
