"""The boards of sources one by one, with their names, in bounded memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from unidoku.core.layout import Layout
from unidoku.core.regions import in_pieces
from unidoku.errors import InputError, UnsupportedError
from unidoku.files.detect import Kind, opened
from unidoku.files.ruled import Skip, read_form
from unidoku.files.source import Source, Sources
from unidoku.formats import Puzzle
from unidoku.formats.losses import Losses
from unidoku.support.arguments import named_arguments


@named_arguments
def read(
    path: str | os.PathLike[str],
    variant: str | Layout = "classic",
    *,
    size: int | None = None,
    symbols: str | None = None,
    format: str | None = None,
    guess: bool = False,
) -> list[Puzzle]:
    """Read the puzzles of a file, a link or a text, in any format.

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
        path: a file, a folder of files, a link, or the text of a puzzle.
        variant: layout of boards that do not state their own; puzzle files state it.
        size: n of the boards, needed only where the file could be read in two sizes.
        symbols: as in `Board.parse`.
        format: name of the file's format, where neither its ending nor its beginning shows it.
        guess: whether rules may be taken from pictures and words, where a format has no names for
            them; `Puzzle.losses` lists what was guessed and what is lost.

    Raises:
        FormatError: part of it is not a puzzle; the message states the place.
        UnsupportedError: a puzzle in the neutral form has a rule that this version does not know.
        InputError: it cannot be read.
    """
    if isinstance(path, Path) and not path.exists():
        raise InputError(f"expected a file of puzzles, got {os.fspath(path)!r}: no such file")
    sources = Sources.of([path], variant, size, symbols, form=format, guess=guess)
    return [puzzle for source in sources.sources for puzzle in puzzles_in(source)]


def puzzles_of(
    sources: Sources, skip: Skip | None = None, *, placed: bool = True
) -> Iterator[Puzzle]:
    """Yield all boards; if there are several sources, names include the source and the line.

    Args:
        sources: the sources to read.
        skip: as in `puzzles_in`.
        placed: whether names include the source.

    Raises:
        FormatError, UnsupportedError, InputError: as `puzzles_in`.
    """
    for source in sources.sources:
        for puzzle in puzzles_in(source, skip):
            prefix = f"{source.name}:{puzzle.line} " if placed and len(sources.sources) > 1 else ""
            yield replace(puzzle, name=(prefix + puzzle.name).rstrip())


def puzzles_in(source: Source, skip: Skip | None = None) -> Iterator[Puzzle]:
    """Yield the boards of one source; the first with a region in pieces says so among its losses.

    Args:
        source: the source.
        skip: called with each puzzle that uses something unknown to this version; without it, such
            a puzzle is an error.

    Raises:
        FormatError: part of it is not a board, or it is neither a file nor a board.
        UnsupportedError: a puzzle uses something unknown to this version.
        InputError: it cannot be read, or an option states what the source states already.
    """
    is_told, layout = False, None
    for puzzle in _puzzles_in(source, skip):
        if is_told or puzzle.board.layout is layout:
            yield puzzle
            continue
        layout = puzzle.board.layout
        note = _of_pieces(layout)
        is_told = bool(note)
        yield replace(puzzle, losses=puzzle.losses + Losses(reading=(note,))) if note else puzzle


def _of_pieces(layout: Layout) -> str:
    """Return a sentence about a region in pieces, which may be a mistake; empty for none."""
    pieces = in_pieces(layout)
    if pieces is None:
        return ""
    unit, cells = pieces
    are = "are" if len(cells) > 1 else "is"
    return f"{unit} is in pieces: {layout.name_all(cells)} {are} apart from its other cells"


def _puzzles_in(source: Source, skip: Skip | None) -> Iterator[Puzzle]:
    """Yield the boards of one source."""
    with opened(source) as data:
        if data.format is not None:
            for puzzle in read_form(source, data.format, data.blocks):
                if isinstance(puzzle, Puzzle):
                    yield puzzle
                    continue
                position = f"{source.name}:{puzzle.line}"
                if skip is None:
                    why = ", ".join(puzzle.reasons)
                    remark = f"{position}: {puzzle.name}: not known here: {why}"
                    raise UnsupportedError(remark, puzzle.reasons)
                skip(position, puzzle.name, puzzle.reasons)
        elif data.kind is Kind.BOARDS:
            yield from source.boards()
        elif data.kind is Kind.TEXT:
            yield from source.read(data.blocks)
        else:
            # imports numpy, which plain text does not need
            from unidoku.files.reading import puzzles

            yield from puzzles(source, data)
