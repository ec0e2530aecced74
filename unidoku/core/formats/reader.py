"""Reading lines as one board: try each way of reading, accept if exactly one succeeds."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from unidoku.core.board import Board
from unidoku.core.formats.scan import Line, Piece, is_border, symbols_in, words_in
from unidoku.core.formats.symbols import NO_CANDIDATES, alphabets, read_symbols, read_words
from unidoku.core.layout import Layout
from unidoku.core.variants import Variant
from unidoku.errors import FormatError, LayoutError

__all__ = ["Reader"]


class _Reading(NamedTuple):
    """A way of reading lines that gives the right number of cells."""

    n: int
    pieces: list[Piece]
    as_words: bool


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads boards of one variant (whose size comes from the text) or of one layout.

    Args:
        variant: what to read.
        size: n, where the text could be read in two sizes.
        symbols: the n symbols in the order of their values, where that is in doubt.
    """

    variant: Variant | Layout
    size: int | None = None
    symbols: str | None = None

    @property
    def needs_regions(self) -> bool:
        """Whether the text holds a region map after the givens."""
        return isinstance(self.variant, Variant) and self.variant.needs_regions

    def fits(self, lines: Sequence[Line]) -> bool:
        """Tell whether the lines have the cells of a board."""
        return any(True for _ in self._readings(lines))

    def is_candidate_grid(self, lines: Sequence[Line]) -> bool:
        """Tell whether the lines can be read as one group of candidates a cell."""
        for reading in self._readings(lines):
            if reading.as_words:
                with contextlib.suppress(FormatError):
                    return bool(self._read(reading))
        return False

    def board(self, lines: Sequence[Line]) -> Board:
        """Read lines as one board.

        Raises:
            FormatError: no way of reading succeeds, or several do with different boards.
        """
        boards: set[Board] = set()
        errors: list[FormatError] = []
        for reading in self._readings(lines):
            try:
                boards |= self._read(reading)
            except FormatError as error:
                errors.append(error)
        if len(boards) > 1:
            sizes = ", ".join(f"{n}x{n}" for n in sorted({board.layout.n for board in boards}))
            raise FormatError(
                f"can be read in {len(boards)} ways ({sizes}); say which, by the size "
                "(size=…, --size) or by the symbols (symbols=…, --symbols)",
                lines[0].number,
            )
        if boards:
            return boards.pop()
        if errors:
            # The way of reading that got furthest is the one the writer had in mind.
            raise max(errors, key=lambda error: (error.line, error.column))
        raise self._miscounted(lines)

    def _readings(self, lines: Sequence[Line]) -> Iterator[_Reading]:
        unframed = [line for line in lines if not is_border(line)]
        # A line of dashes is a border, unless dashes are the empty symbol: both are tried.
        for kept in [unframed] if len(unframed) == len(lines) else [unframed, lines]:
            symbols = list(symbols_in(kept))
            if n := self._size(len(symbols)):
                yield _Reading(n, symbols, as_words=False)
            words = list(words_in(kept))
            grouped = any(len(word.text) > 1 or word.text == NO_CANDIDATES for word in words)
            if len(words) > 1 and grouped and (n := self._size(len(words))):
                yield _Reading(n, words, as_words=True)

    def _size(self, count: int) -> int | None:
        if isinstance(self.variant, Layout):
            return self.variant.n if count == len(self.variant) else None
        cells, rest = divmod(count, 2 if self.needs_regions else 1)
        n = None if rest else self.variant.size(cells)
        return n if self.size in (None, n) else None

    def _read(self, reading: _Reading) -> set[Board]:
        n, pieces, as_words = reading
        layout = self._layout(n, pieces)
        pieces = pieces[: len(layout)]
        if as_words:
            return {Board(layout, tuple(read_words(pieces, n)))}
        boards = set()
        errors = []
        for alphabet in alphabets(n, self.symbols):
            try:
                boards.add(Board(layout, tuple(read_symbols(pieces, n, alphabet))))
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
            raise FormatError(str(error), half[0].line, half[0].column) from error

    def _miscounted(self, lines: Sequence[Line]) -> FormatError:
        """Say how many cells were expected, and which line has not as many as the others."""
        counts = {
            line.number: sum(1 for _ in symbols_in([line])) for line in lines if not is_border(line)
        }
        message = f"expected {self._expected()}, got {sum(counts.values())} symbols"
        usual = sorted(counts.values())[len(counts) // 2] if counts else 0
        odd = [number for number, count in counts.items() if count != usual]
        if len(counts) > 2 and len(odd) == 1:
            message += f"; this line has {counts[odd[0]]}, the others {usual}"
            return FormatError(message, odd[0])
        return FormatError(message, lines[0].number)

    def _expected(self) -> str:
        if isinstance(self.variant, Layout):
            return f"the {len(self.variant)} cells of {self.variant.name}"
        regions = " and as many region symbols" if self.needs_regions else ""
        if self.size:
            return f"the cells of a {self.variant} board of size {self.size}{regions}"
        counts = [str(count) for count in (16, 36, 81, 256, 369) if self.variant.size(count)]
        listed = f" ({', '.join(counts)}, …)" if counts else ""
        return f"the cells of a {self.variant} board{listed}{regions}"
