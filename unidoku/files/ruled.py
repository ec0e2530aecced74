"""Reads puzzle files, whose puzzles state their own layouts and rules, as sources of boards."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from unidoku.core.board import Board
from unidoku.core.board_like import as_board
from unidoku.errors import FormatError, InputError
from unidoku.files.source import Source
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import FORMATS, Format, find_format, format_to_write
from unidoku.formats.losses import Written
from unidoku.formats.stream import LONGEST, LONGEST_OF_JSON, decoded, json_parts
from unidoku.support.arguments import named_arguments
from unidoku.support.schema import shown
from unidoku.support.text import plural

if TYPE_CHECKING:
    from unidoku.formats.neutral import Unread

Skip: TypeAlias = Callable[[str, str, tuple[str, ...]], object]
"""Called with the place and the name of a puzzle that cannot be read, and with the reasons."""


class Skipped:
    """Records puzzles that cannot be read: a `Skip` that keeps the reasons."""

    def __init__(self, tell: Callable[[str], object] = lambda _: None) -> None:
        """Take a function that is called with one line for each such puzzle."""
        self.count = 0
        self._reasons: Counter[str] = Counter()
        self._tell = tell

    def __call__(self, position: str, name: str, why: tuple[str, ...]) -> None:
        """Record a puzzle."""
        self.count += 1
        self._reasons.update(why)
        self._tell(f"{position}: {name}: not read: {', '.join(why)}")

    def summary(self, read: int) -> str:
        """Return the numbers of puzzles read and not read, with the reasons, commonest first."""
        reasons = (f"{why} ({count})" for why, count in self._reasons.most_common())
        return f"{plural(read, 'puzzle')} read, {self.count:,} not: {', '.join(reasons)}"


def read_form(source: Source, form: Format, blocks: Iterable[bytes]) -> Iterator[Puzzle | Unread]:
    """Yield the puzzles of a text in order; an unreadable one keeps its place.

    If the format has one puzzle on each line, only a block of the text is held in memory. A text of
    links has one link on each line, whatever its format.

    Raises:
        FormatError: part of it is not a puzzle; the message states the place.
        InputError: the file cannot be read, or an option states what the file states already.
    """
    given = [name for name in ("size", "symbols", "column") if getattr(source, name) is not None]
    if source.variant != "classic":
        given.append("variant")
    if given:
        raise InputError(
            f"--{given[0]}: {source.name} is a puzzle file, which already states it; leave the "
            "option out"
        )
    read = form.load_reader()
    count = 0
    for number, block in _texts(source, form, blocks):
        text = decoded(block, number, source.name)
        try:
            for puzzle in read(text, guess=source.guess):
                count += 1
                yield replace(puzzle, line=puzzle.line + number - 1)
        except FormatError as error:
            line = error.line and error.line + number - 1
            line = line or (number if number > 1 else 0)
            # A puzzle that was cut out of a long text is the first of its own text.
            message = re.sub(r"^puzzle 1\b", f"puzzle {count + 1}", error.message)
            raise FormatError(message, line, error.column, error.source or source.name) from error
    if not count:
        raise FormatError("expected a puzzle, got a file without any", source=source.name)


Some = TypeVar("Some", bound="Puzzle | Unread")


class Lost:
    """Records what is lost when puzzles are read: each loss once, the first ones in words.

    Attributes:
        lines: the notes so far; they grow while puzzles are read.
    """

    def __init__(self, name: str) -> None:
        """Take the name of the source for messages."""
        self.lines: list[str] = []
        self._name = name
        self._seen: set[str] = set()

    def noting(self, puzzles: Iterable[Some]) -> Iterator[Some]:
        """Yield puzzles, and record what is lost of them."""
        for puzzle in puzzles:
            if isinstance(puzzle, Puzzle) and puzzle.losses:
                for loss in puzzle.losses.lines():
                    self._note(loss)
            yield puzzle

    def _note(self, loss: str) -> None:
        if loss in self._seen or len(self._seen) > _MOST_NOTES:
            return
        self._seen.add(loss)
        further = "more is lost; `unidoku convert` lists the losses of each puzzle"
        self.lines.append(f"{self._name}: {loss if len(self._seen) <= _MOST_NOTES else further}")


_MOST_NOTES = 10
"""The most losses of a file that are described in words."""


def _texts(source: Source, form: Format, blocks: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield each text that is read as a whole, with the number of its first line."""
    blocks = iter(blocks)
    start = next(blocks, b"")
    if form.by_line or start.lstrip().startswith(_LINKS):
        lines = chain.from_iterable(block.splitlines() for block in chain([start], blocks))
        for number, line in enumerate(lines, start=1):
            if len(line) > LONGEST:
                message = f"expected lines of at most {LONGEST >> 20} MiB, got a longer one"
                raise FormatError(message, number, source=source.name)
            if line.strip():
                yield number, line
        return
    if len(start) > LONGEST and start.lstrip().startswith(b"{"):
        try:
            yield from json_parts(chain([start], blocks))
        except FormatError as error:
            raise FormatError(error.message, error.line, source=source.name) from error
        return
    for block in blocks:
        start += block
        if len(start) > _LARGEST:
            raise FormatError(
                f"expected a puzzle file of at most {_LARGEST >> 20} MiB, got a longer one",
                source=source.name,
            )
    if start.strip():
        yield 1, start


