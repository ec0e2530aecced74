"""The boards of a file in parts, so that memory does not grow with its length.

It reads text, tables (`unidoku.files.table`), both of them compressed or not, and numpy arrays. The
first bytes show which of these a file is; tables are recognised by their names. Text with one board
on each line is read in large blocks; text whose boards span several lines is read as small files
are.
"""

from __future__ import annotations

import contextlib
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
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
from unidoku.files.columns import numbers_beside
from unidoku.files.part import MOST_LINES, Columns, FileSpan, Part, Parts, UnreadLines, even_rows
from unidoku.files.ruled import Lost, read_form
from unidoku.files.source import LARGE, Source
from unidoku.files.table import open_table
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import Format, recognised
from unidoku.formats.lines import LineReader, read_text
from unidoku.formats.stream import BLOCK, FIRST, TextStream, line_ends, open_stream

if TYPE_CHECKING:
    from unidoku.formats.neutral.format import Unread

LARGEST_ROW = 35
"""The longest row of a board: a line of as many symbols or fewer may be a board or one row."""

TRIES = 100
"""Lines that are searched for a first board, which determines the layout."""


@contextlib.contextmanager
def open_parts(source: Source, *, carry: bool = False, ahead: int | None = None) -> Iterator[Parts]:
    """Open a source, and detect from its beginning how the boards are written.

    Args:
        source: file, standard input or the text of a board.
        carry: whether the other columns of a table are needed.
        ahead: number of boards after which lines may be left unread, on the assumption that they
            look like those before; None for never. Reading them raises `UnevenLinesError` if
            they do not; then use `Parts.again`.

    Raises:
        InputError: it cannot be read, or holds no board.
    """
    with contextlib.ExitStack() as stack:
        form = source.format
        if form and source.is_stream:
            yield _ruled_parts(source, form, stack.enter_context(open_stream(source.path)))
            return
        if form:
            yield _parts_of_form(source, form, [source.puzzle.encode()], lambda: 1.0)
            return
        if source.is_stream:
            stream = stack.enter_context(open_stream(source.path))
        else:
            found = source.boards()  # raises if the text is not a board
            yield Parts(source.name, "line", _batches(found), lambda: 1.0, len(found))
            return
        if stream.is_array and source.path is not None:
            yield _array_parts(source)
        elif source.is_table:
            yield open_table(source, stream, carry=carry)
        else:
            yield _text_parts(source, stream, ahead)


def puzzles(source: Source) -> Iterator[Puzzle]:
    """Yield the boards of a source one by one.

    Raises:
        FormatError: a board cannot be read; the message states the place.
        InputError: the source cannot be read, or holds no board.
    """
    with open_parts(source, carry=True) as parts:
        for unread in parts.batches:
            part = unread.read()
            batch = part.batch
            numbers = _numbers(part, parts.columns)
            rows = batch.cells.tolist()
            for index, number in enumerate(part.numbers):
                if index in batch.invalid:
                    place = f"{source.name}, {parts.place} {number}"
                    raise FormatError(f"{place}: {batch.invalid[index]}")
                board = batch.boards.get(index) or Board.from_values(batch.layout, rows[index])
                yield Puzzle(board, "", number, numbers=numbers[index] if numbers else {})


def _numbers(part: Part, columns: Columns | None) -> list[dict[str, float]]:
    """Return the numbers beside each board of a table; an empty list if it is no table."""
    if columns is None or part.around is None:
        return []
    rows = [columns.around, *part.around]
    texts = [row.others(columns.delimiter) for row in rows]
    return numbers_beside(texts, columns.delimiter.decode(), len(part.batch.layout))


def _array_parts(source: Source) -> Parts:
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

    def batches() -> Iterator[Part]:
        nonlocal done
        for start in range(0, len(array), rows):
            batch = Batch.from_array(layout, array[start : start + rows])
            done = start + len(batch)
            yield Part(batch, range(start + 1, done + 1))

    share = lambda: done / max(len(array), 1)  # noqa: E731
    return Parts(source.name, "row", batches(), share, len(array))


def _refuse_shape(layout: Layout, array: NDArray[np.generic]) -> None:
    """Raise if an array holds no boards; the message states its shape."""
    cells = int(np.prod(array.shape[1:], dtype=object))
    if array.dtype.kind not in "iu" or array.ndim < 2 or cells != len(layout):
        raise InputError(
            f"expected an array of ints, {len(layout)} cells in each row, got {array.dtype} "
            f"of shape {array.shape}"
        )


