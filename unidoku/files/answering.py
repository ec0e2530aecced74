"""Cuts the boards of a file into pieces, and answers each piece here or on a node."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Request
from unidoku.backends.batch import BatchResult
from unidoku.backends.solving.solver import Solver
from unidoku.backends.solving.streams import check_again
from unidoku.errors import UnidokuError
from unidoku.files.answers import SolutionTable
from unidoku.files.part import FileGoneError, Part, Parts, UnevenLinesError, UnreadLines
from unidoku.files.totals import Totals
from unidoku.files.writer import BoardWriter, Form
from unidoku.parallel.dispatch import with_memory
from unidoku.parallel.shared_memory import space

__all__ = [
    "MOST",
    "MOST_SENT",
    "Answering",
    "BoardPiece",
    "Content",
    "Cutter",
    "PieceAnswer",
    "Write",
    "answered",
]

SECONDS = 0.2
"""Seconds that a piece should take: an interrupted run loses at most about that much work."""

FEWEST, MOST = 16, 1 << 20
"""Numbers of boards in a piece: at first, when boards take long, and at most for fast ones."""

MOST_SENT = 1 << 15
"""The most boards of a piece for a node: few enough that all nodes end at about the same time."""

LAST = 1 << 12
"""The fewest boards of a piece at the end of a file, where pieces for nodes get shorter."""

AT_ONCE = 1 << 15
"""Boards that are read, searched and written at once: half as many take 3 % longer."""

GROWTH, GROWTH_SENT = 16, 64
"""The most that a piece may grow, here and for nodes: its size divided by the size before.

