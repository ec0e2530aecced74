"""The row of a division as numbers: see `divisions`."""

from __future__ import annotations

from typing import NamedTuple


class DivisionRow(NamedTuple):
    """A row as numbers, and the places of lists in the work array.

    Args:
        number_cells: place in the data of the cells with the number of a region.
        value_cells: place in the data of the cells with the values that a region holds.
        size: number of places.
        columns: number of places in a row.
        rows: number of rows.
        regions: number of regions.
        most: their size.
        masks: for each root, the regions that its part may be in.
        roots: for each place, the first place of its part.
        sizes: for each root, the size of its part.
        values: for each root, the decided values of its part.
        ways: for each root, the part that is the only way on.
        heads: for each region, the root of its part, or -1.
        once: for each region, the values that it may hold.
        twice: for each region, the values that several places of it may hold.
        may: for each region, the places that may be in it, as a set for each row.
        must: for each region, the places that are in it.
        spare: the rest of the work array.
    """

    number_cells: int
    value_cells: int
    size: int
    columns: int
    rows: int
    regions: int
    most: int
    masks: int
    roots: int
    sizes: int
    values: int
    ways: int
    heads: int
    once: int
    twice: int
    may: int
    must: int
    spare: int
    kind: int
    memo: int
