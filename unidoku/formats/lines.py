"""Text with one board on each line, by the million: bytes to arrays and back.

Lines of plain symbols are looked up in a table, a whole block at once. Lines that the table cannot
read (names, comments, numbers, pencil marks, an ambiguous symbol) are passed to the reader of
single boards, so that both readers agree on every line.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unidoku.core.batch import Batch
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.text.symbols import DIGITS_FIRST, has_digits_only
from unidoku.errors import FormatError
from unidoku.formats.puzzles import read_puzzles

EMPTIES = b".0-*_?xX"
"""The usual symbols for empty cells; the reader of single boards knows the others."""

FRAME = " |+=#,;!"
"""Frames, comments and separators, even if a user lists them among the symbols."""

BLOCK = 512
"""Boards that are looked up at a time, in memory that was used before, which is three times as
fast as new memory."""

NAME = re.compile(rb"[ \t]+(?:#[ \t]*)?[\w .,:;()+-]*")
"""What may follow a board on its line without a second look: if it is shorter than the board, it
can be neither cells of the board nor another board."""

UNKNOWN = 255
"""Marks bytes that are not symbols; no value is as large."""


_TITLES = b"#[=gpbsGPBS \t"
"""How titles, comments and blank lines begin, such as ``Grid 07``."""

_TITLE = 4
"""Symbols of the shortest of the words that titles begin with."""

_BLANKS = np.frombuffer(b" \t\r\n\0", np.uint8)
"""Characters that may follow the last cell of a text."""


class _Table(NamedTuple):
    """The meaning of the bytes in a line.

    Attributes:
        values: the value of each of the 256 bytes, 0 for empty, or `UNKNOWN`.
        empties: the bytes that mean empty; a board may use only one of them.
        needs_digit: whether a line without a digit could be in another alphabet.
    """

    values: bytes
    empties: bytes
    needs_digit: bool


class LineReader:
    """Reads lines as boards of one layout; symbols are those of `Board.parse`."""

    def __init__(self, layout: Layout, symbols: str | None = None) -> None:
        """Make the table, if each value of the layout is written as one symbol."""
        self.layout = layout
        self.symbols = symbols
        self._table = _make_table(layout.n, symbols, layout.first_value)
        self._pickled: bytes | None = None

    def __reduce__(self) -> tuple[Callable[[bytes], LineReader], tuple[bytes]]:
        """Pickle the arguments once: processes get a reader with each group of lines."""
        self._pickled = self._pickled or pickle.dumps((self.layout, self.symbols))
        return _unpickle, (self._pickled,)

    def may_be_boards(self, rows: NDArray[np.uint8]) -> bool:
        """Return whether no row is a title or blank: all begin with symbols of a board.

        Args:
            rows: the bytes of lines, of shape (lines, cells).
        """
        if self._table is None:
            return not np.isin(rows[:, 0], np.frombuffer(_TITLES, np.uint8)).any()
        begins = np.ascontiguousarray(rows[:, :_TITLE]).tobytes()
        return UNKNOWN not in begins.translate(self._table.values)

    def read(self, lines: Sequence[bytes]) -> Batch:
        """Read each line as one board; lines that are not boards are invalid."""
        width = len(self.layout)
        other = bytes([UNKNOWN]) * width

        def board(line: bytes) -> bytes:
            named = width < len(line) < 2 * width and NAME.fullmatch(line, width)
            return line[:width] if named else other

        def joined(block: slice) -> bytes:
            return b"".join([line if len(line) == width else board(line) for line in lines[block]])

        return self._settle(self._in_blocks(len(lines), joined), lines.__getitem__)

    def read_fixed(self, rows: NDArray[np.uint8] | None) -> Batch | None:
        """Read texts of one width, one in each row; None if they are not one symbol for each cell.

        Args:
            rows: ASCII symbols, of shape (texts, width); blanks and zeros may follow the cells.
        """
        width = len(self.layout)
        if rows is None or rows.shape[1] < width or not rows[:, width - 1].all():
            return None  # a zero byte is the padding of a shorter text in an array
        if not np.isin(rows[:, width:], _BLANKS).all():
            return None
        return self.read_rows(rows[:, :width])

    def read_rows(self, rows: NDArray[np.uint8]) -> Batch:
        """Read the bytes of lines with one symbol for each cell: shape (lines, cells)."""
        cells = self._in_blocks(len(rows), lambda block: rows[block].tobytes())
        return self._settle(cells, lambda index: rows[index].tobytes())

    def _in_blocks(self, count: int, data: Callable[[slice], bytes]) -> NDArray[np.uint8]:
        """Look up this many boards, `BLOCK` of them at a time."""
        cells = np.empty((count, len(self.layout)), np.uint8)
        for start in range(0, count, BLOCK):
            block = slice(start, start + BLOCK)
            cells[block] = self._look_up(data(block))
        return cells

    def _look_up(self, data: bytes) -> NDArray[np.uint8]:
        """Look up boards of one symbol for each cell, without line ends between them.

        Returns:
            The values, of shape (boards, cells); a row that the table cannot read begins with
            `UNKNOWN`.
        """
        shape = (len(data) // len(self.layout), len(self.layout))
        if self._table is None:
            return np.full(shape, UNKNOWN, np.uint8)
        table, empties, needs_digit = self._table
        translated = bytearray(data.translate(table))
        cells = np.frombuffer(translated, np.uint8).reshape(shape)
        symbols = np.frombuffer(data, np.uint8).reshape(shape)
        doubtful = np.zeros(len(cells), np.bool_)
        if UNKNOWN in translated:
            doubtful |= (cells == UNKNOWN).any(axis=1)
        used = [empty for empty in empties if empty in data]
        if len(used) > 1:
            doubtful |= sum((symbols == empty).any(axis=1).astype(int) for empty in used) > 1
        if needs_digit:
            doubtful |= ~((symbols >= ord("1")) & (symbols <= ord("9"))).any(axis=1)
        cells[doubtful, 0] = UNKNOWN
        return cells

    def _settle(self, cells: NDArray[np.uint8], line: Callable[[int], bytes]) -> Batch:
        """Read the lines that the table could not read with the reader of single boards."""
        boards: dict[int, Board] = {}
        invalid: dict[int, str] = {}
        for index in np.flatnonzero(cells[:, 0] == UNKNOWN).tolist():
            cells[index] = 0
            board = read_text(line(index), self.layout, self.symbols)
            if isinstance(board, str):
                invalid[index] = board
            elif board.has_pencil_marks:
                boards[index] = board
            else:
                cells[index] = board.givens
        return Batch(layout=self.layout, cells=cells, boards=boards, invalid=invalid)


@lru_cache(maxsize=8)
def _unpickle(arguments: bytes) -> LineReader:
    """Return a reader with these arguments, the same one each time."""
    return LineReader(*pickle.loads(arguments))


def read_text(text: str | bytes, layout: Layout, symbols: str | None = None) -> Board | str:
    """Return the only board of a text, or the reason why there is no such board."""
    try:
        if isinstance(text, bytes):
            text = text.decode()
        puzzles = read_puzzles(text, layout, symbols=symbols)
    except UnicodeDecodeError as error:
        return f"expected text in UTF-8: {error}"
    except FormatError as error:
        # The line is counted from the start of this text; the caller knows the line in the file.
        line = error.line if "\n" in text else 0
        return str(FormatError(error.message, line, error.column))
    return puzzles[0].board if len(puzzles) == 1 else f"expected one board, got {len(puzzles)}"


@lru_cache(maxsize=64)
def _make_table(n: int, symbols: str | None, first_value: int) -> _Table | None:
    """Return the table for boards of n values; None if values have several digits.

    None also for boards whose first value is not 1, in which 0 may be a value: the reader of single
    boards reads those.
    """
    if first_value != 1:
        return None
    alphabet = DIGITS_FIRST[:n] if symbols is None else symbols[:n]
    if len(alphabet) < n or len(set(alphabet)) < n:
        return None
    values = {symbol: value for value, symbol in enumerate(alphabet, start=1)}
    if alphabet.upper() == alphabet:
        values |= {symbol.lower(): value for symbol, value in values.items()}
    # With letters, 0 may be a value (hexadecimal) and x one of the letters.
    guessed = symbols is None and not has_digits_only(n)
    table = bytearray([UNKNOWN] * 256)
    empties = bytes(
        empty
        for empty in EMPTIES
        if chr(empty) not in values and not (guessed and chr(empty).isalnum())
    )
    for empty in empties:
        table[empty] = 0
    for symbol, value in values.items():
        if symbol.isascii() and symbol not in FRAME:
            table[ord(symbol)] = value
    return _Table(bytes(table), empties, guessed)


def write_lines(layout: Layout, *columns: NDArray[np.uint8], empty: str = ".") -> bytes:
    """Return a line for each row, as `line_array` does."""
    return line_array(layout, *columns, empty=empty).tobytes()


def line_array(
    layout: Layout,
    *columns: NDArray[np.uint8],
    empty: str = ".",
) -> NDArray[np.uint8]:
    """Return the bytes of a line for each row: one board, or several separated by commas.

    A cell is one symbol if all values are digits, otherwise a number, with blanks between numbers,
    as in ``Board.text("line")``.

    Args:
        layout: layout of the boards.
        columns: values of shape (boards, cells), 0 for an empty cell.
        empty: one ASCII character for empty cells; a dot is used instead if 0 is a value.
    """
    if not layout.first_value:
        empty = layout.shown[0]
    if not layout.has_digits_only:
        words = [empty, *layout.shown[1:]]
        rows = zip(*(column.tolist() for column in columns), strict=True)
        lines = [",".join(" ".join(map(words.__getitem__, cells)) for cells in row) for row in rows]
        return np.frombuffer("".join(f"{line}\n" for line in lines).encode(), np.uint8)
    shape = len(columns[0]), len(columns), len(layout) + 1
    text = np.empty(shape, np.uint8)
    text[:, :, -1] = ord(",")
    text[:, -1, -1] = ord("\n")
    for index, cells in enumerate(columns):
        symbols = text[:, index, :-1]
        np.add(cells, ord("0") + layout.first_value - 1, out=symbols)
        if (empty != "0" or layout.first_value != 1) and not cells.all():
            symbols[cells == 0] = ord(empty)
    return text.reshape(-1)
