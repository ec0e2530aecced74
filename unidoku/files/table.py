"""Tables: how one is written, and the boards in a column of it.

A table is CSV with any of the usual delimiters. The column of boards is recognised by its content,
never by its position; the other columns are kept if the caller needs them.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.errors import FormatError, InputError
from unidoku.files.chunk import MOST_LINES, Around, BoardChunk, Columns, OpenSource
from unidoku.files.source import Source
from unidoku.formats import read_puzzles
from unidoku.formats.lines import LineReader
from unidoku.formats.stream import LONGEST, TextStream
from unidoku.support.text import listed

NAMES = ("quizzes", "quiz", "puzzles", "puzzle")
"""Column names that decide which column is meant if several hold boards."""

SOLUTIONS, UNIQUE = ("solutions", "solution"), ("unique",)
"""Names of the columns that are rewritten."""

DELIMITERS = ",\t;|"
"""Possible delimiters of columns, in the order in which they are tried."""

TRIES = 100
"""Number of rows that are searched for boards."""

SMALLEST = 16
"""Cells of the smallest board that identifies a column: shorter texts may be row numbers."""

MOST_SHOWN = 20
"""The most columns that a message lists."""

OPEN = "unexpected end of data"
"""The standard library's message for a quote that is not closed."""

Record: TypeAlias = tuple[int, list[str]]
"""The fields of a row, and the number of the line where it begins, from 1."""


QUOTE, LINE_END = b'"', b"\n"


@dataclass(frozen=True, slots=True)
class _Sample:
    """The boards among the first cells of a column."""

    boards: tuple[Board, ...]
    layout: Layout | None

    @classmethod
    def of(cls, source: Source, cells: Sequence[str]) -> _Sample:
        boards = [board for cell in cells if (board := _board(source, cell)) is not None]
        layouts = Counter(board.layout for board in boards)
        layout, number = layouts.most_common(1)[0] if layouts else (None, 0)
        of_layout = tuple(board for board in boards if board.layout == layout)
        return cls(of_layout, layout if number >= len([*filter(None, cells)]) / 2 else None)

    @property
    def is_solved(self) -> bool:
        """Whether no board has an empty cell."""
        return all(0 not in board.givens for board in self.boards)


def _board(source: Source, cell: str) -> Board | None:
    """Return the board in a cell of the table; None if the cell holds anything else."""
    if len(cell) < SMALLEST and not source.size and not isinstance(source.variant, Layout):
        return None
    try:
        puzzles = read_puzzles(cell, source.variant, size=source.size, symbols=source.symbols)
    except FormatError:
        return None
    return puzzles[0].board if len(puzzles) == 1 and not puzzles[0].name else None


