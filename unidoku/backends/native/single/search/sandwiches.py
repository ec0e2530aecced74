"""The propagator of a line of cells that differ: those between its two ends have a sum.

The ends hold the least and the largest value of the line. The cells between them hold a set of as
many values with the sum, and the cells outside hold others, all of them between the values of the
ends. A set is possible between two places if each of its values has a cell there, if each cell
there has a value of it and each cell outside has one of the rest, and if the rest are enough.

A row: the cells in order; the values that the ends may have, the least and the largest; and the
place of a table. This begins with where the sets of each size begin in it, and where the last end,
and then has the sets. Values start from 0 here, as bits do.
"""

from __future__ import annotations

from typing import NamedTuple

from unidoku.backends.native.compiler.intrinsics import lowest_bit, size_of
from unidoku.backends.native.single.search.kinds import MAX_VALUES
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.state import (
    Search,
    from_value,
    highest_bit,
    keep,
    up_to,
)


class SandwichRow(NamedTuple):
    """A line whose cells between the ends have a sum.

    Args:
        size: number of cells.
        cells: the cells in order.
        least: the values that the least one may be.
        largest: the values that the largest one may be.
        table: the place of the table of sets.
    """

    size: int
    cells: int
    least: int
    largest: int
    table: int


def sandwich(s: Search, row: int) -> bool:
    """Keep the values with which some set fits between the ends; return whether one does."""
    size = s.data[row]
    end = row + 1 + size
    r = SandwichRow(size, row + 1, s.data[end], s.data[end + 1], s.data[end + 2])
    s.registers[Register.TICKS] += 1
    behind = 2 * size
    s.work[behind + size] = 0
    for position in range(size - 1, -1, -1):
        mask = s.candidates[s.data[r.cells + position]]
        s.work[position] = mask
        s.work[size + position] = 0
        s.work[behind + position] = s.work[behind + position + 1] | mask
    before = 0
    for position in range(size - 1):
        inside = 0
        for other in range(position + 1, size):
            outside = before | s.work[behind + other + 1]
            _between(s, r, position, other, inside, outside)
            _between(s, r, other, position, inside, outside)
            inside |= s.work[other]
        before |= s.work[position]
    fits = True
    for position in range(size):
        fits &= keep(s, s.data[r.cells + position], s.work[size + position])
    return fits


def _between(s: Search, r: SandwichRow, low: int, high: int, inside: int, outside: int) -> None:
    """Allow the values of all cells by which some set is between two places.

    Args:
        s: the search.
        r: the row.
        low: the place of the least value.
        high: the place of the largest.
        inside: all candidates of the cells between these places.
        outside: all candidates of the cells outside.
    """
    lows, highs = s.work[low] & r.least, s.work[high] & r.largest
    if lows == 0 or highs == 0:
        return
    least, largest = lowest_bit(lows), highest_bit(highs)
    if largest - least < r.size - 1:
        return
    first, last = min(low, high), max(low, high)
    count = last - first - 1
    span = up_to(largest - 1) & ~up_to(least)
    within = beyond = 0
    most_low, least_high = -1, MAX_VALUES
    for index in range(s.data[r.table + count], s.data[r.table + count + 1]):
        chosen = s.data[r.table + index]
        rest = span & ~chosen
        if chosen & ~(inside & span) == 0 and size_of(outside & rest) >= r.size - count - 2:
            below, above = largest - r.size + 2, least + r.size - 2
            if chosen:
                below, above = min(below, lowest_bit(chosen)), max(above, highest_bit(chosen))
            fits = 1
            for position in range(r.size):
                if position < first or position > last:
                    mask = s.work[position] & rest
                    if mask == 0:
                        fits = 0
                    else:
                        below = min(below, highest_bit(mask))
                        above = max(above, lowest_bit(mask))
                elif first < position < last:
                    fits &= s.work[position] & chosen != 0
            if fits:
                within |= chosen
                beyond |= rest
                most_low = max(most_low, below - 1)
                least_high = min(least_high, above + 1)
    if most_low < 0:
        return
    for position in range(r.size):
        if position < first or position > last:
            s.work[r.size + position] |= beyond
        elif first < position < last:
            s.work[r.size + position] |= within
    s.work[r.size + low] |= lows & up_to(most_low)
    s.work[r.size + high] |= highs & from_value(least_high)
