"""The instructions to a node: which puzzles to make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from unidoku.support.deadline import Deadline


@dataclass(frozen=True, slots=True)
class Stint:
    """Attempts for a node.

    Args:
        number: number of the first attempt, or of the layout if each layout has its own regions.
        size: number of attempts.
        limit: seconds left of the time limit; None for no limit.
    """

    number: int
    size: int
    limit: float | None


def stints(size: int, deadline: Deadline) -> Iterator[Stint]:
    """Yield stints of this size, without end."""
    for number in count(0, size):
        yield Stint(number, size, deadline.limit)
