"""Files of many boards: read, searched and written in parts."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import TypeAlias, Unpack

import numpy as np

from unidoku.api import solver_and_limits
from unidoku.backends.base import Limits, Request
from unidoku.backends.batch import INVALID, STOPS, BatchResult, add_figures
from unidoku.backends.many import batch_request
from unidoku.backends.solver import Solver
from unidoku.core.layout import Layout
from unidoku.files.answers import SolutionTable, write_counts, write_solutions
from unidoku.files.part import Part, Parts
from unidoku.files.reading import open_parts
from unidoku.files.source import Sources
from unidoku.files.writer import FORMS, BoardWriter, Form, form_of, open_writer
from unidoku.text import plural

__all__ = ["SHOWN", "Totals", "count_file", "solve_file"]

Path: TypeAlias = str | os.PathLike[str]

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
        notes: how the files were understood, where that may surprise.
    """

    boards: int = 0
    solved: int = 0
    impossible: int = 0
    undecided: int = 0
    invalid: int = 0
    reasons: tuple[str, ...] = ()
    statistics: Mapping[str, float] = field(default_factory=dict)
    done: float = 0.0
    notes: tuple[str, ...] = ()

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
            notes=self.notes,
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
    path: Path | Sequence[Path],
    out: Path | None = None,
    /,
    *,
    backend: str | Solver | None = None,
    variant: str | Layout = "classic",
    size: int | None = None,
    symbols: str | None = None,
    column: str | None = None,
    format: str | None = None,
    guess: bool = False,
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
        path: text, a table (``.csv``), either of them compressed, or an array of numpy; ``-``
            for standard input, a folder for the files in it; the text of a board is taken too.
            Of several, the boards follow each other.
        out: a file for the solutions: text or ``.csv``, either of them ``.gz``, or ``.npy``;
            standard output if it is None or ``-``. A table keeps the other columns of the table
            that is read, and says if a solution is ``unique`` where more than one is asked. The
            file gets its name when it is whole; until then, and after Ctrl-C, what was found is
            in a file with ``.part`` after the name.
            A file that exists is refused.
        backend: a label or a solver; the backend of the settings if not given.
        variant: a variant's name or a layout.
        size: n, where that is in doubt.
        symbols: the n symbols in the order of their values, where that is in doubt.
        column: name or number, from 1, of a table's column of boards, where that is in doubt.
        format: the name of the format, where that is in doubt.
        guess: whether rules may be taken from pictures, as in `unidoku.read`.
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
    sources = Sources.of(_several(path), variant, size, symbols, column, format, guess=guess)
    return _run(sources, out, FORMS, write_solutions, backend, limits, progress, force)


def count_file(
    path: Path | Sequence[Path],
    out: Path | None = None,
    /,
    *,
    backend: str | Solver | None = None,
    variant: str | Layout = "classic",
    size: int | None = None,
    symbols: str | None = None,
    column: str | None = None,
    format: str | None = None,
    guess: bool = False,
    progress: Callable[[Totals], None] | None = None,
    force: bool = False,
    **limits: Unpack[Limits],
) -> Totals:
    """Count the solutions of all boards of a file, and write a number a line.

    All solutions are counted, unless ``solutions`` says where to stop. The arguments are those
    of `solve_file`; the output is text.
    """
    sources = Sources.of(_several(path), variant, size, symbols, column, format, guess=guess)
    limits = Limits(solutions=None, keep=0) | limits
    return _run(sources, out, ["text"], write_counts, backend, limits, progress, force)


def _several(paths: Path | Sequence[Path]) -> Sequence[Path]:
    return [paths] if isinstance(paths, str | os.PathLike) else paths


def _run(
    sources: Sources,
    out: Path | None,
    forms: Collection[Form],
    write: Callable[[BoardWriter, Part, BatchResult, SolutionTable], None],
    backend: str | Solver | None,
    limits: Limits,
    progress: Callable[[Totals], None] | None,
    force: bool,
) -> Totals:
    """Read, search and write."""
    solver, chosen = solver_and_limits(backend, limits)
    request = batch_request(Request.of(**chosen))
    totals = Totals(notes=sources.notes)
    names = [source.puzzle for source in sources.sources]
    is_table = form_of(out) == "csv"
    with closing(_opened(sources, carry=is_table)) as opened:
        first = next(opened)  # refuses bad input before a file is made
        table = SolutionTable.of(first, request)
        with open_writer(
            out, forms=forms, sources=names, force=force, header=table.header
        ) as writer:
            for number, parts in enumerate(chain([first], opened)):
                if is_table:
                    table.check(parts)
                noted = 0
                for part, done in _in_steps(parts, solver):
                    totals = replace(totals, notes=(*totals.notes, *parts.notes[noted:]))
                    noted = len(parts.notes)
                    name = partial(_name, parts, part.numbers)
                    result = solver.search_batch(part.batch, request, name)
                    write(writer, part, result, table)
                    totals = totals.plus(result, name, (number + done) / len(names))
                    if progress is not None:
                        progress(totals)
    return totals


def _opened(sources: Sources, *, carry: bool) -> Generator[Parts, None, None]:
    """Open one source after the other."""
    for source in sources.sources:
        with open_parts(source, carry=carry) as parts:
            yield parts


def _name(parts: Parts, numbers: Sequence[int], index: int) -> str:
    """Return what messages call a board: its place in the file."""
    return f"{parts.name}, {parts.place} {numbers[index]}"


def _in_steps(parts: Parts, solver: Solver) -> Iterator[tuple[Part, float]]:
    """Cut parts so that each piece takes about as long as `SECONDS`, whichever backend solves it.

    Yields:
        A piece, and how much of the file is done after it, from 0 to 1.
    """
    size = FEWEST
    before = 0.0
    expected = parts.expected
    for whole in parts.batches:
        if expected:
            solver.expect(whole.batch.layout, expected)
            expected = None
        after = parts.done()
        start = 0
        while start < len(whole):
            began = time.perf_counter()
            piece = slice(start, start + size)
            start += size
            done = before + (after - before) * min(start / len(whole), 1)
            yield whole[piece], done
            elapsed = time.perf_counter() - began
            if elapsed < SECONDS / 2:
                size = min(size * 2, MOST)
            elif elapsed > SECONDS * 2:
                size = max(size // 2, FEWEST)
        before = after
