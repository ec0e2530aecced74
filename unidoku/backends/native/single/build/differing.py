"""Sets of cells that differ, and how they group other cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from unidoku.core.bits import bits_of, set_of


class Differing:
    """The sets of cells that differ: units, and the cages so far.

    Args:
        units: the units as sets of cells.
    """

    def __init__(self, units: Iterable[int]) -> None:
        self._sets = [*units]
        self._cages: list[tuple[int, ...]] = []  # those that are not yet among the sets
        self._groupings: dict[tuple[int, int], list[list[list[int]]]] = {}

    def add(self, cells: tuple[int, ...]) -> None:
        """Add a cage."""
        self._cages.append(cells)

    def sets(self) -> list[int]:
        """Return the sets of cells; the caller must not change the list."""
        if self._cages:
            self._sets += map(set_of, self._cages)
            self._cages.clear()
        return self._sets

    def groups(self, terms: Iterable[tuple[int, int]]) -> list[tuple[int, list[int]]]:
        """Divide terms into groups of equal weight whose cells differ; empty if no two do.

        A group is the largest number of remaining terms in one set.

        Args:
            terms: weights, each with a cell.
        """
        of_weight: defaultdict[int, int] = defaultdict(int)
        for weight, cell in terms:
            of_weight[weight] |= 1 << cell
        every = sum(of_weight.values())
        near = [cells for unit in self.sets() if (cells := unit & every) & (cells - 1)]
        groups, differ = [], False
        for weight, left in of_weight.items():
            while left:
                group = left & -left
                if group != left:  # several terms are left
                    shared = [in_unit for unit in near if (in_unit := unit & left)]
                    group = max(shared, key=int.bit_count, default=group)
                groups.append((weight, bits_of(group)))
                differ = differ or group & group - 1 != 0
                left &= ~group
        return groups if differ else []

    def ways(self, cells: int) -> list[list[list[int]]]:
        """Return the ways to group cells by disjoint sets, found once for the same cells.

        The fewer the groups are, the more follows: only the ways with the fewest are returned.
        """
        key = cells, len(self.sets())
        if key not in self._groupings:
            parts = [part for unit in self.sets() if (part := unit & cells) & (part - 1)]
            ways = {tuple(sorted(way)) for way in (*_apart(parts), _largest(parts, cells))}
            sizes = {way: len(way) + (cells & ~sum(way)).bit_count() for way in ways}
            fewest = min(sizes.values())
            self._groupings[key] = [
                [*map(bits_of, way), *[[cell] for cell in bits_of(cells & ~sum(way))]]
                for way in sorted(ways)
                if sizes[way] == fewest
            ]
        return self._groupings[key]


def _apart(parts: Iterable[int]) -> list[list[int]]:
    """Divide sets of cells into lists of disjoint ones; there is at least an empty list."""
    lists: list[list[int]] = []
    together: list[int] = []  # the cells of each list
    for part in parts:
        for index, cells in enumerate(together):
            if not part & cells:
                lists[index].append(part)
                together[index] |= part
                break
        else:
            lists.append([part])
            together.append(part)
    return lists or [[]]


def _largest(parts: Sequence[int], left: int) -> list[int]:
    """Return what is left of sets of cells, always of that with the most cells left.

    Such are few where no list of disjoint sets covers all cells, as on overlapping boxes.
    """
    largest = []
    while (part := max([part & left for part in parts], key=int.bit_count, default=0)) & part - 1:
        largest.append(part)
        left &= ~part
    return largest
