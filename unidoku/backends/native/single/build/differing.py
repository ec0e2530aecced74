"""Sets of cells that differ, and how they group other cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

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
            lists = [*self._apart(cells), self._largest(cells)]
            ways = {tuple(sorted(filter(None, [cells & unit for unit in sets]))) for sets in lists}
            groupings = [
                [*map(bits_of, way), *[[cell] for cell in bits_of(cells & ~sum(way))]]
                for way in sorted(ways)
            ]
            fewest = min(map(len, groupings))
            self._groupings[key] = [groups for groups in groupings if len(groups) == fewest]
        return self._groupings[key]

    def _apart(self, cells: int) -> list[list[int]]:
        """Divide the sets that have several of some cells into lists of disjoint ones."""
        lists: list[list[int]] = []
        for unit in self.sets():
            if (unit & cells).bit_count() > 1:
                fits = (sets for sets in lists if not any(unit & other & cells for other in sets))
                found = next(fits, None)
                if found is None:
                    lists.append([unit])
                else:
                    found.append(unit)
        return lists or [[]]

    def _largest(self, cells: int) -> list[int]:
        """Return parts of sets without a cell in common, always the part with the most cells left.

        Such are few where no list of disjoint sets covers all cells, as on overlapping boxes.
        """
        parts = []
        left = cells
        while left:
            part = max((unit & left for unit in self.sets()), key=int.bit_count, default=0)
            if part & part - 1 == 0:
                break
            parts.append(part)
            left &= ~part
        return parts
