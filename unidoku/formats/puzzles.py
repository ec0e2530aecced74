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


def read_stream(
    stream: TextStream,
    variant: str | Layout = "classic",
    *,
    size: int | None = None,
    symbols: str | None = None,
) -> Iterator[Puzzle]:
    """Yield all boards of a text of any length, as `read_puzzles` reads them.

    A text of up to `LONGEST` bytes is read as a whole. A longer one is read in portions of that
    length, which end at blank lines, or at the end of a line where each line is a board.

    Raises:
        FormatError: as `read_puzzles`; says the file too.
    """
    found = False
    for text, number in _portions(stream.blocks()):
        try:
            puzzles = read_puzzles(
                decoded(text, number, ""), variant, size=size, symbols=symbols
            )
        except FormatError as error:
            if found and not error.line:
                continue  # comments
            line = error.line and error.line + number - 1
            raise FormatError(error.message, line, error.column, stream.name) from error
        if not text.endswith(_BLANK) and len(text) > LONGEST // 2 and not _in_lines(puzzles, text):
            raise FormatError(
                f"expected a blank line after a board of several lines, got none in "
                f"{plural(text.count(LINE_END), 'line')}; write one between boards",
                number,
                source=stream.name,
            )
        found = True
        for puzzle in puzzles:
            yield replace(puzzle, line=puzzle.line + number - 1)
    if not found:
        raise FormatError("expected a board, got a text without cells", source=stream.name)


LINE_END, _BLANK = b"\n", b"\n\n"


def _portions(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """Yield text that is to be read as a whole, and the number of its first line."""
    text, number = b"", 1
    for block in blocks:
        text += block
        while len(text) > LONGEST:
            # The longest line fits, so that there is an end of a line.
            end = text.rfind(_BLANK, 0, LONGEST) + len(_BLANK)
            if end < len(_BLANK):
                end = text.rfind(LINE_END, 0, LONGEST + 1) + 1
            yield text[:end], number
            number += text.count(LINE_END, 0, end)
            text = text[end:]
    if text.strip():
        yield text, number


def read_puzzle_file(
    path: Path,
    variant: str | Layout = "classic",
    *,
    size: int | None = None,
    symbols: str | None = None,
) -> list[Puzzle]:
    """Read all boards of a text file in UTF-8, compressed or not, as `read_puzzles` does.

    Raises:
        InputError: the file cannot be read.
        FormatError: as `read_puzzles`; says the file too.
    """
    with open_stream(path) as stream:
        return [*read_stream(stream, variant, size=size, symbols=symbols)]
