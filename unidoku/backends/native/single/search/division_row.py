"""The row of a division as numbers, and its lists in the work array: see `divisions`."""

from __future__ import annotations

from typing import NamedTuple


class DivisionRow(NamedTuple):
    """What the functions about a division get: its sizes, and where its lists begin.

    A place is an index into the cells of the division, see `divisions`. The lists from ``masks`` to
    ``spare``, and the memo, are in the work array.

    Args:
        number_cells: where in the data the cells with the numbers of regions begin.
        value_cells: where in the data the cells begin whose values differ within a region.
        size: number of places.
        columns: number of places in a row of the grid.
        rows: number of rows of the grid.
        regions: number of regions.
        most: number of places in each region.
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
        kind: what tells the regions apart, see `Labels`.
        memo: for each region, the places and parts from which nothing followed.
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
