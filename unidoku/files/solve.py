"""Files of many boards: read, searched and written in chunks."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeAlias, Unpack

from unidoku.api import solver_and_limits
from unidoku.backends.base import Limits, Request
from unidoku.backends.solving.solver import BackendLike
from unidoku.backends.solving.streams import batch_request
from unidoku.core.layout import Layout
from unidoku.errors import InputError
from unidoku.files.answers import SHOWN, SolutionTable, Totals, write_counts, write_solutions
from unidoku.files.chunk import OpenSource
from unidoku.files.chunk_solver import (
    GROWTH,
    GROWTH_SENT,
    Chunker,
    ChunkSolver,
    PartFolder,
    Write,
    solved,
)
from unidoku.files.reading import open_source
from unidoku.files.resuming import check_resumable, is_resumable, noted, question_of
from unidoku.files.source import Sources
from unidoku.files.writer import FORMS, Form, form_of, open_writer
from unidoku.parallel.executors import executor_for
from unidoku.parallel.signals import cleaning_up_at_signals
from unidoku.support.arguments import named_arguments

__all__ = ["SHOWN", "Totals", "count_file", "solve_file"]

Path: TypeAlias = str | os.PathLike[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionOptions:
    """Where the boards of a file are searched, and how the output is written."""

    progress: Callable[[Totals], None] | None
    force: bool
    resume: bool
    scheduler: str | None
    executor: Executor | None
    recheck: bool = False

    @contextmanager
    def opened(self) -> Iterator[Executor | None]:
        """Open the executor that sends boards to nodes; None to search them in this process.

        Raises:
            InputError: both are given, or the scheduler cannot be used.
        """
        if self.scheduler is None:
            yield self.executor
            return
        if self.executor is not None:
            raise InputError("expected a scheduler or an executor, got both")
        with executor_for(self.scheduler) as cluster:
            yield cluster


@named_arguments
def solve_file(
    path: Path | Sequence[Path],
    out: Path | None = None,
    /,
    *,
    backend: BackendLike | None = None,
    variant: str | Layout = "classic",
    size: int | None = None,
    symbols: str | None = None,
    column: str | None = None,
    format: str | None = None,
    guess: bool = False,
    progress: Callable[[Totals], None] | None = None,
    force: bool = False,
    resume: bool = False,
    scheduler: str | None = None,
    executor: Executor | None = None,
    recheck: bool = False,
    **limits: Unpack[Limits],
) -> Totals:
    r"""Solve all boards of a file in parts, in bounded memory, and write the solutions.

    Line k of the output answers board k. An unreadable board keeps its place.

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
        path: text, a table (``.csv``) or puzzles in any format, compressed or not, or a numpy
            array; ``-`` for standard input, a folder for the files in it; the text of a board works
            too. The boards of several paths follow each other.
        out: a file for the solutions: text or ``.csv``, either of them ``.gz``, or ``.npy``;
            standard output if it is None or ``-``. A table keeps the other columns of the input
            table, and states whether a solution is ``unique`` where more than one was requested.
            The output is written to a file with ``.part`` after the name, which is renamed when it
            is complete and stays after Ctrl-C. An existing file is not replaced without ``force``.
        backend: a label or a solver; by default that of ``UNIDOKU_BACKEND``, or ``auto``.
        variant: a variant's name or a layout.
        size: n of the boards, needed only where it is ambiguous.
        symbols: the n symbols in the order of their values, needed only where they are ambiguous.
        column: name or number, from 1, of a table's column of boards, where several hold boards.
        format: the name of the format, where neither the ending nor the beginning shows it.
        guess: whether rules may be taken from pictures, as in `unidoku.read`.
        progress: called with the totals after each part, several times a second.
        force: replace the file for the solutions if it exists.
        resume: whether to continue the unfinished plain-text output of an earlier run; the boards
            and the number of solutions must be the same. Without such an output it starts at the
            beginning.
        scheduler: address of a Dask cluster that searches the boards: ``tcp://host:port``, or
            ``local:N`` for N processes on this machine.
        executor: an executor whose processes or machines search them, as in `Solver.stream`.
        recheck: check each grid in this process again, after the check where it was found.
        limits: fields of `Request`, applied to each board by itself.

    Raises:
        InputError: a file cannot be read or holds no boards, or the name of the output has an
            unknown ending.
        OutputError: the output exists or cannot be written; the message states what is kept.
        UnsupportedError, WrongAnswerError, BackendError: as `unidoku.solve`; the latter two name
            the board.
    """
    sources = Sources.of(_several(path), variant, size, symbols, column, format, guess=guess)
    options = ExecutionOptions(
        progress=progress,
        force=force,
        resume=resume,
        scheduler=scheduler,
        executor=executor,
        recheck=recheck,
    )
    return _run(sources, out, FORMS, write_solutions, backend, limits, options)


@named_arguments
def count_file(
    path: Path | Sequence[Path],
    out: Path | None = None,
    /,
    *,
    backend: BackendLike | None = None,
    variant: str | Layout = "classic",
    size: int | None = None,
    symbols: str | None = None,
    column: str | None = None,
    format: str | None = None,
    guess: bool = False,
    progress: Callable[[Totals], None] | None = None,
    force: bool = False,
    resume: bool = False,
    scheduler: str | None = None,
    executor: Executor | None = None,
    **limits: Unpack[Limits],
) -> Totals:
    """Count the solutions of all boards of a file, and write one number on each line.

    All solutions are counted, unless ``solutions`` limits their number. The arguments are those
    of `solve_file`; the output is text.
    """
    sources = Sources.of(_several(path), variant, size, symbols, column, format, guess=guess)
    limits = Limits(solutions=None, keep=0) | limits
    options = ExecutionOptions(
        progress=progress, force=force, resume=resume, scheduler=scheduler, executor=executor
    )
    return _run(sources, out, ["text"], write_counts, backend, limits, options)


def _several(paths: Path | Sequence[Path]) -> Sequence[Path]:
    several = [paths] if isinstance(paths, str | os.PathLike) else paths
    if not several:
        raise InputError(f"path: expected a file or several, got {several!r}")
    return several


def _run(
    sources: Sources,
    out: Path | None,
    forms: Collection[Form],
    write: Write,
    backend: BackendLike | None,
    limits: Limits,
    options: ExecutionOptions,
) -> Totals:
    """Read, search and write the boards."""
    others = ("variant", "size", "backend")
    solver, chosen = solver_and_limits(backend, limits, others=others)
    request = batch_request(Request.of(**chosen))
    totals = Totals(notes=sources.notes)
    names = [source.puzzle for source in sources.sources]
    is_table = form_of(out) == "csv"
    question = question_of(sources, request)
    resume = options.resume and check_resumable(out, question)
    with ExitStack() as stack:
        opened = stack.enter_context(closing(_opened(sources, is_table)))
        first = next(opened)  # raises on bad input before a file is created
        if options.scheduler is not None:  # this process waits, and can clean up at once
            stack.enter_context(cleaning_up_at_signals())
        folder = PartFolder()
        stack.callback(folder.remove)  # when the processes that write there have ended
        executor = stack.enter_context(options.opened())
        table = SolutionTable.of(first, request)
        note = stack.enter_context(noted(question))
        writer = stack.enter_context(
            open_writer(
                out,
                forms=forms,
                sources=names,
                force=options.force,
                header=table.header,
                resume=resume,
            )
        )
        if writer.part is not None and is_resumable(writer.part, out):
            note.write(writer.part)
        totals = replace(totals, before=writer.resumed)
        has_parts = executor is not None and not options.recheck
        work = ChunkSolver(
            solver=solver,
            request=request,
            form=writer.form,
            table=table,
            write=write,
            recheck=options.recheck,
            folder=folder.create(writer.part) if has_parts else None,
        )
        chunker = Chunker(writer.resumed, GROWTH if executor is None else GROWTH_SENT)
        for number, source in enumerate(chain([first], opened)):
            if is_table:
                table.check(source)
            count_of_notes = 0
            for task, answer in solved(work, chunker, source, executor):
                totals = replace(totals, notes=(*totals.notes, *source.notes[count_of_notes:]))
                count_of_notes = len(source.notes)
                writer.append(work.checked(task, answer), answer.totals.boards)
                totals = totals.joined(answer.totals, (number + task.done) / len(names))
                if options.progress is not None:
                    options.progress(totals)
    return totals


def _opened(sources: Sources, carry: bool) -> Generator[OpenSource, None, None]:
    """Open one source after the other."""
    for source in sources.sources:
        with open_source(source, carry=carry) as opened:
            yield opened
