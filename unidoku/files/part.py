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

__all__ = [
    "MOST_LINES",
    "Around",
    "Columns",
    "FileGoneError",
    "FileSpan",
    "Part",
    "Parts",
    "UnreadLines",
]

MOST_LINES = 1 << 16
"""The most lines of a part where each line needs an object: a block may hold a million lines."""


class Around(NamedTuple):
    """The text of a table's row before and after the solution; None if there is no such column."""

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

    def rows(self, count: int, width: int) -> NDArray[np.uint8]:
        """Return the symbols of the first lines of the span.

        Raises:
            FileGoneError: the file is missing, or has changed.
        """
        try:
            if _stamp(self.path) != self.stamp:
                raise FileGoneError(f"{self.path} has changed since it was opened")
            with open(self.path, "rb", buffering=0) as file:  # noqa: PTH123 - of a text
                file.seek(self.start)
                data = file.read(count * (width + 1))
            return np.frombuffer(data, np.uint8).reshape(count, width + 1)[:, :width]
        except (OSError, ValueError) as error:
            raise FileGoneError(f"{self.path} cannot be read: {error}") from error


def _stamp(path: str | os.PathLike[str]) -> tuple[int, int]:
    found = os.stat(path)  # noqa: PTH116 - of a text
    return found.st_size, found.st_mtime_ns


@dataclass(frozen=True, slots=True)
class UnreadLines:
    """Lines of text, each with one board, one symbol a cell; they are read where they are solved.

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
        """
        rows = self.symbols()
        return Part(self.reader.read_rows(rows), range(self.number, self.number + self.count))

    def symbols(self) -> NDArray[np.uint8]:
        """Return the symbols of the lines; raises as `read` does."""
        if self.rows is not None:
            return self.rows
        assert self.span is not None
        return self.span.rows(self.count, len(self.reader.layout))

    def by_place(self) -> UnreadLines:
        """Return the lines without their symbols, if they can be read from a file again."""
        return self if self.span is None else replace(self, rows=None)

    def with_symbols(self) -> UnreadLines:
        """Return the lines with their symbols; raises as `read` does."""
        return replace(self, rows=self.symbols())

    def is_followed_by(self, other: UnreadLines) -> bool:
        """Return whether other lines follow directly in the same file."""
        known = self.rows is None and other.rows is None and self.reader is other.reader
        return known and self._span_at(self.count) == other.span

    def followed_by(self, other: UnreadLines) -> UnreadLines:
        """Return these lines and those that follow them as one object."""
        return replace(self, count=self.count + other.count)


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
    """

    name: str
    place: str
    batches: Iterator[Part | UnreadLines]
    done: Callable[[], float]
    expected: int | None = None
    columns: Columns | None = None
    notes: Sequence[str] = ()
