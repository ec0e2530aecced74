"""Propagators of relations, units, sets of values and cells that hold the same values.

Each gets the place of its row, keeps only possible candidates, and returns False for a
contradiction.
"""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import (
    NARROW,
    NO_CELL,
    NUMBERS_OF_UNITS,
    UNITS_AT_ONCE,
    Numbers,
    fit_sets,
    has_unit_vectors,
    lowest_bit,
    size_of,
    units_with_work,
)
from unidoku.backends.native.single.search.kinds import CHUNK
from unidoku.backends.native.single.search.occurrences import excluded
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.rows import band_row, sets_row
from unidoku.backends.native.single.search.state import (
    ALL_THAT_FOLLOWS,
    CONTRADICTION,
    MORE_MAY_FOLLOW,
    Search,
    first_bits,
    keep,
    narrow,
)

_ENTRIES = 1 << CHUNK

_SHORTS = 64 // NARROW
"""Number of short numbers in a number."""


def relation(s: Search, row: int) -> bool:
    """Keep values of the second cell that some value of the first allows, six at a time."""
    left, table = s.candidates[s.data[row + 1]], s.data[row + 3]
    allowed = 0
    while left:
        allowed |= s.data[table + (left & (_ENTRIES - 1))]
        left >>= CHUNK
        table += _ENTRIES
    return keep(s, s.data[row + 2], allowed)


def unit(s: Search, row: int) -> bool:
    """Check cells that differ: if there are as many values left as cells, each needs a place."""
    first, end = row + 1, row + 1 + s.data[row]
    once, twice, decided = _frequencies(s, first, end)
    left = size_of(once)
    if left != s.data[row]:
        return left > s.data[row]
    hidden = once & ~twice & ~decided
    if hidden:
        for index in range(first, end):
            mask = s.candidates[s.data[index]] & hidden
            if mask:
                if mask & (mask - 1):
                    return False
                narrow(s, s.data[index], mask)
    return True


def _finds_something(s: Search, row: int) -> bool:
    """Return whether `unit` narrows a cell, or fails."""
    once, twice, decided = _frequencies(s, row + 1, row + 1 + s.data[row])
    left = size_of(once)
    return left < s.data[row] or (left == s.data[row] and once & ~twice & ~decided != 0)


def _frequencies(s: Search, first: int, end: int) -> tuple[int, int, int]:
    """Return the values of one cell at least, those of several cells, and those of decided ones."""
    once = twice = decided = 0
    for index in range(first, end):
        mask = s.candidates[s.data[index]]
        twice |= once & mask
        once |= mask
        decided |= mask if mask & (mask - 1) == 0 else 0
    return once, twice, decided


def list_units(s: Search) -> None:
    """Write the cells of all units in vectors: their sizes, their first cells, and so on."""
    r = s.registers
    at, most = r[Register.UNITS_AT], r[Register.VALUES]
    if at == 0:
        return
    for begin in range(r[Register.UNITS_BEGIN], r[Register.UNITS_END], UNITS_AT_ONCE):
        for lane in range(UNITS_AT_ONCE):
            constraint = begin + lane
            row = s.rows[constraint] if constraint < r[Register.UNITS_END] else 0
            size = s.data[row] if constraint < r[Register.UNITS_END] else 0
            word, shift = at + lane // _SHORTS, NARROW * (lane % _SHORTS)
            s.data[word] |= size << shift
            for index in range(most):
                cell = s.data[row + 1 + index] if index < size else NO_CELL
                s.data[word + NUMBERS_OF_UNITS * (index + 1)] |= cell << shift
        at += NUMBERS_OF_UNITS * (most + 1)


def run_units(s: Search, waiting: int) -> int:
    """Run units in the queue that share vectors with one of them, if they have something to find.

    A processor without vectors of 512 bits looks at each unit that waits before it runs any, so
    that all processors find the same. Returns the number of a unit that fails, or -1.
    """
    r = s.registers
    vector = (waiting - r[Register.UNITS_BEGIN]) // UNITS_AT_ONCE
    begin = r[Register.UNITS_BEGIN] + vector * UNITS_AT_ONCE
    at = r[Register.UNITS_AT] + vector * NUMBERS_OF_UNITS * (r[Register.VALUES] + 1)
    every = first_bits(min(r[Register.UNITS_END] - begin, UNITS_AT_ONCE))
    word, shift = begin >> 6, begin & 63
    left = s.queue[word] >> shift & first_bits(64 - shift)
    s.queue[word] &= ~(every << shift)
    if shift > UNITS_AT_ONCE:
        left |= s.queue[word + 1] << 64 - shift
        s.queue[word + 1] &= ~(every >> 64 - shift)
    left = left & every | 1 << waiting - begin
    r[Register.PROPAGATIONS] += size_of(left)
    if has_unit_vectors():
        left &= units_with_work(s.candidates, s.data, at, r[Register.VALUES])
    else:
        left = _with_work(s, begin, left)
    while left:
        constraint = begin + lowest_bit(left)
        left &= left - 1
        if not unit(s, s.rows[constraint]):
            return constraint
    return -1


