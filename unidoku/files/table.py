"""Reads boards in a column of a table: CSV with any of the usual delimiters.

`unidoku.files.columns` finds the column. The other columns are kept if the caller needs them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np

from unidoku.errors import FormatError
from unidoku.files.chunk import MOST_LINES, Around, BoardChunk, OpenSource
from unidoku.files.columns import NAMES, OPEN, Record, Schema, refused, rows_of
from unidoku.files.source import Source
from unidoku.formats.lines import LineReader
from unidoku.formats.stream import LONGEST, TextStream

QUOTE, LINE_END = b'"', b"\n"


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
            self._refuse(rest, number)

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

    def _refuse(self, rest: bytes, number: int) -> None:
        """Raise the error for a row that never ends."""
        raise self._error(rest, number, csv.Error(OPEN))

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
