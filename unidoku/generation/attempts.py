"""The instructions to a node: which puzzles to make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from unidoku.support.deadline import Deadline


@dataclass(frozen=True, slots=True)
class Assignment:
    """Attempts for a node.

    Args:
        number: number of the first attempt, or of the layout if each layout has its own regions.
        size: number of attempts.
        limit: seconds left of the time limit; None for no limit.
    """

    number: int
    size: int
    limit: float | None


def assignments(size: int, deadline: Deadline) -> Iterator[Assignment]:
    """Yield assignments of this size, without end."""
    for number in count(0, size):
        yield Assignment(number, size, deadline.limit)