@dataclass(frozen=True, slots=True)
class Schema:
    """How a table is written.

    Args:
        delimiter: the character between columns.
        column: index of the column of boards.
        layout: layout of the boards.
        names: names of the columns; empty if the table has no header.
        width: number of columns.
        first: number of the line with the first board, from 1.
    """

    delimiter: str
    column: int
    layout: Layout
    names: tuple[str, ...]
    width: int
    first: int

    @classmethod
    def of(cls, source: Source, head: bytes) -> Schema:
        """Return the schema of a table, found from the beginning of its file."""
        refusal: InputError | None = None
        for delimiter in [*DELIMITERS, ""]:
            records, unclosed = _sample(source, head, delimiter or ",")
            if delimiter and max((len(fields) for _, fields in records), default=0) < 2:
                continue
            try:
                return cls._of_records(source, records, delimiter or ",")
            except InputError as error:
                refusal = refusal or unclosed or error
        raise refusal or AssertionError("expected a delimiter to try")

    @classmethod
    def _of_records(cls, source: Source, records: list[Record], delimiter: str) -> Schema:
        rows = [fields for _, fields in records]
        if not rows:
            raise InputError(f"{source.name}: expected a column of boards, got an empty file")
        width = max(map(len, rows))
        cells = [[row[k].strip() if k < len(row) else "" for row in rows] for k in range(width)]
        header = [column[0] for column in cells]
        if source.column is not None:
            column = _named(source, header)
            sample = _Sample.of(source, cells[column][1:] or cells[column])
        else:
            samples = [_Sample.of(source, cells[k][1:] or cells[k]) for k in range(width)]
            column = _chosen(source, header, samples)
            sample = samples[column]
        if sample.layout is None:
            got = next(filter(None, cells[column][1:]), "")
            raise InputError(
                f"{source.name}: expected boards in column {_shown(header, column)}, "
                f"got {got[:40]!r}"
            )
        has_header = _board(source, cells[column][0]) is None
        if has_header:
            width = max(len(rows[0]), column + 1)
        names = header[:width] if has_header else []
        first = records[has_header][0]
        return cls(delimiter, column, sample.layout, tuple(names), width, first)

    @property
    def written(self) -> frozenset[int]:
        """The columns that are rewritten."""
        names = SOLUTIONS + UNIQUE
        return frozenset(k for k, name in enumerate(self.names) if name.lower() in names)

    @property
    def solution_column(self) -> int:
        """The index of the column of solutions: the one with that name, else a new last one."""
        named = (k for k in sorted(self.written) if self.names[k].lower() in SOLUTIONS)
        return next(named, self.width)

    def columns(self) -> Columns:
        """Return the names of the columns that are copied to the output."""
        named = {k: f"column {k + 1}" for k in range(self.width)} | {self.column: NAMES[0]}
        [around] = self.around([[*(self.names or named.values())]])
        return Columns(around, self.delimiter.encode())

    def around(self, rows: Sequence[Sequence[str]]) -> list[Around]:
        """Return for each row of fields the text that is written before and after its solution."""
        column, written = self.solution_column, self.written
        if written:
            rows = [[text for k, text in enumerate(row) if k not in written] for row in rows]
            column -= len([k for k in written if k < column])
        # A shorter row is filled up, so that its solution is in the column of solutions.
        before = [[*row[:column], *[""] * (column - len(row))] for row in rows]
        after = [row[column:] for row in rows]
        return [*map(Around, self._joined(before), self._joined(after))]

    def _joined(self, rows: Sequence[Sequence[str]]) -> Iterator[bytes | None]:
        """Yield the text of each row; None for a row without fields."""
        texts: list[str] = []
        sink = SimpleNamespace(write=texts.append)
        csv.writer(sink, delimiter=self.delimiter, lineterminator="\n").writerows(rows)
        for row, text in zip(rows, texts, strict=True):
            yield text[:-1].encode(errors="surrogateescape") if row else None

    def shown(self, column: int) -> str:
        """Return the name of a column in messages."""
        return _shown(self.names, column)


def _sample(source: Source, head: bytes, delimiter: str) -> tuple[list[Record], FormatError | None]:
    """Return the first rows that are not blank, and the error of a last row that does not end."""
    end = head.find(LINE_END, LONGEST) + 1 or len(head)
    reader = rows_of(head[:end], delimiter)
    records: list[Record] = []
    number = 1
    try:
        for fields in reader:
            if any(fields):
                records.append((number, fields))
            number = reader.line_num + 1
            if len(records) > TRIES:
                break
    except csv.Error as error:
        unclosed = refused(source, head, number, error)
        if OPEN not in str(error):
            raise unclosed from error
        # The row may end in the next block, where all rows are read.
        return records, unclosed
    return records, None


def rows_of(block: bytes, delimiter: str) -> Any:
    """Return the standard library's reader for the rows of a block."""
    text = io.StringIO(block.decode(errors="surrogateescape"), newline="")
    return csv.reader(text, delimiter=delimiter, strict=True)


_NUMBER = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*", re.ASCII)