_LINKS = (b"http://", b"https://")

_LARGEST = LONGEST_OF_JSON
"""The most bytes of a text that is read as a whole."""


@named_arguments
def write(
    puzzles: Board | Puzzle | str | Iterable[Board | Puzzle | str],
    target: str | os.PathLike[str],
    *,
    format: str | None = None,
    force: bool = False,
) -> Written:
    """Write puzzles in a format, as a text or to a file, and return what is lost.

    >>> from tempfile import TemporaryDirectory
    >>> from unidoku import read
    >>> board = Board.parse("1... ..2. .3.. ...4")
    >>> with TemporaryDirectory() as folder:
    ...     losses = write(board, f"{folder}/small.toml").losses
    ...     read(f"{folder}/small.toml")[0].board == board
    True
    >>> bool(losses), write(board, "text").text
    (False, '1.....2..3.....4')

    Args:
        puzzles: a board or several, or texts of them, or puzzles, which have names and solutions
            too.
        target: the name of a format, to return the text only; or a file, whose ending determines
            its format.
        format: the name of the file's format, where its ending does not show it.
        force: replace a file that exists.

    Returns:
        The text, and a list of what the text does not contain of the puzzles.

    Raises:
        InputError: there is no such format, or the format cannot hold such a puzzle, or a rule of
            your own class has no written form.
        OutputError: the file exists or cannot be written.
    """
    if not isinstance(target, str | os.PathLike):
        raise InputError(
            f"target: expected the name of a file or of a format, got {shown(target)}; "
            "the puzzles come first: write(puzzles, 'file.toml')"
        )
    several = [*_puzzles(puzzles)]
    if not several:
        raise InputError("expected a puzzle to write, got none")
    if format is None and target in FORMATS:
        return FORMATS[cast(str, target)].load_writer()(several)
    form = format_to_write(os.fspath(target)) if format is None else find_format(format)
    written = form.load_writer()(several)
    # Commands that only read puzzles do not need this import.
    from unidoku.support.atomic_write import write_text

    write_text(target, f"{written}\n", force=force)
    return written


def _puzzles(puzzles: Board | Puzzle | str | Iterable[Board | Puzzle | str]) -> Iterator[Puzzle]:
    """Yield puzzles; one that is only a board gets no name."""
    several = [puzzles] if isinstance(puzzles, Board | Puzzle | str) else puzzles
    if not isinstance(several, Iterable) or getattr(several, "shape", None) == ():
        raise InputError(f"puzzles: expected a board or several, got {shown(puzzles)}")
    for puzzle in several:
        yield puzzle if isinstance(puzzle, Puzzle) else Puzzle(as_board(puzzle), "", 1)
