"""Boards in a column of a table, CSV with any of the usual delimiters.

The column is found by what it holds, never by its place. The other columns are carried along
where they are asked for.
"""

from __future__ import annotations

import contextlib
import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from types import SimpleNamespace
from typing import Any

import numpy as np

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.errors import FormatError, InputError
from unidoku.files.part import MOST_LINES, Around, Columns, Part, Parts
from unidoku.files.source import Source
from unidoku.formats import read_puzzles
from unidoku.formats.lines import LineReader
from unidoku.formats.stream import LONGEST, TextStream
from unidoku.text import listed

__all__ = ["TRIES", "first_layout", "open_table"]

NAMES = ("quizzes", "quiz", "puzzles", "puzzle")
"""Names that decide which of several columns of boards is meant."""

SOLUTIONS, UNIQUE = ("solutions", "solution"), ("unique",)
"""Names of the columns that are written anew."""

DELIMITERS = ",\t;|"
"""What may separate columns, in the order in which they are tried."""

TRIES = 100
"""Lines that are searched for boards, which tell the layout."""

SMALLEST = 16
"""Cells of the smallest board that a column is known by: shorter texts may be numbers of rows."""

MOST_SHOWN = 20
"""Columns that a message lists."""

QUOTE, LINE_END = b'"', b"\n"


def first_layout(source: Source, texts: Iterable[bytes]) -> Layout | None:
    """Return the layout of a board among the first texts, preferably of the usual length."""
    tried = list(islice(texts, TRIES))
    lengths = Counter(map(len, tried))
    for text in sorted(tried, key=lambda text: -lengths[len(text)]):
        with contextlib.suppress(FormatError, UnicodeDecodeError):
            return Board.parse(
                text.decode(), source.variant, size=source.size, symbols=source.symbols
            ).layout
    return None


def open_table(source: Source, stream: TextStream, *, carry: bool) -> Parts:
    """Find the column of the boards, and return them.

    Raises:
        InputError: no column holds boards, or several may be meant; names the columns.
    """
    blocks = stream.blocks()
    head = next(blocks, b"")
    table = _Table.found(source, head)
    notes = []
    if table.delimiter != ",":
        shown = "tabs" if table.delimiter == "\t" else repr(table.delimiter)
        notes.append(f"{source.name}: columns are separated by {shown}")
    if source.column is None and table.names and table.names[table.column].lower() not in NAMES:
        notes.append(f"{source.name}: boards are in column {table.shown(table.column)}")
    reader = _Reader(source, table, carry=carry)
    expected = stream.size * head.count(LINE_END) // max(len(head), 1)
    batches = reader.parts(_from_line(head, table.first), blocks, table.first)
    columns = table.columns() if carry else None
    return Parts(source.name, "line", batches, stream.done, expected or None, columns, tuple(notes))


def _from_line(block: bytes, number: int) -> bytes:
    """Return the block from this line on, the first being 1."""
    return b"".join(block.splitlines(keepends=True)[number - 1 :]) if number > 1 else block


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
        kept = tuple(board for board in boards if board.layout == layout)
        return cls(kept, layout if number >= len([*filter(None, cells)]) / 2 else None)

    @property
    def is_solved(self) -> bool:
        """Whether no board has an empty cell."""
        return all(0 not in board.givens for board in self.boards)


def _board(source: Source, cell: str) -> Board | None:
    """Return the board that a cell is, and nothing beside it."""
    if len(cell) < SMALLEST and not source.size and not isinstance(source.variant, Layout):
        return None
    try:
        found = read_puzzles(cell, source.variant, size=source.size, symbols=source.symbols)
    except FormatError:
        return None
    return found[0].board if len(found) == 1 and not found[0].name else None


