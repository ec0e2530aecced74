"""Bands of a layout, such as three rows and three boxes over the same cells; any units may do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import permutations
from operator import or_
from typing import TypeAlias

from unidoku.core.bits import bits_of, set_of
from unidoku.core.layout import Layout

Cells: TypeAlias = tuple[int, ...]

MAX_BAND = 4
"""The largest number of lines in a band: five would have 120 pairings."""


@dataclass(frozen=True, slots=True)
class Band:
    """Lines and boxes that cover the same cells.

    Args:
        segments: ``segments[box][line]`` is the cells in which the two cross.
    """

    segments: tuple[tuple[Cells, ...], ...]

    @property
    def size(self) -> int:
        """The number of lines, which is also the number of boxes."""
        return len(self.segments)

    def box(self, number: int) -> Cells:
        """Return the cells of a box."""
        return tuple(sorted(cell for segment in self.segments[number] for cell in segment))

    def line(self, number: int) -> Cells:
        """Return the cells of a line."""
        return tuple(sorted(cell for box in self.segments for cell in box[number]))

    @property
    def pairings(self) -> list[tuple[int, ...]]:
        """The pairings of boxes with lines, each given as the line of each box."""
        return list(permutations(range(self.size)))

    @property
    def units(self) -> Iterator[Cells]:
        """The cells of each box and of each line, ascending."""
        for k in range(self.size):
            yield self.box(k)
            yield self.line(k)

    @property
    def cells(self) -> frozenset[int]:
        """All cells of the band."""
        return frozenset(cell for box in self.segments for segment in box for cell in segment)


def bands_of(layout: Layout) -> tuple[Band, ...]:
    """Return the bands among the full units of a layout, each once."""
    return tuple(
        [
            Band(tuple([tuple([tuple(bits_of(box & line)) for line in lines]) for box in boxes]))
            for boxes, lines in band_sets([unit.cells for unit in layout.full_units])
        ]
    )


BandSets: TypeAlias = tuple[list[int], list[int]]
"""The boxes and the lines of a band, as sets of cells."""


def band_sets(
    units: Sequence[Cells], crossing_units: Mapping[int, Sequence[int]] | None = None
) -> list[BandSets]:
    """Return the bands among full units, each once.

    A band is found from the first of its units, so that each unit is crossed with later ones.

    Args:
        units: the units.
        crossing_units: what `crossings` returns for them, if it is known.
    """
    if crossing_units is None:
        crossing_units = crossings([*map(set_of, units)])
    cells_of = dict(zip(crossing_units, units, strict=True))
    seen: set[int] = set()
    earlier: set[int] = set()
    pairs = []
    for line, crossing in crossing_units.items():
        later = [unit for unit in crossing if unit not in earlier]
        earlier.add(line)
        n = len(cells_of[line])
        of_size: defaultdict[int, list[int]] = defaultdict(list)  # by how many cells they share
        for unit in later:
            of_size[(unit & line).bit_count()].append(unit)
        for shared, near in of_size.items():
            count = n // shared
            fits = count * shared == n and 2 <= count <= min(MAX_BAND, len(near))
            for boxes in _covers(line, near, count) if fits else ():
                covered = sum(boxes)
                if covered in seen:
                    continue
                inside = [unit for unit in cells_of if not unit & ~covered and unit not in boxes]
                for lines in _covers(covered, inside, count):
                    parts = [(box & unit).bit_count() for box in boxes for unit in lines]
                    if parts.count(shared) == len(parts):
                        seen.add(covered)
                        order = cells_of.__getitem__
                        pairs.append((sorted(boxes, key=order), sorted(lines, key=order)))
                        break
    return pairs


def crossings(sets: Sequence[int]) -> dict[int, list[int]]:
    """Return for each full unit, as sets of cells, those that share several cells with it."""
    crossing: dict[int, list[int]] = {unit: [] for unit in sets}
    for index, unit in enumerate(sets):
        earlier = sets[:index]
        crossed = [other for other in earlier if (shared := unit & other) & (shared - 1)]
        crossing[unit] += crossed
        for other in crossed:
            crossing[other].append(unit)
    return crossing


def _covers(target: int, units: list[int], most: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to cover a set of cells by at most that many disjoint units."""
    if not target:
        yield ()
        return
    if most * len(units) == 0:
        return
    together = reduce(or_, units)
    if target & ~together:
        return
    if together.bit_count() == sum(map(int.bit_count, units)):  # no two of them overlap
        only = tuple([unit for unit in units if unit & target])
        if len(only) <= most:
            yield only
        return
    first = target & -target
    for unit in units:
        if first & unit:
            rest = [other for other in units if not other & unit]
            for others in _covers(target & ~unit, rest, most - 1):
                yield (unit, *others)
