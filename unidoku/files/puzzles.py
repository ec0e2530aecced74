"""The boards of sources one by one, with their names, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from unidoku.files.source import Source, Sources
from unidoku.formats import Puzzle
from unidoku.formats.stream import open_stream

__all__ = ["puzzles_in", "puzzles_of"]


def puzzles_of(sources: Sources) -> Iterator[Puzzle]:
    """Yield all boards; of several sources each is named by its source and line too.

    Raises:
        FormatError, InputError: as `puzzles_in`.
    """
    for source in sources.sources:
        for puzzle in puzzles_in(source):
            place = f"{source.name}:{puzzle.line} " if len(sources.sources) > 1 else ""
            yield replace(puzzle, name=(place + puzzle.name).rstrip())


def puzzles_in(source: Source) -> Iterator[Puzzle]:
    """Yield the boards of one source.

    Raises:
        FormatError: it holds something that is no board, or is neither file nor board.
        InputError: it cannot be read.
    """
    if not source.is_stream:
        yield from source.boards()
        return
    with open_stream(source.path) as stream:
        if not source.is_table and not (stream.is_array and source.path):
            yield from source.read(stream.blocks())
            return
    from unidoku.files.reading import puzzles  # numpy, which text does without

    yield from puzzles(source)
