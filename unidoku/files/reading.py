"""The boards of a file in chunks, so that memory does not grow with its length.

It reads text, tables (`unidoku.files.table`), both of them compressed or not, and numpy arrays;
`unidoku.files.detect` says which of these a file is. Text with one board on each line is read in
large blocks; text whose boards span several lines is read as small files are.
"""

from __future__ import annotations

import contextlib
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.solving.streams import batch_layout
from unidoku.core.batch import Batch
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.variants import Variant
from unidoku.core.variants import layout as named_layout
from unidoku.errors import FormatError, InputError
from unidoku.files.chunk import (
    MOST_LINES,
    BoardChunk,
    Chunk,
    Columns,
    FileRange,
    LineChunk,
    OpenSource,
    read_irregular,
)
from unidoku.files.detect import Kind, OpenInput, opened
from unidoku.files.ruled import Lost, read_form
from unidoku.files.source import LARGE, Source
from unidoku.files.table import numbers_beside, open_table
from unidoku.formats import Puzzle
from unidoku.formats.lines import LineReader
from unidoku.formats.stream import BLOCK, TextStream, line_ends

if TYPE_CHECKING:
    from unidoku.formats.neutral import Unread

LARGEST_ROW = 35
"""The longest row of a board: a line of as many symbols or fewer may be a board or one row."""

TRIES = 100
"""Lines that are searched for a first board, which determines the layout."""


@contextlib.contextmanager
def open_source(source: Source, *, carry: bool = False) -> Iterator[OpenSource]:
    """Open a source, and detect from its beginning how the boards are written.

    Args:
        source: file, standard input or the text of a board.
        carry: whether the other columns of a table are needed.

    Raises:
        InputError: it cannot be read, or holds no board.
    """
    with opened(source) as data:
        yield _open(source, data, carry=carry)


def _open(source: Source, data: OpenInput, *, carry: bool) -> OpenSource:
    """Return the boards of a source that is open."""
    match data.kind:
        case Kind.BOARDS:
            puzzles = source.boards()  # raises if the text is not a board
            return OpenSource(source.name, "line", _board_chunks(puzzles), data.done, len(puzzles))
        case Kind.ARRAY:
            return _array(source)
        case Kind.PUZZLES:
            return _puzzles(source, data)
    assert data.stream is not None, "the others are files"
    if data.kind is Kind.TABLE:
        return open_table(source, data.stream, carry=carry)
    return _text(source, data.stream, data.blocks)


def puzzles(source: Source, data: OpenInput) -> Iterator[Puzzle]:
    """Yield the boards of a source that is open, one by one.

    Raises:
        FormatError: a board cannot be read; the message states the place.
        InputError: the source cannot be read, or holds no board.
    """
    whole = _open(source, data, carry=True)
    for chunk in whole.chunks:
        boards = chunk.read()
        batch = boards.batch
        numbers = _numbers(boards, whole.columns)
        rows = batch.cells.tolist()
        for index, number in enumerate(boards.numbers):
            if index in batch.invalid:
                name = f"{source.name}, {whole.item} {number}"
                raise FormatError(f"{name}: {batch.invalid[index]}")
            board = batch.boards.get(index) or Board.from_values(batch.layout, rows[index])
            yield Puzzle(board, "", number, numbers=numbers[index] if numbers else {})


def _numbers(boards: BoardChunk, columns: Columns | None) -> list[dict[str, float]]:
    """Return the numbers beside each board of a table; an empty list if it is no table."""
    if columns is None or boards.around is None:
        return []
    rows = [columns.around, *boards.around]
    texts = [row.others(columns.delimiter) for row in rows]
    return numbers_beside(texts, columns.delimiter.decode(), len(boards.batch.layout))


