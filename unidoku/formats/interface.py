"""What a format of puzzles is for the catalogue: a function that reads, and one that writes.

A reader is a function ``read(text, *, guess=False)`` that yields puzzles, each with its losses;
``guess`` is whether to take rules from pictures and words. A writer is a function
``write(puzzles)`` that returns a `Written`; `one_a_line` makes it of one for a single puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from unidoku.formats.losses import Losses, Written
from unidoku.formats.puzzles import Puzzle

if TYPE_CHECKING:
    from unidoku.formats.neutral import Unread

__all__ = ["FormatReader", "FormatWriter", "one_a_line"]


class FormatReader(Protocol):
    """How a format is read."""

    def __call__(self, text: str, *, guess: bool = False) -> Iterator[Puzzle | Unread]:
        """Yield the puzzles of a text.

        Raises:
            FormatError: the text is not in the format; the message says what was expected.
        """


class FormatWriter(Protocol):
    """How a format is written."""

    def __call__(self, puzzles: Sequence[Puzzle]) -> Written:
        """Return puzzles, one at least, as a text.

        Raises:
            InputError: the format cannot hold such a puzzle at all.
        """


def one_a_line(write: Callable[[Puzzle], Written]) -> FormatWriter:
    """Return the writer of a format that has a puzzle a line."""

    def write_all(puzzles: Sequence[Puzzle]) -> Written:
        told = [write(puzzle) for puzzle in puzzles]
        losses = sum((one.losses for one in told), Losses())
        return Written("\n".join(one.text for one in told), losses)

    return write_all
