"""Sets that hold as many elements together as there are sets, or fewer: bipartite matching.

Naked sets, hidden sets and fish are one thing: k cells with k values among them, k values with k
places in a unit, k units with the places of a value in k others. A matching finds all of them,
of any size, in polynomial time. Source: Hall's theorem and the decomposition of Dulmage and
Mendelsohn, by which Régin (1994) filters all-different constraints.

A set is an int with one bit for each element; sets are identified by their index.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache


@lru_cache(maxsize=1 << 13)
def tight(sets: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of k sets that hold k elements together, as ascending indices.

    Only groups without a smaller group inside are returned; the others follow from their parts.
    No two groups share a set. There are no groups if some k sets hold fewer than k elements.

    >>> tight((0b0011, 0b0011, 0b1110))
    ((0, 1),)

    Cost: for n sets of up to n elements, at most of the order of n cubed.
    """
    matching = _Matching(sets)
    if not all(matching.place(index) for index in range(len(sets))):
        return ()
    closed = dict.fromkeys(matching.closure(index) for index in range(len(sets)))
    groups = [group for group in closed if group]
    return tuple(
        tuple(index for index in range(len(sets)) if group >> index & 1)
        for group in groups
        if not any(other != group and not other & ~group for other in groups)
    )


def overfull(sets: Sequence[int]) -> list[tuple[list[int], int]]:
    """Return groups of k sets that hold k - 1 elements together, each with these elements.

    There is one group for each set that a largest matching leaves without an element. If that is
    a single set, its group is the only one without a smaller group inside.

    >>> overfull([0b011, 0b011, 0b110, 0b100, 0b1000])
    [([0, 1, 2, 3], 7)]

    Cost: as for `tight`.
    """
    matching = _Matching(sets)
    return [
        (matching.blockers(index), matching.reached)
        for index in range(len(sets))
        if not matching.place(index)
    ]


def smallest_elements(sets: Sequence[int], order: Sequence[int]) -> list[int]:
    """Return different elements, one of each set, that come as early in an order as they can.

    Sorted by value, they have the smallest sum: sets that can be represented are a matroid, on
    which taking what fits is best. Fewer than there are sets if some share too few elements.

    >>> smallest_elements([0b0011, 0b0011, 0b1110], [0, 1, 2, 3])
    [0, 1, 2]

    Args:
        sets: the sets.
        order: the numbers of all elements.
    """
    holders = [
        sum(1 << index for index, mask in enumerate(sets) if mask >> each & 1) for each in order
    ]
    matching = _Matching(holders)
    return [each for index, each in enumerate(order) if matching.place(index)]


class _Matching:
    """Assigns each set a different element, by augmenting paths."""

    def __init__(self, sets: Sequence[int]) -> None:
        self.sets = sets
        self.owner: dict[int, int] = {}
        self.reached = 0
        """The elements visited by the last search for a place."""

    def place(self, index: int) -> bool:
        """Give a set an element; return whether that was possible."""
        self.reached = 0
        return self._move(index)

    def _move(self, index: int) -> bool:
        todo = self.sets[index] & ~self.reached
        while todo:
            element = todo & -todo
            self.reached |= element
            owner = self.owner.get(element)
            if owner is None or self._move(owner):
                self.owner[element] = index
                return True
            todo = self.sets[index] & ~self.reached
        return False

    def blockers(self, index: int) -> list[int]:
        """Return a set and others that together have too few elements for all of them.

        Call it after `place` has failed for the set: the others own the elements that the search
        for a place has visited.
        """
        owners = {owner for element, owner in self.owner.items() if element & self.reached}
        return sorted(owners | {index})

    def closure(self, index: int) -> int:
        """Return the smallest tight group that holds a set, as bits; 0 if there is none."""
        group = 1 << index
        elements = todo = self.sets[index]
        while todo:
            element = todo & -todo
            owner = self.owner.get(element)
            if owner is None:
                return 0
            group |= 1 << owner
            todo = (todo ^ element) | (self.sets[owner] & ~elements)
            elements |= self.sets[owner]
        return group