def _text_parts(source: Source, stream: TextStream, ahead: int | None) -> Parts:
    """Open text: one board on each line, or any form that small files may have."""
    is_large = stream.size > BLOCK
    blocks: Iterable[bytes] = stream.blocks(FIRST if is_large and ahead is not None else None)
    head = next(iter(blocks), b"")
    if not source.is_plain_file and not source.form and recognised(head):
        raise InputError(
            f"{source.name}: a puzzle file on standard input cannot be solved in parts; give its "
            "name"
        )
    parts = partial(Parts, source.name, "line")
    refusal = None
    if len(head) <= LARGE and not is_large and not source.has_maps:
        blocks = [*blocks]  # the last line, if there is one
        try:
            found = [*source.read([head, *blocks])]
            return parts(_batches(found), stream.done, len(found))
        except FormatError as error:
            refusal = error
    text = chain([head], blocks)
    lines = head[:LARGE].splitlines()
    layout = None if source.has_maps else _first_layout(source, lines)
    if layout is not None and (source.size or len(layout) > LARGEST_ROW):
        reader = LineReader(layout, source.symbols)
        first = _read_irregular(reader, lines[:TRIES], 1).batch
        if len(first.invalid) <= len(first) / 2:
            some = head[:LARGE]
            expected = stream.size * line_ends(some) // max(len(some), 1)
            text_lines = _Lines(reader, source, stream)
            batches = text_lines.parts(text, 1, ahead)
            return parts(batches, stream.done, expected or None, again=text_lines.again)
    if refusal is not None:
        raise refusal
    if layout is not None and len(layout) <= LARGEST_ROW:
        raise InputError(
            f"{source.name}: lines of {len(layout)} cells may be boards or rows of larger "
            "boards; give the size with --size"
        )
    return parts(_batches(source.read(text)), stream.done)


def _ruled_parts(source: Source, form: Format, stream: TextStream) -> Parts:
    """Open a file of puzzles in a format."""
    return _parts_of_form(source, form, stream.blocks(), stream.done)


def _parts_of_form(
    source: Source, form: Format, blocks: Iterable[bytes], done: Callable[[], float]
) -> Parts:
    """Read puzzles of a format: in blocks if there is one on each line, else the whole file."""
    notes = Lost(source.name)
    found = notes.noting(read_form(source, form, blocks))
    if form.by_line:
        several = _batches(chain([next(found)], found))
        return Parts(source.name, "line", several, done, notes=notes.told)
    puzzles = [*found]
    several = _batches(puzzles)
    return Parts(source.name, "line", several, lambda: 1.0, len(puzzles), notes=notes.told)


def _batches(puzzles: Iterable[Puzzle | Unread]) -> Iterator[Part]:
    """Yield boards in parts that have one layout each; an unreadable board keeps its place."""
    nowhere = named_layout("classic", 1)
    for layout, group in groupby(
        puzzles, lambda one: one.board.layout if isinstance(one, Puzzle) else nowhere
    ):
        while same := [*islice(group, MOST_LINES)]:
            boards = [one.board if isinstance(one, Puzzle) else one.told for one in same]
            yield Part(Batch.from_boards(layout, boards), [one.line for one in same])


@dataclass(frozen=True, slots=True)
class _Lines:
    """Text with one board on each line."""

    reader: LineReader
    source: Source
    stream: TextStream

    def parts(
        self, blocks: Iterable[bytes], number: int, ahead: int | None
    ) -> Iterator[Part | UnreadLines]:
        """Yield the boards of blocks, the first of which begins with the line of this number.

        Args:
            blocks: the text from there on.
            number: the number of its first line.
            ahead: as in `open_parts`.
        """
        for block in blocks:
            start = self.stream.start
            span = None if start is None else FileSpan.of(self.source.puzzle, start)
            rows = even_rows(block, self.reader)
            if rows is None:
                for part in self._uneven(block, number):
                    yield part
                    ahead = None if ahead is None else ahead - len(part)
                number += line_ends(block)
                continue
            lines = UnreadLines(self.reader, len(rows), number, rows, span)
            yield lines
            number += len(lines)
            ahead = None if ahead is None else ahead - len(lines)
            if ahead is not None and ahead <= 0 and (rest := lines.rest()) is not None:
                assert rest.end is not None
                self.stream.go(rest.end)
                yield rest
                number += len(rest)
                yield from self.parts(self.stream.blocks_from(rest.end, number), number, None)
                return

    def _uneven(self, block: bytes, number: int) -> Iterator[Part]:
        """Yield the boards of a block of which some lines may hold something else."""
        lines = block.splitlines() if block.strip() else []
        for start in range(0, len(lines), MOST_LINES):
            yield _read_irregular(self.reader, lines[start : start + MOST_LINES], number + start)

    def again(self, lines: UnreadLines) -> Iterator[Part | UnreadLines]:
        """Yield the boards from where some lines stand.

        Raises:
            FileGoneError: the file is another one now.
        """
        assert lines.span is not None, "only what was left unread is read again"
        lines.span.check()
        blocks = self.stream.blocks_from(lines.span.start, lines.number)
        yield from self.parts(blocks, lines.number, None)


def _read_irregular(reader: LineReader, lines: Sequence[bytes], number: int) -> Part:
    """Read lines, some of which may have names, be blank, or be comments or titles."""
    lines = [line.strip() for line in lines]
    kept = [k for k, line in enumerate(lines) if line and not line.startswith(b"#")]
    batch = reader.read([lines[k] for k in kept])
    # A line that is refused for the same reason as an empty text is a title.
    nothing = read_text("", reader.layout)
    titles = {k for k, reason in batch.invalid.items() if reason == nothing}
    if titles:
        kept = [line for k, line in enumerate(kept) if k not in titles]
        batch = reader.read([lines[k] for k in kept])
    return Part(batch, [number + k for k in kept])


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
