"""Rows as numbers: where in the data the parts of a constraint stand.

Each row begins with its number of cells and the cells. All other members named ``…s`` are the
places of lists, and all others are numbers of the row itself.
"""

from __future__ import annotations

from typing import NamedTuple

from unidoku.backends.native.single.search.state import Search


class SetsRow(NamedTuple):
    """Cells that hold one of some sets of values.

    Args:
        size: number of cells.
        cells: the cells.
        vectors: number of vectors of sets.
        sets: the sets.
        narrows_peers: whether cells that see all places of a value lose it.
        rests: number of full units with the cells, and behind it the other cells of each.
    """

    size: int
    cells: int
    vectors: int
    sets: int
    narrows_peers: int
    rests: int


def sets_row(s: Search, row: int) -> SetsRow:
    """Return a row of sets as numbers."""
    size = s.data[row]
    end = row + 1 + size
    return SetsRow(size, row + 1, s.data[end], s.data[end + 1], s.data[end + 2], end + 3)


class SumRow(NamedTuple):
    """A weighted sum.

    Args:
        size: number of cells.
        cells: the cells.
        low: the least sum.
        high: the largest sum.
        steps: for each cell where the steps of its weight are, counted from here; the first part of
            the table of all sums with these weights.
        weights: the weight of each cell.
        groups: number of groups, or `UNGROUPED`, and behind it for each its weight, its number of
            cells and the cells.
    """

    size: int
    cells: int
    low: int
    high: int
    steps: int
    weights: int
    groups: int


def sum_row(s: Search, row: int) -> SumRow:
    """Return a row of a sum as numbers."""
    size = s.data[row]
    end = row + 1 + size
    steps = s.data[end + 2]
    return SumRow(size, row + 1, s.data[end], s.data[end + 1], steps, steps + size, end + 3)


class TimesRow(NamedTuple):
    """A value that occurs a number of times in cells, or never, by a flag.

    Args:
        cells: the cells, group by group, and last the flag, if there is one.
        flag: place of the flag.
        value: the value, as a set.
        least: the least number of times.
        most: the largest number of times.
        is_flagged: whether there is a flag.
        groups: number of cells of each group.
        groups_end: where these end.
    """

    cells: int
    flag: int
    value: int
    least: int
    most: int
    is_flagged: int
    groups: int
    groups_end: int


def times_row(s: Search, row: int) -> TimesRow:
    """Return a row of a count as numbers."""
    end = row + 1 + s.data[row]
    groups = end + 5
    return TimesRow(
        row + 1,
        end - 1,
        s.data[end],
        s.data[end + 1],
        s.data[end + 2],
        s.data[end + 3],
        groups,
        groups + s.data[end + 4],
    )


class RegionRow(NamedTuple):
    """A connected region.

    Args:
        cells: the cells.
        value_cells: for each cell, the cell whose value the region holds.
        has_value_cells: whether there are any.
        size: how many cells may lie in the region.
        mask: the values of those that do.
        low: the least size.
        high: the largest size.
        table: for each cell and one more, where its neighbours begin, counted from the table, and
            then the neighbours, as places in the row.
        every: all values if each is in the region, otherwise 0.
    """

    cells: int
    value_cells: int
    has_value_cells: int
    size: int
    mask: int
    low: int
    high: int
    table: int
    every: int


def region_row(s: Search, row: int) -> RegionRow:
    """Return a row of a region as numbers."""
    end = row + 1 + s.data[row]
    size = s.data[end]
    return RegionRow(
        row + 1,
        row + 1 + size,
        int(end > row + 1 + size),
        size,
        s.data[end + 1],
        s.data[end + 2],
        s.data[end + 3],
        s.data[end + 4],
        s.data[end + 5],
    )


class BandRow(NamedTuple):
    """Lines and boxes that cover the same cells.

    Args:
        cells: the cells, box by box and there segment by segment, one for each line.
        boxes: number of boxes.
        width: number of cells of a segment.
    """

    cells: int
    boxes: int
    width: int


def band_row(s: Search, row: int) -> BandRow:
    """Return a row of a band as numbers."""
    end = row + 1 + s.data[row]
    return BandRow(row + 1, s.data[end], s.data[end + 1])


class HitsRow(NamedTuple):
    """Cells that hold a value of each of some classes.

    Args:
        cells: the cells.
        end: where they end.
        narrows_peers: whether cells that see all places of a class lose its last value.
        class_count: number of classes.
        classes: for each class its values, and the sets of classes that contain it.
    """

    cells: int
    end: int
    narrows_peers: int
    class_count: int
    classes: int


def hits_row(s: Search, row: int) -> HitsRow:
    """Return a row of classes as numbers."""
    end = row + 1 + s.data[row]
    return HitsRow(row + 1, end, s.data[end], s.data[end + 1], end + 2)


class LineRow(NamedTuple):
    """A line that a machine reads.

    Args:
        size: number of cells.
        cells: the cells.
        table: the table of the machine, from which places in it are counted.
        words: number of words in a set of the machine's states.
        part_count: number of parts of the machine.
        parts: four numbers for each part.
    """

    size: int
    cells: int
    table: int
    words: int
    part_count: int
    parts: int


def line_row(s: Search, row: int) -> LineRow:
    """Return a row of a line as numbers."""
    size = s.data[row]
    table = s.data[row + 1 + size]
    return LineRow(size, row + 1, table, s.data[table], s.data[table + 1], table + 2)


class TableRow(NamedTuple):
    """Cells whose values are those of a row of a table.

    Args:
        size: number of cells.
        cells: the cells.
        words: number of words in a set of rows.
        supports: for each cell and value, the set of rows that have it there.
    """

    size: int
    cells: int
    words: int
    supports: int


def table_row(s: Search, row: int) -> TableRow:
    """Return a row of a table as numbers."""
    size = s.data[row]
    end = row + 1 + size
    return TableRow(size, row + 1, s.data[end], s.data[end + 1])


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