@dataclass(frozen=True, slots=True)
class _Table:
    """How a table is written.

    Args:
        delimiter: what separates its columns.
        column: index of the column that holds boards.
        layout: of the boards.
        names: of the columns; empty if the table has no header.
        width: number of columns.
        first: the line of the first board, from 1.
    """

    delimiter: str
    column: int
    layout: Layout
    names: tuple[str, ...]
    width: int
    first: int

    @classmethod
    def found(cls, source: Source, head: bytes) -> _Table:
        """Find out by the beginning of a file."""
        if not head.strip():
            raise InputError(f"{source.name}: expected a column of boards, got an empty file")
        refusal: InputError | None = None
        for delimiter in [*DELIMITERS, ""]:
            records = _sample(source, head, delimiter or ",")
            if delimiter and max(len(fields) for _, fields in records) < 2:
                continue
            try:
                return cls._of(source, records, delimiter or ",")
            except InputError as error:
                refusal = refusal or error
        raise refusal or AssertionError("one delimiter is always tried")

    @classmethod
    def _of(cls, source: Source, records: list[tuple[int, list[str]]], delimiter: str) -> _Table:
        rows = [fields for _, fields in records]
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
        """The columns that are written anew."""
        known = SOLUTIONS + UNIQUE
        return frozenset(k for k, name in enumerate(self.names) if name.lower() in known)

    @property
    def place(self) -> int:
        """Where the solutions go: into the column of their name, else behind the last."""
        named = (k for k in sorted(self.written) if self.names[k].lower() in SOLUTIONS)
        return next(named, self.width)

    def columns(self) -> Columns:
        """Return the names of the columns that are carried along."""
        named = {k: f"column {k + 1}" for k in range(self.width)} | {self.column: NAMES[0]}
        [around] = self.around([[*(self.names or named.values())]])
        return Columns(around, self.delimiter.encode())

    def around(self, rows: Sequence[Sequence[str]]) -> list[Around]:
        """Return what is before and after the solution in rows of these fields."""
        place, written = self.place, self.written
        if written:
            rows = [[text for k, text in enumerate(row) if k not in written] for row in rows]
            place -= len([k for k in written if k < place])
        # A shorter row is filled up, so that its solution stands in the column of solutions.
        before = [[*row[:place], *[""] * (place - len(row))] for row in rows]
        after = [row[place:] for row in rows]
        return [*map(Around, self._joined(before), self._joined(after))]

    def _joined(self, rows: Sequence[Sequence[str]]) -> Iterator[bytes | None]:
        """Yield each row as a text; None for one without fields."""
        texts: list[str] = []
        sink = SimpleNamespace(write=texts.append)
        csv.writer(sink, delimiter=self.delimiter, lineterminator="").writerows(rows)
        for row, text in zip(rows, texts, strict=True):
            yield text.encode(errors="surrogateescape") if row else None

    def shown(self, column: int) -> str:
        """Return what messages call a column."""
        return _shown(self.names, column)


def _sample(source: Source, head: bytes, delimiter: str) -> list[tuple[int, list[str]]]:
    """Return the first rows that are not blank, and the line where each begins."""
    end = head.find(LINE_END, LONGEST) + 1 or len(head)
    reader = _csv(head[:end], delimiter)
    records: list[tuple[int, list[str]]] = []
    number = 1
    try:
        for fields in reader:
            if any(fields):
                records.append((number, fields))
            number = reader.line_num + 1
            if len(records) > TRIES:
                break
    except csv.Error as error:
        raise _refused(source, head, number, error) from error
    return records


def _csv(block: bytes, delimiter: str) -> Any:
    text = io.StringIO(block.decode(errors="surrogateescape"), newline="")
    return csv.reader(text, delimiter=delimiter, strict=True)


def _refused(source: Source, block: bytes, number: int, error: csv.Error) -> FormatError:
    """Return the error for a row that begins on this line of a block, counted from 1."""
    if "unexpected end of data" not in str(error):
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
    """Return the index of the column that the caller names, by its name or its number."""
    asked = source.column or ""
    for names in (header, [name.lower() for name in header]):
        if asked in names:
            return names.index(asked)
    if asked.isdecimal() and 1 <= int(asked[:9]) <= len(header):
        return int(asked) - 1
    raise InputError(f"{source.name}: expected a column, got {asked!r}; columns: {_listed(header)}")


