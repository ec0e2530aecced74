"""How the boards of a file are cut into pieces, and how a piece is answered, here or elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Request
from unidoku.backends.batch import BatchResult
from unidoku.backends.many import check_again
from unidoku.backends.solver import Solver
from unidoku.carrying import carrier_of, in_order
from unidoku.files.answers import SolutionTable
from unidoku.files.part import FileGoneError, Part, Parts, UnreadLines
from unidoku.files.totals import Totals
from unidoku.files.writer import BoardWriter, Form

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
"""How long a piece should take: as much is lost when a run is interrupted."""

FEWEST, MOST = 16, 1 << 20
"""Boards of a piece: to begin with, and when they take long; and however fast they are."""

MOST_SENT = 1 << 17
"""Boards of a piece for a node, however fast they are: a million is shared by a few nodes."""

AT_ONCE = 1 << 14
"""Boards that are read, searched and written at once."""

GROWTH = 16
"""How many times as long a piece may be as the one before."""

Content: TypeAlias = list[NDArray[np.uint8]]
"""What is written: the bytes of lines, or rows of values."""

Write: TypeAlias = Callable[[BoardWriter, Part, BatchResult, SolutionTable], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPiece:
    """Boards that are answered at once.

    Args:
        boards: the boards, as far as they are read.
        source: what messages call the source.
        place: what its numbers count.
        done: how much of the source is read after it, from 0 to 1.
        expected: about how many boards the source has; None if that is unknown.
    """

    boards: Part | UnreadLines
    source: str
    place: str
    done: float
    expected: int | None

    def parts(self) -> Iterator[Part]:
        """Yield the boards in parts that the caches of a processor hold.

        Raises:
            FileGoneError: they are to be read from a file that is not seen here.
        """
        for start in range(0, len(self.boards), AT_ONCE):
            yield self.boards[start : start + AT_ONCE].read()

    def named(self, part: Part) -> Callable[[int], str]:
        """Return what messages call the boards of a part: their places in the source."""
        return _Named(f"{self.source}, {self.place}", part.numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceAnswer:
    """What is to be written of a piece, its totals, and the seconds that it took.

    The results are there only where the grids are to be checked again.
    """

    content: Content
    totals: Totals
    seconds: float
    results: Sequence[BatchResult] = ()


@dataclass(frozen=True, slots=True)
class Unseen:
    """In place of an answer: a node does not see the file that it should read, and why."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """Answers pieces, here or on a node.

    Args:
        solver: searches the boards.
        request: what is asked.
        form: how the answers are written.
        table: the columns, if they are written as a table.
        write: writes the answers.
        recheck: whether the grids are to be checked again, and so go along with the answer.
    """

    solver: Solver
    request: Request
    form: Form
    table: SolutionTable
    write: Write
    recheck: bool = False

    def __call__(self, piece: BoardPiece) -> PieceAnswer | Unseen:
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
        except FileGoneError as error:
            return Unseen(str(error))
        seconds = time.perf_counter() - began
        return PieceAnswer(content=kept.content, totals=totals, seconds=seconds, results=results)

    def checked(self, piece: BoardPiece, answer: PieceAnswer) -> Content:
        """Return what is to be written, after a check of its grids where that is asked for.

        Raises:
            WrongAnswerError: a grid is no solution of its board; names the board.
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
    """What messages call the boards of a part."""

    place: str
    numbers: Sequence[int]

    def __call__(self, index: int) -> str:
        return f"{self.place} {self.numbers[index]}"


class Kept(BoardWriter):
    """Keeps what is written, to be written to a file later or elsewhere."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.content: Content = []

    def write(self, lines: bytes) -> None:
        """Keep lines, as an array, which is sent without being copied."""
        self.content.append(np.frombuffer(lines, np.uint8))

    def write_rows(self, values: NDArray[np.uint8]) -> None:
        """Keep rows of an array."""
        self.content.append(values)


class Cutter:
    """Cuts sources into pieces that take about as long as `SECONDS` with any backend."""

    def __init__(self, most: int, skip: int = 0) -> None:
        """Begin with small pieces, and have none above this number of boards.

        Args:
            most: the most boards of a piece.
            skip: boards at the beginning that are left out.
        """
        self._most = most
        self._skip = skip
        self._size = FEWEST
        self._by_place = True

    def learn(self, boards: int, seconds: float) -> None:
        """Learn how long a piece took."""
        if seconds < SECONDS / 2:
            if 2 * boards >= self._size:  # a piece at the end of a part tells little
                grown = self._size * min(GROWTH, SECONDS / max(seconds, 1e-9))
                self._size = int(min(grown, self._most))
        elif seconds > SECONDS * 2:
            self._size = max(min(self._size, boards) // 2, FEWEST)

    def pieces(self, parts: Parts) -> Iterator[BoardPiece]:
        """Yield the boards of a source in pieces."""
        before = 0.0
        for whole in parts.batches:
            after = parts.done()
            start = min(self._skip, len(whole))
            self._skip -= start
            while start < len(whole):
                piece = whole[start : start + self._size]
                start += len(piece)
                yield BoardPiece(
                    boards=piece,
                    source=parts.name,
                    place=parts.place,
                    done=before + (after - before) * start / len(whole),
                    expected=parts.expected,
                )
            before = after

    def sent(self, pieces: Iterator[BoardPiece]) -> Iterator[BoardPiece]:
        """Yield pieces for nodes: without what can be read from the file, and then longer ones."""
        held: BoardPiece | None = None
        for piece in pieces:
            boards = piece.boards
            if isinstance(boards, UnreadLines) and self._by_place:
                boards = boards.by_place()
                if held is not None and (more := self._both(held.boards, boards)) is not None:
                    held = replace(piece, boards=more)
                    continue
            if held is not None:
                yield held
            held = replace(piece, boards=boards)
        if held is not None:
            yield held

    def _both(self, first: Part | UnreadLines, then: UnreadLines) -> UnreadLines | None:
        """Return lines with those that follow them; None if they do not, or are too many."""
        if not isinstance(first, UnreadLines) or len(first) + len(then) > self._size:
            return None
        return first.followed_by(then) if first.is_followed_by(then) else None

    def unseen(self, piece: BoardPiece) -> BoardPiece:
        """Return a piece with its lines, and the pieces that follow too: a node sees no file."""
        self._by_place = False
        boards = piece.boards
        whole = boards.with_symbols() if isinstance(boards, UnreadLines) else boards
        return replace(piece, boards=whole)


def answered(
    work: Answering, cutter: Cutter, parts: Parts, executor: Executor | None
) -> Iterator[tuple[BoardPiece, PieceAnswer]]:
    """Answer the boards of a source in order, and yield each piece with its answer.

    An executor has its nodes do it. Those that see the file read lines from it; they are sent to
    the others.
    """
    if executor is None:
        for piece in cutter.pieces(parts):
            answer = _here(work, piece)
            cutter.learn(len(piece.boards), answer.seconds)
            yield piece, answer
        return

    def again(piece: BoardPiece, answer: PieceAnswer | Unseen) -> BoardPiece | None:
        if isinstance(answer, Unseen):
            return cutter.unseen(piece)
        cutter.learn(len(piece.boards), answer.seconds)
        return None

    pieces = cutter.sent(cutter.pieces(parts))
    for piece, found in in_order(carrier_of(executor, work), pieces, again):
        assert isinstance(found, PieceAnswer), "the others were asked for again"
        yield piece, found


def _here(work: Answering, piece: BoardPiece) -> PieceAnswer:
    answer = work(piece)
    assert isinstance(answer, PieceAnswer), "lines that were read are there"
    return answer
