"""Sums that follow from cages: those of `unidoku.core.transforms.implied`, in its order.

There are three arrays. The array of the units, `data`, has the number of 64-bit words of a set of
cells, the sum of a unit, the numbers of full units, of maximal units and of runs; the sets of all
these units; and the length and the units of each run. The array of the cages, `rows`, has the
largest number of cells of a sum, the numbers of cages and of known sums, whether cages are
disjoint; the sets of cells, and the sums. The third is working memory and begins with the results.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# The translator infers the types here; mypy does not.

from __future__ import annotations

from unidoku.backends.native.single import registers as reg
from unidoku.backends.native.single.state import lowest_bit, size_of

WORDS, UNIT_SUM, FULL_UNITS, UNITS, RUNS, OF_UNITS = range(6)
"""Places in the array of the units."""

TERMS, CAGES, KNOWN, ARE_APART, OF_CAGES = range(5)
"""Places in the array of the cages."""

SIZE, TOTAL, SETS = range(3)
"""Places in a row: number of cells, the sum, and the cells that are added and subtracted."""


def find_sums(s):
    """Write the deduced sums: their number, then for each its size, sum, cells and weights."""
    rows = _left_over(s)
    words, terms = s.data[WORDS], s.rows[TERMS]
    first, width = _rows_at(s), SETS + 2 * words
    known = first + rows * width
    count = s.rows[KNOWN]
    for one in range(count):
        cage = OF_CAGES + (s.rows[CAGES] + one) * words
        at = known + one * width
        s.work[at + TOTAL] = s.rows[
            OF_CAGES + (s.rows[CAGES] + count) * words + s.rows[CAGES] + one
        ]
        for word in range(words):
            s.work[at + SETS + word] = s.rows[cage + word]
            s.work[at + SETS + words + word] = 0
    found, end = 0, 0
    for size in range(terms + 1):
        for row in range(rows):
            at = first + row * width
            if s.work[at + SIZE] == size:
                _take(s, at, known, count)
                if s.work[at + SIZE] and not _is_known(s, at, known, count):
                    _copy(s, known + count * width, at, width)
                    count += 1
                    if _is_worth_telling(s, at):
                        end = _tell(s, at, end)
                        found += 1
    s.registers[reg.COUNT], s.registers[reg.SPARE] = found, end


def _rows_at(s):
    """Return where rows begin in the work array, after the results and temporary data."""
    words, cages, terms = s.data[WORDS], s.rows[CAGES], s.rows[TERMS]
    return s.registers[reg.SPARE] * (2 + 2 * terms) + 2 * words + 3 * cages


def _left_over(s):
    """Write the remainders of runs of units as rows, each once; return their number."""
    words, cages = s.data[WORDS], s.rows[CAGES]
    region = s.registers[reg.SPARE] * (2 + 2 * s.rows[TERMS])
    sizes = region + 2 * words
    for cage in range(cages):
        at = OF_CAGES + cage * words
        s.work[sizes + cage] = _size(s.rows, at, words)
    full = OF_UNITS
    run = full + (s.data[FULL_UNITS] + s.data[UNITS]) * words
    rows = 0
    for _ in range(s.data[RUNS]):
        for word in range(words):
            s.work[region + word] = 0
        for step in range(s.data[run]):
            unit = full + s.data[run + 1 + step] * words
            for word in range(words):
                s.work[region + word] |= s.data[unit + word]
            rows = _of_region(s, region, (step + 1) * s.data[UNIT_SUM], rows)
        run += 1 + s.data[run]
    return rows


def _of_region(s, region, total, rows):
    """Write the remainders of a region and its cages as rows, with `core.remainders`' choices.

    The cages inside it, largest first; those with the larger part inside; and those that cover it,
    if any do.
    """
    words, cages = s.data[WORDS], s.rows[CAGES]
    covered, sizes = region + words, region + 2 * words
    held, order = sizes + cages, sizes + 2 * cages
    touching = 0
    for cage in range(cages):
        at = OF_CAGES + cage * words
        s.work[held + cage] = _shared(s, at, region, words)
        if s.work[held + cage]:
            s.work[order + touching] = cage
            touching += 1
    overlap = s.rows[ARE_APART] == 0
    if overlap:
        _sort(s, sizes, held, order, touching, 0)
    _clear(s, covered, words)
    left = total
    for place in range(touching):
        cage = s.work[order + place]
        if s.work[held + cage] == s.work[sizes + cage]:
            left = _cover(s, covered, cage, left)
    if not _is_empty(s, covered, words):
        rows = _add(s, region, left, rows)
    if overlap:
        _sort(s, sizes, held, order, touching, 1)
    _clear(s, covered, words)
    left = total
    for place in range(touching):
        cage = s.work[order + place]
        if s.work[sizes + cage] < 2 * s.work[held + cage]:
            left = _cover(s, covered, cage, left)
    if not _is_empty(s, covered, words):
        rows = _add(s, region, left, rows)
    for place in range(touching):
        cage = s.work[order + place]
        if s.work[sizes + cage] >= 2 * s.work[held + cage]:
            left = _cover(s, covered, cage, left)
    for word in range(words):
        if s.work[region + word] & ~s.work[covered + word]:
            return rows
    return _add(s, region, left, rows)


def _sort(s, sizes, held, order, touching, by_excess):
    """Sort cages by size, largest first, or by the number of cells outside minus inside."""
    for place in range(1, touching):
        cage, at = s.work[order + place], place
        while at and _comes_before(s, sizes, held, cage, s.work[order + at - 1], by_excess):
            s.work[order + at] = s.work[order + at - 1]
            at -= 1
        s.work[order + at] = cage


def _comes_before(s, sizes, held, one, other, by_excess):
    """Return whether a cage comes before another; of equal ones neither, or the smaller set."""
    size, another = s.work[sizes + one], s.work[sizes + other]
    if not by_excess:
        return size > another or (size == another and one < other)
    size -= 2 * s.work[held + one]
    another -= 2 * s.work[held + other]
    if size != another:
        return size < another
    words = s.data[WORDS]
    for word in range(words - 1, -1, -1):
        # The highest bit counts as an ordinary bit, not as a sign.
        first = s.rows[OF_CAGES + one * words + word] ^ (1 << 63)
        second = s.rows[OF_CAGES + other * words + word] ^ (1 << 63)
        if first != second:
            return first < second
    return False


def _cover(s, covered, cage, left):
    """Cover a cage that is disjoint from covered ones; return the remaining sum."""
    words = s.data[WORDS]
    at = OF_CAGES + cage * words
    if not s.rows[ARE_APART] and _shared(s, at, covered, words):
        return left
    for word in range(words):
        s.work[covered + word] |= s.rows[at + word]
    sums = OF_CAGES + (s.rows[CAGES] + s.rows[KNOWN]) * words
    return left - s.rows[sums + cage]


def _add(s, region, total, rows):
    """Add a row of the innies and outies of a region if they are few cells."""
    words = s.data[WORDS]
    size = 0
    for word in range(words):
        size += size_of(s.work[region + word] ^ s.work[region + words + word])
    if size > s.rows[TERMS]:
        return rows
    width = SETS + 2 * words
    at = _rows_at(s) + rows * width
    inside = 0
    for word in range(words):
        cells, covered = s.work[region + word], s.work[region + words + word]
        s.work[at + SETS + word] = cells & ~covered
        s.work[at + SETS + words + word] = covered & ~cells
        inside |= cells & ~covered
    if inside == 0:
        _turn(s, at)
        total = -total
    s.work[at + SIZE], s.work[at + TOTAL] = size, total
    for row in range(rows):
        other = _rows_at(s) + row * width
        if s.work[other + SIZE] == size and _are_same(s, other, at):
            s.work[other + TOTAL] = total
            return rows
    return rows + 1


def _take(s, at, known, count):
    """Subtract from a row the known sums inside it, in the order in which they were found."""
    words, work = s.data[WORDS], s.work
    width = SETS + 2 * words
    every = known + (count + 1) * width  # where the next known sum will end
    for word in range(words):
        work[every + word] = work[at + SETS + word] | work[at + SETS + words + word]
    for one in range(count):
        other = known + one * width
        is_inside = True
        for word in range(words):
            cells = work[other + SETS + word] | work[other + SETS + words + word]
            if cells & ~work[every + word]:
                is_inside = False
                break
        if is_inside and not _take_one(s, at, other):
            _turn(s, at)
            work[at + TOTAL] = -work[at + TOTAL]
            _take_one(s, at, other)
            _turn(s, at)
            work[at + TOTAL] = -work[at + TOTAL]
    work[at + SIZE] = _size(work, at + SETS, 2 * words)


def _take_one(s, at, other):
    """Subtract a sum from a row if it is a part of the row; return whether it is."""
    both = 2 * s.data[WORDS]
    is_same = True
    for word in range(SETS, SETS + both):
        if s.work[other + word] & ~s.work[at + word]:
            return False
        is_same = is_same and s.work[other + word] == s.work[at + word]
    if is_same:
        return False
    for word in range(SETS, SETS + both):
        s.work[at + word] &= ~s.work[other + word]
    s.work[at + TOTAL] -= s.work[other + TOTAL]
    return True


def _is_known(s, at, known, count):
    """Return whether a row is among the known sums."""
    width = SETS + 2 * s.data[WORDS]
    one = 0
    while one < count and not _are_same(s, known + one * width, at):
        one += 1
    return one < count


def _is_worth_telling(s, at):
    """Return whether a sum has fewer than the most cells, or lies in one unit."""
    if s.work[at + SIZE] < s.rows[TERMS]:
        return True
    words = s.data[WORDS]
    if not _is_empty(s, at + SETS + words, words):
        return False
    for unit in range(s.data[UNITS]):
        held = OF_UNITS + (s.data[FULL_UNITS] + unit) * words
        is_inside = True
        for word in range(words):
            if s.work[at + SETS + word] & ~s.data[held + word]:
                is_inside = False
        if is_inside:
            return True
    return False


def _tell(s, at, end):
    """Write a sum, whose first weight is positive; return where the next one begins."""
    words, size = s.data[WORDS], s.work[at + SIZE]
    s.work[end] = size
    sign, place = 0, end + 2
    for word in range(words):
        plus, minus = s.work[at + SETS + word], s.work[at + SETS + words + word]
        cells = plus | minus
        while cells:
            cell = lowest_bit(cells)
            own = 1 if plus >> cell & 1 else -1
            if sign == 0:
                sign = own
            s.work[place], s.work[place + size] = 64 * word + cell, own * sign
            place += 1
            cells &= cells - 1
    s.work[end + 1] = sign * s.work[at + TOTAL]
    return end + 2 + 2 * size


def _turn(s, at):
    """Exchange the cells of a row that are added and those that are subtracted."""
    words = s.data[WORDS]
    for word in range(at + SETS, at + SETS + words):
        s.work[word], s.work[word + words] = s.work[word + words], s.work[word]


def _copy(s, to, at, width):
    for place in range(width):
        s.work[to + place] = s.work[at + place]


def _clear(s, at, words):
    for word in range(words):
        s.work[at + word] = 0


def _size(numbers, at, words):
    """Return the number of bits in that many words."""
    count = 0
    for word in range(words):
        count += size_of(numbers[at + word])
    return count


def _shared(s, cage, at, words):
    """Return the number of cells that a cage shares with a set in the work array."""
    count = 0
    for word in range(words):
        count += size_of(s.rows[cage + word] & s.work[at + word])
    return count


def _is_empty(s, at, words):
    """Return whether a set in the work array is empty."""
    held = 0
    for word in range(words):
        held |= s.work[at + word]
    return held == 0


def _are_same(s, one, other):
    """Return whether two rows add the same cells and subtract the same cells."""
    for word in range(SETS, SETS + 2 * s.data[WORDS]):
        if s.work[one + word] != s.work[other + word]:
            return False
    return True