Nodes have little to do until pieces are long, because each growth takes a round trip.
"""

Content: TypeAlias = list[NDArray[np.uint8]]
"""The content to write: the bytes of lines, or rows of values."""

Write: TypeAlias = Callable[[BoardWriter, Part, BatchResult, SolutionTable], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPiece:
    """Boards that are answered together.

    Args:
        boards: the boards, read already or still in the file.
        source: name of the source in messages.
        place: what the numbers of the boards count, such as ``line``.
        done: share of the source that has been read after this piece, from 0 to 1.
        expected: approximate number of boards in the source; None if it is unknown.
    """

    boards: Part | UnreadLines
    source: str
    place: str
    done: float
    expected: int | None

    def parts(self) -> Iterator[Part]:
        """Yield the boards in parts that fit into the last cache of a processor.

        Raises:
            FileGoneError, UnevenLinesError: as `UnreadLines.read`.
        """
        for start in range(0, len(self.boards), AT_ONCE):
            yield self.boards[start : start + AT_ONCE].read()

    def named(self, part: Part) -> Callable[[int], str]:
        """Return the names of a part's boards in messages: their places in the source."""
        return _Named(f"{self.source}, {self.place}", part.numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceAnswer:
    """The content to write for a piece, its totals, and the seconds that it took.

    The results are included only where the grids are to be checked again.
    """

    content: Content
    totals: Totals
    seconds: float
    results: Sequence[BatchResult] = ()


@dataclass(frozen=True, slots=True)
class Unseen:
    """Takes the place of an answer: a node could not read the lines that it should.

    Args:
        is_uneven: whether something else stands there; else the file is not seen.
    """

    is_uneven: bool


@dataclass(frozen=True, slots=True)
class Failed:
    """Takes the place of an answer: the error, which is raised after all answers before it."""

    error: UnidokuError


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """Answers pieces, here or on a node.

    Args:
        solver: the solver that searches the boards.
        request: what to search for.
        form: the form in which answers are written.
        table: the columns, if answers are written as a table.
        write: the function that writes the answers.
        recheck: whether the answer includes the results, so that grids can be checked again.
    """

    solver: Solver
    request: Request
    form: Form
    table: SolutionTable
    write: Write
    recheck: bool = False

    def __call__(self, piece: BoardPiece) -> PieceAnswer | Unseen | Failed:
        """Answer a piece."""
        began = time.perf_counter()
        kept = Kept(self.form)
        totals = Totals()
        results = []
        try:
            for part in piece.parts():
                if piece.expected:
                    self.solver.expect(part.batch.layout, piece.expected)
                named = piece.named(part)
                result = self.solver.search_batch(part.batch, self.request, named)
                self.write(kept, part, result, self.table)
                totals = totals.joined(Totals.of(result, named), piece.done)
                results += [result] * self.recheck
        except (FileGoneError, UnevenLinesError) as error:
            return Unseen(isinstance(error, UnevenLinesError))
        except UnidokuError as error:
            return Failed(error)
        seconds = time.perf_counter() - began
        return PieceAnswer(content=kept.content, totals=totals, seconds=seconds, results=results)

    def checked(self, piece: BoardPiece, answer: PieceAnswer) -> Content:
        """Return the content to write, after a second check of its grids if that was requested.

        Raises:
            WrongAnswerError: a grid is not a solution of its board; the message names the board.
        """
        if not self.recheck:
            return answer.content
        kept = Kept(self.form)
        for part, result in zip(piece.parts(), answer.results, strict=True):
            check_again(self.solver, part.batch, self.request, result, piece.named(part))
            self.write(kept, part, result, self.table)
        return kept.content


@dataclass(frozen=True, slots=True)
class _Named:
    """The names of a part's boards in messages."""

    place: str
    numbers: Sequence[int]

    def __call__(self, index: int) -> str:
        return f"{self.place} {self.numbers[index]}"


class Kept(BoardWriter):
    """Keeps the output in memory, to be written to a file later or by another process."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.content: Content = []

    def space(self, size: int) -> NDArray[np.uint8]:
        """Return an array, in the memory of the process that asked if it shares some."""
        place = space(size)
        return super().space(size) if place is None else np.frombuffer(place, np.uint8)

    def write(self, lines: bytes | memoryview) -> None:
        """Keep lines as an array, which can be sent without a copy."""
        self.content.append(np.frombuffer(lines, np.uint8))

    def write_rows(self, values: NDArray[np.uint8]) -> None:
        """Keep rows of an array."""
        self.content.append(values)


class Cutter:
    """Cuts sources into pieces that take about as long as `SECONDS` with any backend.

    Attributes:
        by_place: whether nodes are told where lines stand in a file that they see.
    """

    def __init__(self, most: int, skip: int = 0, shares: int = 1) -> None:
        """Begin with small pieces, which never grow above a number of boards.

        Args:
            most: the most boards of a piece.
            skip: number of boards at the beginning to leave out.
            shares: for nodes, the number of pieces that are under way at once; 1 for none.
        """
        self._growth = GROWTH if shares == 1 else GROWTH_SENT
        self._most = most
        self._shares = shares
        self._skip = skip
        self._size = FEWEST
        self.by_place = True

    def learn(self, boards: int, seconds: float) -> None:
        """Record how long a piece took, to choose the size of the next one."""
        if seconds < SECONDS / 2:
            if 2 * boards >= self._size:  # the last piece of a part is too short to count
                grown = self._size * min(self._growth, SECONDS / max(seconds, 1e-9))
                self._size = int(min(grown, self._most))
        elif seconds > SECONDS * 2:
            self._size = max(min(self._size, boards) // 2, FEWEST)

    def pieces(
        self, parts: Parts, batches: Iterator[Part | UnreadLines], before: float
    ) -> Iterator[BoardPiece]:
        """Yield the boards of batches of a source in pieces, this share of which was done."""
        for whole in batches:
            after = parts.done()
            start = min(self._skip, len(whole))
            self._skip -= start
            while start < len(whole):
                piece = whole[start : start + self._length(whole, start)]
                start += len(piece)
                yield BoardPiece(
                    boards=piece,
                    source=parts.name,
                    place=parts.place,
                    done=before + (after - before) * start / len(whole),
                    expected=parts.expected,
                )
            before = after

    def _length(self, whole: Part | UnreadLines, start: int) -> int:
        """Return how many boards the piece has that begins there: few where nodes are to end."""
        if not isinstance(whole, UnreadLines) or whole.rows is not None:
            return self._size
        return min(self._size, max((len(whole) - start) // self._shares, LAST))

    def sent(self, pieces: Iterator[BoardPiece]) -> Iterator[BoardPiece]:
        """Yield pieces for nodes, without the lines that nodes can read themselves."""
        for piece in pieces:
            boards = piece.boards
            if isinstance(boards, UnreadLines) and self.by_place:
                boards = boards.by_place()
            yield replace(piece, boards=boards)


def answered(
    work: Answering, cutter: Cutter, parts: Parts, executor: Executor | None
) -> Iterator[tuple[BoardPiece, PieceAnswer]]:
    """Answer the boards of a source in order, and yield each piece with its answer.

    With an executor, its nodes do the work. Nodes that see the file read the lines from it; the
    lines are sent to all other nodes. The arrays of an answer are valid until the next one.

    Raises:
        UnidokuError: an error of a piece, raised after all pieces before it were answered.
    """
    batches = parts.batches
    done = 0.0
    while True:
        with closing(_each(work, cutter, cutter.pieces(parts, batches, done), executor)) as found:
            for piece, answer in found:
                if isinstance(answer, Unseen):
                    break
                if isinstance(answer, Failed):
                    raise answer.error
                cutter.learn(len(piece.boards), answer.seconds)
                done = piece.done
                yield piece, answer
            else:
                return
        # Lines that were read here once look the same on every node that sees the file.
        cutter.by_place &= answer.is_uneven and batches is parts.batches
        assert parts.again is not None
        assert isinstance(piece.boards, UnreadLines), "the others are there"
        batches = parts.again(piece.boards)


def _each(
    work: Answering, cutter: Cutter, pieces: Iterator[BoardPiece], executor: Executor | None
) -> Generator[tuple[BoardPiece, PieceAnswer | Unseen | Failed], None, None]:
    """Answer pieces in order, here or on nodes."""
    if executor is None:
        for piece in pieces:
            yield piece, work(piece)
    else:
        yield from with_memory(executor, work, cutter.sent(pieces))
