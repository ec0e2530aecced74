"""Rules of the sum of cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import ClassVar

from unidoku.core.rules.base import Cells, Facts, Rule
from unidoku.core.shapes import Relation, Sets, Shape, Sum, digit_sets, tabulated

__all__ = ["Arrow", "Killer", "SumOfCells"]

_MOST_SETS = 20_000
"""Sets of values up to which a cage is said by them."""


def _too_much_or_little(
    values: Sequence[int], cells: Sequence[int], total: int, first_value: int
) -> bool:
    """Tell whether cells cannot sum to a total; an empty one holds the first value at least."""
    held = [values[cell] for cell in cells]
    least = sum((value or 1) + first_value - 1 for value in held)
    return least > total or (0 not in held and least != total)


@dataclass(frozen=True)
class Killer(Rule):
    """The cells of a cage differ, and sum to a total.

    Args:
        cage: the cells; one that is there twice counts twice in the sum.
        total: the sum; None if they only differ.
    """

    kind: ClassVar[str] = "killer"
    cage: Cells
    total: int | None = None

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield cells that hold the same value, and the cage if its sum cannot be right."""
        for a, b in combinations(dict.fromkeys(self.cage), 2):
            if values[a] and values[a] == values[b]:
                yield a, b
        if self.total is None:
            return
        if _too_much_or_little(values, self.cage, self.total, first_value):
            yield tuple(dict.fromkeys(self.cage))

    def shapes(self, facts: Facts) -> Iterator[Shape]:
        """Yield the sets of values with the total; else that the cells differ, and their sum."""
        n, cells = facts.n, tuple(dict.fromkeys(self.cage))
        once = len(cells) == len(self.cage)
        if self.total is not None and once and comb(n, len(cells)) <= _MOST_SETS:
            total = self.total - (facts.first_value - 1) * len(cells)
            yield Sets(cells, digit_sets(n, len(cells), total, total))
            return
        yield Relation(tabulated(n, lambda a, b: a != b), tuple(combinations(cells, 2)))
        if self.total is not None:
            terms = [(cell, 1) for cell in self.cage]
            yield Sum.of(terms, self.total, self.total, facts.first_value)

    def words(self, names: Sequence[str]) -> str:
        """Say the sum."""
        cells = " ".join(names[cell] for cell in self.cage)
        return f"the cage {cells} " + (
            "holds different values" if self.total is None else f"sums to {self.total}"
        )


@dataclass(frozen=True)
class SumOfCells(Rule):
    """Cells sum to a total, and values may repeat: a little killer, for one.

    Args:
        summed: the cells; one that is there twice counts twice.
        total: the sum.
    """

    kind: ClassVar[str] = "sum"
    summed: Cells
    total: int

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the cells if their sum cannot be right."""
        if _too_much_or_little(values, self.summed, self.total, first_value):
            yield tuple(dict.fromkeys(self.summed))

    def shapes(self, facts: Facts) -> Iterator[Shape]:
        """Yield the sum."""
        terms = [(cell, 1) for cell in self.summed]
        yield Sum.of(terms, self.total, self.total, facts.first_value)

    def words(self, names: Sequence[str]) -> str:
        """Say the sum."""
        return f"{' '.join(names[cell] for cell in self.summed)} sum to {self.total}"


@dataclass(frozen=True)
class Arrow(Rule):
    """The cells along an arrow sum to the number in its circle; values may repeat.

    Args:
        circle: the cell of the circle, or the cells of a number, its first digit first.
        shaft: the cells along the arrow.
    """

    kind: ClassVar[str] = "arrow"
    circle: Cells
    shaft: Cells

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield all cells if circle and shaft are filled and differ."""
        if all(values[cell] for cell in (*self.circle, *self.shaft)):
            more = first_value - 1
            number = 0
            for cell in self.circle:
                number = 10 * number + values[cell] + more
            if number != sum(values[cell] + more for cell in self.shaft):
                yield self.cells

    def shapes(self, facts: Facts) -> Iterator[Shape]:
        """Yield the sum of the shaft less the circle, which is 0."""
        circle = [(cell, -(10**place)) for place, cell in enumerate(reversed(self.circle))]
        yield Sum.of([*circle, *[(cell, 1) for cell in self.shaft]], 0, 0, facts.first_value)

    def words(self, names: Sequence[str]) -> str:
        """Say whose sum is where."""
        shaft, circle = (" ".join(names[c] for c in part) for part in (self.shaft, self.circle))
        return f"{shaft} sum to {circle}"
