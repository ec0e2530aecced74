"""The propagator of a line of all values that says what the cells between its ends sum to.

The ends are the least and the largest value. The cells between them hold a set of as many values
with the sum, and the cells outside hold all other values. A set is possible between two places if
each cell between them has a value of it and each other cell has one of the rest, and if each value
has a cell on its side.

A row: the cells in order, and the place of a table. It begins with where the sets of each size
begin in it, and where the last end, and then has the sets.
"""

from __future__ import annotations

from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.state import Search, keep


def sandwich(s: Search, row: int) -> bool:
    """Keep the values by which some set has the sum; return whether there is one."""
    size, first = s.data[row], row + 1
    table = s.data[first + size]
    least, largest = 1, 1 << (size - 1)
    ends = least | largest
    behind, decided = 2 * size, 0
    s.registers[Register.TICKS] += 1
    s.work[behind + size] = 0
    for place in range(size - 1, -1, -1):
        mask = s.candidates[s.data[first + place]]
        s.work[place] = mask
        s.work[size + place] = 0
        s.work[behind + place] = s.work[behind + place + 1] | mask
        decided += mask & ~ends == 0
    before = 0
    for place in range(size - 1):
        mask = s.work[place]
        if mask & ends:
            must = decided - int(mask & ~ends == 0)
            inside = 0
            for other in range(place + 1, size):
                there = s.work[other]
                here = (mask & least if there & largest else 0) | (
                    mask & largest if there & least else 0
                )
                if here and must == int(there & ~ends == 0):
                    outside = before | s.work[behind + other + 1]
                    if _between(s, size, table, place, other, inside, outside):
                        s.work[size + place] |= here
                        s.work[size + other] |= (there & least if here & largest else 0) | (
                            there & largest if here & least else 0
                        )
                inside |= there
        before |= mask
    fits = True
    for place in range(size):
        fits &= keep(s, s.data[first + place], s.work[size + place])
    return fits


def _between(
    s: Search, size: int, table: int, start: int, end: int, inside: int, outside: int
) -> int:
    """Allow the values of the possible sets between two places and of the rest outside.

    Args:
        s: the search.
        size: number of cells.
        table: the place of the table of sets.
        start: the place of one end.
        end: the place of the other.
        inside: all candidates of the cells between them.
        outside: all candidates of the cells outside.

    Returns:
        Whether a set is possible.
    """
    every = (1 << (size - 1)) - 2
    within = beyond = found = 0
    count = end - start - 1
    for index in range(s.data[table + count], s.data[table + count + 1]):
        chosen = s.data[table + index]
        rest = every & ~chosen
        if chosen & ~inside == 0 and rest & ~outside == 0:
            fits = 1
            for place in range(size):
                if place < start or place > end:
                    fits &= s.work[place] & rest != 0
                elif start < place < end:
                    fits &= s.work[place] & chosen != 0
            if fits:
                found = 1
                within |= chosen
                beyond |= rest
    if found:
        for place in range(size):
            if place < start or place > end:
                s.work[size + place] |= beyond
            elif start < place < end:
                s.work[size + place] |= within
    return found
