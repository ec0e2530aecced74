"""The boards of a file in parts, so that memory does not grow with its length.

Text, CSV, either of them compressed, and arrays of numpy. The first bytes tell which it is,
except for CSV, which its name tells. A block of text whose lines hold boards and nothing else is
read at once; text whose boards span several lines is read as a whole, as small files are.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.many import batch_layout
from unidoku.core.batch import Batch
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.variants import Variant
from unidoku.errors import FormatError, InputError
from unidoku.files.source import GZIP, LARGE, NPY, Source
from unidoku.formats.lines import LineReader, read_text

__all__ = ["Parts", "open_parts"]

BLOCK = 1 << 21
"""Bytes read at a time."""

LONGEST = 1 << 24
"""Bytes of the longest line: a file with a longer one is no text."""

COLUMNS = ("quizzes", "quiz", "puzzles", "puzzle")
"""Names of the column of boards in CSV files."""

LARGEST_ROW = 35
"""Symbols of the longest row of a board: a line of as many or fewer may be a board, or one row."""

COMMA, LINE_END = b",\n"

TRIES = 100
"""Lines that are searched for a first board, which tells the layout."""

Numbered: TypeAlias = tuple[Batch, Sequence[int]]
"""Boards, and for each the number of the line or row of the file where it begins, from 1."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The boards of a source.

    Args:
        place: ``line`` or ``row``: what the numbers of its boards count.
        batches: the boards in order; the boards of one batch have the same layout.
        done: returns how much of the source has been read, from 0 to 1; 0 if that is unknown.
    """

    place: str
    batches: Iterator[Numbered]
    done: Callable[[], float]


@contextlib.contextmanager
def open_parts(source: Source) -> Iterator[Parts]:
    """Open a source, and read its beginning, which tells how the boards are written.

    Raises:
        InputError: it cannot be read, or holds no board.
    """
    with contextlib.ExitStack() as stack:
        raw, size = _open(source)
        if source.puzzle != "-":
            stack.enter_context(raw)
        magic = raw.peek(len(NPY))
        if magic.startswith(NPY):
            yield _array_parts(source)
            return
        stream = cast(BinaryIO, raw)
        if magic.startswith(GZIP):
            stream = cast(BinaryIO, stack.enter_context(gzip.GzipFile(fileobj=raw)))
        is_csv = ".csv" in Path(source.name).suffixes[-2:]
        lines = (CsvLines if is_csv else TextLines)(source, stream)
        yield Parts("line", lines.batches(), lambda: raw.tell() / size if size else 0.0)


def _open(source: Source) -> tuple[io.BufferedReader, int]:
    """Open a source, and return its size in bytes; 0 if that is unknown."""
    if source.puzzle == "-":
        if sys.stdin is None:
            raise InputError("expected boards on standard input, but it is closed")
        if isinstance(stream := getattr(sys.stdin, "buffer", None), io.BufferedReader):
            return stream, 0
        return io.BufferedReader(io.BytesIO(sys.stdin.read().encode())), 0
    if not source.is_file:
        source.read()  # refuses what is no board either
        return io.BufferedReader(io.BytesIO(source.puzzle.encode())), 0
    path = Path(source.puzzle)
    try:
        return path.open("rb"), path.stat().st_size
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error}") from error


def _array_parts(source: Source) -> Parts:
    """Open a file of numpy, mapped into memory."""
    try:
        array = np.atleast_1d(np.load(source.puzzle, mmap_mode="r", allow_pickle=False))
    except (OSError, ValueError) as error:
        raise InputError(f"{source.puzzle} cannot be read: {error}") from error
    try:
        if source.size and isinstance(source.variant, str):
            layout = Variant.parse(source.variant).layout(source.size)
        else:
            layout = batch_layout(array, source.variant)
        Batch.from_array(layout, array[:1])
    except InputError as error:
        raise InputError(f"{source.puzzle}: {error}") from error
    rows = max(BLOCK // len(layout), 1)
    done = 0

    def batches() -> Iterator[Numbered]:
        nonlocal done
        for start in range(0, len(array), rows):
            batch = Batch.from_array(layout, array[start : start + rows])
            done = start + len(batch)
            yield batch, range(start + 1, done + 1)

    return Parts("row", batches(), lambda: done / max(len(array), 1))


class TextLines:
    """Text, a board a line; the stream has the bytes of the source from the beginning."""

    _doubtful: tuple[bytes, ...] = (b"#", b"=")
    """Where one of these is, some lines may be no boards, even if they are as wide."""

    def __init__(self, source: Source, stream: BinaryIO) -> None:
        """Read the beginning."""
        self._name = source.name
        self._source = source
        self._stream = stream
        self._head = self._read(LARGE + 1).removeprefix(b"\xef\xbb\xbf")

    def batches(self) -> Iterator[Numbered]:
        """Return the boards in parts, or in one part where they span several lines.

        Raises:
            InputError: there are no boards, or it is unclear where one ends.
        """
        refusal = None
        by_itself = self._source.has_maps
        if len(self._head) <= LARGE or by_itself:
            try:
                return self._whole()
            except FormatError as error:
                refusal = error
        lines = self._head.splitlines()
        layout = None if by_itself else self._layout(lines)
        if layout is not None and (self._source.size or len(layout) > LARGEST_ROW):
            reader = LineReader(layout, self._source.symbols)
            first, _ = self._read_irregular(reader, b"\n".join(lines[:TRIES]), 1)
            if len(first.invalid) <= len(first) / 2:
                return self._parts(reader)
        if refusal is not None:
            raise refusal
        if layout is not None and len(layout) <= LARGEST_ROW:
            raise InputError(
                f"{self._name}: lines of {len(layout)} cells may be boards or rows of larger "
                "ones; say which by --size"
            )
        return self._whole()

    def _whole(self) -> Iterator[Numbered]:
        """Read all boards at once, in any of the ways of small files."""
        self._head += self._read(-1) if len(self._head) > LARGE else b""
        try:
            puzzles = self._source.read_text(self._head.decode())
        except UnicodeDecodeError as error:
            raise FormatError(f"expected text in UTF-8: {error}", source=self._name) from error
        return (
            (Batch.from_boards(layout, [puzzle.board for puzzle in same]), [p.line for p in same])
            for layout, group in groupby(puzzles, lambda puzzle: puzzle.board.layout)
            for same in [list(group)]
        )

    def _layout(self, texts: Iterable[bytes]) -> Layout | None:
        """Return the layout of a board among the first texts, preferably of the usual length."""
        source = self._source
        tried = list(islice(texts, TRIES))
        lengths = Counter(map(len, tried))
        for text in sorted(tried, key=lambda text: -lengths[len(text)]):
            with contextlib.suppress(FormatError, UnicodeDecodeError):
                return Board.parse(
                    text.decode(), source.variant, size=source.size, symbols=source.symbols
                ).layout
        return None

    def _parts(self, reader: LineReader, number: int = 1) -> Iterator[Numbered]:
        for block in self._blocks():
            count = block.count(b"\n")
            rows = self._rows(np.frombuffer(block, np.uint8), count, len(reader.layout))
            if rows is not None and not any(mark in block for mark in self._doubtful):
                yield reader.read_rows(rows), range(number, number + count)
            else:
                yield self._read_irregular(reader, block, number)
            number += count

    def _blocks(self) -> Iterator[bytes]:
        """Yield the text in blocks of whole lines."""
        rest, data = b"", self._head
        while data:
            end = data.rfind(b"\n") + 1
            if end:
                block = rest + data[:end]
                yield block.replace(b"\r\n", b"\n") if b"\r" in block else block
                rest = b""
            rest += data[end:]
            if len(rest) > LONGEST:
                raise InputError(f"{self._name}: expected lines of text")
            data = self._read(BLOCK)
        if rest:
            yield rest + b"\n"

    def _read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{self._name} cannot be read: {error}") from error

    def _rows(self, data: NDArray[np.uint8], lines: int, width: int) -> NDArray[np.uint8] | None:
        """Return the symbols of the boards, if the lines hold nothing else."""
        if len(data) != lines * (width + 1):
            return None
        rows = data.reshape(lines, width + 1)
        return rows[:, :width] if (rows[:, width] == LINE_END).all() else None

    def _read_irregular(self, reader: LineReader, block: bytes, number: int) -> Numbered:
        """Read a block in which lines may have names, or be comments, titles or blank."""
        lines = [line.strip() for line in block.splitlines()]
        kept = [k for k, line in enumerate(lines) if line and not line.startswith(b"#")]
        batch = reader.read([lines[k] for k in kept])
        # A line that is refused for the same reason as an empty text is a title.
        nothing = read_text("", reader.layout)
        titles = {k for k, reason in batch.invalid.items() if reason == nothing}
        if titles:
            kept = [line for k, line in enumerate(kept) if k not in titles]
            batch = reader.read([lines[k] for k in kept])
        return batch, [number + k for k in kept]


class CsvLines(TextLines):
    """CSV, a board in the same column of each line."""

    _doubtful = (b'"',)
    _column = 0

    def batches(self) -> Iterator[Numbered]:
        """Find the column of the boards and return them in parts.

        Raises:
            InputError: there are no boards.
        """
        number = 1
        fields, _ = next(self._records(self._head, number), ([], number))
        named = [k for k, name in enumerate(fields) if name.strip().lower() in COLUMNS]
        self._column = named[0] if named else 0
        if named or self._layout([self._cell(fields)]) is None:
            self._head = self._head.partition(b"\n")[2] or self._read(BLOCK)
            number = 2
        layout = self._layout(self._cell(fields) for fields, _ in self._records(self._head, number))
        if layout is None:
            raise InputError(f"{self._name}: expected boards in column {self._column + 1}")
        return self._parts(LineReader(layout, self._source.symbols), number)

    def _cell(self, fields: list[str]) -> bytes:
        text = fields[self._column] if self._column < len(fields) else ""
        return text.strip().encode(errors="surrogateescape")

    def _records(self, block: bytes, number: int) -> Iterator[tuple[list[str], int]]:
        """Yield the fields of each line that is not blank, and its number."""
        reader = csv.reader(block.decode(errors="surrogateescape").splitlines())
        try:
            for fields in reader:
                if fields:
                    yield fields, number + reader.line_num - 1
        except csv.Error as error:
            line = number + reader.line_num - 1
            raise FormatError(str(error), line, source=self._name) from error

    def _rows(self, data: NDArray[np.uint8], lines: int, width: int) -> NDArray[np.uint8] | None:
        """Return the symbols of the boards, if they are at the same place in all lines."""
        if len(data) % lines:
            return None
        rows = data.reshape(lines, -1)
        commas = np.flatnonzero(rows[0] == COMMA)
        if self._column > len(commas):
            return None
        start = int(commas[self._column - 1]) + 1 if self._column else 0
        before, after = rows[:, :start] == COMMA, rows[:, start + width : start + width + 1]
        aligned = (
            (rows[:, -1] == LINE_END).all()
            and after.size
            and np.isin(after, (COMMA, LINE_END)).all()
            and (before.sum(axis=1) == self._column).all()
            and before[:, -1:].all()
        )
        return rows[:, start : start + width] if aligned else None

    def _read_irregular(self, reader: LineReader, block: bytes, number: int) -> Numbered:
        records = list(self._records(block, number))
        batch = reader.read([self._cell(fields) for fields, _ in records])
        return batch, [line for _, line in records]
