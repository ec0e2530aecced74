"""Random Latin squares, by the Markov chain of Jacobson and Matthews.

Source: Jacobson, Matthews, Generating uniformly distributed random Latin squares, Journal of
Combinatorial Designs 4 (1996). Its stationary distribution is uniform; n³ moves mix well.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

__all__ = ["random_latin_square"]


@dataclass(slots=True)
class _Square:
    """A Latin square, or one with a single improper cell, by its three conjugates.

    ``value[row][column]``, ``column_of[row][value]`` and ``row_of[column][value]`` hold one of
    the entries that are there; an improper cell (r, c, v) counts minus one, and is in none.
    """

    n: int
    value: list[list[set[int]]] = field(init=False)
    column_of: list[list[set[int]]] = field(init=False)
    row_of: list[list[set[int]]] = field(init=False)

    def __post_init__(self) -> None:
        n = self.n
        self.value = [[{(r + c) % n} for c in range(n)] for r in range(n)]
        self.column_of = [[{(v - r) % n} for v in range(n)] for r in range(n)]
        self.row_of = [[{(v - c) % n} for v in range(n)] for c in range(n)]

    def put(self, row: int, column: int, value: int) -> None:
        self.value[row][column].add(value)
        self.column_of[row][value].add(column)
        self.row_of[column][value].add(row)

    def take(self, row: int, column: int, value: int) -> None:
        self.value[row][column].discard(value)
        self.column_of[row][value].discard(column)
        self.row_of[column][value].discard(row)


def random_latin_square(n: int, order: random.Random) -> list[list[int]]:
    """Return a random Latin square of values from 1.

    >>> square = random_latin_square(5, random.Random(1))
    >>> all(sorted(line) == [1, 2, 3, 4, 5] for line in [*square, *zip(*square)])
    True
    """
    square = _Square(n)
    improper: tuple[int, int, int] | None = None
    moves = 0
    while n > 1 and (moves < n**3 or improper is not None):
        improper = _moved(square, improper, order)
        moves += 1
    return [[next(iter(held)) + 1 for held in row] for row in square.value]


def _moved(
    square: _Square, improper: tuple[int, int, int] | None, order: random.Random
) -> tuple[int, int, int] | None:
    """Make one move of the chain; return the improper cell that it leaves, if any."""
    n = square.n
    if improper is None:
        row, column = order.randrange(n), order.randrange(n)
        (old,) = square.value[row][column]
        value = (old + order.randrange(1, n)) % n
    else:
        row, column, value = improper
        old = order.choice(sorted(square.value[row][column]))
    other_column = order.choice(sorted(square.column_of[row][value]))
    other_row = order.choice(sorted(square.row_of[column][value]))
    if improper is None:
        square.put(row, column, value)
    square.take(row, column, old)
    square.take(row, other_column, value)
    square.take(other_row, column, value)
    square.put(row, other_column, old)
    square.put(other_row, column, old)
    square.put(other_row, other_column, value)
    if old in square.value[other_row][other_column]:
        square.take(other_row, other_column, old)
        return None
    return (other_row, other_column, old)
