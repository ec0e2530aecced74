"""Files of many boards: read, searched and written in parts."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from unidoku.api import solver_and_limits
from unidoku.backends.base import Limits, Request, Result, Stop, count_text
from unidoku.backends.batch import INVALID, STOPS, BatchResult, add_figures
from unidoku.backends.many import batch_request
from unidoku.backends.solver import Solver
from unidoku.core.batch import Batch
from unidoku.core.layout import Layout
from unidoku.files.reading import Parts, open_parts
from unidoku.files.source import Source
from unidoku.files.writer import FORMS, BoardWriter, Form, open_writer
from unidoku.formats.lines import write_lines
from unidoku.text import plural

__all__ = ["SHOWN", "Totals", "count_file", "solve_file"]

SHOWN = 10
"""Boards that cannot be read of which the reason is kept; all of them are counted."""

SECONDS = 0.2
"""How long a part should take: as much is lost when a run is interrupted."""

FEWEST, MOST = 16, 1 << 20
"""Boards of a part: to begin with, and when they take long; and however fast they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What is known of the boards of a file, so far or at the end.

    Args:
        boards: the boards so far.
        solved: those with a solution.
        impossible: those that are proved to have no solution.
        undecided: those that a limit stopped before a solution was found or excluded.
        invalid: those that could not be read.
        reasons: for the first of these where they are and why they cannot be read.
        statistics: the backend's figures for all boards together.
        done: the part of the file that has been read, from 0 to 1; 0 if that is not known.
    """

    boards: int = 0
    solved: int = 0
    impossible: int = 0
    undecided: int = 0
    invalid: int = 0
    reasons: tuple[str, ...] = ()
    statistics: Mapping[str, float] = field(default_factory=dict)
    done: float = 0.0

    def plus(self, result: BatchResult, name: Callable[[int], str], done: float) -> Totals:
        """Return the totals with the boards of a further part, which messages call by name."""
        read = result.stops != INVALID
        answered = np.isin(result.stops, [k for k, stop in enumerate(STOPS) if stop.answered])
        further = sorted(result.invalid.items())[: SHOWN - len(self.reasons)]
        statistics = dict(self.statistics)
        add_figures(statistics, result.statistics)
        return Totals(
            boards=self.boards + len(result),
            solved=self.solved + int(result.solved.sum()),
            impossible=self.impossible + int((answered & ~result.solved).sum()),
            undecided=self.undecided + int((read & ~answered).sum()),
            invalid=self.invalid + int((~read).sum()),
            reasons=self.reasons + tuple(f"{name(index)}: {why}" for index, why in further),
            statistics=statistics,
            done=done,
        )

    def __str__(self) -> str:
        """Return the counts that are not zero.

        >>> print(Totals(boards=1200, solved=1199, undecided=1))
        1,200 boards: 1,199 with a solution, 1 undecided
        """
        others = {
            "without solution": self.impossible,
            "undecided": self.undecided,
            "invalid": self.invalid,
        }
        told = [f"{self.solved:,} with a solution"]
        told += [f"{count:,} {what}" for what, count in others.items() if count]
        return f"{plural(self.boards, 'board')}: {', '.join(told)}"


def solve_file(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    /,
    *,
    backend: str | Solver | None = None,
    variant: str | Layout = "classic",
    size: int | None = None,
    symbols: str | None = None,
    progress: Callable[[Totals], None] | None = None,
    force: bool = False,
    **limits: Unpack[Limits],
) -> Totals:
    r"""Solve all boards of a file in parts, in bounded memory, and write the solutions.

    Line k of the output answers board k. A board that cannot be read keeps its place.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     boards, solutions = Path(folder, "boards.txt"), Path(folder, "solutions.txt")
    ...     lines = boards.write_text("1.....2..3.....4\n11..............\n")
    ...     print(solve_file(boards, solutions, size=4))
    ...     print(solutions.read_text())
    2 boards: 1 with a solution, 1 without solution
    1243342143122134
    11.............. # no solutions
    <BLANKLINE>

    Args:
        path: text, CSV, either of them compressed, or an array of numpy; ``-`` for standard
            input; the text of a board is taken too.
        out: a file for the solutions: text or ``.csv``, either of them ``.gz``, or ``.npy``;
            standard output if it is None or ``-``. It gets its name when it is whole; until
            then, and after Ctrl-C, what was found is in a file with ``.part`` after the name.
            A file that exists is refused.
        backend: a label or a solver; the backend of the settings if not given.
        variant: a variant's name or a layout.
        size: n, where that is in doubt.
        symbols: the n symbols in the order of their values, where that is in doubt.
        progress: called with the totals after each part, several times a second.
        force: replace the file for the solutions if it exists.
        limits: the fields of `Request`, for each board by itself; the time limit of the settings
            if none is given.

    Raises:
        InputError: a file cannot be read or holds no boards, or the name of the output has an
            unknown ending.
        OutputError: the output exists or cannot be written; says what is kept.
        UnsupportedError, WrongAnswerError, BackendError: as `unidoku.solve`; the latter two name
            the board.
    """
    source = Source(os.fspath(path), variant, size, symbols)
    return _run(source, out, FORMS, _write_solutions, backend, limits, progress, force)


def count_file(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    /,
    *,
    backend: str | Solver | None = None,
    variant: str | Layout = "classic",
    size: int | None = None,
    symbols: str | None = None,
    progress: Callable[[Totals], None] | None = None,
    force: bool = False,
    **limits: Unpack[Limits],
) -> Totals:
    """Count the solutions of all boards of a file, and write a number a line.

    All solutions are counted, unless ``solutions`` says where to stop. The arguments are those
    of `solve_file`; the output is text.
    """
    source = Source(os.fspath(path), variant, size, symbols)
    limits = Limits(solutions=None, keep=0) | limits
    return _run(source, out, ["text"], _write_counts, backend, limits, progress, force)


def _run(
    source: Source,
    out: str | os.PathLike[str] | None,
    forms: Collection[Form],
    write: Callable[[BoardWriter, Batch, BatchResult], None],
    backend: str | Solver | None,
    limits: Limits,
    progress: Callable[[Totals], None] | None,
    force: bool,
) -> Totals:
    """Read, search and write."""
    solver, chosen = solver_and_limits(backend, limits)
    request = batch_request(Request.of(**chosen))
    totals = Totals()
    with (
        open_parts(source) as parts,
        open_writer(out, forms=forms, source=source.puzzle, force=force) as writer,
    ):
        for batch, numbers, done in _in_steps(parts):
            name = partial(_name, source, parts, numbers)
            result = solver.search_batch(batch, request, name)
            write(writer, batch, result)
            totals = totals.plus(result, name, done)
            if progress is not None:
                progress(totals)
    return totals


def _name(source: Source, parts: Parts, numbers: Sequence[int], index: int) -> str:
    """Return what messages call a board: its place in the file."""
    return f"{source.name}, {parts.place} {numbers[index]}"


def _in_steps(parts: Parts) -> Iterator[tuple[Batch, Sequence[int], float]]:
    """Cut batches so that each piece takes about as long as `SECONDS`, whoever solves it.

    Yields:
        The boards of a piece, their numbers in the file, and how much of the file is done after
        them, from 0 to 1.
    """
    size = FEWEST
    before = 0.0
    for batch, numbers in parts.batches:
        after = parts.done()
        start = 0
        while start < len(batch):
            began = time.perf_counter()
            piece = slice(start, start + size)
            start += size
            done = before + (after - before) * min(start / len(batch), 1)
            yield batch[piece], numbers[piece], done
            elapsed = time.perf_counter() - began
            if elapsed < SECONDS / 2:
                size = min(size * 2, MOST)
            elif elapsed > SECONDS * 2:
                size = max(size // 2, FEWEST)
        before = after


def _write_solutions(writer: BoardWriter, batch: Batch, result: BatchResult) -> None:
    """Write the solutions, in whatever form the file has."""
    match writer.form:
        case "text":
            writer.write(_solution_lines(batch, result))
        case "csv":
            writer.write(_solution_records(batch, result))
        case "npy":
            writer.write_rows(result.grids)


def _write_counts(writer: BoardWriter, batch: Batch, result: BatchResult) -> None:
    """Write the numbers of solutions; in place of a board that could not be read a comment."""
    lines = [b"%d" % count for count in result.counts.tolist()]
    for index in np.flatnonzero(result.stops != STOPS.index(Stop.EXHAUSTED)).tolist():
        if index in result.invalid:
            lines[index] = _invalid(result.invalid[index])
        else:
            stop = STOPS[result.stops[index]]
            lines[index] = count_text(int(result.counts[index]), stop).encode()
    writer.write(_text(lines))


def _solution_lines(batch: Batch, result: BatchResult) -> bytes:
    """Return solutions; in place of one that is missing the puzzle, and a comment that says why."""
    text = write_lines(batch.layout, result.grids)
    missing = np.flatnonzero(result.counts == 0)
    if not len(missing):
        return text
    lines = text.splitlines()
    puzzles = write_lines(batch.layout, _givens(batch)[missing]).splitlines()
    for index, puzzle in zip(missing.tolist(), puzzles, strict=True):
        if index in result.invalid:
            lines[index] = _invalid(result.invalid[index])
        else:
            why = Result(count=0, solutions=(), stop=STOPS[result.stops[index]])
            lines[index] = puzzle + f" # {why}".encode()
    return _text(lines)


def _solution_records(batch: Batch, result: BatchResult) -> bytes:
    """Return puzzle and solution; nothing in place of what is missing."""
    text = write_lines(batch.layout, _givens(batch), result.grids, empty="0")
    missing = np.flatnonzero(result.counts == 0).tolist()
    if not missing:
        return text
    lines = text.splitlines()
    for index in missing:
        puzzle = b"" if index in result.invalid else lines[index].partition(b",")[0]
        lines[index] = puzzle + b","
    return _text(lines)


def _givens(batch: Batch) -> NDArray[np.uint8]:
    """Return the givens of all boards, including those with pencil marks."""
    cells = batch.cells.copy() if batch.boards else batch.cells
    for index, board in batch.boards.items():
        cells[index] = board.givens
    return cells


def _invalid(reason: str) -> bytes:
    return f"# invalid: {' '.join(reason.split())}".encode()


def _text(lines: list[bytes]) -> bytes:
    return b"".join([line + b"\n" for line in lines])
