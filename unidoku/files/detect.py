"""Decides what a source is, in one place: from its options, its name and its beginning."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import chain
from pathlib import Path

from unidoku.errors import InputError
from unidoku.files.source import LARGE, TEXT, Source, Sources
from unidoku.formats.catalogue import Format, find_format, recognised
from unidoku.formats.stream import TextStream, open_stream


class Kind(Enum):
    """How the boards of a source are written."""

    BOARDS = auto()
    """The source is not a file: it is itself the text of boards."""
    PUZZLES = auto()
    """Puzzles of a format, which state their layouts and rules."""
    TABLE = auto()
    """A column of a table."""
    ARRAY = auto()
    """An array of numpy."""
    TEXT = auto()
    """Boards as text, one on each line or over several lines."""


@dataclass(frozen=True, slots=True)
class OpenInput:
    """A source that is open, and what it is.

    Args:
        kind: how its boards are written.
        format: the format of puzzles; None for other kinds.
        blocks: its text, in blocks of whole lines.
        stream: the stream of the blocks; None for the text of a board.
    """

    kind: Kind
    format: Format | None
    blocks: Iterator[bytes]
    stream: TextStream | None = None

    @property
    def done(self) -> Callable[[], float]:
        """A function that returns the share that has been read, from 0 to 1; 0 if unknown."""
        return self.stream.done if self.stream is not None else lambda: 1.0

    @property
    def is_batch(self) -> bool:
        """Whether it is to be read in chunks: large, compressed, or not plain text."""
        if self.stream is None or self.kind is Kind.PUZZLES:
            return False
        return self.kind is not Kind.TEXT or self.stream.is_packed or self.stream.size > LARGE


@contextlib.contextmanager
def opened(source: Source) -> Iterator[OpenInput]:
    """Open a source, and decide what it is.

    Raises:
        InputError: it cannot be read, or there is no format of the name that is given.
        FormatError: it is text in another encoding than UTF-8.
    """
    named = None if source.form in (None, TEXT) else find_format(source.form or "")
    if not source.is_stream:
        text = source.puzzle.encode(errors="replace")
        form = recognised(text) if source.form is None else named
        yield OpenInput(Kind.PUZZLES if form else Kind.BOARDS, form, iter([text]))
        return
    with open_stream(source.path) as stream:
        blocks = stream.blocks()
        if named is not None:
            yield OpenInput(Kind.PUZZLES, named, blocks, stream)
        elif stream.is_array and source.path is not None:
            yield OpenInput(Kind.ARRAY, None, blocks, stream)
        elif source.is_table:
            yield OpenInput(Kind.TABLE, None, blocks, stream)
        elif source.form is not None:
            yield OpenInput(Kind.TEXT, None, blocks, stream)
        else:
            form, blocks = _recognised(source, stream, blocks)
            yield OpenInput(Kind.PUZZLES if form else Kind.TEXT, form, blocks, stream)


def _recognised(
    source: Source, stream: TextStream, blocks: Iterator[bytes]
) -> tuple[Format | None, Iterator[bytes]]:
    """Return the format that the beginning shows, or else the ending, and all blocks."""
    is_named = source.is_plain_file
    ending = Path(source.puzzle.removesuffix(".gz")).suffix.lower() if is_named else ""
    start = next(blocks, b"")
    if start.lstrip().startswith(b"{"):  # its mark may come late
        start += next(blocks, b"")
        stream.start = None  # of two blocks
    return recognised(start, ending), chain([start] if start else [], blocks)


def is_batch(sources: Sources) -> bool:
    """Return whether any of some sources is to be read in chunks; standard input is not read."""
    return any(map(_is_batch, sources.sources))


def _is_batch(source: Source) -> bool:
    if not source.is_plain_file:
        return source.is_table and source.form in (None, TEXT)
    with contextlib.suppress(InputError), opened(source) as data:
        return data.is_batch
    return False  # reading it says what is wrong
