"""Propagators of clues about regions to be found: runs along arms, and cells in one region.

A row of a run: number of cells; the cell with the number, the first cell, the other cells of each
arm, and for several arms the hidden cells with the number of cells of each; how much larger the
count is than the number, the least count, the number of arms, and the other cells of each arm.

A row of a count: number of cells; the cell with the number, the first cell and the others; how much
larger the count, including the first cell, is than the number, and the least count.
"""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import lowest_bit
from unidoku.backends.native.single.search.state import Search, first_bits, keep, shifted


def visible(s: Search, row: int) -> int:
    """Return how many cells of a run come before the hidden ones, which follow from them."""
    size = s.data[row]
    arms = s.data[row + size + 3]
    return size - arms if arms > 1 else size


def run(s: Search, row: int) -> bool:
    """Keep the candidates that a run allows; return whether there is one.

    In the work array, for each arm and number of further cells in its run, the regions of such
    runs; and then those of them that fit the runs along the other arms.
    """
    end = row + 1 + s.data[row]
    arms = s.data[end + 2]
    number, surplus = s.data[row + 1], s.data[end]
    # of sets of counts, bit 0 is a count of 1
    wanted = shifted(s.candidates[number], surplus) & ~first_bits(s.data[end + 1] - 1)
    at, cell = 0, row + 3
    for arm in range(arms):
        _along(s, s.candidates[s.data[row + 2]], cell, s.data[end + 3 + arm], at)
        at += s.data[end + 3 + arm] + 1
        cell += s.data[end + 3 + arm]
    counts = _of_one_arm(s, at, wanted) if arms == 1 else _of_arms(s, row, end, at, wanted)
    if not keep(s, number, shifted(counts, -surplus)):
        return False
    every, offset, cell = 0, at, row + 3
    for arm in range(arms):
        size = s.data[end + 3 + arm]
        every, lengths = _narrow_arm(s, cell, size, offset)
        if lengths == 0 or (arms > 1 and not keep(s, s.data[end - arms + arm], lengths)):
            return False
        offset += size + 1
        cell += size
    return keep(s, s.data[row + 2], every)


def _along(s: Search, regions: int, cell: int, size: int, at: int) -> None:
    """For each run length, write the set of regions that a run of that length may belong to."""
    for further in range(size + 1):
        ending = regions
        if further < size:
            beyond = s.candidates[s.data[cell + further]]
            if beyond & (beyond - 1) == 0:
                ending &= ~beyond
            regions &= beyond
        s.work[at + further] = ending


def _of_one_arm(s: Search, size: int, wanted: int) -> int:
    """Write the regions of runs that are as long as the number allows; return the counts."""
    counts = 0
    for further in range(size):
        regions = s.work[further] if wanted >> further & 1 else 0
        s.work[size + further] = regions
        if regions:
            counts |= 1 << further
    return counts


def _of_arms(s: Search, row: int, end: int, size: int, wanted: int) -> int:
    """Write the regions of runs whose sum the number allows; return the counts.

    For one region after the other: sums of the first arms come from the sums of fewer arms.
    """
    arms = s.data[end + 2]
    sums, counts = 2 * size, 0
    for index in range(size, 2 * size):
        s.work[index] = 0
    left = s.candidates[s.data[row + 2]]
    while left:
        region = left & -left
        left ^= region
        s.work[sums] = 1
        at = 0
        for arm in range(arms):
            lengths = _lengths(s, at, s.data[end + 3 + arm], region)
            lengths &= s.candidates[s.data[end - arms + arm]]
            s.work[sums + arms + 1 + arm] = lengths
            s.work[sums + arm + 1] = _added(s.work[sums + arm], lengths)
            at += s.data[end + 3 + arm] + 1
        if s.work[sums + arms] & wanted == 0:
            continue
        counts |= s.work[sums + arms]
        after = 1  # the sums of the arms after this one
        for arm in range(arms - 1, -1, -1):
            at -= s.data[end + 3 + arm] + 1
            lengths, others = s.work[sums + arms + 1 + arm], _added(s.work[sums + arm], after)
            after = _added(after, lengths)
            while lengths:
                further = lowest_bit(lengths)
                lengths &= lengths - 1
                if others << further & wanted:
                    s.work[size + at + further] |= region
    return counts & wanted


def _lengths(s: Search, at: int, size: int, region: int) -> int:
    """Return the set of the numbers of further cells with which a run may be in a region."""
    lengths = 0
    for further in range(size + 1):
        if s.work[at + further] & region:
            lengths |= 1 << further
    return lengths


def _added(numbers: int, others: int) -> int:
    """Return the sums of one number of each of two sets."""
    sums = 0
    while others:
        sums |= numbers << lowest_bit(others)
        others &= others - 1
    return sums


def _narrow_arm(s: Search, cell: int, size: int, at: int) -> tuple[int, int]:
    """Narrow the cells of an arm; return the regions of its runs, and the set of their lengths."""
    lengths, longer, least = 0, 0, size
    for further in range(size + 1):
        if s.work[at + further]:
            lengths |= 1 << further
            least = min(least, further)
    for further in range(size, 0, -1):
        longer |= s.work[at + further]
        if least < further - 1:
            continue
        ending, mask = s.work[at + further - 1], s.data[cell + further - 1]
        # a run that ends before the cell is in another region than the cell
        differ = 0 if ending == 0 else -1 if ending & (ending - 1) else ~ending
        if not keep(s, mask, longer | differ):
            return 0, 0
    return longer | s.work[at], lengths


def alike(s: Search, row: int) -> bool:
    """Narrow a row in which a number says how many cells are in the region of the first cell.

    Return False if no candidates of the number and of the regions fit together.
    """
    size = s.data[row]
    number, first, surplus = s.data[row + 1], s.data[row + 2], s.data[row + 1 + size]
    wanted = shifted(s.candidates[number], surplus)
    wanted &= ~first_bits(s.data[row + 2 + size] - 1)
    counts, regions = 0, 0
    for index in range(size - 2):
        s.work[index] = 0
    left = s.candidates[first]
    while left:
        region = left & -left
        left ^= region
        least = most = 1
        for index in range(row + 3, row + 1 + size):
            mask = s.candidates[s.data[index]]
            if mask & region:
                most += 1
                least += mask == region
        fitting = wanted & first_bits(most) & ~first_bits(least - 1)
        if fitting == 0:
            continue
        counts |= fitting
        regions |= region
        fewer, more_of_it = fitting & ~(1 << most - 1), fitting & ~(1 << least - 1)
        for index in range(size - 2):
            mask = s.candidates[s.data[row + 3 + index]]
            if mask == region:
                s.work[index] |= region
            else:
                if fewer or mask & region == 0:
                    s.work[index] |= ~region
                if more_of_it:
                    s.work[index] |= region
    if not keep(s, number, shifted(counts, -surplus)) or not keep(s, first, regions):
        return False
    fits = True
    for index in range(size - 2):
        fits = fits and keep(s, s.data[row + 3 + index], s.work[index])
    return fits