def _array(source: Source) -> OpenSource:
    """Open a file of numpy, mapped into memory."""
    try:
        with warnings.catch_warnings(action="ignore"):
            array = np.atleast_1d(np.load(source.puzzle, mmap_mode="r", allow_pickle=False))
    except Exception as error:
        raise InputError(f"{source.puzzle} cannot be read: {error}") from error
    try:
        if source.size and isinstance(source.variant, str):
            layout = Variant.parse(source.variant).layout(source.size)
        else:
            layout = batch_layout(array, source.variant)
        _refuse_shape(layout, array)
    except InputError as error:
        raise InputError(f"{source.puzzle}: {error}") from error
    rows = max(BLOCK // len(layout), 1)
    done = 0

    def chunks() -> Iterator[BoardChunk]:
        nonlocal done
        for start in range(0, len(array), rows):
            batch = Batch.from_array(layout, array[start : start + rows])
            done = start + len(batch)
            yield BoardChunk(batch, range(start + 1, done + 1))

    def share() -> float:
        return done / max(len(array), 1)

    return OpenSource(source.name, "row", chunks(), share, len(array))


def _refuse_shape(layout: Layout, array: NDArray[np.generic]) -> None:
    """Raise if an array holds no boards; the message states its shape."""
    cells = int(np.prod(array.shape[1:], dtype=object))
    if array.dtype.kind not in "iu" or array.ndim < 2 or cells != len(layout):
        raise InputError(
            f"expected an array of ints, {len(layout)} cells in each row, got {array.dtype} "
            f"of shape {array.shape}"
        )


def _text(source: Source, stream: TextStream, blocks: Iterable[bytes]) -> OpenSource:
    """Open text: one board on each line, or any form that small files may have."""
    is_large = stream.size > BLOCK
    head = next(iter(blocks), b"")
    of_lines = partial(OpenSource, source.name, "line")
    refusal = None
    if len(head) <= LARGE and not is_large and not source.has_maps:
        blocks = [*blocks]  # the last line, if there is one
        try:
            boards = [*source.read([head, *blocks])]
            return of_lines(_board_chunks(boards), stream.done, len(boards))
        except FormatError as error:
            refusal = error
    text = chain([head], blocks)
    lines = head[:LARGE].splitlines()
    layout = None if source.has_maps else _first_layout(source, lines)
    if layout is not None and (source.size or len(layout) > LARGEST_ROW):
        reader = LineReader(layout, source.symbols)
        first = read_irregular(reader, lines[:TRIES], 1).batch
        if len(first.invalid) <= len(first) / 2:
            sample = head[:LARGE]
            expected = stream.size * line_ends(sample) // max(len(sample), 1)
            chunks = _line_chunks(source, stream, reader, text)
            return of_lines(chunks, stream.done, expected or None)
    if refusal is not None:
        raise refusal
    if layout is not None and len(layout) <= LARGEST_ROW:
        raise InputError(
            f"{source.name}: lines of {len(layout)} cells may be boards or rows of larger "
            "boards; give the size with --size"
        )
    return of_lines(_board_chunks(source.read(text)), stream.done)


def _puzzles(source: Source, data: OpenInput) -> OpenSource:
    """Read puzzles of a format: in blocks if there is one on each line, else the whole file."""
    assert data.format is not None, "it was recognised or named"
    if source.is_stream and not source.is_plain_file and not source.form:
        raise InputError(
            f"{source.name}: a puzzle file on standard input cannot be solved in parts; give its "
            "name"
        )
    notes = Lost(source.name)
    puzzles = notes.noting(read_form(source, data.format, data.blocks))
    of_lines = partial(OpenSource, source.name, "line", notes=notes.lines)
    if data.format.by_line:
        return of_lines(_board_chunks(chain([next(puzzles)], puzzles)), data.done)
    several = [*puzzles]
    return of_lines(_board_chunks(several), lambda: 1.0, len(several))


def _board_chunks(puzzles: Iterable[Puzzle | Unread]) -> Iterator[BoardChunk]:
    """Yield boards in chunks that have one layout each; an unreadable board keeps its place."""
    nowhere = named_layout("classic", 1)
    for layout, group in groupby(
        puzzles, lambda puzzle: puzzle.board.layout if isinstance(puzzle, Puzzle) else nowhere
    ):
        while same := [*islice(group, MOST_LINES)]:
            boards = [
                puzzle.board if isinstance(puzzle, Puzzle) else puzzle.message for puzzle in same
            ]
            yield BoardChunk(Batch.from_boards(layout, boards), [puzzle.line for puzzle in same])


def _line_chunks(
    source: Source, stream: TextStream, reader: LineReader, blocks: Iterable[bytes]
) -> Iterator[Chunk]:
    """Yield the lines of a text with one board on each, and where they are in its file."""
    file = FileRange.of(source.puzzle) if source.is_plain_file else None
    number = 1
    for block in blocks:
        file_range = None
        if file is not None and stream.start is not None:
            file_range = replace(file, start=stream.start, length=len(block))
        chunk, count = LineChunk(reader, number, block, file_range), line_ends(block)
        yield from [chunk] if count <= MOST_LINES else chunk.of_few_lines()
        number += count


def _first_layout(source: Source, texts: Iterable[bytes]) -> Layout | None:
    """Return the layout of the first board found, preferably one of the usual length."""
    tried = list(islice(texts, TRIES))
    lengths = Counter(map(len, tried))
    for text in sorted(tried, key=lambda text: -lengths[len(text)]):
        with contextlib.suppress(FormatError, UnicodeDecodeError):
            return Board.parse(
                text.decode(), source.variant, size=source.size, symbols=source.symbols
            ).layout
    return None
