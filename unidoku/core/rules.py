"""Rules: constraints beyond "these cells all differ".

A rule belongs to a layout, as units do. A backend declares the kinds it serves
(`Capabilities.rules`) and a board with any other is refused before the search.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Protocol

from unidoku.core.bits import all_values, bit


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

    def renamed(self, values: Sequence[int]) -> Rule | None:
        """Return the rule with value ``v`` renamed to ``values[v]``; None if it has no such form.

        A rule that is equal to itself renamed allows this renaming as a symmetry.
        """

    @property
    def size(self) -> int:
        """How much it says: smaller for every rule that `weaker` yields."""

    def weaker(self) -> Iterator[Rule]:
        """Yield rules that allow what this one allows and more.

        First those that say much less; then, for each thing that it says, the rule without it.
        A rule that says a single thing has none.
        """

    def on(self, cells: Mapping[int, int]) -> Rule | None:
        """Return what the rule says of these cells, each with its new number; None if nothing."""


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

    def renamed(self, values: Sequence[int]) -> NonConsecutive | None:
        """Return the rule itself if the renaming keeps which values are consecutive."""
        names = values[1:]
        kept = all(abs(one - other) == 1 for one, other in pairwise(names))
        return self if kept else None

    @property
    def size(self) -> int:
        """The number of pairs."""
        return len(self.pairs)

    def weaker(self) -> Iterator[NonConsecutive]:
        """Yield the rules without half of the pairs, a quarter, and so on down to one."""
        less = len(self.pairs)
        while less > 1:
            less = (less + 1) // 2
            for start in range(0, len(self.pairs), less):
                yield NonConsecutive(self.pairs[:start] + self.pairs[start + less :])

    def on(self, cells: Mapping[int, int]) -> NonConsecutive | None:
        """Return the rule on the pairs of which both cells are left."""
        pairs = [(cells[a], cells[b]) for a, b in self.pairs if a in cells and b in cells]
        return NonConsecutive(tuple(pairs)) if pairs else None
