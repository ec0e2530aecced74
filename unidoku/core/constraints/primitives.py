"""Constraints: the forms of rules that solvers support.

A rule is what a puzzle states (`unidoku.core.rules`); its constraints express the same in a few
forms that every solver can use. The forms are a closed set: code that handles constraints uses a
``match`` that ends in ``assert_never``, so that mypy reports each place that misses one. Operations
on constraints of all classes are in `unidoku.core.constraints.operations`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import gcd
from typing import ClassVar, TypeAlias, TypeVar, dataclass_transform, get_args

from unidoku.core.bits import bits_of, mask_of, values_of
from unidoku.core.caching import identity_cache, layout_cache, number_cache
from unidoku.core.constraints.automaton import Machine
from unidoku.support.moved import former_names

T = TypeVar("T")

Pair: TypeAlias = tuple[int, int]
"""Two cells, or two values."""

Masks: TypeAlias = tuple[int, ...]
"""A relation of values: ``table[v - 1]`` is the set of values that go with the value v."""


Shift: TypeAlias = tuple[int, int]
"""How much larger a second value is, and the set of first values to which that applies; -1 if it
applies to all."""


@dataclass_transform(frozen_default=True)
def quick_value(kind: type[T]) -> type[T]:
    """Return a class as a slotted, hashable dataclass, which type checkers take for a frozen one.

    A dataclass that is frozen at run time too is made in five times as long: it has to set each
    field with a call of ``object.__setattr__``.
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)


@quick_value
class Relation:
    """In each of many pairs of cells the two values are related.

    Args:
        table: the values that the second cell may hold for each value of the first.
        pairs: pairs of different cells.
    """

    name: ClassVar[str] = "relations"
    table: Masks
    pairs: tuple[Pair, ...]

    @property
    def rows(self) -> list[Pair]:
        """The pairs of values that are allowed."""
        return [(v, w) for v, mask in enumerate(self.table, start=1) for w in values_of(mask)]


