"""Rules about the values that cells hold together, in any order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import comb
from typing import ClassVar

from unidoku.core.bits import values_of
from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine, machine_of_steps
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Masks,
    Relation,
    Sets,
    Table,
    apart,
    digit_sets,
    interned_rows,
)
from unidoku.core.rules.base import Facts, Rule, cell_names
from unidoku.core.rules.cages import MOST_SETS
from unidoku.core.rules.classes import check_classes
from unidoku.core.rules.fields import Cells, Classes
from unidoku.core.rules.related import equal_pairs
from unidoku.support.language import message


@dataclass(frozen=True)
class EqualityCage(Rule):
    """The cells of a cage differ: as many odd as even, as many low as high, no middle value.

    Args:
        cage: the cells, each once.
        high: the largest value; by default that of the layout. The middle is halfway between the
            layout's first value and this one.
    """

    kind: ClassVar[str] = "equality-cage"
    sentence: ClassVar[str] = "{cells} differ, as many odd as even and as many low as high"
    each_once: ClassVar[bool] = True
    cage: Cells
    high: int | None = None

    def bind(self, facts: Facts) -> EqualityCage:
        """Return the rule with the largest value of its layout."""
        last = facts.n + facts.first_value - 1
        return replace(self, high=last) if self.high is None else self

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield pairs of equal cells, cells of the middle value, and kinds with too many cells.

        The kinds are odd, even, low and high; each may have at most half of the cells.
        """
        yield from equal_pairs(values, self.cage)
        twice_middle = first_value + (self.high or 0)
        numbers = {cell: values[cell] + first_value - 1 for cell in self.cage if values[cell]}
        kinds = (
            [cell for cell, value in numbers.items() if value % 2],
            [cell for cell, value in numbers.items() if not value % 2],
            [cell for cell, value in numbers.items() if 2 * value < twice_middle],
            [cell for cell, value in numbers.items() if 2 * value > twice_middle],
        )
        for cells in kinds:
            if 2 * len(cells) > len(self.cage):
                yield tuple(cells)
        for cell, value in numbers.items():
            if 2 * value == twice_middle:
                yield (cell,)

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield the balanced sets of values, or else that cells differ, and an automaton."""
        n, size, first = facts.n, len(self.cage), facts.first_value
        high = (self.high or 0) - first + 1
        if comb(n, size) <= MOST_SETS:
            yield Sets(self.cage, _equal_sets(n, size, high, first))
            return
        yield Relation(apart(n), tuple(combinations(self.cage, 2)))
        yield Automaton(self.cage, _equality(n, high, first))


@number_cache(maxsize=256)
def _equal_sets(n: int, size: int, high: int, first_value: int) -> Masks:
    """Return the balanced sets of that many values."""
    machine = _equality(n, high, first_value)
    return tuple([m for m in digit_sets(n, size, 0, n * size) if machine.accepts(values_of(m))])


@number_cache(maxsize=64)
def _equality(n: int, high: int, first_value: int) -> Machine:
    """Return a machine that accepts as many odd as even values, and as many high as low ones.

    Its state is the two differences so far. It accepts no middle value.

    Args:
        n: the number of values.
        high: the largest internal value that the middle is computed from.
        first_value: the displayed value of the internal value 1, which decides what is odd.
    """

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        if 2 * value == high + 1:
            return None
        odd = state[0] + (1 if (value + first_value - 1) % 2 else -1)
        above = state[1] + (1 if 2 * value > high + 1 else -1)
        return (odd, above) if max(abs(odd), abs(above)) <= n else None

    return machine_of_steps(n, (0, 0), step, lambda state: state == (0, 0))


@dataclass(frozen=True)
class Rellik(Rule):
    """The cells of a cage differ, and no subset of them sums to a total.

    Args:
        cage: the cells, each once.
        total: the sum that must not occur, nor as the value of one cell.
    """

    kind: ClassVar[str] = "rellik"
    sentence: ClassVar[str] = "{cells} differ, and none of them sum to {total}"
    each_once: ClassVar[bool] = True
    cage: Cells
    total: int

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield cells that are equal, and the smallest group that sums to the total."""
        yield from equal_pairs(values, self.cage)
        filled = [cell for cell in self.cage if values[cell]]
        for size in range(1, len(filled) + 1):
            for cells in combinations(filled, size):
                if sum(values[cell] + first_value - 1 for cell in cells) == self.total:
                    yield cells
                    return

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield the sets of values without the sum, or else that cells differ, and an automaton."""
        n, size, first = facts.n, len(self.cage), facts.first_value
        if comb(n, size) <= MOST_SETS:
            yield Sets(self.cage, _sets_without(n, size, self.total, first))
            return
        pairs = tuple(combinations(self.cage, 2))
        yield Relation(apart(n), pairs)
        yield Automaton(self.cage, _rellik(n, self.total, first))


@number_cache(maxsize=256)
def _sets_without(n: int, size: int, total: int, first_value: int) -> Masks:
    """Return the sets of that many values of which no subset sums to a total."""
    sets = digit_sets(n, size, 0, n * size)
    return tuple([mask for mask in sets if not _sums(mask, total, first_value)])


def _sums(mask: int, total: int, first_value: int) -> bool:
    """Return whether one or several values of a set sum to a total."""
    sums: set[int] = set()
    for value in values_of(mask):
        number = value + first_value - 1
        sums |= {subtotal + number for subtotal in sums} | {number}
    return total in sums


@number_cache(maxsize=256)
def _rellik(n: int, total: int, first_value: int) -> Machine:
    """Return a machine whose state is the set of sums so far, as bits."""

    def step(sums: int, value: int) -> int | None:
        sums |= (sums << value) & ((2 << total) - 1) if total >= 0 else 0
        has_total = total >= 0 and (sums >> total & 1 if total else value == 0)
        return None if has_total else sums

    return machine_of_steps(n, 1, step, lambda sums: True, first_value)


@dataclass(frozen=True)
class Hits(Rule):
    """Cells hold a value of each of some classes, for example low, middle and high values.

    Args:
        held: the cells.
        classes: the values of each class; a value is in at most one class.
    """

    kind: ClassVar[str] = "hits"
    held: Cells
    classes: Classes

    def __post_init__(self) -> None:
        """Refuse a value in two classes."""
        super().__post_init__()
        check_classes(self.kind, self.classes)

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the cells if more classes are missing than cells are empty."""
        numbers = {values[cell] + first_value - 1 for cell in self.held if values[cell]}
        lacking = sum(numbers.isdisjoint(members) for members in self.classes)
        if lacking > sum(not values[cell] for cell in dict.fromkeys(self.held)):
            yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton whose state is the classes so far."""
        yield Automaton(self.held, _hits(facts.n, self.classes, facts.first_value))

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        classes = ", ".join("/".join(map(str, members)) for members in self.classes)
        cells = cell_names(self.held, names)
        return message("{cells} hold one of each of {classes}", cells=cells, classes=classes)


@number_cache(maxsize=64)
def _hits(n: int, classes: Classes, first_value: int) -> Machine:
    class_of = {value: number for number, values in enumerate(classes) for value in values}

    def step(classes_hit: int, value: int) -> int:
        return classes_hit | (1 << class_of[value] if value in class_of else 0)

    return machine_of_steps(n, 0, step, lambda hit: hit + 1 == 1 << len(classes), first_value)


@dataclass(frozen=True)
class DifferWhere(Rule):
    """If a cell holds a value, some other cells all differ from one another.

    Args:
        where: the cell.
        value: the value of the cell that makes the others differ.
        others: the cells that then differ from one another.
    """

    kind: ClassVar[str] = "differ-where"
    sentence: ClassVar[str] = "where {cells} holds {value}, {others} differ"
    single: ClassVar[frozenset[str]] = frozenset(["where"])
    where: Cells
    value: int
    others: Cells

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield, if the cell holds the value, it with each two of the others that are equal."""
        (where,) = self.where
        if values[where] and values[where] + first_value - 1 == self.value:
            for a, b in equal_pairs(values, dict.fromkeys(self.others)):
                yield where, a, b

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield a table of the cell and each pair of others."""
        n, value, (where,) = facts.n, self.value - facts.first_value + 1, self.where
        rows = rows_where(n, value)
        for a, b in combinations(sorted({*self.others}), 2):
            if where in (a, b):
                yield table_where(n, (where, a, b), value, equal=False)
            elif where < a:
                yield Table((where, a, b), rows[0])
            else:
                yield Table((a, where, b), rows[1]) if where < b else Table((a, b, where), rows[2])


def table_where(n: int, triple: tuple[int, ...], value: int, *, equal: bool) -> Table:
    """Return that the second and the third cell are equal, or differ, where the first has a value.

    Some of the three may be the same cell.
    """
    cells = tuple(sorted(set(triple)))
    return Table(cells, _rows_where(n, len(cells), tuple(map(cells.index, triple)), value, equal))


def rows_where(n: int, value: int) -> list[tuple[tuple[int, ...], ...]]:
    """Return the rows of three cells, two of which differ where the other one holds a value.

    They come for each place of that one.
    """
    triples = (0, 1, 2), (1, 0, 2), (2, 0, 1)
    return [_rows_where(n, 3, triple, value, False) for triple in triples]


@number_cache(maxsize=256)
def _rows_where(
    n: int, size: int, triple: tuple[int, ...], value: int, equal: bool
) -> tuple[tuple[int, ...], ...]:
    where, a, b = triple
    every = product(range(1, n + 1), repeat=size)
    return interned_rows(tuple([r for r in every if r[where] != value or (r[a] == r[b]) == equal]))
