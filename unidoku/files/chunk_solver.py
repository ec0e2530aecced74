"""Solves a file chunk by chunk, here or in other processes, and brings the answers into order."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Request
from unidoku.backends.batch import BatchResult
from unidoku.backends.solving.solver import Solver
from unidoku.backends.solving.streams import check_again
from unidoku.errors import OutputError, UnidokuError, reason
from unidoku.files.answers import SolutionTable, Totals
from unidoku.files.chunk import BoardChunk, Chunk, FileGoneError, OpenSource
from unidoku.files.writer import BoardWriter, Content, Form
from unidoku.parallel.dispatch import on_nodes

SECONDS = 0.2
"""Seconds that a chunk should take: an interrupted run loses at most about that much work."""

FEWEST, MOST = 16, 1 << 15
"""Numbers of boards in a chunk: at first, when boards take long, and at most for fast ones."""

GROWTH, GROWTH_SENT = 16, 64
"""The most that a chunk may grow, here and in other processes: its size divided by that before.

Processes have little to do until chunks are long, because each growth takes a round trip.
"""

Write: TypeAlias = Callable[[BoardWriter, BoardChunk, BatchResult, SolutionTable], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkTask:
    """A chunk to solve.

    Args:
        chunk: the boards, or the lines that they are on.
        source: name of the source in messages.
        item: what the numbers of the boards count, such as ``line``.
        size: approximate number of boards.
        done: share of the source that has been read after this chunk, from 0 to 1.
        expected: approximate number of boards in the source; None if it is unknown.
    """

    chunk: Chunk
    source: str
    item: str
    size: int
    done: float
    expected: int | None

    def name_of(self, boards: BoardChunk) -> Callable[[int], str]:
        """Return a function that names a board of the chunk by its place in the source."""
        return lambda index: f"{self.source}, {self.item} {boards.numbers[index]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkAnswer:
    """The answers about the boards of a chunk.

    Args:
        content: the content to write, or the file that holds it.
        totals: the totals of the chunk.
        seconds: the seconds that it took.
        result: the result, only where its grids are to be checked again.
    """

    content: Content | Path
    totals: Totals
    seconds: float
    result: BatchResult | None = None


@dataclass(frozen=True, slots=True)
class NotSeen:
    """Sent in place of an answer: the process cannot open the file of the lines."""


@dataclass(frozen=True, slots=True)
class Failed:
    """An error in place of an answer. It is raised once the earlier answers are written."""

    error: UnidokuError


class MemoryWriter(BoardWriter):
    """Collects the output in memory."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.content: list[NDArray[np.uint8]] = []

    def write(self, lines: bytes | memoryview) -> None:
        """Collect lines as an array, which can be sent without a copy."""
        self.content.append(np.frombuffer(lines, np.uint8))

    def write_rows(self, values: NDArray[np.uint8]) -> None:
        """Collect rows of an array."""
        self.content.append(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkSolver:
    """Solves chunks, here or in another process.

    Args:
        solver: the solver that searches the boards.
        request: what to search for.
        form: the form in which answers are written.
        table: the columns, if answers are written as a table.
        write: the function that writes the answers.
        recheck: whether the answer has the result, so that grids can be checked again, and not the
            content to write.
        folder: the folder for files of content; without it, or where it is not seen, the content is
            part of the answer.
    """

    solver: Solver
    request: Request
    form: Form
    table: SolutionTable
    write: Write
    recheck: bool = False
    folder: Path | None = None

    def __call__(self, task: ChunkTask) -> ChunkAnswer | NotSeen | Failed:
        """Solve a chunk."""
        began = time.perf_counter()
        try:
            boards = task.chunk.read()
            if task.expected:
                self.solver.expect(boards.batch.layout, task.expected)
            name = task.name_of(boards)
            result = self.solver.search_batch(boards.batch, self.request, name)
            content = [] if self.recheck else self._content(boards, result)
        except FileGoneError:
            return NotSeen()
        except UnidokuError as error:
            return Failed(error)
        return ChunkAnswer(
            content=self._file_of(content) or content,
            totals=Totals.of(result, name),
            seconds=time.perf_counter() - began,
            result=result if self.recheck else None,
        )

    def seconds(self, task: ChunkTask) -> float | None:
        """Return the most seconds that a chunk may take; None for no limit."""
        limit = self.request.time_limit
        return None if limit is None else limit * task.size

    def _content(self, boards: BoardChunk, result: BatchResult) -> Content:
        writer = MemoryWriter(self.form)
        self.write(writer, boards, result, self.table)
        return writer.content

    def _file_of(self, content: Content) -> Path | None:
        """Write content to a new file in the folder; return None if that is not possible."""
        if self.folder is None or not content:
            return None
        with contextlib.suppress(OSError):  # another machine, or a full disk: its writer says so
            handle, name = tempfile.mkstemp(dir=self.folder)
            with open(handle, "wb") as file:  # noqa: PTH123 - of a number
                file.writelines(np.ascontiguousarray(array).data for array in content)
            return Path(name)
        return None

    def checked(self, task: ChunkTask, answer: ChunkAnswer) -> Content | Path:
        """Return the content to write, after a second check of its grids if that was requested.

        Raises:
            WrongAnswerError: a grid is not a solution of its board; the message names the board.
        """
        if answer.result is None:
            return answer.content
        boards = task.chunk.read()
        name = task.name_of(boards)
        check_again(self.solver, boards.batch, self.request, answer.result, name)
        return self._content(boards, answer.result)


class Chunker:
    """Cuts sources into chunks that take about as long as `SECONDS` with any backend.

    Attributes:
        by_range: whether other processes are sent ranges of a file instead of its lines.
    """

    def __init__(self, skip: int = 0, growth: int = GROWTH) -> None:
        """Begin with small chunks.

        Args:
            skip: number of boards at the beginning to leave out.
            growth: the most that a chunk may grow.
        """
        self._growth = growth
        self._skip = skip
        self._size = FEWEST
        self.by_range = True

    def learn(self, boards: int, seconds: float) -> None:
        """Record how long a chunk took, to choose the size of the next one."""
        if seconds < SECONDS / 2:
            if 2 * boards >= self._size:  # the last chunk of a block is too short to count
                grown = self._size * min(self._growth, SECONDS / max(seconds, 1e-9))
                self._size = int(min(grown, MOST))
        elif seconds > SECONDS * 2:
            self._size = max(min(self._size, boards) // 2, FEWEST)

    def tasks(self, source: OpenSource) -> Iterator[ChunkTask]:
        """Yield the boards of a source in chunks."""
        before = 0.0
        for whole in source.chunks:
            after = source.done()
            rest = self._unanswered(whole)
            total = rest.size if rest is not None else 0
            while rest is not None:
                chunk, rest = rest.split(self._size)
                share = 1 - rest.size / total if rest is not None else 1.0
                yield ChunkTask(
                    chunk=chunk,
                    source=source.name,
                    item=source.item,
                    size=self._size,
                    done=before + (after - before) * share,
                    expected=source.expected,
                )
            before = after

    def _unanswered(self, chunk: Chunk) -> Chunk | None:
        """Return what an earlier run has not answered; None if it has answered all."""
        if not self._skip:
            return chunk if chunk.size else None
        boards = chunk.read()
        skipped = min(self._skip, len(boards))
        self._skip -= skipped
        return boards[skipped:] if skipped < len(boards) else None

    def sent(self, tasks: Iterator[ChunkTask]) -> Iterator[ChunkTask]:
        """Yield tasks for other processes, without the lines that these can read themselves."""
        for task in tasks:
            yield replace(task, chunk=task.chunk.sent()) if self.by_range else task


def solved(
    work: ChunkSolver, chunker: Chunker, source: OpenSource, executor: Executor | None
) -> Iterator[tuple[ChunkTask, ChunkAnswer]]:
    """Solve the boards of a source in order, and yield each chunk with its answer.

    With an executor, its nodes do the work. Nodes that see the file read the lines from it; the
    lines are sent to all nodes once one does not.

    Raises:
        UnidokuError: an error of a chunk, raised after all chunks before it were answered.
    """
    answers: Generator[tuple[ChunkTask, ChunkAnswer | NotSeen | Failed], None, None]
    if executor is None:
        answers = ((task, work(task)) for task in chunker.tasks(source))
    else:
        answers = on_nodes(executor, work, chunker.sent(chunker.tasks(source)), work.seconds)
    with closing(answers):
        for task, answer in answers:
            if isinstance(answer, NotSeen):
                chunker.by_range = False
                answer = work(replace(task, chunk=task.chunk.read()))
            if isinstance(answer, Failed):
                raise answer.error
            assert isinstance(answer, ChunkAnswer), "the lines were read"
            chunker.learn(answer.totals.boards, answer.seconds)
            yield task, answer


class PartFolder:
    """A folder beside the output for the content of chunks, until it is written to the output.

    An earlier run that was killed may have left the folder, which is then emptied. What processes
    are told is a folder in it with a new name, so that no other machine has one of that name.
    """

    def __init__(self) -> None:
        """Begin without a folder."""
        self._path: Path | None = None

    def create(self, part: Path | None) -> Path:
        """Create the folder, and return where to put files.

        Args:
            part: path of the unfinished output, which nobody else writes; None if it has none.

        Raises:
            OutputError: it cannot be created.
        """
        try:
            if part is None:
                self._path = Path(tempfile.mkdtemp(prefix="unidoku-"))
                return self._path
            self._path = part.with_name(f"{part.name}.d")
            self.remove()
            self._path.mkdir()
            return Path(tempfile.mkdtemp(dir=self._path)).absolute()
        except OSError as error:
            raise OutputError(f"{self._path} cannot be created: {reason(error)}") from error

    def remove(self) -> None:
        """Remove the folder with all that is in it."""
        if self._path is not None:
            shutil.rmtree(self._path, ignore_errors=True)
