"""Rules: constraints beyond "these cells all differ".

A rule belongs to a layout, as units do. A backend declares the kinds it serves
(`Capabilities.rules`) and a board with any other is refused before the search.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from unidoku.core.bits import all_values, bit

__all__ = ["NonConsecutive", "Rule"]


class Rule(Protocol):
    """What the core needs to know of a rule.

    In practice a frozen dataclass of plain values: it must be hashable and picklable, and its
    repr, which is part of a board's digest, the same in every process.
    """

    @property
    def kind(self) -> str:
        """The name by which backends declare that they serve it."""

    @property
    def cells(self) -> Iterable[int]:
        """The cells that it constrains."""

    def broken(self, values: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the cells of each violation among the cells filled in ``values`` (0 is empty)."""

    def removes(self, cell: int, value: int) -> Iterator[tuple[int, int]]:
        """Yield (other cell, candidates that leave it) once ``cell`` holds ``value``."""

    def moved(self, cells: Sequence[int]) -> Rule:
        """Return the same rule with cell ``c`` renumbered to ``cells[c]``."""


@dataclass(frozen=True)
class NonConsecutive:
    """In each pair of cells the two values are not consecutive.

    Args:
        pairs: pairs of cells, each pair once.
    """

    pairs: tuple[tuple[int, int], ...]
    kind = "non-consecutive"

    @property
    def cells(self) -> Iterable[int]:
        """The cells of all pairs."""
        return self.partners.keys()

    @cached_property
    def partners(self) -> Mapping[int, tuple[int, ...]]:
        """The cells paired with each cell."""
        partners: defaultdict[int, list[int]] = defaultdict(list)
        for a, b in self.pairs:
            partners[a].append(b)
            partners[b].append(a)
        return {cell: tuple(others) for cell, others in partners.items()}

    def broken(self, values: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the pairs that hold consecutive values."""
        for a, b in self.pairs:
            if values[a] and values[b] and abs(values[a] - values[b]) == 1:
                yield a, b

    def removes(self, cell: int, value: int) -> Iterator[tuple[int, int]]:
        """Yield the values one below and one above, for each partner of the cell."""
        mask = (bit(value) >> 1) | (all_values(value + 1) ^ all_values(value))
        for other in self.partners.get(cell, ()):
            yield other, mask

    def moved(self, cells: Sequence[int]) -> NonConsecutive:
        """Return the rule on renumbered cells."""
        return NonConsecutive(tuple((cells[a], cells[b]) for a, b in self.pairs))
