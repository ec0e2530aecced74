"""Rules that relate the values of two cells, in many pairs of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from unidoku.core.rules.base import Facts, PairsOfCells, Rule
from unidoku.core.shapes import Relation, tabulated
from unidoku.errors import LayoutError

__all__ = ["NonConsecutive", "Pairs"]


@dataclass(frozen=True)
class NonConsecutive(Rule):
    """In each pair of cells the two values are not consecutive.

    Args:
        pairs: pairs of cells, each pair once.
    """

    kind: ClassVar[str] = "non-consecutive"
    pairs: PairsOfCells

    def broken(self, values: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the pairs that hold consecutive values."""
        for a, b in self.pairs:
            if values[a] and values[b] and abs(values[a] - values[b]) == 1:
                yield a, b

    def shapes(self, facts: Facts) -> Iterator[Relation]:
        """Yield a relation of all pairs."""
        yield Relation(tabulated(facts.n, lambda a, b: abs(a - b) != 1), self.pairs)

    def words(self, names: Sequence[str]) -> str:
        """Say which cells hold no consecutive values."""
        return f"{_named(self.pairs, names)} hold no consecutive values"


@dataclass(frozen=True)
class Pairs(Rule):
    """In each pair of cells the two values are related as you say.

    >>> from unidoku import Board, Layout, solve
    >>> far = Pairs([(0, 1), (1, 2)], lambda a, b: abs(a - b) >= 3, "far apart")
    >>> row = Layout.from_units(4, [], shape=(1, 3), rules=[far])
    >>> solve(Board.empty(row), solutions=None).solutions
    ((1, 4, 1), (4, 1, 4))

    What you say is tabulated once for the values of the layout, and the table is kept: so it can
    be compared, written to files and sent to other processes.

    Args:
        pairs: pairs of cells.
        related: tells of a value of the first cell and one of the second whether they are; or
            their table, which has the set of second values for each first value.
        name: what messages call it.
    """

    kind: ClassVar[str] = "pairs"
    pairs: PairsOfCells
    related: Callable[[int, int], object] | tuple[int, ...]
    name: str = "pairs"

    def __post_init__(self) -> None:
        """Take a list for a table, and refuse what is none."""
        super().__post_init__()
        if not callable(self.related):
            table = tuple(self.related)
            object.__setattr__(self, "related", table)
            if not all(type(mask) is int and 0 <= mask < 1 << len(table) for mask in table):
                raise LayoutError(f"pairs: related: expected a set of values each, got {table}")

    def bound(self, facts: Facts) -> Pairs:
        """Return the rule with its table."""
        if callable(self.related):
            return replace(self, related=tabulated(facts.n, self.related))
        if len(self.related) > facts.n:
            # A layout that has lost its largest values.
            everything = (1 << facts.n) - 1
            return replace(self, related=tuple(m & everything for m in self.related[: facts.n]))
        if len(self.related) < facts.n:
            raise LayoutError(f"pairs: related: expected {facts.n} sets, got {len(self.related)}")
        return self

    def broken(self, values: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the pairs whose values are not related."""
        assert not callable(self.related), "a rule of a layout has its table"
        for a, b in self.pairs:
            if values[a] and values[b] and not self.related[values[a] - 1] >> values[b] - 1 & 1:
                yield a, b

    def shapes(self, facts: Facts) -> Iterator[Relation]:
        """Yield a relation of all pairs."""
        assert not callable(self.related), "a rule of a layout has its table"
        yield Relation(self.related, self.pairs)

    def words(self, names: Sequence[str]) -> str:
        """Say which cells are related."""
        return f"{_named(self.pairs, names)}: {self.name}"


def _named(pairs: Sequence[tuple[int, int]], names: Sequence[str]) -> str:
    """Return the first few pairs by name."""
    told = [f"{names[a]}-{names[b]}" for a, b in pairs[:_TOLD]]
    return ", ".join(told) + (", …" if len(pairs) > _TOLD else "")


_TOLD = 4
"""Pairs that are told by name: a rule may hold of all neighbours of a board."""
