"""The boards of sources one by one, with their names, in bounded memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from unidoku.core.layout import Layout
from unidoku.errors import InputError
from unidoku.files.ruled import Skip, puzzles_of_form, ruled_puzzles
from unidoku.files.source import Source, Sources, puzzle_form
from unidoku.formats import Puzzle
from unidoku.formats.stream import open_stream

__all__ = ["puzzles_in", "puzzles_of", "read"]


def read(
    path: str | os.PathLike[str],
    variant: str | Layout = "classic",
    *,
    size: int | None = None,
    symbols: str | None = None,
) -> list[Puzzle]:
    """Read the puzzles of a file: text, a table, an array, or a puzzle file with rules.

    >>> from tempfile import TemporaryDirectory
    >>> from pathlib import Path
    >>> text = '''
    ... version = 1
    ... name = "four"
    ... size = 4
    ... rules = [{ kind = "thermo", line = "A1-D1" }]
    ... '''
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "four.toml"
    ...     _ = file.write_text(text)
    ...     (puzzle,) = read(file)
    >>> puzzle.name, puzzle.board.layout.rules
    ('four', (Thermo(line=(0, 4, 8, 12), slow=False),))

    Args:
        path: a file, or a folder of files.
        variant: of boards that do not say it themselves, as puzzle files do.
        size: their n, where the file could be read in two sizes.
        symbols: as in `Board.parse`.

    Raises:
        FormatError: something in it is no puzzle; says where.
        UnsupportedError: a puzzle in the neutral form has a rule that is not known here.
        InputError: it cannot be read.
    """
    if not Path(path).exists():
        raise InputError(f"expected a file of puzzles, got {os.fspath(path)!r}: no such file")
    sources = Sources.of([path], variant, size, symbols)
    return [puzzle for source in sources.sources for puzzle in puzzles_in(source)]


def puzzles_of(
    sources: Sources, skip: Skip | None = None, *, placed: bool = True
) -> Iterator[Puzzle]:
    """Yield all boards; of several sources each is named by its source and line too.

    Args:
        sources: where they are read from.
        skip: as in `puzzles_in`.
        placed: whether names say the source.

    Raises:
        FormatError, UnsupportedError, InputError: as `puzzles_in`.
    """
    for source in sources.sources:
        for puzzle in puzzles_in(source, skip):
            place = f"{source.name}:{puzzle.line} " if placed and len(sources.sources) > 1 else ""
            yield replace(puzzle, name=(place + puzzle.name).rstrip())


def puzzles_in(source: Source, skip: Skip | None = None) -> Iterator[Puzzle]:
    """Yield the boards of one source.

    Args:
        source: the source.
        skip: is told of puzzles that have something unknown here; they are an error without it.

    Raises:
        FormatError: it holds something that is no board, or is neither file nor board.
        UnsupportedError: a puzzle has something that is not known here.
        InputError: it cannot be read.
    """
    if source.ending:
        yield from ruled_puzzles(source, skip)
        return
    if not source.is_stream:
        yield from source.boards()
        return
    with open_stream(source.path) as stream:
        if not source.is_table and not (stream.is_array and source.path):
            blocks: Iterator[bytes] = stream.blocks()
            if source.path is None:  # nothing but the text itself says what it is
                start = next(blocks, b"")
                blocks = chain([start] if start else [], blocks)
                if form := puzzle_form(start):
                    yield from puzzles_of_form(source, form, blocks, skip)
                    return
            yield from source.read(blocks)
            return
    from unidoku.files.reading import puzzles  # numpy, which text does without

    yield from puzzles(source)