@quick_value
class Sum:
    """A weighted sum of the values of cells is within bounds.

    Args:
        cells: the cells, each once.
        weights: weight of each cell, not 0.
        low: the smallest sum.
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

        The bounds refer to values that start from ``first_value``.

        >>> Sum.of([(3, 2), (1, -1), (3, 2)], 0, 8)
        Sum(cells=(1, 3), weights=(1, -4), low=-8, high=0)
        """
        given_terms = [*terms]
        weights = dict(given_terms)
        if len(weights) < len(given_terms):
            weights = dict.fromkeys(weights, 0)
            for cell, weight in given_terms:
                weights[cell] += weight
        if first_value != 1:
            shift = (first_value - 1) * sum(weights.values())
            low, high = low - shift, high - shift
        cells = tuple(sorted(weights))
        coefficients = tuple([weights[cell] for cell in cells])
        if 0 in coefficients:
            cells = tuple([cell for cell in cells if weights[cell]])
            coefficients = tuple(filter(None, coefficients))
        factor = gcd(*coefficients) or 1
        # The first weight is positive, and the weights have no common factor.
        if coefficients and coefficients[0] < 0:
            low, high, factor = -high, -low, -factor
        if factor != 1:
            coefficients = tuple([weight // factor for weight in coefficients])
            low, high = -(-low // abs(factor)), high // abs(factor)
        return cls(cells, coefficients, low, high)

    @classmethod
    def of_cells(cls, cells: Iterable[int], total: int, first_value: int = 1) -> Sum:
        """Return the sum of cells, in the form that `of` makes; a cell may come several times.

        >>> Sum.of_cells([3, 1, 2], 8, first_value=2)
        Sum(cells=(1, 2, 3), weights=(1, 1, 1), low=5, high=5)
        """
        ordered = sorted(cells)
        if not is_ascending(ordered):
            return cls.of([(cell, 1) for cell in ordered], total, total, first_value)
        total -= (first_value - 1) * len(ordered)
        return cls(tuple(ordered), (1,) * len(ordered), total, total)

    @classmethod
    def of_sets(cls, plus: int, minus: int, total: int) -> Sum:
        """Return that the cells of a set, minus those of a disjoint one, sum to a total.

        It is in the canonical form that `of` makes, in which the first weight is positive.

        >>> Sum.of_sets(0b100, 0b010, 3)
        Sum(cells=(1, 2), weights=(1, -1), low=-3, high=-3)
        """
        both = plus | minus
        if both & -both & minus:  # make the first weight positive
            plus, total = minus, -total
        cells = tuple(bits_of(both))
        if plus == both:
            return cls(cells, (1,) * len(cells), total, total)
        weights = tuple([1 if plus >> cell & 1 else -1 for cell in cells])
        return cls(cells, weights, total, total)

    def in_one_form(self) -> Sum:
        """Return the sum in the canonical form that `of` makes."""
        weights = self.weights
        if weights[:1] == (1,) and 0 not in weights and is_ascending(self.cells):
            return self  # 1 has no common factor with any number
        return _in_one_form(self)


@quick_value
class Sets:
    """Cells differ, and together hold exactly one of some sets of values: a cage, for example.

    Args:
        cells: the cells, each once.
        masks: the sets; each has as many values as there are cells.
    """

    name: ClassVar[str] = "sets of values"
    cells: tuple[int, ...]
    masks: tuple[int, ...]

    @property
    def totals(self) -> tuple[int, int]:
        """The smallest and the largest sum of a set; 1 and 0 if there is no set."""
        return _totals(self.masks)

    def split(self, items: Iterable[T], value: int) -> tuple[list[T], list[T]]:
        """Return the items of the sets with a value and of those without it, an item for each."""
        pairs = list(zip(items, self.masks, strict=True))
        return (
            [item for item, mask in pairs if mask >> value - 1 & 1],
            [item for item, mask in pairs if not mask >> value - 1 & 1],
        )


@quick_value
class Automaton:
    """A machine accepts the values of cells in order.

    Args:
        cells: the cells in the order in which they are read; a cell may occur again.
        machine: the machine that accepts their values.
    """

    name: ClassVar[str] = "automata"
    cells: tuple[int, ...]
    machine: Machine


@quick_value
class Table:
    """Cells hold the values of one of some rows.

    Args:
        cells: a few cells, each once, because all rows are enumerated.
        rows: the rows of values that they may hold, ascending.
    """

    name: ClassVar[str] = "tables"
    cells: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, n: int, cells: tuple[int, ...], holds: Callable[..., object]) -> Table:
        """Return the table of a function of as many values as there are cells.

        >>> Table.of(2, (0, 1, 2), lambda a, b, c: a + b == c).rows
        ((1, 1, 2),)
        """
        return cls(cells, _rows(n, len(cells), holds))


@quick_value
class SameValues:
    """Two lists of cells hold the same values, each equally often.

    If the cells of each list differ, both hold the same set of values.

    Args:
        cells: cells of the first list, each once.
        others: cells of the second list, each once; as many as in the first.
        differ: whether the cells of each list are known to differ because of a unit.
    """

    name: ClassVar[str] = "same values"
    cells: tuple[int, ...]
    others: tuple[int, ...]
    differ: bool = False

    @property
    def lists(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Both lists."""
        return self.cells, self.others


@quick_value
class Or:
    """At least one of several branches holds.

    Args:
        branches: branches, each a group of constraints that all hold if the branch does. That one
            cell holds certain values is written as `Sets` of one value each.
    """

    name: ClassVar[str] = "alternatives"
    branches: tuple[tuple[Constraint, ...], ...]


@quick_value
class Region:
    """The cells that hold one of some values are connected: neighbours lead from each to each.

    Args:
        cells: each once.
        mask: the values of a cell that lies in the region.
        pairs: the cells that are neighbours, the lesser first.
        low: how many cells lie in it at least.
        high: how many at most.
        others: none; or for each cell another, and where cells lie in the region these differ.
    """

    name: ClassVar[str] = "connected regions"
    cells: tuple[int, ...]
    mask: int
    pairs: tuple[Pair, ...]
    low: int
    high: int
    others: tuple[int, ...] = ()


Constraint: TypeAlias = Relation | Sum | Sets | SameValues | Automaton | Table | Or | Region
"""Any constraint; each class has a ``name`` in the plural, for messages."""

ALL_CONSTRAINTS: frozenset[type[Constraint]] = frozenset(get_args(Constraint))
"""The classes of all constraints, for backends that support them all."""


@number_cache(maxsize=4096)
def _totals(masks: tuple[int, ...]) -> tuple[int, int]:
    sums = [sum(values_of(mask)) for mask in masks]
    return (min(sums), max(sums)) if sums else (1, 0)


def is_ascending(cells: Sequence[int]) -> bool:
    """Return whether cells are in ascending order, each once."""
    last = -1
    for cell in cells:  # much faster than `all` for so few
        if cell <= last:
            return False
        last = cell
    return True


@layout_cache(maxsize=4096)
def _in_one_form(total: Sum) -> Sum:
    return Sum.of(zip(total.cells, total.weights, strict=True), total.low, total.high)


@number_cache(maxsize=4096)
def digit_sets(n: int, size: int, low: int, high: int) -> tuple[int, ...]:
    """Return the sets of that size of the values 1 to n whose sum is within bounds.

    >>> [values_of(mask) for mask in digit_sets(9, 2, 5, 5)]
    [(2, 3), (1, 4)]
    """
    masks = (
        mask_of(values)
        for values in combinations(range(1, n + 1), size)
        if low <= sum(values) <= high
    )
    return tuple(sorted(masks))


def tabulated(n: int, holds: Callable[[int, int], object], first_value: int = 1) -> Masks:
    """Return the table of a relation between the values of a board.

    >>> [values_of(mask) for mask in tabulated(3, lambda a, b: a < b)]
    [(2, 3), (3,), ()]
    """
    values = range(first_value, first_value + n)
    bits = [(1 << index, value) for index, value in enumerate(values)]
    return interned(tuple([sum([mask for mask, w in bits if holds(v, w)]) for v in values]))


@number_cache(maxsize=256)
def apart(n: int, least: int = 1) -> Masks:
    """Return the table of two values that differ by at least a distance."""
    return tabulated(n, lambda a, b: abs(a - b) >= least)


@number_cache(maxsize=256)
def alike(n: int) -> Masks:
    """Return the table of two equal values."""
    return tabulated(n, lambda a, b: a == b)


@number_cache(maxsize=4096)
def interned(table: Masks) -> Masks:
    """Return one shared object for equal tables: thousands of relations have the same few."""
    return table


@identity_cache
@number_cache(maxsize=512)
def interned_rows(rows: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Return one shared object for equal rows."""
    return rows


def _rows(n: int, size: int, holds: Callable[..., object]) -> tuple[tuple[int, ...], ...]:
    return interned_rows(
        tuple([row for row in product(range(1, n + 1), repeat=size) if holds(*row)])
    )


@number_cache(maxsize=4096)
def backwards(table: Masks) -> Masks:
    """Return the table of the relation from the second cell to the first."""
    places = range(len(table))
    return interned(tuple([sum([1 << w for w in places if table[w] >> v & 1]) for v in places]))


@number_cache(maxsize=4096)
def shifts(table: Masks) -> tuple[Shift, ...]:
    """Return what a table forbids, by the difference of the second and the first value.

    >>> shifts(tabulated(5, lambda a, b: abs(a - b) != 1 and (a, b) != (1, 1)))
    ((-1, -1), (0, 1), (1, -1))
    """
    n = len(table)
    forbidden = []
    for difference in range(1 - n, n):
        possible = [value for value in range(1, n + 1) if 1 <= value + difference <= n]
        values = mask_of(v for v in possible if not table[v - 1] >> v + difference - 1 & 1)
        if values:
            forbidden.append((difference, -1 if values == mask_of(possible) else values))
    return tuple(forbidden)


class Images(dict[int, int]):
    """Maps a set of values of one cell to all values that the other cell may hold with them.

    Filled as it is used, because the same sets occur again and again.
    """

    def __init__(self, table: Masks) -> None:
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
"""The largest number of sets that an `Images` caches: all sets of 14 values; a full one is
emptied."""


@number_cache(maxsize=512)
def images(table: Masks) -> Images:
    """Return the images of a table, which all of its relations share."""
    return Images(table)


__getattr__ = former_names(__name__, Shape="Constraint", Rows="Table")
