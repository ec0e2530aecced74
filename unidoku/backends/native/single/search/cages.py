"""The rule of 45: sums that follow from cages and runs of full units.

This finds the same as `unidoku.core.transforms.implied.implied_sums`, in the same order, in a
hundredth of the time: nearly every killer has a layout of its own. All is in one array: sizes and
places (`Place`), sets of cells as some words each, sums, and room for what is found.

A sum is one number, the total, and two sets of cells: those that are added, and those that are
subtracted.
"""

from __future__ import annotations

from enum import IntEnum

from unidoku.backends.native.compiler.intrinsics import Numbers, copy, lowest_bit, size_of, unsigned


class Place(IntEnum):
    """A number at the beginning of the array, by its index."""

    WORDS = 0  # words of a set of cells
    UNIT_SUM = 1  # sum of all values
    MOST_UNITS = 2  # largest number of units that are combined
    MOST_CELLS = 3  # largest number of cells of a sum
    UNITS = 4  # number of full units: for each the end of the units of its kind, and its cells
    UNITS_AT = 5
    MAXIMAL = 6  # number of sets of cells that differ
    MAXIMAL_AT = 7
    ARE_KNOWN = 8  # whether full units are small enough to be known sums
    GIVEN_AT = 9  # cages as they are given: total, number of cells, cells
    CAGES = 10  # number of cages, ascending as sets: for each rank, size, total and cells
    CAGES_AT = 11
    KNOWN_AT = 12  # sums that are known before, and the sums that are found
    REMAINDERS_AT = 13  # innies and outies as sums
    SHARED_AT = 14  # for each cage, the number of its cells in the units of a run
    ORDER_AT = 15  # the cages to choose from in their order, each as a number
    REGION_AT = 16  # the cells of the units of a run
    COVERED_AT = 17  # the total and the cells of the cages that are chosen
    RESULTS_AT = 18  # sums that are to be passed on: total, number of cells, cells, weights
    OVERLAP = 19  # whether some cages share cells


INSIDE, LARGER, TOUCHING = 0, 1, 2
"""Choices of cages: those inside a region, with the larger part inside, and all that touch it.

Of cages that overlap those are chosen that share no cell with an earlier one: large ones come first
among those inside, otherwise those with many cells inside and few outside.
"""


def find_sums(d: Numbers) -> int:
    """Find sums of few cells; return where the results end."""
    known = _read_cages(d)
    words, end = d[Place.WORDS], d[Place.RESULTS_AT]
    stride = 2 * words + 1
    remainders = _find_remainders(d)
    for size in range(1, d[Place.MOST_CELLS] + 1):
        for index in range(remainders):
            at = d[Place.REMAINDERS_AT] + index * stride
            if _size(d, at + 1, 2 * words) != size:
                continue
            for other in range(known):
                _subtract(d, at, d[Place.KNOWN_AT] + other * stride, words)
            left = _size(d, at + 1, 2 * words)
            if left == 0 or _is_known(d, at, known):
                continue
            copy(d, d[Place.KNOWN_AT] + known * stride, d, at, stride)
            known += 1
            has_outies = _size(d, at + 1 + words, words) != 0
            if left == d[Place.MOST_CELLS] and (has_outies or not _differ(d, at + 1)):
                continue
            end = _write(d, at, left, end)
    return end


def _read_cages(d: Numbers) -> int:
    """Read the cages into a list in ascending order; return how many sums are known.

    Those are the small cages in the order in which they are given, and then full units if these are
    as small.
    """
    words, given, known, cells, covered = (
        d[Place.WORDS],
        d[Place.GIVEN_AT],
        0,
        0,
        d[Place.REGION_AT],
    )
    for word in range(words):
        d[covered + word] = 0
    for index in range(d[Place.CAGES]):
        size, read = d[given + 1], d[Place.COVERED_AT] + 1
        for word in range(words):
            d[read + word] = 0
        for at in range(given + 2, given + 2 + size):
            d[read + (d[at] >> 6)] |= 1 << (d[at] & 63)
        for word in range(words):
            d[covered + word] |= d[read + word]
        if size <= d[Place.MOST_CELLS]:
            known = _add_known(d, d[given], read, known)
        _insert_cage(d, index, size, d[given])
        cells += size
        given += 2 + size
    d[Place.OVERLAP] = cells > _size(d, covered, words)
    if d[Place.OVERLAP]:
        _rank_cages(d)
    for unit in range(d[Place.UNITS] if d[Place.ARE_KNOWN] else 0):
        unit_cells = d[Place.UNITS_AT] + unit * (words + 1) + 1
        known = _add_known(d, d[Place.UNIT_SUM], unit_cells, known)
    return known