def numbers_beside(rows: Sequence[bytes], delimiter: str, cells: int) -> list[dict[str, float]]:
    """Return the numbers in the rows of a table, by the names of their columns.

    >>> numbers_beside([b"puzzle,holes,by", b"1...............,15,Ada"], ",", 16)
    [{'holes': 15}]

    Args:
        rows: the names of the columns, then the rows, each without its end of line.
        delimiter: the character between columns.
        cells: number of cells of a board; a text of as many digits is a board, not a number.
    """
    names, *rest = ([*rows_of(row, delimiter)] for row in rows)
    titles = [name if name.isprintable() else "" for name in chain.from_iterable(names)]
    return [
        {
            name: number
            for name, text in zip(titles, chain.from_iterable(fields), strict=False)
            if name and len(text) != cells and (number := _number(text)) is not None
        }
        for fields in rest
    ]


def _number(text: str) -> float | None:
    """Return the number that a text is, as an int if it is whole; None if it is no number."""
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    if not math.isfinite(number):
        return None
    return int(text) if text.strip().lstrip("+-").isdigit() else number


def refused(source: Source, block: bytes, number: int, error: csv.Error) -> FormatError:
    """Return the error for the row that begins on a line of a block, counted from 1."""
    if OPEN not in str(error):
        return FormatError(f"expected a row of a table: {error}", number, source=source.name)
    line, is_open = number, False
    for k, text in enumerate(block.split(LINE_END)[number - 1 :]):
        if text.count(QUOTE) % 2:
            is_open = not is_open
            line = number + k if is_open else line
    return FormatError(
        "a quote is opened here and never closed; close it, or write it twice",
        line,
        source=source.name,
    )


def _named(source: Source, header: Sequence[str]) -> int:
    """Return the index of the column that the caller names or numbers."""
    title = source.column or ""
    for names in (header, [name.lower() for name in header]):
        if title in names:
            return names.index(title)
    if title.isdecimal() and 1 <= int(title[:9]) <= len(header):
        return int(title) - 1
    raise InputError(f"{source.name}: expected a column, got {title!r}; columns: {_listed(header)}")


def _chosen(source: Source, header: Sequence[str], samples: Sequence[_Sample]) -> int:
    """Return the index of the one column that holds boards."""
    columns = [k for k, sample in enumerate(samples) if sample.layout is not None]
    # Full boards in a table with puzzles are solutions.
    columns = [k for k in columns if not samples[k].is_solved] or columns
    if len(columns) > 1:
        columns = [k for k in columns if header[k].lower() in NAMES] or columns
    if len(columns) == 1:
        return columns[0]
    problem = "several hold boards" if columns else "got none that holds boards"
    raise InputError(
        f"{source.name}: expected one column of boards, {problem}; name it with --column: "
        f"{_listed(header)}"
    )


def _shown(names: Sequence[str], column: int) -> str:
    name = names[column] if column < len(names) else ""
    return f"{column + 1} ({name[:40]!r})" if name else str(column + 1)


def _listed(header: Sequence[str]) -> str:
    names = [_shown(header, k) for k in range(min(len(header), MOST_SHOWN))]
    return listed([*names, *(["others"] if len(header) > MOST_SHOWN else [])], "or")


def open_table(source: Source, stream: TextStream, *, carry: bool) -> OpenSource:
    """Find the column of the boards, and return the boards.

    Raises:
        InputError: no column holds boards, or several do; the message names the columns.
    """
    blocks = stream.blocks()
    head = next(blocks, b"")
    table = Schema.of(source, head)
    notes = []
    if table.delimiter != ",":
        between = "tabs" if table.delimiter == "\t" else repr(table.delimiter)
        notes.append(f"{source.name}: columns are separated by {between}")
    if source.column is None and table.names and table.names[table.column].lower() not in NAMES:
        notes.append(f"{source.name}: boards are in column {table.shown(table.column)}")
    reader = _Reader(source, table, carry=carry)
    expected = stream.size * head.count(LINE_END) // max(len(head), 1)
    chunks = reader.chunks(_from_line(head, table.first), blocks, table.first)
    columns = table.columns() if carry else None
    return OpenSource(
        source.name, "line", chunks, stream.done, expected or None, columns, tuple(notes)
    )


def _from_line(block: bytes, number: int) -> bytes:
    """Return the part of the block that begins at a line, counted from 1."""
    return b"".join(block.splitlines(keepends=True)[number - 1 :]) if number > 1 else block


