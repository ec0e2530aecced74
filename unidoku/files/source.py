"""Where boards come from, and how they are written there."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from unidoku.core.layout import Layout
from unidoku.core.variants import Variant
from unidoku.errors import FormatError, InputError
from unidoku.formats import Puzzle, read_puzzle_file, read_puzzles

LARGE = 1 << 16
"""Bytes above which a file of boards is read in parts."""

GZIP, NPY = b"\x1f\x8b", b"\x93NUMPY"
"""How such files begin, whatever their names are."""


@dataclass(frozen=True, slots=True)
class Source:
    """Boards somewhere: a file, ``-`` for standard input, or the text of a board.

    Variant, size and symbols are those of `unidoku.Board.parse`.
    """

    puzzle: str
    variant: str | Layout = "classic"
    size: int | None = None
    symbols: str | None = None

    @property
    def name(self) -> str:
        """What messages call it."""
        return "standard input" if self.puzzle == "-" else self.puzzle

    @property
    def is_file(self) -> bool:
        """Whether the source is a file, a folder, or whatever else has a path."""
        return os.path.exists(self.puzzle)  # noqa: PTH110 - Path.exists raises on a long text

    @property
    def has_maps(self) -> bool:
        """Whether the text holds a map of regions for each board."""
        return isinstance(self.variant, str) and Variant.parse(self.variant).needs_regions

    @property
    def is_batch(self) -> bool:
        """Whether it is a file to be read in parts: large, compressed, or no plain text."""
        try:
            path = Path(self.puzzle)
            if not path.is_file():
                return False
            with path.open("rb") as file:
                packed = file.read(len(NPY)).startswith((GZIP, NPY))
            return packed or path.suffix == ".csv" or path.stat().st_size > LARGE
        except (OSError, ValueError):  # the text of a board may be no path at all
            return False

    def read(self) -> list[Puzzle]:
        """Read all boards at once.

        Raises:
            FormatError: it holds something that is no board, or is neither file nor board.
            InputError: the file cannot be read.
        """
        if self.puzzle == "-":
            return self.read_text(_standard_input())
        if self.is_file:
            return read_puzzle_file(
                Path(self.puzzle), self.variant, size=self.size, symbols=self.symbols
            )
        if re.fullmatch(r".*[/\\].*|.*\.[A-Za-z]\w*", self.puzzle):
            raise InputError(
                f"expected a file or the text of a board, got {self.puzzle!r}: no such file"
            )
        return read_puzzles(self.puzzle, self.variant, size=self.size, symbols=self.symbols)

    def read_text(self, text: str) -> list[Puzzle]:
        """Read all boards of the text that the source holds.

        Raises:
            FormatError: something is no board; says where in the source.
        """
        try:
            return read_puzzles(text, self.variant, size=self.size, symbols=self.symbols)
        except FormatError as error:
            raise error.of(self.name) from error


def _standard_input() -> str:
    if sys.stdin is None:
        raise InputError("expected a board on standard input, but it is closed")
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise InputError(f"standard input cannot be read: {error}") from error
