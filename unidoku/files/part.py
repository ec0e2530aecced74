"""What is read of a file at a time: boards of one layout, and where they stand."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unidoku.core.batch import Batch
from unidoku.errors import InputError
from unidoku.formats.lines import LineReader
from unidoku.formats.stream import line_ends

__all__ = [
    "MOST_LINES",
    "Around",
    "Columns",
    "FileGoneError",
    "FileSpan",
    "Part",
    "Parts",
    "UnevenLinesError",
    "UnreadLines",
    "even_rows",
]

MOST_LINES = 1 << 16
"""Lines of a part where each takes an object of its own: those of a block may be a million."""


_LINE_END = ord("\n")

_DOUBTFUL = (b"#", b"=", b"\r")
"""Where one of these is, some lines may be no boards, even if they are as wide."""


class Around(NamedTuple):
    """What stands in a row of a table before and after the solution; None for no column."""

    before: bytes | None
    after: bytes | None

    def joined(self, solution: bytes, delimiter: bytes) -> bytes:
        """Return the row with the solution in it."""
        return delimiter.join(
            [text for text in (self.before, solution, self.after) if text is not None]
        )


@dataclass(frozen=True, slots=True)
class Part:
    """Boards of one layout, in order.

    Args:
        batch: the boards.
        numbers: for each the number of the line or row of the file where it begins, from 1.
        around: for each what else its row holds, if that was asked for.
    """

    batch: Batch
    numbers: Sequence[int]
    around: Sequence[Around] | None = None

    def __len__(self) -> int:
        """Return the number of boards."""
        return len(self.batch)

    def __getitem__(self, part: slice) -> Part:
        """Return the boards of a slice without a step."""
        around = None if self.around is None else self.around[part]
        return Part(self.batch[part], self.numbers[part], around)

    def read(self) -> Part:
        """Return the boards, which are read."""
        return self


class FileGoneError(InputError):
    """A file is not the one that was opened, or is not seen from here."""


class UnevenLinesError(InputError):
    """Lines of a file are not what they were expected to be: boards, one symbol a cell."""


def even_rows(data: bytes, reader: LineReader) -> NDArray[np.uint8] | None:
    """Return the symbols of lines, a row each, if all of them are boards, one symbol a cell."""
    width = len(reader.layout)
    if len(data) % (width + 1) or any(mark in data for mark in _DOUBTFUL):
        return None
    rows = np.frombuffer(data, np.uint8).reshape(-1, width + 1)
    if not (rows[:, width] == _LINE_END).all() or line_ends(data) != len(rows):
        return None
    return rows[:, :width] if reader.may_be_boards(rows) else None


@dataclass(frozen=True, slots=True)
class FileSpan:
    """Where lines of one width stand in a file: who sees the same file can read them there.

    Args:
        path: the whole path.
        stamp: the size of the file in bytes, and when it was changed.
        start: the byte at which the first line begins.
    """

    path: str
    stamp: tuple[int, int]
    start: int

    @classmethod
    def of(cls, path: str | os.PathLike[str], start: int) -> FileSpan:
        """Return the span of a file as it is now."""
        return cls(os.path.abspath(path), _stamp(path), start)  # noqa: PTH100 - keeps links

    def rows(self, count: int, reader: LineReader) -> NDArray[np.uint8]:
        """Return the symbols of so many lines, each a board of the reader's layout.

        Raises:
            FileGoneError: there is no such file, or another one.
            UnevenLinesError: the lines are not all so wide, or not all of them are boards.
        """
        self.check()
        try:
            with open(self.path, "rb", buffering=0) as file:  # noqa: PTH123 - of a text
                file.seek(self.start)
                data = file.read(count * (len(reader.layout) + 1))
        except OSError as error:
            raise FileGoneError(f"{self.path} cannot be read: {error}") from error
        rows = even_rows(data, reader)
        if rows is None or len(rows) != count:
            raise UnevenLinesError(f"{self.path}: expected a board in each line, all of one width")
        return rows

    def check(self) -> None:
        """Do nothing if the file is the one that was opened; raises FileGoneError else."""
        try:
            found = _stamp(self.path)
        except OSError as error:
            raise FileGoneError(f"{self.path} cannot be read: {error}") from error
        if found != self.stamp:
            raise FileGoneError(f"{self.path} has changed since it was opened")


def _stamp(path: str | os.PathLike[str]) -> tuple[int, int]:
    found = os.stat(path)  # noqa: PTH116 - of a text
    return found.st_size, found.st_mtime_ns


@dataclass(frozen=True, slots=True)
class UnreadLines:
    """Lines that hold a board each, one symbol a cell, and are read where they are solved.

    Args:
        reader: reads them.
        count: how many they are.
        number: the number of the first line.
        rows: their symbols, of shape (lines, cells); None to read them from the file.
        span: where in a file they stand; None if that is unknown.
    """

    reader: LineReader
    count: int
    number: int
    rows: NDArray[np.uint8] | None
    span: FileSpan | None = None

    def __len__(self) -> int:
        """Return the number of boards."""
        return self.count

    def __getitem__(self, part: slice) -> UnreadLines:
        """Return the lines of a slice without a step."""
        start, stop, _ = part.indices(self.count)
        rows = None if self.rows is None else self.rows[start:stop]
        number, count = self.number + start, max(stop - start, 0)
        return UnreadLines(self.reader, count, number, rows, self._span_at(start))

    def _span_at(self, line: int) -> FileSpan | None:
        if self.span is None:
            return None
        return replace(self.span, start=self.span.start + line * (len(self.reader.layout) + 1))

    def read(self) -> Part:
        """Read the boards.

        Raises:
            FileGoneError: they are to be read from a file that is not seen here.
            UnevenLinesError: they are to be read from a file, where something else stands.
        """
        rows = self.rows
        if rows is None:
            assert self.span is not None
            rows = self.span.rows(self.count, self.reader)
        return Part(self.reader.read_rows(rows), range(self.number, self.number + self.count))

    def by_place(self) -> UnreadLines:
        """Return the lines without their symbols, if they can be read from a file."""
        return self if self.span is None else replace(self, rows=None)

    def rest(self) -> UnreadLines | None:
        """Return what follows in the file if all its lines are as wide; None if it cannot be."""
        if (after := self._span_at(self.count)) is None:
            return None
        count = (after.stamp[0] - after.start) // (len(self.reader.layout) + 1)
        if count <= 0:
            return None
        return UnreadLines(self.reader, count, self.number + self.count, None, after)

    @property
    def end(self) -> int | None:
        """The byte of the file that follows the lines; None if it is unknown."""
        after = self._span_at(self.count)
        return None if after is None else after.start

    def is_followed_by(self, other: UnreadLines) -> bool:
        """Return whether other lines, to be read from the same file, are the next there."""
        known = self.rows is None and other.rows is None and self.reader is other.reader
        return known and self._span_at(self.count) == other.span

    def followed_by(self, other: UnreadLines) -> UnreadLines:
        """Return the lines with those that follow them."""
        return replace(self, count=self.count + other.count)


class Columns(NamedTuple):
    """The columns of a table that are carried to another.

    Attributes:
        around: their names, before and after that of the solutions.
        delimiter: what separates them.
    """

    around: Around
    delimiter: bytes


@dataclass(frozen=True, slots=True)
class Parts:
    """The boards of a source.

    Args:
        name: what messages call the source.
        place: ``line`` or ``row``: what the numbers of its boards count.
        batches: the boards in order, in parts.
        done: returns how much of the source has been read, from 0 to 1; 0 if that is unknown.
        expected: about how many boards there are; None if that is unknown.
        columns: columns of a table, if its other columns are wanted too.
        notes: what the reader of the answers should know; it may grow while boards are read.
        again: reads on from where some lines stand, whatever is there; raises FileGoneError.
    """

    name: str
    place: str
    batches: Iterator[Part | UnreadLines]
    done: Callable[[], float]
    expected: int | None = None
    columns: Columns | None = None
    notes: Sequence[str] = ()
    again: Callable[[UnreadLines], Iterator[Part | UnreadLines]] | None = None
