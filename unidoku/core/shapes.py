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
from typing import ClassVar, TypeAlias, assert_never

from unidoku.core.bits import mask_of, values_of

__all__ = [
    "Images",
    "Pair",
    "Relation",
    "Shape",
    "Shift",
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


Shape: TypeAlias = Relation
"""Any shape; each has a ``name`` in the plural, for people."""


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


@lru_cache(maxsize=4096)
def images(table: Table) -> Images:
    """Return the images of a table, which all of its relations share."""
    return Images(table)


def cells_of(shape: Shape) -> Iterable[int]:
    """Return the cells that a shape speaks of, some of them more than once."""
    match shape:
        case Relation(_, pairs):
            return (cell for pair in pairs for cell in pair)
        case _:
            assert_never(shape)


def moved(shape: Shape, cells: Sequence[int]) -> Shape:
    """Return the shape with cell ``c`` renumbered to ``cells[c]``."""
    match shape:
        case Relation(table, pairs):
            return Relation(table, tuple([(cells[a], cells[b]) for a, b in pairs]))
        case _:
            assert_never(shape)


def renamed(shape: Shape, values: Sequence[int]) -> Shape:
    """Return the shape with value ``v`` renamed to ``values[v]``."""
    match shape:
        case Relation(table, pairs):
            new = [0] * len(table)
            for value, mask in enumerate(table, start=1):
                new[values[value] - 1] = mask_of(values[other] for other in values_of(mask))
            return Relation(tuple(new), pairs)
        case _:
            assert_never(shape)


def merged(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """Return shapes that say the same in their one form: equal sets of shapes come out equal.

    Relations of one table become one; of a table and the same seen backwards, the lesser is kept.
    """
    pairs: defaultdict[Table, set[Pair]] = defaultdict(set)
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
            case _:
                assert_never(shape)
    return tuple(Relation(_interned(table), tuple(sorted(pairs[table]))) for table in sorted(pairs))
