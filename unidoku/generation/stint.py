"""What a node is told of the puzzles that it is to make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from unidoku.deadline import Deadline

__all__ = ["Stint", "stints"]


@dataclass(frozen=True, slots=True)
class Stint:
    """Attempts for a node.

    Args:
        number: the number of the first, or of the layout where each has regions of its own.
        size: how many attempts.
        limit: seconds that are left of the time limit; None for no limit.
    """

    number: int
    size: int
    limit: float | None


def stints(size: int, deadline: Deadline) -> Iterator[Stint]:
    """Yield stints of so many attempts, without end."""
    for number in count(0, size):
        yield Stint(number, size, deadline.limit)