def _add_known(d: Numbers, total: int, cells: int, known: int) -> int:
    """Add a set of cells to the known sums, or change its total; return how many there are."""
    words, at = d[Place.WORDS], d[Place.KNOWN_AT]
    for _ in range(known):
        if _are_equal(d, at + 1, cells, words):
            d[at] = total
            return known
        at += 2 * words + 1
    d[at] = total
    for word in range(words):
        d[at + 1 + word], d[at + 1 + words + word] = d[cells + word], 0
    return known + 1


def _insert_cage(d: Numbers, count: int, size: int, total: int) -> None:
    """Insert the cage whose cells were read into so many; its rank is its number for now."""
    words, at = d[Place.WORDS], d[Place.CAGES_AT] + count * (d[Place.WORDS] + 3)
    read = d[Place.COVERED_AT] + 1
    while at > d[Place.CAGES_AT] and _is_less(d, read, at - words, words):
        copy(d, at, d, at - words - 3, words + 3)
        at -= words + 3
    d[at], d[at + 1], d[at + 2] = count, size, total
    copy(d, at + 3, d, read, words)


def _rank_cages(d: Numbers) -> None:
    """Rank the cages: larger ones first, and of the same size those that are given first."""
    cages, stride, begin = d[Place.CAGES], d[Place.WORDS] + 3, d[Place.CAGES_AT]
    for cage in range(cages):
        rank, at, other = 0, begin + cage * stride, begin
        for _ in range(cages):
            difference = d[other + 1] - d[at + 1]
            rank += difference > 0 or (difference == 0 and d[other] < d[at])
            other += stride
        d[d[Place.ORDER_AT] + cage] = rank
    for cage in range(cages):
        d[begin + cage * stride] = d[d[Place.ORDER_AT] + cage]


def _is_less(d: Numbers, at: int, other: int, words: int) -> bool:
    """Return whether a set is less than another, as numbers."""
    for word in range(words - 1, -1, -1):
        if d[at + word] != d[other + word]:
            return unsigned(d[at + word]) < unsigned(d[other + word])
    return False


def _find_remainders(d: Numbers) -> int:
    """Find the remainders of runs of disjoint units; return how many."""
    words, region, count = d[Place.WORDS], d[Place.REGION_AT], 0
    for first in range(d[Place.UNITS]):
        for cage in range(d[Place.CAGES]):
            d[d[Place.SHARED_AT] + cage] = 0
        for word in range(words):
            d[region + word] = 0
        end = d[d[Place.UNITS_AT] + first * (words + 1)]
        for unit in range(first, min(first + d[Place.MOST_UNITS], end)):
            cells = d[Place.UNITS_AT] + unit * (words + 1) + 1
            if _shared(d, region, cells, words):
                break
            for word in range(words):
                d[region + word] |= d[cells + word]
            for cage in range(d[Place.CAGES]):
                cage_cells = d[Place.CAGES_AT] + cage * (words + 3) + 3
                d[d[Place.SHARED_AT] + cage] += _shared(d, cage_cells, cells, words)
            before, total = -1, (unit - first + 1) * d[Place.UNIT_SUM]
            for choice in range(TOUCHING + 1):
                chosen = _choose(d, choice, before)
                is_new = chosen != before or (choice == LARGER and d[Place.OVERLAP] != 0)
                if chosen and is_new:
                    covered = d[Place.COVERED_AT] + 1
                    if choice != TOUCHING or _is_inside(d, region, covered, words):
                        count = _add_remainder(d, total, count)
                before = chosen
    return count


def _choose(d: Numbers, choice: int, before: int) -> int:
    """Unite the cages of a choice, and add up their totals; return the number of cages.

    All that touch a region are added to those with the larger part inside, so many before.
    """
    words, covered, chosen = d[Place.WORDS], d[Place.COVERED_AT], before
    if choice != TOUCHING:
        chosen = 0
        for word in range(words + 1):
            d[covered + word] = 0
    for index in range(_list_cages(d, choice)):
        cage = d[d[Place.ORDER_AT] + index] % d[Place.CAGES]
        at = d[Place.CAGES_AT] + cage * (words + 3) + 2
        if _shared(d, at + 1, covered + 1, words) == 0:
            chosen += 1
            for word in range(1, words + 1):
                d[covered + word] |= d[at + word]
            d[covered] += d[at]
    return chosen


def _list_cages(d: Numbers, choice: int) -> int:
    """List the cages of a choice, in order if some overlap; return how many there are."""
    words, cages, order, count = d[Place.WORDS], d[Place.CAGES], d[Place.ORDER_AT], 0
    for cage in range(cages):
        common = d[d[Place.SHARED_AT] + cage]
        if common == 0:
            continue
        at = d[Place.CAGES_AT] + cage * (words + 3)
        size = d[at + 1]
        if choice == TOUCHING or (2 * common > size if choice == LARGER else common == size):
            rank = d[at] if choice == INSIDE else 64 * words + size - 2 * common
            slot, number = order + count, rank * cages + cage
            while d[Place.OVERLAP] and slot > order and d[slot - 1] > number:
                d[slot] = d[slot - 1]
                slot -= 1
            d[slot] = number
            count += 1
    return count


