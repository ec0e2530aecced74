"""The interface of a format of puzzles in the catalogue: a reader and a writer function.

A reader is a function ``read(text, *, guess=False)`` that yields puzzles, each with its losses;
``guess`` allows it to take rules from pictures and words. A writer is a function ``write(puzzles)``
that returns a `Written`; `one_a_line` makes one from a function for a single puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from unidoku.formats.losses import Losses, Written
from unidoku.formats.puzzles import Puzzle

if TYPE_CHECKING:
    from unidoku.formats.neutral.format import Unread


class FormatReader(Protocol):
    """Reads a format."""

    def __call__(self, text: str, *, guess: bool = False) -> Iterator[Puzzle | Unread]:
        """Yield the puzzles of a text.

        Raises:
            FormatError: the text is not in the format; the message states what was expected.
        """


class FormatWriter(Protocol):
    """Writes a format."""

    def __call__(self, puzzles: Sequence[Puzzle]) -> Written:
        """Return one or more puzzles as a text.

        Raises:
            InputError: the format cannot express such a puzzle at all.
        """


def one_a_line(write: Callable[[Puzzle], Written]) -> FormatWriter:
    """Return the writer of a format that has one puzzle on each line."""

    def write_all(puzzles: Sequence[Puzzle]) -> Written:
        lines = [write(puzzle) for puzzle in puzzles]
        losses = sum((line.losses for line in lines), Losses())
        return Written("\n".join(text.text for text in lines), losses)

    return write_all
