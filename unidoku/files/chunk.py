"""The unit in which files are read: a chunk of boards, or of lines that are boards."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku.core.batch import Batch
from unidoku.errors import InputError
from unidoku.formats.lines import LineReader, read_text
from unidoku.formats.stream import line_ends

MOST_LINES = 1 << 16
"""The most lines of a chunk where each line needs an object: a block may hold a million lines."""

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


class Columns(NamedTuple):
    """The columns of a table that are copied to another.

    Attributes:
        around: names of the columns before and after the column of solutions.
        delimiter: the character between columns.
    """

    around: Around
    delimiter: bytes


@dataclass(frozen=True, slots=True)
class BoardChunk:
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

    @property
    def size(self) -> int:
        """The number of boards."""
        return len(self.batch)

    def __getitem__(self, boards: slice) -> BoardChunk:
        """Return the chunk with the boards of a slice, which must have no step."""
        around = None if self.around is None else self.around[boards]
        return BoardChunk(self.batch[boards], self.numbers[boards], around)

    def split(self, count: int) -> tuple[BoardChunk, BoardChunk | None]:
        """Return a chunk of the first boards, and the rest; None if there is none."""
        return self[:count], self[count:] if count < len(self) else None

    def read(self) -> BoardChunk:
        """Return the chunk itself, whose boards are known."""
        return self

    def sent(self) -> BoardChunk:
        """Return what is sent to another process: the chunk itself."""
        return self


class FileGoneError(InputError):
    """A file has changed since it was opened, or this machine does not see it."""


@dataclass(frozen=True, slots=True)
class FileRange:
    """A range of bytes in a file, for any process that sees the same file.

    Args:
        path: the absolute path.
        stamp: the size of the file in bytes, and its time of modification.
        start: offset of the first byte.
        length: number of bytes.
    """

    path: str
    stamp: tuple[int, int]
    start: int
    length: int

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> FileRange:
        """Return all of a file as it is now."""
        stamp = _stamp(path)
        return cls(os.path.abspath(path), stamp, 0, stamp[0])  # noqa: PTH100 - keeps links

    def read(self) -> bytes:
        """Return the bytes.

        Raises:
            FileGoneError: the file is missing, or has changed.
        """
        try:
            stamp = _stamp(self.path)
            with open(self.path, "rb", buffering=0) as file:  # noqa: PTH123 - of a text
                file.seek(self.start)
                data = file.read(self.length)
        except OSError as error:
            raise FileGoneError(f"{self.path} cannot be read: {error}") from error
        if stamp != self.stamp or len(data) != self.length:
            raise FileGoneError(f"{self.path} has changed since it was opened")
        return data


def _stamp(path: str | os.PathLike[str]) -> tuple[int, int]:
    status = os.stat(path)  # noqa: PTH116 - of a text
    return status.st_size, status.st_mtime_ns


@dataclass(frozen=True, slots=True)
class LineChunk:
    """Lines of text with one board on each, which are parsed where they are solved.

    Args:
        reader: parses them.
        number: number of the first line in the file.
        text: the lines, each with its end; None to read them from the file.
        file_range: where they are in the file; None if it is unknown.
    """

    reader: LineReader
    number: int
    text: bytes | None
    file_range: FileRange | None = None

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self._known_text)

    @property
    def _known_text(self) -> bytes:
        assert self.text is not None, "only what is sent has no text, and it is not split"
        return self.text

    def split(self, count: int) -> tuple[LineChunk, LineChunk | None]:
        """Return a chunk of about so many lines, and the rest; None if there is none."""
        end = self._known_text.find(b"\n", count * (len(self.reader.layout) + 1) - 1) + 1
        if not 0 < end < self.size:
            return self, None
        return self._range(0, end), self._range(end, self.size)

    def of_few_lines(self) -> Iterator[LineChunk]:
        """Yield the lines in chunks of at most `MOST_LINES`."""
        if line_ends(self._known_text) <= MOST_LINES:
            yield self
            return
        middle = self._known_text.find(b"\n", self.size // 2) + 1
        yield from self._range(0, middle).of_few_lines()
        yield from self._range(middle, self.size).of_few_lines()

    def _range(self, start: int, end: int) -> LineChunk:
        """Return the lines between two offsets in the text."""
        text, file_range = self._known_text, self.file_range
        if file_range is not None:
            file_range = replace(file_range, start=file_range.start + start, length=end - start)
        number = self.number + line_ends(text[:start])
        return LineChunk(self.reader, number, text[start:end], file_range)

    def read(self) -> BoardChunk:
        """Parse the lines; those that are blank, comments or titles are no boards.

        Raises:
            FileGoneError: the lines have to be read from a file that this machine does not see.
        """
        text = self.text
        if text is None:
            assert self.file_range is not None, "one of both is known"
            text = self.file_range.read()
        rows = _even_rows(text, self.reader)
        if rows is None:
            lines = text.splitlines() if text.strip() else []
            return read_irregular(self.reader, lines, self.number)
        batch = self.reader.read_rows(rows)
        return BoardChunk(batch, range(self.number, self.number + len(rows)))

    def sent(self) -> LineChunk:
        """Return what is sent to another process: without the text, if its place is known."""
        return self if self.file_range is None else replace(self, text=None)


Chunk: TypeAlias = BoardChunk | LineChunk


def _even_rows(text: bytes, reader: LineReader) -> NDArray[np.uint8] | None:
    """Return the symbols of lines as rows, if all of them are boards of plain symbols."""
    width = len(reader.layout)
    if len(text) % (width + 1) or any(mark in text for mark in _DOUBTFUL):
        return None
    rows = np.frombuffer(text, np.uint8).reshape(-1, width + 1)
    if not (rows[:, width] == _LINE_END).all() or line_ends(text) != len(rows):
        return None
    return rows[:, :width] if reader.may_be_boards(rows[:, :width]) else None


def read_irregular(reader: LineReader, lines: Sequence[bytes], number: int) -> BoardChunk:
    """Read lines, some of which may have names, be blank, or be comments or titles.

    Args:
        reader: parses them.
        lines: the lines.
        number: number of the first one.
    """
    lines = [line.strip() for line in lines]
    indices = [k for k, line in enumerate(lines) if line and not line.startswith(b"#")]
    batch = reader.read([lines[k] for k in indices])
    # A line that is refused for the same reason as an empty text is a title.
    nothing = read_text("", reader.layout)
    titles = {k for k, reason in batch.invalid.items() if reason == nothing}
    if titles:
        indices = [line for k, line in enumerate(indices) if k not in titles]
        batch = reader.read([lines[k] for k in indices])
    return BoardChunk(batch, [number + k for k in indices])


@dataclass(frozen=True, slots=True)
class OpenSource:
    """The boards of a source that is open.

    Args:
        name: name of the source in messages.
        item: ``line`` or ``row``: what the numbers of its boards count.
        chunks: the boards in order.
        done: returns the share of the source that has been read, from 0 to 1; 0 if it is unknown.
        expected: approximate number of boards; None if it is unknown.
        columns: the other columns of a table, if they are needed.
        notes: remarks for the user, such as the delimiter found; they may grow during reading.
    """

    name: str
    item: str
    chunks: Iterator[Chunk]
    done: Callable[[], float]
    expected: int | None = None
    columns: Columns | None = None
    notes: Sequence[str] = ()