def _add_remainder(d: Numbers, total: int, count: int) -> int:
    """Add what units and the chosen cages leave over, if it has few cells; return the new count.

    Of the same remainders the last total counts.
    """
    words, region, covered = d[Place.WORDS], d[Place.REGION_AT], d[Place.COVERED_AT] + 1
    at = d[Place.REMAINDERS_AT] + count * (2 * words + 1)
    for word in range(words):
        d[at + 1 + word] = d[region + word] & ~d[covered + word]
        d[at + 1 + words + word] = d[covered + word] & ~d[region + word]
    if _size(d, at + 1, 2 * words) > d[Place.MOST_CELLS]:
        return count
    d[at] = total - d[covered - 1]
    if _size(d, at + 1, words) == 0:
        copy(d, at + 1, d, at + 1 + words, words)
        for word in range(words):
            d[at + 1 + words + word] = 0
        d[at] = -d[at]
    for index in range(count):
        other = d[Place.REMAINDERS_AT] + index * (2 * words + 1)
        if _are_equal(d, at + 1, other + 1, 2 * words):
            d[other] = d[at]
            return count
    return count + 1


def _subtract(d: Numbers, at: int, known: int, words: int) -> None:
    """Subtract a known sum from a sum, or add it, if it is a part of that and not all of it."""
    plus, minus, added, subtracted = known + 1, known + 1 + words, at + 1, at + 1 + words
    outside = apart = 0
    for word in range(words):
        cells = d[plus + word] | d[minus + word]
        outside |= cells & ~(d[added + word] | d[subtracted + word])
        if outside:  # as nearly always
            return
        apart |= d[plus + word] & d[subtracted + word] | d[minus + word] & d[added + word]
    sign = 1
    if apart:
        plus, minus, sign = minus, plus, -1
        if not (_is_inside(d, plus, added, words) and _is_inside(d, minus, subtracted, words)):
            return
    if _are_equal(d, plus, added, words) and _are_equal(d, minus, subtracted, words):
        return
    d[at] -= sign * d[known]
    for word in range(words):
        d[added + word] &= ~d[plus + word]
        d[subtracted + word] &= ~d[minus + word]


def _is_known(d: Numbers, at: int, known: int) -> bool:
    """Return whether a sum of the same cells is known."""
    words = d[Place.WORDS]
    for index in range(known):
        other = d[Place.KNOWN_AT] + index * (2 * words + 1)
        if _are_equal(d, at + 1, other + 1, 2 * words):
            return True
    return False


def _differ(d: Numbers, cells: int) -> bool:
    """Return whether a set of cells lies in a unit."""
    words = d[Place.WORDS]
    for unit in range(d[Place.MAXIMAL]):
        if _is_inside(d, cells, d[Place.MAXIMAL_AT] + unit * words, words):
            return True
    return False


def _write(d: Numbers, at: int, size: int, end: int) -> int:
    """Write a sum as cells and weights, the first of which is positive; return where it ends."""
    words, next_at, sign = d[Place.WORDS], end + 2, 1
    for word in range(words):
        left = unsigned(d[at + 1 + word] | d[at + 1 + words + word])
        while left:
            bit = lowest_bit(left)
            left &= left - 1
            weight = 1 if d[at + 1 + word] >> bit & 1 else -1
            if next_at == end + 2:
                sign = weight
            d[next_at], d[next_at + size] = 64 * word + bit, sign * weight
            next_at += 1
    d[end], d[end + 1] = sign * d[at], size
    return next_at + size


def _size(d: Numbers, at: int, words: int) -> int:
    """Return the number of elements of a set."""
    size = 0
    for word in range(at, at + words):
        size += size_of(d[word])
    return size


def _shared(d: Numbers, at: int, other: int, words: int) -> int:
    """Return the number of elements that two sets share."""
    size = 0
    for word in range(words):
        size += size_of(d[at + word] & d[other + word])
    return size


def _is_inside(d: Numbers, at: int, other: int, words: int) -> bool:
    """Return whether a set is a part of another."""
    outside = 0
    for word in range(words):
        outside |= d[at + word] & ~d[other + word]
    return outside == 0


def _are_equal(d: Numbers, at: int, other: int, words: int) -> bool:
    """Return whether two sets are equal."""
    if d[at] != d[other]:  # as nearly always
        return False
    difference = 0
    for word in range(words):
        difference |= d[at + word] ^ d[other + word]
    return difference == 0
