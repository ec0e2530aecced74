"""What is read of a file at a time: boards of one layout, and where they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from unidoku.core.batch import Batch

__all__ = ["MOST_LINES", "Around", "Columns", "Part", "Parts"]

MOST_LINES = 1 << 16
"""Lines of a part where each takes an object of its own: those of a block may be a million."""


class Around(NamedTuple):
    """What stands in a row of a table before and after the solution; None for no column."""

    before: bytes | None
    after: bytes | None

    def joined(self, solution: bytes, delimiter: bytes) -> bytes:
        """Return the row with the solution in it."""
        return delimiter.join(
            [text for text in (self.before, solution, self.after) if text is not None]
        )


@dataclass(frozen=True, slots=True)
class Part:
    """Boards of one layout, in order.

    Args:
        batch: the boards.
        numbers: for each the number of the line or row of the file where it begins, from 1.
        around: for each what else its row holds, if that was asked for.
    """

    batch: Batch
    numbers: Sequence[int]
    around: Sequence[Around] | None = None

    def __len__(self) -> int:
        """Return the number of boards."""
        return len(self.batch)

    def __getitem__(self, part: slice) -> Part:
        """Return the boards of a slice without a step."""
        around = None if self.around is None else self.around[part]
        return Part(self.batch[part], self.numbers[part], around)


class Columns(NamedTuple):
    """The columns of a table that are carried to another.

    Attributes:
        around: their names, before and after that of the solutions.
        delimiter: what separates them.
    """

    around: Around
    delimiter: bytes


@dataclass(frozen=True, slots=True)
class Parts:
    """The boards of a source.

    Args:
        name: what messages call the source.
        place: ``line`` or ``row``: what the numbers of its boards count.
        batches: the boards in order, in parts.
        done: returns how much of the source has been read, from 0 to 1; 0 if that is unknown.
        expected: about how many boards there are; None if that is unknown.
        columns: columns of a table, if its other columns are wanted too.
        notes: what the reader of the answers should know; it may grow while boards are read.
    """

    name: str
    place: str
    batches: Iterator[Part]
    done: Callable[[], float]
    expected: int | None = None
    columns: Columns | None = None
    notes: Sequence[str] = ()
