"""The unit in which files are read: boards of one layout, with their places in the file."""

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

MOST_LINES = 1 << 16
"""The most lines of a part where each line needs an object: a block may hold a million lines."""


_LINE_END = ord("\n")

_DOUBTFUL = (b"#", b"=", b"\r")
"""Where one of these is, some lines may be no boards, even if they are as wide."""


class Around(NamedTuple):
    """The text of a table's row before and after the solution; None if there is no such column."""

    before: bytes | None
    after: bytes | None

    def joined(self, solution: bytes, delimiter: bytes) -> bytes:
        """Return the row with the solution in it."""
        return delimiter.join(
            [text for text in (self.before, solution, self.after) if text is not None]
        )

    def others(self, delimiter: bytes) -> bytes:
        """Return the row without a solution."""
        return delimiter.join([text for text in self if text is not None])


@dataclass(frozen=True, slots=True)
class Part:
    """Boards of one layout, in order.

    Args:
        batch: the boards.
        numbers: for each board the number of the line or row where it begins, from 1.
        around: for each board the rest of its row, if it is needed.
    """

    batch: Batch
    numbers: Sequence[int]
    around: Sequence[Around] | None = None

    def __len__(self) -> int:
        """Return the number of boards."""
        return len(self.batch)

    def __getitem__(self, part: slice) -> Part:
        """Return the part with the boards of a slice, which must have no step."""
        around = None if self.around is None else self.around[part]
        return Part(self.batch[part], self.numbers[part], around)

    def read(self) -> Part:
        """Return the part itself, which is read already."""
        return self


class FileGoneError(InputError):
    """A file has changed since it was opened, or this machine does not see it."""


class UnevenLinesError(InputError):
    """Lines of a file are not boards with one symbol for each cell, as expected."""


def even_rows(data: bytes, reader: LineReader) -> NDArray[np.uint8] | None:
    """Return the symbols of lines as rows, if all of them are boards of plain symbols."""
    rows = _wide_rows(data, len(reader.layout))
    if rows is None or any(mark in data for mark in _DOUBTFUL) or line_ends(data) != len(rows):
        return None
    return rows if reader.may_be_boards(rows) else None


def _wide_rows(data: bytes, width: int) -> NDArray[np.uint8] | None:
    """Cut a text into rows of this width with a line end after each; None if that is not so."""
    if len(data) % (width + 1):
        return None
    rows = np.frombuffer(data, np.uint8).reshape(-1, width + 1)
    return rows[:, :width] if (rows[:, width] == _LINE_END).all() else None


@dataclass(frozen=True, slots=True)
class FileSpan:
    """Position of lines of one width in a file, for any process that sees the same file.

    Args:
        path: the absolute path.
        stamp: the size of the file in bytes, and its time of modification.
        start: offset of the first line, in bytes.
    """

    path: str
    stamp: tuple[int, int]
    start: int

    @classmethod
    def of(cls, path: str | os.PathLike[str], start: int) -> FileSpan:
        """Return the span of a file as it is now."""
        return cls(os.path.abspath(path), _stamp(path), start)  # noqa: PTH100 - keeps links

    def data(self, length: int) -> bytes:
        """Return the first bytes of the span, fewer at the end of the file.

        Raises:
            FileGoneError: the file is missing, or has changed.
        """
        self.check()
        try:
            with open(self.path, "rb", buffering=0) as file:  # noqa: PTH123 - of a text
                file.seek(self.start)
                return file.read(length)
        except OSError as error:
            raise FileGoneError(f"{self.path} cannot be read: {error}") from error

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
    """Lines of text, each a board of one symbol for each cell; they are read where they are solved.

    Args:
        reader: parses them.
        count: number of lines.
        number: number of the first line in the file.
        rows: their symbols, of shape (lines, cells); None to read them from the file.
        span: their position in the file; None if it is unknown.
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
        """Return the lines of a slice, which must have no step."""
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
            FileGoneError: the lines have to be read from a file that this machine does not see.
            UnevenLinesError: the lines have to be read from a file, and some are no boards.
        """
        batch = self._read_in_file() if self.rows is None else self.reader.read_rows(self.rows)
        return Part(batch, range(self.number, self.number + self.count))

    def _read_in_file(self) -> Batch:
        assert self.span is not None
        width = len(self.reader.layout)
        data = self.span.data(self.count * (width + 1))
        rows = _wide_rows(data, width)
        if rows is not None and len(rows) == self.count:
            if (batch := self.reader.read_plain(rows)) is not None:
                return batch
            if even_rows(data, self.reader) is not None:
                return self.reader.read_rows(rows)
        raise UnevenLinesError(f"{self.span.path}: expected a board in each line, of one width")

    def by_place(self) -> UnreadLines:
        """Return the lines without their symbols, if they can be read from a file again."""
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


class Columns(NamedTuple):
    """The columns of a table that are copied to another.

    Attributes:
        around: names of the columns before and after the column of solutions.
        delimiter: the character between columns.
    """

    around: Around
    delimiter: bytes


@dataclass(frozen=True, slots=True)
class Parts:
    """The boards of a source.

    Args:
        name: name of the source in messages.
        place: ``line`` or ``row``: what the numbers of its boards count.
        batches: the boards in order, in parts.
        done: returns the share of the source that has been read, from 0 to 1; 0 if it is unknown.
        expected: approximate number of boards; None if it is unknown.
        columns: the other columns of a table, if they are needed.
        notes: remarks for the user, such as the delimiter found; they may grow during reading.
        again: reads the source once more, from the first of some lines on, and leaves no line
            unread; raises FileGoneError.
    """

    name: str
    place: str
    batches: Iterator[Part | UnreadLines]
    done: Callable[[], float]
    expected: int | None = None
    columns: Columns | None = None
    notes: Sequence[str] = ()
    again: Callable[[UnreadLines], Iterator[Part | UnreadLines]] | None = None
