"""What a round does on a layout: which cells are processed together, and by which logic.

The plan is plain data, computed from the layout's units before any code is emitted:

- a `Band` is r full units (lines) and r full units (boxes) that cover the same cells and cross in
  segments of n / r cells, such as three rows and three boxes. Each value pairs its lines with its
  boxes one to one, which a round exploits;
- a `Family` is a full unit as the segments in which it crosses other full units, and the cells
  left over: a value confined to one segment leaves the rest of the segment's other unit;
- in all other full units hidden singles are found; in units of fewer than n cells the values only
  have to differ;
- units whose values only have to differ are processed as a whole if they are large, and cell by
  cell, as `peers`, if they are small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from unidoku.backends.native.lanes.bands import Band, Cells, bands_of
from unidoku.core.bits import all_values
from unidoku.core.caching import layout_cache
from unidoku.core.constraints.primitives import Relation, Shift, backwards, shifts
from unidoku.core.layout import Layout
from unidoku.core.transforms.lower import lower

Shifts: TypeAlias = tuple[Shift, ...]
"""The values that a value forbids in another cell."""

MOST_VALUES_ASKED = 12
"""On boards of more values a search branches on cells only. Measured: 1.5 times fewer nodes on
16x16 boards with 60 % of the cells empty, and the empty 25x25 board is filled in 20 ms, not in
minutes."""

MOST_SHIFTS = 4
"""A relation of all neighbours that forbids more is not compiled."""

SMALL_UNIT = 4
"""Units whose values only have to differ are processed cell by cell up to this many cells."""


@dataclass(frozen=True, slots=True)
class Family:
    """A full unit, divided into disjoint parts.

    Args:
        segments: parts of several cells, each in another full unit too.
        singles: the cells left over.
    """

    segments: tuple[Cells, ...]
    singles: Cells

    @property
    def parts(self) -> tuple[Cells, ...]:
        """The segments, then each cell left over."""
        return (*self.segments, *((cell,) for cell in self.singles))


@dataclass(frozen=True, slots=True)
class Split:
    """A question with several answers, exactly one of which is true for any value.

    Args:
        excluded: for each answer, the cells that cannot hold the value if it is true.
    """

    excluded: tuple[Cells, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a round of propagation does on a layout, and how a search branches.

    Args:
        n: values are 1 to n.
        cells: number of cells.
        bands: the bands of the layout, bands of rows before bands of columns.
        families: full units that have segments in no band.
        full: full units in no band.
        differing: units of fewer than n cells and more than `SMALL_UNIT`.
        peers: for each cell, its peers that share only small units with it.
        partners: for each cell, the cells related to it by a compiled relation, grouped by the
            values that a value of theirs forbids it, as distances from that value.
        all_units: every unit and whether it is full, for the last check of a grid.
    """

    n: int
    cells: int
    bands: tuple[Band, ...]
    families: tuple[Family, ...]
    full: tuple[Cells, ...]
    differing: tuple[Cells, ...]
    peers: tuple[Cells, ...]
    partners: tuple[tuple[tuple[Shifts, Cells], ...], ...]
    all_units: tuple[tuple[Cells, bool], ...]

    @property
    def rows_of_bands(self) -> list[tuple[Band, ...]]:
        """The bands in order; those that are one band moved by the same distance are together."""
        rows: list[list[Band]] = []
        for band in self.bands:
            if rows and _follows(rows[-1], band):
                rows[-1].append(band)
            else:
                rows.append([band])
        return list(map(tuple, rows))

    @property
    def goes_on(self) -> bool:
        """Whether a round of propagation looks at more than bands: at units, peers or relations."""
        others = self.families or self.full or self.differing
        return bool(others) or any(self.peers) or any(self.partners)

    @property
    def splits(self) -> tuple[Split, ...]:
        """The questions that a search may branch on: one for each band, or for each family.

        Empty if the search branches on the values of a cell instead: on boards of more than
        `MOST_VALUES_ASKED` values, without bands and families, and where other units or rules make
        the questions of bands poor.
        """
        if self.n > MOST_VALUES_ASKED:
            return ()
        if self.bands:
            return () if self._bands_tell_little else tuple(map(_pairing_split, self.bands))
        return tuple(map(_part_split, self.families))

    @property
    def _bands_tell_little(self) -> bool:
        """Whether branching on pairings of bands is poor because of the other units or rules.

        Measured in nodes, compared with branching on the cell with the fewest candidates: 1.9 times
        as many with diagonals, 1.5 with knight's moves, but 0.8 with windows and disjoint groups,
        which contain many cells.
        """
        others = {cell for cells in self.full for cell in cells}
        return self.goes_on and 3 * len(others) < self.cells


def _follows(row: list[Band], band: Band) -> bool:
    """Return whether a band continues a row of bands that are each moved by the same distance.

    No cell may be in two of the bands: the work left for the round's end is the same for all of a
    row.
    """
    last = row[-1]
    step = min(band.cells) - min(last.cells)
    if len(row) > 1 and step != min(last.cells) - min(row[-2].cells):
        return False
    moved = tuple(
        tuple(tuple(cell + step for cell in segment) for segment in box) for box in last.segments
    )
    return moved == band.segments and not any(band.cells & other.cells for other in row)


def _pairing_split(band: Band) -> Split:
    return Split(
        tuple(
            tuple(
                cell
                for box, paired in zip(band.segments, pairing, strict=True)
                for line, segment in enumerate(box)
                if line != paired
                for cell in segment
            )
            for pairing in band.pairings
        )
    )