def _chosen(source: Source, header: Sequence[str], samples: Sequence[_Sample]) -> int:
    """Return the index of the one column that holds boards."""
    found = [k for k, sample in enumerate(samples) if sample.layout is not None]
    # Beside puzzles, full boards are solutions.
    found = [k for k in found if not samples[k].is_solved] or found
    if len(found) > 1:
        found = [k for k in found if header[k].lower() in NAMES] or found
    if len(found) == 1:
        return found[0]
    what = "several hold boards" if found else "got none that holds boards"
    raise InputError(
        f"{source.name}: expected one column of boards, {what}; name it by --column: "
        f"{_listed(header)}"
    )


def _shown(names: Sequence[str], column: int) -> str:
    name = names[column] if column < len(names) else ""
    return f"{column + 1} ({name[:40]!r})" if name else str(column + 1)


def _listed(header: Sequence[str]) -> str:
    shown = [_shown(header, k) for k in range(min(len(header), MOST_SHOWN))]
    return listed([*shown, *(["others"] if len(header) > MOST_SHOWN else [])], "or")


class _Reader:
    """Reads the rows of a table."""

    def __init__(self, source: Source, table: _Table, *, carry: bool) -> None:
        self._source = source
        self._table = table
        self._carry = carry
        self._lines = LineReader(table.layout, source.symbols)

    def parts(self, head: bytes, blocks: Iterable[bytes], number: int) -> Iterator[Part]:
        """Yield the boards of blocks of lines; the first line of the head has this number."""
        rest = b""
        for block in chain([head], blocks):
            block = rest + block
            rest = b""
            if QUOTE not in block and (part := self._aligned(block, number)) is not None:
                yield part
            else:
                records, rest = self._records(block, number)
                for start in range(0, len(records), MOST_LINES):
                    yield self._part(records[start : start + MOST_LINES])
            number += block.count(LINE_END) - rest.count(LINE_END)
        if rest:
            self._refuse(rest, number)

    def _records(self, block: bytes, number: int) -> tuple[list[tuple[int, list[str]]], bytes]:
        """Return the rows that are not blank, each with its line, and a last one that goes on."""
        records = []
        reader = _csv(block, self._table.delimiter)
        line = 0
        try:
            for fields in reader:
                if fields:
                    records.append((number + line, fields))
                line = reader.line_num
        except csv.Error as error:
            rest = b"".join(block.splitlines(keepends=True)[line:])
            if "unexpected end of data" not in str(error) or len(rest) > LONGEST:
                raise self._error(rest, number + line, error) from error
            return records, rest
        return records, b""

    def _refuse(self, rest: bytes, number: int) -> None:
        """Refuse a row that never ends."""
        raise self._error(rest, number, csv.Error("unexpected end of data"))

    def _error(self, rest: bytes, number: int, error: csv.Error) -> FormatError:
        refused = _refused(self._source, rest, 1, error)
        return FormatError(refused.message, refused.line + number - 1, source=refused.source)

    def _part(self, records: Sequence[tuple[int, list[str]]]) -> Part:
        column = self._table.column
        cells = [fields[column] if column < len(fields) else "" for _, fields in records]
        batch = self._lines.read([cell.strip().encode(errors="surrogateescape") for cell in cells])
        around = self._table.around([fields for _, fields in records]) if self._carry else None
        return Part(batch, [number for number, _ in records], around)

    def _aligned(self, block: bytes, number: int) -> Part | None:
        """Read rows whose columns are at the same places in all lines; None if they are not."""
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
        return Part(batch, range(number, number + count), around)

    def _cut(self, block: bytes, width: int, spans: Sequence[tuple[int, int]]) -> list[Around]:
        """Cut what is carried along out of rows of one width, by the places of its columns."""
        table = self._table
        kept = [k for k in range(len(spans)) if k not in table.written]
        before = [spans[k] for k in kept if k < table.place]
        after = [spans[k] for k in kept if k >= table.place]
        return [
            Around(self._joined(block, row, before), self._joined(block, row, after))
            for row in range(0, len(block), width)
        ]

    def _joined(self, block: bytes, row: int, spans: Sequence[tuple[int, int]]) -> bytes | None:
        """Join fields of the row that begins there, as they stand."""
        if not spans:
            return None
        fields = [block[row + start : row + end] for start, end in spans]
        return self._table.delimiter.encode().join(fields)
