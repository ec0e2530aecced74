"""Random Latin squares, by the Markov chain of Jacobson and Matthews.

Source: Jacobson, Matthews, Generating uniformly distributed random Latin squares, Journal of
Combinatorial Designs 4 (1996). The chain also passes through squares with one improper cell, but at
the proper squares alone it is a chain whose stationary distribution is uniform. So the square that
is returned is the n²-th proper one, after some n³ moves. The first proper one after a fixed number
of moves is not uniform: squares that follow long stretches of improper ones would come too
often.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TypeAlias

from unidoku.core.layout import Grid

_Entry: TypeAlias = tuple[int, int, int]
"""A row, a column and a value, all from 0."""


@dataclass(slots=True)
class _Square:
    """A Latin square, or one with a single improper entry, by its three conjugates.

    ``value[row][column]``, ``column_of[row][value]`` and ``row_of[column][value]`` hold one of
    the entries that are there; an improper entry counts minus one, and is in none of them.
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


def random_latin_square(n: int, rng: random.Random) -> Grid:
    """Return a random Latin square of values from 1, in reading order.

    >>> square = random_latin_square(3, random.Random(1))
    >>> [sorted(square[row * 3 : row * 3 + 3]) for row in range(3)]
    [[1, 2, 3], [1, 2, 3], [1, 2, 3]]
    """
    square = _Square(n)
    improper: _Entry | None = None
    proper = 0
    while n > 1 and proper < n**2:
        improper = _moved(square, improper, rng)
        proper += improper is None
    return tuple(value + 1 for row in square.value for (value,) in row)


def _moved(square: _Square, improper: _Entry | None, rng: random.Random) -> _Entry | None:
    """Make one move of the chain; return the improper entry that it leaves, if any."""
    n = square.n
    if improper is None:
        row, column = rng.randrange(n), rng.randrange(n)
        (old,) = square.value[row][column]
        value = (old + rng.randrange(1, n)) % n
    else:
        row, column, value = improper
        old = rng.choice(sorted(square.value[row][column]))
    other_column = rng.choice(sorted(square.column_of[row][value]))
    other_row = rng.choice(sorted(square.row_of[column][value]))
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
