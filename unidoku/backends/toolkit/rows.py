"""Sets of values as rows: for solvers of integers that know tables."""

from __future__ import annotations

from itertools import permutations
from math import factorial

from unidoku.core.bits import values_of
from unidoku.core.shapes import Pair, Sets

__all__ = ["MOST_ROWS", "members_of", "rows_of"]

MOST_ROWS = 5000
"""The most rows of a table: the sets of four cells at all times, those of five mostly."""


def rows_of(shape: Sets, most: int = MOST_ROWS) -> list[tuple[int, ...]] | None:
    """Return the values that the cells may hold, a row each; None if they are too many."""
    if len(shape.masks) * factorial(len(shape.cells)) > most:
        return None
    return [row for mask in shape.masks for row in permutations(values_of(mask))]


def members_of(shape: Sets) -> list[Pair]:
    """Return the number of each set, from 0, with each of its values.

    Cells that differ hold one of the sets if each holds a value of the set of one number.
    """
    return [(number, v) for number, mask in enumerate(shape.masks) for v in values_of(mask)]
