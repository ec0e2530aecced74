"""Sets of values as rows, for integer solvers that support tables."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial

from unidoku.core.bits import values_of
from unidoku.core.caching import number_cache
from unidoku.core.constraints.primitives import Pair, Sets, Table

MOST_ROWS = 5000
"""The largest number of rows of a table: enough for all sets of four cells and most of five."""


def rows_of(constraint: Sets, most: int = MOST_ROWS) -> list[tuple[int, ...]] | None:
    """Return the values that the cells may hold as rows; None if there are too many."""
    if len(constraint.masks) * factorial(len(constraint.cells)) > most:
        return None
    return [row for mask in constraint.masks for row in permutations(values_of(mask))]


def members_of(constraint: Sets) -> list[Pair]:
    """Return a pair for each value of each set: the number of the set, from 0, and the value.

    Cells that differ hold one of the sets if each holds a value of the set of one number.
    """
    return [(number, v) for number, mask in enumerate(constraint.masks) for v in values_of(mask)]


def rows_apart(constraint: Table, n: int) -> tuple[tuple[int, ...], ...] | None:
    """Return the rows that a table forbids, if they are fewer than those that it allows.

    For many rules of the form "if this, then that" they are a tenth as many, and they need no fresh
    variables.
    """
    return _rows_apart(constraint.rows, len(constraint.cells), n)


@number_cache(maxsize=256)
def _rows_apart(
    rows: tuple[tuple[int, ...], ...], size: int, n: int
) -> tuple[tuple[int, ...], ...] | None:
    if 2 * len(rows) < n**size:
        return None
    allowed = set(rows)
    return tuple([row for row in product(range(1, n + 1), repeat=size) if row not in allowed])
