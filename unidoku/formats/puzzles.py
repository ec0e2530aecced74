"""Reads boards with names and comments, from a text in memory or a file of any length."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.core.text import read_all
from unidoku.errors import FormatError
from unidoku.formats.cosmetics import Cosmetic, Fog
from unidoku.formats.losses import Losses
from unidoku.formats.stream import LONGEST, decoded
from unidoku.support.arguments import named_arguments
from unidoku.support.text import printable


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A board in a text, with its name and other facts.

    Args:
        board: the board.
        name: its name in the text; empty if it has none.
        line: number of the line where it begins, from 1.
        author: its author, if the text names one.
        solution: the values of its solution, if the text contains them.
        solutions: its number of solutions, if the text states it.
        at_least: lower bound on the number of solutions, if only that is known.
        losses: what was lost when the text was read.
        numbers: facts in numbers, each with its name, such as ``{"holes": 42}``; a comparison can
            use them as an axis.
        rules_text: its rules in the words of its setter; empty if there are none, and then writers
            of links make them from the rules.
        cosmetics: its pictures that are no rules.
        fog: the fog over it; None if there is none.
    """

    board: Board
    name: str
    line: int
    author: str = ""
    solution: Grid | None = None
    solutions: int | None = None
    at_least: int = 0
    losses: Losses = field(default=Losses(), compare=False)
    numbers: Mapping[str, float] = field(default_factory=dict, hash=False)
    rules_text: str = ""
    cosmetics: tuple[Cosmetic, ...] = ()
    fog: Fog | None = None

    def count_mismatch(self, count: int, *, is_exact: bool) -> str:
        """Return how a number of solutions contradicts the text; empty if it does not.

        >>> puzzle = Puzzle(Board.parse("1... ..2. .3.. ...4"), "", 1, solutions=1)
        >>> puzzle.count_mismatch(2, is_exact=False), puzzle.count_mismatch(1, is_exact=True)
        ('1 expected', '')
        """
        if self.solutions is not None and count > self.solutions:
            return f"{self.solutions} expected"
        if is_exact and count < (self.solutions or self.at_least):
            return (
                f"{'' if self.solutions else 'at least '}{self.solutions or self.at_least} expected"
            )
        return ""


@named_arguments
def read_puzzles(
    text: str,
    variant: str | Layout = "classic",
    *,
    size: int | None = None,
    symbols: str | None = None,
) -> list[Puzzle]:
    """Read all boards of a text, in any mixture of one-line and framed boards.

    Blank lines, comments (``# …``), titles (``Grid 07``) and lines of ``=`` end a board. The name
    of a board is the text after it on its line, otherwise the comment or title right above it.

    >>> [puzzle.name for puzzle in read_puzzles("1... ..2. .3.. ...4  # easy")]
    ['easy']

    Variant, size and symbols have the same meaning as in `Board.parse`, and apply to all boards.

    Raises:
        FormatError: there is no board, or a part is not a board; the message states line and
            column.
        LayoutError: the variant does not exist in that size.
    """
    blocks = read_all(text, variant, size=size, symbols=symbols)
    return [Puzzle(Board.of(*parsed), printable(name), line) for parsed, name, line in blocks]


def read_blocks(
    blocks: Iterable[bytes],
    source: str,
    variant: str | Layout = "classic",
    *,
    size: int | None = None,
    symbols: str | None = None,
) -> Iterator[Puzzle]:
    """Yield all boards of a text of any length, in blocks of whole lines, as `read_puzzles` does.

    A text of up to `LONGEST` bytes is read as a whole. A longer text is read in portions of that
    length, which end at blank lines, or at any line end if each line is a board.

    Raises:
        FormatError: as in `read_puzzles`; the message also names the file.
    """
    has_boards = False
    for text, first_line, is_cut in _portions(blocks):
        if not text.strip():
            if has_boards:
                continue
            break
        advice = _ADVICE if is_cut else ""
        try:
            puzzles = read_puzzles(
                decoded(text, first_line, source), variant, size=size, symbols=symbols
            )
        except FormatError as error:
            if has_boards and not error.line:
                continue  # comments
            line = error.line and error.line + (0 if error.source else first_line - 1)
            message = error.message + advice
            raise FormatError(message, line, error.column, source) from error
        if is_cut and puzzles[-1].line <= text.rstrip().count(LINE_END):
            message = "expected one board on each line" + advice
            raise FormatError(message, puzzles[-1].line + first_line - 1, source=source)
        has_boards = True
        for puzzle in puzzles:
            yield replace(puzzle, line=puzzle.line + first_line - 1)
    if not has_boards:
        raise FormatError("expected a board, got text without cells", source=source)


LINE_END, _BLANK = b"\n", b"\n\n"

_SEPARATOR = re.compile(rb"\n(?=[ \t]*(?:#|\[|=|grid|puzzle|board|sudoku))", re.IGNORECASE)
"""The end of a line before a comment or title, where no board continues."""

_ADVICE = "; in a text above 1 MiB boards of several lines need blank lines between them"


def _portions(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, int, bool]]:
    """Yield portions of text, their first line numbers, and whether they may cut a board."""
    text, first_line = b"", 1
    for block in blocks:
        text += block
        while len(text) > LONGEST:
            end = text.rfind(_BLANK, 0, LONGEST) + len(_BLANK)
            if end < len(_BLANK):
                end = max((m.end() for m in _SEPARATOR.finditer(text, 0, LONGEST)), default=0)
            is_cut = not end
            end = end or text.rfind(LINE_END, 0, LONGEST + 1) + 1
            if not end:  # only a line of JSON may be longer
                raise FormatError("expected boards, got a text in JSON", first_line)
            yield text[:end], first_line, is_cut
            first_line += text.count(LINE_END, 0, end)
            text = text[end:]
    if text.strip():
        yield text, first_line, False