def _part_split(family: Family) -> Split:
    parts = family.parts
    return Split(
        tuple(
            tuple(cell for other in parts if other is not part for cell in other) for part in parts
        )
    )


def plan_of(layout: Layout, *, bands: bool = True) -> Plan:
    """Return what a round does on a layout.

    Args:
        layout: the layout.
        bands: whether bands are used; if not, all logic comes from single units.
    """
    units = [unit.cells for unit in layout.maximal_units]
    full = [cells for cells in units if len(cells) == layout.n]
    layout_bands = bands_of(layout) if bands else ()
    in_bands = {cells for band in layout_bands for cells in band.units}
    left = [cells for cells in full if cells not in in_bands]
    partial = [cells for cells in units if len(cells) < layout.n]
    large = [cells for cells in partial if len(cells) > SMALL_UNIT]
    small = [cells for cells in partial if len(cells) <= SMALL_UNIT]
    return Plan(
        n=layout.n,
        cells=len(layout),
        bands=layout_bands,
        families=tuple(_families(full, _segments_of(layout_bands))),
        full=tuple(left),
        differing=tuple(large),
        peers=_others(len(layout), small, known=[*full, *large]),
        partners=_partners(layout, compiled_relations(layout)),
        all_units=tuple((cells, len(cells) == layout.n) for cells in units),
    )


def _segments_of(bands: tuple[Band, ...]) -> set[Cells]:
    return {segment for band in bands for box in band.segments for segment in box}


def _families(full: list[Cells], known: set[Cells]) -> Iterator[Family]:
    """Yield each full unit with its segments, several times if its segments overlap.

    Within one family the segments are disjoint. A family whose segments are all in bands (known)
    adds nothing and is left out.
    """
    sets = [frozenset(cells) for cells in full]
    for unit in sets:
        crossings = [unit & other for other in sets if 1 < len(unit & other) < len(unit)]
        left = list(dict.fromkeys(crossings))
        while left:
            chosen: list[frozenset[int]] = []
            used: frozenset[int] = frozenset()
            for segment in left.copy():
                if not segment & used:
                    chosen.append(segment)
                    used |= segment
                    left.remove(segment)
            segments = tuple(tuple(sorted(segment)) for segment in chosen)
            if not known.issuperset(segments):
                yield Family(segments, tuple(sorted(unit - used)))


def _others(cells: int, units: list[Cells], known: Iterable[Cells]) -> tuple[Cells, ...]:
    """Return for each cell its peers in the units, without those that share a known unit with it.

    Args:
        cells: number of cells.
        units: cells of the units whose peers are returned.
        known: cells of units that are processed otherwise.
    """
    peers: list[set[int]] = [set() for _ in range(cells)]
    for unit in units:
        for cell in unit:
            peers[cell].update(unit)
    for unit in known:
        for cell in unit:
            peers[cell].difference_update(unit)
    return tuple(tuple(sorted(others - {cell})) for cell, others in enumerate(peers))


def _partners(
    layout: Layout, relations: Iterable[Relation]
) -> tuple[tuple[tuple[Shifts, Cells], ...], ...]:
    """Return for each cell the cells in a relation with it, grouped by what their value forbids.

    What a value forbids is written as distances from it; see `Plan.partners`.
    """
    partners: list[dict[Shifts, list[int]]] = [{} for _ in layout.cells]
    for relation in relations:
        forward, backward = shifts(relation.table), shifts(backwards(relation.table))
        for a, b in relation.pairs:
            partners[b].setdefault(forward, []).append(a)
            partners[a].setdefault(backward, []).append(b)
    return tuple(
        tuple((apart, tuple(sorted(cells))) for apart, cells in sorted(by_shifts.items()))
        for by_shifts in partners
    )


def compiled_relations(layout: Layout) -> tuple[Relation, ...]:
    """Return the relations that are compiled with the units rather than interpreted.

    They hold wherever cells touch and forbid few values, for example that no neighbours are
    consecutive.
    """
    adjacent: set[frozenset[int]] = set()
    relations = []
    for relation in lower(layout).relations:
        if max(len(shifts(relation.table)), len(shifts(backwards(relation.table)))) > MOST_SHIFTS:
            continue
        adjacent = adjacent or _beside(layout)
        if adjacent and adjacent <= set(map(frozenset, relation.pairs)):
            relations.append(relation)
    return tuple(relations)


@layout_cache(maxsize=256)
def rules_lack(layout: Layout) -> str | None:
    """Return why a layout's rules cannot be compiled with its units, None if they can."""
    if not layout.rules:
        return None
    lowered = lower(layout)
    others: object = lowered.beyond_pairs or lowered.alternatives or lowered.regions
    others = others or any(rule.needs_auxiliary for rule in layout.rules)  # without constraints
    bounded = any(mask != all_values(layout.n) for mask in lowered.candidates)
    if others or bounded or len(lowered.relations) > len(compiled_relations(layout)):
        return "supports no rules but relations of all neighbours, and the layout has others"
    return None


def _beside(layout: Layout) -> set[frozenset[int]]:
    """Return the pairs of adjacent cells."""
    cell_at = {position: cell for cell, position in enumerate(layout.positions)}
    return {
        frozenset((cell, cell_at[other]))
        for (row, column), cell in cell_at.items()
        for other in ((row, column + 1), (row + 1, column))
        if other in cell_at
    }


def lane_bits(n: int) -> int:
    """Return the width of a lane that holds a set of n values.

    >>> lane_bits(9), lane_bits(25), lane_bits(64)
    (16, 32, 64)
    """
    return next(bits for bits in (16, 32, 64) if n <= bits)
