"""Read lines as one board: each interpretation is tried, and exactly one must succeed.

The usual text, one line of digits with dots or zeros for empty cells, has a fast path. The general
reader returns the same board, but first tries all other interpretations. That takes a hundred times
as long as solving the board.
"""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from unidoku.core.bits import all_values, bit
from unidoku.core.layout import Layout
from unidoku.core.text.symbols import (
    DIGITS_FIRST,
    NO_CANDIDATES,
    Piece,
    TextLine,
    alphabets,
    are_marks,
    count_symbols,
    count_words,
    has_digits_only,
    is_border,
    read_marks,
    read_symbols,
    read_words,
    refuse_controls,
    symbols_in,
    words_in,
)
from unidoku.core.variants import Variant, layout
from unidoku.errors import FormatError, LayoutError

Parsed: TypeAlias = tuple[Layout, tuple[int, ...]]
"""The parts of a board: a layout, and a candidate set for each cell."""

TALLEST = 1000
"""A block of more lines than this is several boards: one has fewer, with borders and regions."""


class _Reading(NamedTuple):
    """An interpretation of lines that gives the right number of cells."""

    n: int
    pieces: list[Piece]
    read: Callable[..., list[int]]


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads boards of one variant (whose size comes from the text) or of one layout.

    Size and symbols are as for `unidoku.Board.parse`.
    """

    variant: Variant | Layout
    size: int | None = None
    symbols: str | None = None

    @property
    def needs_regions(self) -> bool:
        """Whether the text contains a region map after the givens."""
        return isinstance(self.variant, Variant) and self.variant.needs_regions

    @property
    def first_value(self) -> int:
        """The number that is written for the value 1."""
        if isinstance(self.variant, Layout):
            return self.variant.first_value
        return 0 if self.variant.has_s_cells else 1

    def _symbols(self, n: int) -> int:
        """Return how many values have a symbol: with S-cells only the digits."""
        if isinstance(self.variant, Layout):
            layout = self.variant
            return n if layout.size == layout.n else layout.size + 1
        return n + self.variant.has_s_cells

    def fits(self, lines: Sequence[TextLine]) -> bool:
        """Return whether the lines have the right number of cells."""
        return any(True for _ in self._readings(lines))

    def is_candidate_grid(self, lines: Sequence[TextLine]) -> bool:
        """Return whether the lines can be read as one group of candidates for each cell."""
        for reading in self._readings(lines):
            if reading.read is read_words:
                with contextlib.suppress(FormatError):
                    return bool(self._read(reading))
        return False

    def read(self, lines: Sequence[TextLine]) -> Parsed:
        """Read lines as one board.

        Raises:
            FormatError: no interpretation succeeds, or several give different boards.
        """
        boards: set[Parsed] = set()
        errors: list[FormatError] = []
        for reading in self._readings(lines):
            try:
                boards |= self._read(reading)
            except FormatError as error:
                errors.append(error)
        if len(boards) > 1:
            sizes = ", ".join(f"{n}x{n}" for n in sorted({layout.n for layout, _ in boards}))
            raise FormatError(
                f"can be read in {len(boards)} ways ({sizes}); give the size "
                "(size=…, --size) or the symbols (symbols=…, --symbols)",
                lines[0].number,
            )
        if boards:
            return boards.pop()
        refuse_controls(lines)
        if errors:
            # The interpretation that got furthest is probably the intended one.
            raise max(errors, key=lambda error: (error.line, error.column))
        raise self._miscounted(lines)

    def _readings(self, lines: Sequence[TextLine]) -> Iterator[_Reading]:
        """Yield the interpretations that give the cells of a board in its shape."""
        if len(lines) > TALLEST:
            return
        # Pieces take a hundred times the memory of their text, so counts are checked first.
        for rows in _without_borders(lines):
            count = sum(count_words(line.text) for line in rows)
            n = self._size(sum(count_symbols(line.text) for line in rows))
            if n:
                symbols, words = list(symbols_in(rows)), list(words_in(rows))
                if self._has_shape(n, symbols) and self._fits_words(n, words, symbols):
                    yield _Reading(n, symbols, read_symbols)
            if self.symbols is not None or self.needs_regions:
                # Numbers and candidate groups do not use custom symbols.
                continue
            if count == 1 and isinstance(self.variant, Variant):  # a line of many cells
                continue
            n = self._size(count)
            words = list(words_in(rows)) if n else []
            grouped = any(len(word.text) > 1 or word.text == NO_CANDIDATES for word in words)
            if n and grouped and self._has_shape(n, words):
                yield _Reading(n, words, read_words)
        if len(lines) == 1:
            count = count_symbols(lines[0].text)
            n = round(count ** (1 / 3))
            if n**3 == count and self._may_be_marks(n) and self._size(n * n) == n:
                symbols = list(symbols_in(lines))
                if are_marks(symbols, n):
                    yield _Reading(n, symbols, read_marks)

    def may_end(self, symbols: int, words: int) -> bool:
        """Return whether a line with these counts may be a board; `fits` decides exactly."""
        n = round(symbols ** (1 / 3))
        return any(map(self._size, (symbols, words))) or (n**3 == symbols and self._may_be_marks(n))

    def _may_be_marks(self, n: int) -> bool:
        """Return whether a text may have n places for each cell: one for each value, or empty."""
        return has_digits_only(n) and self.first_value == 1

    def _has_shape(self, n: int, pieces: Sequence[Piece]) -> bool:
        """Return whether the cells are on one line, or each row of the board is on a line."""
        counts = list(Counter(piece.line for piece in pieces).values())
        if len(counts) == 1:
            return True
        rows = self._rows(n)
        return counts == rows or (self.needs_regions and counts in (rows * 2, [n * n] * 2))

    def _rows(self, n: int) -> list[int]:
        """Return the number of cells of each row of the board."""
        if self.needs_regions:
            return [n] * n
        layout = self.variant if isinstance(self.variant, Layout) else self.variant.layout(n)
        return [count for _, count in sorted(Counter(row for row, _ in layout.positions).items())]

    def _fits_words(self, n: int, words: Sequence[Piece], symbols: Sequence[Piece]) -> bool:
        """Return whether no word is longer than a row, unless a word is the whole board.

        If there are more values than symbols, each cell must be a separate word.
        """
        count = self._symbols(n)
        if self.symbols is not None and len(self.symbols) < count:
            return False
        possible = alphabets(count, self.symbols, (), self.first_value)
        if not possible and len(words) < len(symbols):
            return False
        whole = len(symbols) // 2 if self.needs_regions else len(symbols)
        longest = max(self._rows(n))
        return all(len(word.text) <= longest or len(word.text) >= whole for word in words)

    def _size(self, count: int) -> int | None:
        if isinstance(self.variant, Layout):
            return self.variant.n if count == len(self.variant) else None
        cells, rest = divmod(count, 2 if self.needs_regions else 1)
        n = None if rest else self.variant.size(cells)
        return n if self.size in (None, n) else None

    def _read(self, reading: _Reading) -> set[Parsed]:
        n, pieces, read = reading
        layout = self._layout(n, pieces)
        if read is read_words:
            words = layout.shown[1:] if layout.size != layout.n else ()
            return {(layout, tuple(read_words(pieces, layout.n, self.first_value, words)))}
        if read is not read_symbols:
            return {(layout, tuple(read(pieces, n)))}
        pieces = pieces[: len(layout)]
        boards = set()
        errors = []
        texts = {piece.text.upper() for piece in pieces}
        # If there are more values than letters, each cell is a word, and a digit is a number.
        possible = alphabets(self._symbols(n), self.symbols, texts, self.first_value)
        for alphabet in possible or alphabets(min(n, 9), None, (), min(self.first_value, 1)):
            try:
                boards.add((layout, tuple(read_symbols(pieces, layout.n, alphabet))))
            except FormatError as error:
                errors.append(error)
        if not boards:
            raise max(errors, key=lambda error: (error.line, error.column))
        return boards

    def _layout(self, n: int, pieces: Sequence[Piece]) -> Layout:
        if isinstance(self.variant, Layout):
            return self.variant
        if not self.needs_regions:
            return self.variant.layout(n)
        half = pieces[len(pieces) // 2 :]
        try:
            return self.variant.with_regions(" ".join(piece.text for piece in half)).layout(n)
        except LayoutError as error:
            raise half[0].error(str(error)) from error

    def _miscounted(self, lines: Sequence[TextLine]) -> FormatError:
        """Return the error for a wrong number of cells, with the line that is at fault."""
        counts = {line.number: count_symbols(line.text) for line in lines if not is_border(line)}
        total = sum(counts.values())
        message = f"expected {self._expected()}, got {total} symbols{self._missing(total)}"
        usual = sorted(counts.values())[len(counts) // 2] if counts else 0
        odd = [number for number, count in counts.items() if count != usual]
        if len(counts) > 2 and len(odd) == 1:
            message += f"; this line has {counts[odd[0]]}, the others {usual}"
            return FormatError(message, odd[0])
        return FormatError(message, lines[0].number)

    def _missing(self, total: int) -> str:
        """Return why that number of cells is wrong if rows, not the size, are at fault."""
        n = math.isqrt(total)
        if isinstance(self.variant, Layout) or n * n != total or not n:
            return ""
        try:
            self.variant.corners(n)
            self.variant.square(n)
            alphabets(n, self.symbols)
        except (LayoutError, FormatError) as error:
            return f": {error}"
        return ", which are not in the rows of a board" if self.variant.size(total) else ""

    def _expected(self) -> str:
        if isinstance(self.variant, Layout):
            return f"the {len(self.variant)} cells of {self.variant.name}"
        regions = " and as many region symbols" if self.needs_regions else ""
        if self.size:
            return f"the cells of a {self.variant} board of size {self.size}{regions}"
        counts = [str(count) for count in (16, 36, 81, 256, 369) if self.variant.size(count)]
        listed = f" ({', '.join(counts)}, …)" if counts else ""
        return f"the cells of a {self.variant} board{listed}{regions}"


def _without_borders(lines: Sequence[TextLine]) -> list[Sequence[TextLine]]:
    """Return the lines without borders, and also with some or all, as dashes may be empty cells."""
    dashed = [line for line in lines if is_border(line)]
    if not dashed:
        return [lines]
    borders = {line.number for line in dashed}
    crossed = {line.number for line in dashed if "+" in line.text or "=" in line.text}
    ways = [
        [line for line in lines if line.number not in borders],
        [line for line in lines if line.number not in crossed],
        list(lines),
    ]
    return [way for k, way in enumerate(ways) if way not in ways[:k]]


def read_plain(text: str, variant: str | Layout, size: int | None) -> Parsed | None:
    """Return the layout and candidates of a text, None if it is not of the usual kind."""
    shape = _shape(variant, size, len(text))
    if shape is None or ("." in text and "0" in text):
        return None
    n, sets = shape
    try:
        candidates = itemgetter(*text)(sets)  # a third faster than map
    except KeyError:
        return None
    # Layouts are not cached here again: `layout` returns the same object as for the general reader.
    return layout(variant, n) if isinstance(variant, str) else variant, candidates


@lru_cache(maxsize=256)
def _shape(
    variant: str | Layout, size: int | None, length: int
) -> tuple[int, Mapping[str, int]] | None:
    """Return n and the candidates of each symbol, in texts of this length.

    None if there is no such board, or if such a text is ambiguous.
    """
    if round(length ** (1 / 3)) ** 3 == length:
        return None  # it could have n places for each cell, each with its value or empty
    if isinstance(variant, Layout):
        if variant.first_value != 1:
            return None  # 0 may be a value
        n = variant.n if len(variant) == length else None
    else:
        parsed = Variant.parse(variant)
        n = None if parsed.needs_regions or parsed.has_s_cells else parsed.size(length)
    if n is None or size not in (None, n) or not has_digits_only(n):
        return None
    sets = {symbol: bit(value) for value, symbol in enumerate(DIGITS_FIRST[:n], start=1)}
    return n, sets | dict.fromkeys(".0", all_values(n))