def _with_work(s: Search, begin: int, units: int) -> int:
    """Return the units, of a set of numbers from ``begin`` on, that have something to find."""
    work = 0
    while units:
        bit = units & -units
        units ^= bit
        if _finds_something(s, s.rows[begin + lowest_bit(bit)]):
            work |= bit
    return work


def sets(s: Search, row: int) -> int:
    """Keep candidates that fit one of some sets of values that cells hold; return what was found.

    If no cell loses a value of a possible set, no second call would find more.
    """
    r = sets_row(s, row)
    for index in range(r.size):
        s.work[index] = s.candidates[s.data[r.cells + index]]
        s.work[r.size + index] = 0
    lacking = _lacking(s, r.rests, s.registers[Register.VALUES] - r.size)
    common, less = fit_sets(s.work, s.data, r.sets, r.vectors, r.size, lacking)
    for index in range(r.size):
        if not keep(s, s.data[r.cells + index], s.work[r.size + index]):
            return CONTRADICTION
    if r.narrows_peers and not excluded(s, r.cells, r.cells + r.size, common):
        return CONTRADICTION
    return MORE_MAY_FOLLOW if less else ALL_THAT_FOLLOWS


def _lacking(s: Search, at: int, size: int) -> int:
    """Return the values that the rest of some full unit of a cage lacks, so that the cage has them.

    How many units there are stands at a place of the data, and behind it the cells of their rests.
    """
    lacking, index = 0, at + 1
    for _ in range(s.data[at]):
        union = 0
        for other in range(index, index + size):
            union |= s.candidates[s.data[other]]
        lacking |= ~union
        index += size
    return lacking & first_bits(s.registers[Register.VALUES])


def counted(s: Search, row: int) -> bool:
    """Bound how often each value occurs in two lists that hold the same values."""
    first, end = row + 1, row + 1 + s.data[row]
    middle = first + s.data[end]
    left = 0
    for index in range(first, end):
        left |= s.candidates[s.data[index]]
    while left:
        value = left & -left
        left ^= value
        may_first, must_first = _places(s, first, middle, value)
        may_second, must_second = _places(s, middle, end, value)
        least, most = max(must_first, must_second), min(may_first, may_second)
        if least > most:
            return False
        _bound(s, first, middle, value, may_first == least, must_first == most)
        _bound(s, middle, end, value, may_second == least, must_second == most)
    return True


def _places(s: Search, first: int, end: int, value: int) -> tuple[int, int]:
    """Return how many cells may hold a value, and how many hold it."""
    may = must = 0
    for index in range(first, end):
        mask = s.candidates[s.data[index]]
        if mask & value:
            may += 1
            if mask == value:
                must += 1
    return may, must


def _bound(s: Search, first: int, end: int, value: int, everywhere: int, nowhere: int) -> None:
    """Place a value in all cells that may hold it, or remove it from those that need not."""
    for index in range(first, end):
        mask = s.candidates[s.data[index]]
        if mask & value and mask != value:
            if everywhere:
                narrow(s, s.data[index], value)
            elif nowhere:
                narrow(s, s.data[index], mask ^ value)


def same(s: Search, row: int) -> bool:
    """Keep values that both of two sets of cells with the same values can hold."""
    first, end = row + 1, row + 1 + s.data[row]
    middle = first + s.data[end]
    first_union = second_union = 0
    for index in range(first, middle):
        first_union |= s.candidates[s.data[index]]
    for index in range(middle, end):
        second_union |= s.candidates[s.data[index]]
    if first_union != second_union:
        for index in range(first, end):
            if not keep(s, s.data[index], first_union & second_union):
                return False
    return True


