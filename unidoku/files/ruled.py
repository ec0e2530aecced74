"""Puzzle files, whose puzzles say their own layouts and rules, as sources of boards."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from unidoku.core.board import Board
from unidoku.errors import FormatError, InputError, UnsupportedError
from unidoku.files.source import Source
from unidoku.formats import Puzzle
from unidoku.formats.stream import decoded, open_stream
from unidoku.text import plural

if TYPE_CHECKING:
    from unidoku.formats.neutral import Unread

__all__ = [
    "NEUTRAL",
    "Skip",
    "Skipped",
    "puzzles_of_form",
    "read_form",
    "ruled_puzzles",
    "write",
]

NEUTRAL = ".jsonl"
"""The ending of files in the neutral form, which have a puzzle a line."""

_ENDINGS = (".toml", ".json")

Skip: TypeAlias = Callable[[str, str, tuple[str, ...]], object]
"""Called with the place and the name of a puzzle that cannot be read, and with the reasons."""


class Skipped:
    """Takes note of puzzles that cannot be read: a `Skip` that keeps the reasons."""

    def __init__(self, tell: Callable[[str], object] = lambda _: None) -> None:
        """Have each puzzle told as well, in a line."""
        self.count = 0
        self._reasons: Counter[str] = Counter()
        self._tell = tell

    def __call__(self, place: str, name: str, why: tuple[str, ...]) -> None:
        """Note a puzzle."""
        self.count += 1
        self._reasons.update(why)
        self._tell(f"{place}: {name}: not read: {', '.join(why)}")

    def summary(self, read: int) -> str:
        """Say how many puzzles were read and how many were not, and why, the most common first."""
        reasons = (f"{why} ({count})" for why, count in self._reasons.most_common())
        return f"{plural(read, 'puzzle')} read, {self.count:,} not: {', '.join(reasons)}"


def ruled_puzzles(source: Source, skip: Skip | None = None) -> Iterator[Puzzle]:
    """Yield the puzzles of a puzzle file of our own, or of one in the neutral form.

    Args:
        source: the file.
        skip: is told of puzzles that have something unknown here; they are an error without it.

    Raises:
        FormatError: something in it is no puzzle; says where.
        UnsupportedError: a puzzle has something that is not known here.
        InputError: the file cannot be read, or more is said of it than its name.
    """
    with open_stream(source.path) as stream:
        yield from puzzles_of_form(source, source.ending, stream.blocks(), skip)


def puzzles_of_form(
    source: Source, form: str, blocks: Iterable[bytes], skip: Skip | None = None
) -> Iterator[Puzzle]:
    """Yield the puzzles of a text that is the source's; the form is one of `PUZZLE_FILES`.

    Raises:
        FormatError, UnsupportedError, InputError: as `ruled_puzzles`.
    """
    for puzzle in read_form(source, form, blocks):
        if isinstance(puzzle, Puzzle):
            yield puzzle
            continue
        place = f"{source.name}:{puzzle.line}"
        if skip is None:
            told = f"{place}: {puzzle.name}: not known here: {', '.join(puzzle.reasons)}"
            raise UnsupportedError(told, puzzle.reasons)
        skip(place, puzzle.name, puzzle.reasons)


def read_form(source: Source, form: str, blocks: Iterable[bytes]) -> Iterator[Puzzle | Unread]:
    """Yield the puzzles of a text in order, and in its place what cannot be read.

    In the neutral form, a puzzle a line, no more than a block of the text is held.

    Raises:
        FormatError, InputError: as `ruled_puzzles`.
    """
    # Both are imported when there is such a file: they know every rule.
    from unidoku.formats.neutral import puzzles_from_neutral
    from unidoku.formats.puzzle_file import puzzles_from_json, puzzles_from_toml

    given = [name for name in ("size", "symbols", "column") if getattr(source, name) is not None]
    if source.variant != "classic":
        given.append("variant")
    if given:
        raise InputError(f"--{given[0]}: {source.name} is a puzzle file, which says all itself")
    try:
        if form != NEUTRAL:
            text = decoded(b"".join(blocks), 1, source.name)
            yield from (puzzles_from_toml if form == ".toml" else puzzles_from_json)(text)
            return
        lines = enumerate((line for block in blocks for line in block.splitlines()), start=1)
        yield from puzzles_from_neutral(
            (number, decoded(line, number, source.name)) for number, line in lines if line
        )
    except FormatError as error:
        raise error if error.source else error.of(source.name) from error


def write(
    puzzles: Board | Puzzle | Iterable[Board | Puzzle],
    path: str | os.PathLike[str],
    *,
    force: bool = False,
) -> None:
    """Write puzzles to a puzzle file, from which `unidoku.read` reads equal boards.

    >>> from tempfile import TemporaryDirectory
    >>> from unidoku import read
    >>> board = Board.parse("1... ..2. .3.. ...4")
    >>> with TemporaryDirectory() as folder:
    ...     write(board, f"{folder}/small.toml")
    ...     read(f"{folder}/small.toml")[0].board == board
    True

    Args:
        puzzles: a board or several, or puzzles, which have names and solutions too.
        path: a file that ends in ``.toml`` or ``.json``.
        force: replace a file that exists.

    Raises:
        InputError: the file has another ending, or a rule of your own class has no written form.
        OutputError: the file exists or cannot be written.
    """
    # Who only reads, as every command does, needs none of this.
    from unidoku.formats.puzzle_file import json_of_puzzles, toml_of_puzzles
    from unidoku.writing import write_text

    several = [puzzles] if isinstance(puzzles, Board | Puzzle) else puzzles
    held = [one if isinstance(one, Puzzle) else Puzzle(one, "", 1) for one in several]
    make = json_of_puzzles if os.fspath(path).endswith(".json") else toml_of_puzzles
    write_text(path, make(held), force=force, endings=_ENDINGS)
