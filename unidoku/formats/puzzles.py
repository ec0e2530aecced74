"""Files of boards with names and comments, read at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.text import read_all
from unidoku.errors import FormatError, InputError


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A board as it stands in a text.

    Args:
        board: the board.
        name: what the text calls it; empty if it has no name there.
        line: the line where it begins, from 1.
    """

    board: Board
    name: str
    line: int


def read_puzzles(
    text: str,
    variant: str | Layout = "classic",
    *,
    size: int | None = None,
    symbols: str | None = None,
) -> list[Puzzle]:
    """Read all boards of a text, in any mixture of one-line and framed boards.

    Blank lines, comments (``# …``), titles (``Grid 07``) and lines of ``=`` end a board. A
    board's name is what follows it on its line, else the comment or title right above it.

    >>> [puzzle.name for puzzle in read_puzzles("1... ..2. .3.. ...4  # easy")]
    ['easy']

    Variant, size and symbols are those of `Board.parse`, the same for all boards.

    Raises:
        FormatError: there is no board, or something that is no board; says the line and column.
        LayoutError: the variant does not exist in that size.
    """
    found = read_all(text, variant, size=size, symbols=symbols)
    return [Puzzle(Board.of(*parsed), name, line) for parsed, name, line in found]


def read_puzzle_file(
    path: Path,
    variant: str | Layout = "classic",
    *,
    size: int | None = None,
    symbols: str | None = None,
) -> list[Puzzle]:
    """Read all boards of a file in UTF-8, as `read_puzzles` does.

    Raises:
        InputError: the file cannot be read.
        FormatError: as `read_puzzles`; says the file too.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    try:
        return read_puzzles(text, variant, size=size, symbols=symbols)
    except FormatError as error:
        raise error.of(str(path)) from error