def matching(s: Search, row: int) -> bool:
    """Do the same, and place values that are decided in one set and have one place in the other.

    In units of all values each value needs a place anyway.
    """
    if not same(s, row):
        return False
    first, end = row + 1, row + 1 + s.data[row]
    middle = first + s.data[end]
    first_values, first_twice, first_decided = _frequencies(s, first, middle)
    second_values, second_twice, second_decided = _frequencies(s, middle, end)
    first_values &= second_decided & ~first_decided & ~first_twice
    second_values &= first_decided & ~second_decided & ~second_twice
    return _place(s, first, middle, first_values) and _place(s, middle, end, second_values)


def _place(s: Search, first: int, end: int, values: int) -> bool:
    """Place values that have one place in some cells; return whether each can have its own."""
    if values:
        for index in range(first, end):
            mask = s.candidates[s.data[index]] & values
            if mask:
                if mask & (mask - 1):
                    return False
                if not keep(s, s.data[index], mask):
                    return False
    return True


def band(s: Search, row: int) -> bool:
    """Narrow the segments of lines and boxes that cover the same cells.

    A value that a line has in only one segment is removed from the rest of that segment's box, and
    vice versa.
    """
    cells, count, width = band_row(s, row)
    if count == 3 and _says_nothing(s, cells, width):
        return True
    work = s.work
    lines = count * count  # place of the values that a line has in several segments
    boxes = lines + count
    index = cells
    for segment in range(lines):
        work[segment] = _union(s, index, width)
        index += width
    changed = True
    while changed:
        changed = False
        for number in range(count):
            work[lines + number] = _in_several(work, number, count, count)
            work[boxes + number] = _in_several(work, count * number, 1, count)
        for box in range(count):
            for line in range(count):
                union = work[box * count + line]
                of_line = union & ~work[lines + line]
                of_box = union & ~work[boxes + box]
                if of_line != of_box:
                    changed = True
                    if not _leave_others(
                        s, row, (box * count + line, line, box * count), of_line, of_box
                    ):
                        return False
    return True


def _says_nothing(s: Search, first: int, width: int) -> bool:
    """Return whether `band` removes nothing from three lines.

    This is so if each value of a segment is in other segments of its line and of its box, or of
    neither.
    """
    a, b, c = _three_unions(s, first, width)
    d, e, f = _three_unions(s, first + 3 * width, width)
    g, h, i = _three_unions(s, first + 6 * width, width)
    abc, def_, ghi = _in_two(a, b, c), _in_two(d, e, f), _in_two(g, h, i)
    adg, beh, cfi = _in_two(a, d, g), _in_two(b, e, h), _in_two(c, f, i)
    of_abc = (abc ^ adg) & a | (abc ^ beh) & b | (abc ^ cfi) & c
    of_def = (def_ ^ adg) & d | (def_ ^ beh) & e | (def_ ^ cfi) & f
    of_ghi = (ghi ^ adg) & g | (ghi ^ beh) & h | (ghi ^ cfi) & i
    return of_abc | of_def | of_ghi == 0


def _union(s: Search, first: int, width: int) -> int:
    """Return what the cells of a segment can hold."""
    union = 0
    for at in range(first, first + width):
        union |= s.candidates[s.data[at]]
    return union


def _three_unions(s: Search, first: int, width: int) -> tuple[int, int, int]:
    """Return what each of three segments can hold."""
    second, third = first + width, first + 2 * width
    return _union(s, first, width), _union(s, second, width), _union(s, third, width)


def _in_two(first: int, second: int, third: int) -> int:
    """Return the values in two of three sets at least."""
    return first & second | (first | second) & third


def _in_several(work: Numbers, first: int, step: int, count: int) -> int:
    """Return the values that are in several of some unions."""
    once = several = 0
    for number in range(count):
        union = work[first + number * step]
        several |= once & union
        once |= union
    return several


def _leave_others(
    s: Search, row: int, places: tuple[int, int, int], of_line: int, of_box: int
) -> bool:
    """Remove values that only this segment of its line has from its box, and vice versa."""
    segment, in_line, in_box = places
    _, count, _ = band_row(s, row)
    for number in range(count):
        other = in_box + number
        if other != segment and not _leave_segment(s, row, other, of_line):
            return False
        other = in_line + number * count
        if other != segment and not _leave_segment(s, row, other, of_box):
            return False
    return True


def _leave_segment(s: Search, row: int, segment: int, gone: int) -> bool:
    """Remove values from the cells of a segment of a band."""
    if s.work[segment] & gone:
        s.work[segment] &= ~gone
        cells, _, width = band_row(s, row)
        first = cells + segment * width
        for index in range(first, first + width):
            if not keep(s, s.data[index], ~gone):
                return False
    return True
