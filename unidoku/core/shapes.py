"""Shapes: what solvers know of rules.

A rule says what people say (`unidoku.core.rules`); its shapes say the same in a handful of
forms that every solver can be told. They are a closed set: whoever looks at a shape does so in a
``match`` that ends in ``assert_never``, so that mypy names each place which lacks one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from math import gcd
from operator import attrgetter
from typing import ClassVar, TypeAlias, assert_never

from unidoku.core.bits import mask_of, values_of

__all__ = [
    "Images",
    "Pair",
    "Relation",
    "Sets",
    "Shape",
    "Shift",
    "Sum",
    "Table",
    "backwards",
    "images",
    "merged",
    "shifts",
    "tabulated",
]

Pair: TypeAlias = tuple[int, int]
"""Two cells, or two values."""

Table: TypeAlias = tuple[int, ...]
"""A relation of values: ``table[v - 1]`` is the set of the other values beside the value v."""


Shift: TypeAlias = tuple[int, int]
"""How much larger a second value is, and the set of first values to which that applies; -1 where
it applies to all."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Two values stand in a relation, in each of many pairs of cells.

    Args:
        table: which values the second cell may hold beside each value of the first.
        pairs: pairs of different cells.
    """

    name: ClassVar[str] = "relations"
    table: Table
    pairs: tuple[Pair, ...]

    @property
    def rows(self) -> list[Pair]:
        """The pairs of values that are allowed."""
        return [(v, w) for v, mask in enumerate(self.table, start=1) for w in values_of(mask)]


@dataclass(frozen=True, slots=True)
class Sum:
    """A weighted sum of the values of cells lies within bounds.

    Args:
        cells: each once.
        weights: of each cell, none of them 0.
        low: the least sum.
        high: the largest sum.
    """

    name: ClassVar[str] = "sums"
    cells: tuple[int, ...]
    weights: tuple[int, ...]
    low: int
    high: int

    @classmethod
    def of(cls, terms: Iterable[tuple[int, int]], low: int, high: int, first_value: int = 1) -> Sum:
        """Return the sum of terms, each a cell and its weight; a cell may come several times.

        The bounds speak of values from ``first_value``.

        >>> Sum.of([(3, 2), (1, -1), (3, 2)], 0, 8)
        Sum(cells=(1, 3), weights=(1, -4), low=-8, high=0)
        """
        weights: defaultdict[int, int] = defaultdict(int)
        for cell, weight in terms:
            weights[cell] += weight
        more = (first_value - 1) * sum(weights.values())
        low, high = low - more, high - more
        kept = sorted((cell, weight) for cell, weight in weights.items() if weight)
        factor = gcd(*[weight for _, weight in kept]) or 1
        # The first weight is positive, and they have no factor in common.
        if kept and kept[0][1] < 0:
            low, high, factor = -high, -low, -factor
        return cls(
            tuple([cell for cell, _ in kept]),
            tuple([weight // factor for _, weight in kept]),
            -(-low // abs(factor)),
            high // abs(factor),
        )


@dataclass(frozen=True, slots=True)
class Sets:
    """Cells differ, and together hold exactly one of some sets of values: a cage, for example.

    Args:
        cells: each once.
        masks: the sets, each of as many values as there are cells.
    """

    name: ClassVar[str] = "sets of values"
    cells: tuple[int, ...]
    masks: tuple[int, ...]

    @property
    def totals(self) -> tuple[int, int]:
        """The least and the largest sum of a set; 1 and 0 if there is no set."""
        sums = [sum(values_of(mask)) for mask in self.masks]
        return (min(sums), max(sums)) if sums else (1, 0)


Shape: TypeAlias = Relation | Sum | Sets
"""Any shape; each has a ``name`` in the plural, for people."""


@lru_cache(maxsize=4096)
def digit_sets(n: int, size: int, low: int, high: int) -> tuple[int, ...]:
    """Return the sets of so many of the values 1 to n whose sum is within bounds.

    >>> [values_of(mask) for mask in digit_sets(9, 2, 5, 5)]
    [(2, 3), (1, 4)]
    """
    found = (
        mask_of(values)
        for values in combinations(range(1, n + 1), size)
        if low <= sum(values) <= high
    )
    return tuple(sorted(found))


def tabulated(n: int, holds: Callable[[int, int], object], first_value: int = 1) -> Table:
    """Return the table of a relation between the values of a board.

    >>> [values_of(mask) for mask in tabulated(3, lambda a, b: a < b)]
    [(2, 3), (3,), ()]
    """
    values = range(1, n + 1)
    shift = first_value - 1
    return _interned(
        tuple(mask_of(w for w in values if holds(v + shift, w + shift)) for v in values)
    )


@lru_cache(maxsize=4096)
def _interned(table: Table) -> Table:
    """Return the one object of all equal tables: thousands of relations have the same few."""
    return table


@lru_cache(maxsize=4096)
def backwards(table: Table) -> Table:
    """Return the table of the relation as the second cell sees it."""
    values = range(1, len(table) + 1)
    return _interned(tuple(mask_of(w for w in values if table[w - 1] >> v - 1 & 1) for v in values))


@lru_cache(maxsize=4096)
def shifts(table: Table) -> tuple[Shift, ...]:
    """Return what a table forbids, by how much the second value is larger.

    >>> shifts(tabulated(5, lambda a, b: abs(a - b) != 1 and (a, b) != (1, 1)))
    ((-1, -1), (0, 1), (1, -1))
    """
    n = len(table)
    found = []
    for more in range(1 - n, n):
        possible = [value for value in range(1, n + 1) if 1 <= value + more <= n]
        values = mask_of(v for v in possible if not table[v - 1] >> v + more - 1 & 1)
        if values:
            found.append((more, -1 if values == mask_of(possible) else values))
    return tuple(found)


class Images(dict[int, int]):
    """For a set of values of one cell: all values that the other cell may hold beside them.

    Filled as it is used, for the same sets occur again and again.
    """

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table

    def __missing__(self, mask: int) -> int:
        """Compute the image of a set."""
        image = 0
        for value in values_of(mask):
            image |= self.table[value - 1]
        if len(self) >= _MOST_IMAGES:
            self.clear()
        self[mask] = image
        return image


_MOST_IMAGES = 1 << 14
"""Sets that an `Images` remembers: all there are of 14 values; a full one is emptied."""


@lru_cache(maxsize=512)
def images(table: Table) -> Images:
    """Return the images of a table, which all of its relations share."""
    return Images(table)


def cells_of(shape: Shape) -> Iterable[int]:
    """Return the cells that a shape speaks of, some of them more than once."""
    match shape:
        case Relation(_, pairs):
            return chain.from_iterable(pairs)
        case Sum(cells) | Sets(cells):
            return cells
        case _:
            assert_never(shape)


def moved(shape: Shape, cells: Sequence[int]) -> Shape:
    """Return the shape with cell ``c`` renumbered to ``cells[c]``."""
    match shape:
        case Relation(table, pairs):
            return Relation(table, tuple([(cells[a], cells[b]) for a, b in pairs]))
        case Sum(own, weights, low, high):
            return Sum(tuple([cells[cell] for cell in own]), weights, low, high)
        case Sets(own, masks):
            return Sets(tuple([cells[cell] for cell in own]), masks)
        case _:
            assert_never(shape)


def reversed_values(shape: Shape, n: int) -> Shape:
    """Return the shape with the values counted backwards: v becomes n + 1 - v."""
    match shape:
        case Relation(table, pairs):
            return Relation(tuple([_reversed(mask, n) for mask in reversed(table)]), pairs)
        case Sum(cells, weights, low, high):
            most = (n + 1) * sum(weights)
            return Sum(cells, weights, most - high, most - low)
        case Sets(cells, masks):
            return Sets(cells, tuple([_reversed(mask, n) for mask in masks]))
        case _:
            assert_never(shape)


def _reversed(mask: int, n: int) -> int:
    return int(f"{mask:0{n}b}"[::-1], 2)


def merged(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """Return shapes that say the same in their one form: equal sets of shapes come out equal.

    Relations of one table become one; of a table and the same seen backwards, the lesser is kept.
    """
    pairs: defaultdict[Table, set[Pair]] = defaultdict(set)
    sums: set[Sum] = set()
    sets: set[Sets] = set()
    for shape in shapes:
        match shape:
            case Relation(table, both):
                back = backwards(table)
                if back < table:
                    pairs[back].update((b, a) for a, b in both)
                elif back == table:
                    pairs[table].update((min(pair), max(pair)) for pair in both)
                else:
                    pairs[table].update(both)
            case Sum(cells, weights, low, high):
                sums.add(Sum.of(zip(cells, weights, strict=True), low, high))
            case Sets(cells, masks):
                sets.add(Sets(tuple(sorted(cells)), tuple(sorted(set(masks)))))
            case _:
                assert_never(shape)
    relations = [Relation(_interned(table), tuple(sorted(pairs[table]))) for table in sorted(pairs)]
    order = attrgetter("cells", "weights", "low", "high")
    return (*relations, *sorted(sums, key=order), *sorted(sets, key=attrgetter("cells", "masks")))
