"""Delta debugging: which parts of something large are enough to show what it shows.

Andreas Zeller and Ralf Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE
Transactions on Software Engineering 28(2), 2002.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def ddmin(parts: Sequence[T], shows: Callable[[list[T]], bool]) -> list[T]:
    """Return parts of which none can be left out alone: the algorithm ddmin.

    >>> ddmin(range(100), lambda kept: {7, 42} <= set(kept))
    [7, 42]

    Args:
        parts: all of which together show it.
        shows: tells whether some of them, in the same order, still do.

    Cost: at worst the square of the number of parts, in tests; for a single part that matters,
    twice the logarithm.
    """
    smallest = list(parts)
    if smallest and shows([]):
        return []
    pieces = 2
    while len(smallest) > 1:
        size = math.ceil(len(smallest) / pieces)
        subsets = [smallest[start : start + size] for start in range(0, len(smallest), size)]
        rests = [
            smallest[:start] + smallest[start + size :] for start in range(0, len(smallest), size)
        ]
        if (smaller := next(filter(shows, subsets), None)) is not None:
            smallest, pieces = smaller, 2
        elif len(subsets) > 2 and (smaller := next(filter(shows, rests), None)) is not None:
            smallest, pieces = smaller, max(pieces - 1, 2)
        elif size > 1:
            pieces = min(2 * pieces, len(smallest))
        else:
            break
    return smallest
