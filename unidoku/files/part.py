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
"""Lines of a part where each takes an object of its own: those of a block may be a million."""


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

    def rows(self, count: int, width: int) -> NDArray[np.uint8]:
        """Return the symbols of so many lines, each this wide without its end.

        Raises:
            FileGoneError: there is no such file, or another one.
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
        """Return the lines without their symbols, if they can be read from a file."""
        return self if self.span is None else replace(self, rows=None)

    def with_symbols(self) -> UnreadLines:
        """Return the lines with their symbols; raises as `read` does."""
        return replace(self, rows=self.symbols())

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
    """

    name: str
    place: str
    batches: Iterator[Part | UnreadLines]
    done: Callable[[], float]
    expected: int | None = None
    columns: Columns | None = None
    notes: Sequence[str] = ()