class _Reader:
    """Reads the rows of a table."""

    def __init__(self, source: Source, table: Schema, *, carry: bool) -> None:
        self._source = source
        self._table = table
        self._carry = carry
        self._lines = LineReader(table.layout, source.symbols)

    def chunks(self, head: bytes, blocks: Iterable[bytes], number: int) -> Iterator[BoardChunk]:
        """Yield the boards of blocks of lines; the first line of the head has this number."""
        rest = b""
        for block in chain([head], blocks):
            block = rest + block
            rest = b""
            if QUOTE not in block and (chunk := self._aligned(block, number)) is not None:
                yield chunk
            else:
                records, rest = self._records(block, number)
                for start in range(0, len(records), MOST_LINES):
                    yield self._chunk(records[start : start + MOST_LINES])
            number += block.count(LINE_END) - rest.count(LINE_END)
        if rest:
            raise self._error(rest, number, csv.Error(OPEN))  # a row that never ends

    def _records(self, block: bytes, number: int) -> tuple[list[Record], bytes]:
        """Return the rows that are not blank, with their lines, and an unfinished last row."""
        records = []
        reader = rows_of(block, self._table.delimiter)
        line = 0
        try:
            for fields in reader:
                if fields:
                    records.append((number + line, fields))
                line = reader.line_num
        except csv.Error as error:
            rest = b"".join(block.splitlines(keepends=True)[line:])
            if OPEN not in str(error) or len(rest) > LONGEST:
                raise self._error(rest, number + line, error) from error
            return records, rest
        return records, b""

    def _error(self, rest: bytes, number: int, error: csv.Error) -> FormatError:
        refusal = refused(self._source, rest, 1, error)
        return FormatError(refusal.message, refusal.line + number - 1, source=refusal.source)

    def _chunk(self, records: Sequence[Record]) -> BoardChunk:
        column = self._table.column
        cells = [fields[column] if column < len(fields) else "" for _, fields in records]
        batch = self._lines.read([cell.strip().encode(errors="surrogateescape") for cell in cells])
        around = self._table.around([fields for _, fields in records]) if self._carry else None
        return BoardChunk(batch, [number for number, _ in records], around)

    def _aligned(self, block: bytes, number: int) -> BoardChunk | None:
        """Read rows whose columns have the same positions in all lines; None if they do not."""
        count = block.count(LINE_END)
        if not count or len(block) % count:
            return None
        rows = np.frombuffer(block, np.uint8).reshape(count, -1)
        ends = np.flatnonzero((rows[0] == ord(self._table.delimiter)) | (rows[0] == ord("\n")))
        marks = (rows == ord(self._table.delimiter)) | (rows == ord("\n"))
        if len(ends) != self._table.width or not (marks == marks[0]).all():
            return None
        starts = [0, *(ends[:-1] + 1).tolist()]
        column = self._table.column
        if ends[column] - starts[column] != len(self._table.layout):
            return None
        batch = self._lines.read_rows(rows[:, starts[column] : ends[column]])
        spans = list(zip(starts, ends.tolist(), strict=True))
        around = self._cut(block, rows.shape[1], spans) if self._carry else None
        return BoardChunk(batch, range(number, number + count), around)

    def _cut(self, block: bytes, width: int, spans: Sequence[tuple[int, int]]) -> list[Around]:
        """Cut the other columns out of rows of one width, by their positions."""
        table = self._table
        copied = [k for k in range(len(spans)) if k not in table.written]
        before = [spans[k] for k in copied if k < table.solution_column]
        after = [spans[k] for k in copied if k >= table.solution_column]
        return [
            Around(self._joined(block, row, before), self._joined(block, row, after))
            for row in range(0, len(block), width)
        ]

    def _joined(self, block: bytes, row: int, spans: Sequence[tuple[int, int]]) -> bytes | None:
        """Join fields of the row that begins there, without changing them."""
        if not spans:
            return None
        fields = [block[row + start : row + end] for start, end in spans]
        return self._table.delimiter.encode().join(fields)
