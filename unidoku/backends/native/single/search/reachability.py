"""Which places connected regions reach, by sets of places: a number for each row of the grid.

See `unidoku.backends.native.single.search.divisions`, whose rows as numbers are passed here.
"""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import copy, lowest_bit, size_of, wrapped
from unidoku.backends.native.single.search.kinds import Labels
from unidoku.backends.native.single.search.rows import DivisionRow
from unidoku.backends.native.single.search.state import Search

HASH = 6364136223846793005
"""A factor that leads from one hash to the next."""

CONTRADICTION, UNCHANGED, CHANGED = 0, 1, 2
"""What follows from the places of a region."""

SEEN, NEW, FORCED, WHOLE, LEFT, PIECE, SETS = 0, 1, 2, 3, 4, 5, 6
"""Sets in the rest of the work array, and their number: places that a walk has seen, the next ones,
places that must be in a region, places of parts of several places, which are entered as a whole,
places that are in no connected piece yet, and the last piece."""


def connect(s: Search, d: DivisionRow) -> bool:
    """Keep the regions that reach each part, and add what they need; return if that is possible."""
    wholes = _enter_places(s, d)
    parts, fresh = 0, 0
    for at in range(d.roots, d.roots + d.size):
        parts = wrapped(parts * HASH + s.work[at])
    for region in range(d.regions):
        if s.work[d.heads + region] < 0:
            fresh |= 1 << region
        elif not _is_known(s, d, region, parts):
            outcome = _from_core(s, d, region, wholes)
            if outcome == CONTRADICTION:
                return False
            if outcome == UNCHANGED:
                _remember(s, d, region, parts)
    while fresh:
        searched = fresh if d.kind == Labels.INTERCHANGEABLE else fresh & -fresh
        fresh ^= searched
        if not _anywhere(s, d, searched):
            return False
    return True


def _enter_places(s: Search, d: DivisionRow) -> int:
    """Write where each region may and must be; return the number of parts of several places."""
    for at in range(d.may, d.may + 2 * d.regions * d.rows):
        s.work[at] = 0
    for at in range(d.spare + WHOLE * d.rows, d.spare + (WHOLE + 1) * d.rows):
        s.work[at] = 0
    wholes, index = 0, 0
    for row in range(d.rows):
        bit = 1
        for _ in range(min(d.columns, d.size - index)):
            root = s.work[d.roots + index]
            left = s.work[d.masks + root]
            if left & (left - 1) == 0:
                s.work[d.must + lowest_bit(left) * d.rows + row] |= bit
            elif s.work[d.sizes + root] > 1:
                if root == index:
                    _begin_whole(s, d, wholes, root)
                    wholes += 1
                s.work[_whole(d, s.work[d.ways + root]) + row] |= bit
                s.work[d.spare + WHOLE * d.rows + row] |= bit
            while left:
                s.work[d.may + lowest_bit(left) * d.rows + row] |= bit
                left &= left - 1
            bit <<= 1
            index += 1
    return wholes


def _remembered(d: DivisionRow, region: int) -> int:
    """Return where the places of a region are noted from which nothing followed, and the parts."""
    return d.memo + region * (2 * d.rows + 1)


def _is_known(s: Search, d: DivisionRow, region: int, parts: int) -> bool:
    """Return whether nothing follows from the places of a region, as was found before."""
    at, may, must = _remembered(d, region), d.may + region * d.rows, d.must + region * d.rows
    if s.work[at + 2 * d.rows] != parts:
        return False
    for row in range(d.rows):
        if s.work[at + row] != s.work[may + row]:
            return False
        if s.work[at + d.rows + row] != s.work[must + row]:
            return False
    return True


def _remember(s: Search, d: DivisionRow, region: int, parts: int) -> None:
    """Note that nothing follows from the places of a region and these parts."""
    at = _remembered(d, region)
    copy(s.work, at, s.work, d.may + region * d.rows, d.rows)
    copy(s.work, at + d.rows, s.work, d.must + region * d.rows, d.rows)
    s.work[at + 2 * d.rows] = parts


def _whole(d: DivisionRow, number: int) -> int:
    """Return where a part of several places begins: a set, its root, and when it is entered."""
    return d.spare + SETS * d.rows + number * (d.rows + 2)


def _begin_whole(s: Search, d: DivisionRow, number: int, root: int) -> None:
    at = _whole(d, number)
    for row in range(d.rows):
        s.work[at + row] = 0
    s.work[at + d.rows] = root
    s.work[d.ways + root] = number


def _from_core(s: Search, d: DivisionRow, region: int, wholes: int) -> int:
    """Keep the places that a region reaches from its part; return what follows.

    Each step takes one more place, or enters a part of several places as many steps before.
    """
    may, must = d.may + region * d.rows, d.must + region * d.rows
    seen, forced = d.spare + SEEN * d.rows, d.spare + FORCED * d.rows
    head = s.work[d.heads + region]
    known = s.work[d.sizes + head]
    free = d.most - known
    for row in range(d.rows):
        s.work[seen + row] = 0
        s.work[forced + row] = s.work[must + row]
    s.work[seen + head // d.columns] = 1 << head % d.columns
    for number in range(wholes):
        s.work[_whole(d, number) + d.rows + 1] = 0
    step = until = 0
    count = required = 1
    while True:
        inside = _grow(s, d, may, must)
        if inside:
            required += inside
            count += inside
            continue
        if step == free:
            break
        until = _enter(s, d, region, wholes, step, until)
        fresh = _fresh(s, d)
        if fresh == 0 and until <= step:
            break
        only = fresh == 1 and until <= step and (count < d.most or required < known)
        step += 1
        count += fresh + _take(s, d, wholes, step, only)
    if required < known or count < d.most:
        return CONTRADICTION
    if count == d.most:
        for row in range(d.rows):
            s.work[forced + row] = s.work[seen + row]
    elif known > 1 and free and not _ways_out(s, d, region, known):
        return CONTRADICTION
    return _narrow(s, d, region, 1 << region)


def _grow(s: Search, d: DivisionRow, may: int, must: int) -> int:
    """Find the neighbours of the places seen; add those in the region, and return how many."""
    seen, new = d.spare + SEEN * d.rows, d.spare + NEW * d.rows
    inside, above = 0, 0
    for row in range(d.rows):
        bits = s.work[seen + row]
        below = s.work[seen + row + 1] if row + 1 < d.rows else 0
        fresh = (bits << 1 | bits >> 1 | above | below) & s.work[may + row] & ~bits
        s.work[new + row] = fresh
        inside += size_of(fresh & s.work[must + row])
        above = bits
    if inside:
        for row in range(d.rows):
            s.work[seen + row] |= s.work[new + row] & s.work[must + row]
    return inside


def _enter(s: Search, d: DivisionRow, region: int, wholes: int, step: int, until: int) -> int:
    """Note at which step the parts that the walk touches are entered; return the last step."""
    new = d.spare + NEW * d.rows
    for number in range(wholes):
        at = _whole(d, number)
        if s.work[at + d.rows + 1]:
            continue
        for row in range(d.rows):
            if s.work[at + row] & s.work[new + row]:
                s.work[at + d.rows + 1] = step + s.work[d.sizes + s.work[at + d.rows]]
                until = max(until, s.work[at + d.rows + 1])
                break
    return until


def _fresh(s: Search, d: DivisionRow) -> int:
    """Remove parts of several places from the next places; return how many are left."""
    count = 0
    new, whole = d.spare + NEW * d.rows, d.spare + WHOLE * d.rows
    for row in range(d.rows):
        s.work[new + row] &= ~s.work[whole + row]
        count += size_of(s.work[new + row])
    return count


def _take(s: Search, d: DivisionRow, wholes: int, step: int, only: int) -> int:
    """Add the next places to those seen; they must be in the region if they are the only way on.

    Parts of several places are added at the step that was noted; returns how many places these
    have.
    """
    seen, new = d.spare + SEEN * d.rows, d.spare + NEW * d.rows
    forced = d.spare + FORCED * d.rows
    count = 0
    for row in range(d.rows):
        s.work[seen + row] |= s.work[new + row]
        if only:
            s.work[forced + row] |= s.work[new + row]
    for number in range(wholes):
        at = _whole(d, number)
        if s.work[at + d.rows + 1] == step:
            count += s.work[d.sizes + s.work[at + d.rows]]
            for row in range(d.rows):
                s.work[seen + row] |= s.work[at + row]
    return count


def _piece(s: Search, d: DivisionRow, within: int) -> int:
    """Move a connected piece of the places in `LEFT` to `PIECE`; return its size."""
    left, piece = d.spare + LEFT * d.rows, d.spare + PIECE * d.rows
    is_begun = False
    for row in range(d.rows):
        bit = 0 if is_begun else s.work[left + row] & -s.work[left + row]
        s.work[piece + row] = bit
        is_begun = is_begun or bit != 0
    grows = is_begun
    while grows:
        grows, above = False, 0
        for row in range(d.rows):
            bits = s.work[piece + row]
            below = s.work[piece + row + 1] if row + 1 < d.rows else 0
            above = (bits << 1 | bits >> 1 | bits | above | below) & s.work[within + row]
            if above != bits:
                s.work[piece + row] = above
                grows = True
    size = 0
    for row in range(d.rows):
        s.work[left + row] &= ~s.work[piece + row]
        size += size_of(s.work[piece + row])
    return size


def _ways_out(s: Search, d: DivisionRow, region: int, known: int) -> bool:
    """Take the only way on from each connected piece of a region; return whether each has one."""
    may, must = d.may + region * d.rows, d.must + region * d.rows
    piece, forced = d.spare + PIECE * d.rows, d.spare + FORCED * d.rows
    copy(s.work, d.spare + LEFT * d.rows, s.work, must, d.rows)
    size = _piece(s, d, must)
    while 0 < size < known:
        ways, at, above = 0, 0, 0
        way = 0
        for row in range(d.rows):
            bits = s.work[piece + row]
            below = s.work[piece + row + 1] if row + 1 < d.rows else 0
            reached = (bits << 1 | bits >> 1 | above | below) & s.work[may + row] & ~bits
            if reached:
                ways += size_of(reached)
                at, way = row, reached
            above = bits
        if ways == 0:
            return False
        if ways == 1:
            s.work[forced + at] |= way
        size = _piece(s, d, must)
    return True


def _anywhere(s: Search, d: DivisionRow, regions: int) -> bool:
    """Remove regions without a part so far from pieces that are too small; return if all have room.

    The regions are interchangeable, or there is only one.
    """
    region, number = lowest_bit(regions), size_of(regions)
    may, seen = d.may + region * d.rows, d.spare + SEEN * d.rows
    forced, piece = d.spare + FORCED * d.rows, d.spare + PIECE * d.rows
    for row in range(d.rows):
        s.work[seen + row] = s.work[forced + row] = 0
    copy(s.work, d.spare + LEFT * d.rows, s.work, may, d.rows)
    count = fitting = 0
    size = _piece(s, d, may)
    while size:
        if size >= d.most and size_of(_values_of_piece(s, d)) >= d.most:
            count += size
            fitting += size // d.most
            for row in range(d.rows):
                s.work[seen + row] |= s.work[piece + row]
        size = _piece(s, d, may)
    if fitting < number:
        return False
    if count == d.most:
        copy(s.work, forced, s.work, seen, d.rows)
    return _narrow(s, d, region, regions) != CONTRADICTION


def _values_of_piece(s: Search, d: DivisionRow) -> int:
    """Return the values that the last connected piece may hold."""
    values, value_cells = 0, d.value_cells
    for row in range(d.rows):
        left = s.work[d.spare + PIECE * d.rows + row]
        while left:
            values |= s.candidates[s.data[value_cells + lowest_bit(left)]]
            left &= left - 1
        value_cells += d.columns
    return values


def _narrow(s: Search, d: DivisionRow, region: int, regions: int) -> int:
    """Keep a region to the places in `SEEN` and give it those in `FORCED`; return what follows.

    Places that are not seen lose all of ``regions``: that region and those interchangeable with it.
    """
    may, must = d.may + region * d.rows, d.must + region * d.rows
    seen, forced = d.spare + SEEN * d.rows, d.spare + FORCED * d.rows
    index, outcome = 0, UNCHANGED
    for row in range(d.rows):
        gone = s.work[may + row] & ~s.work[seen + row]
        taken = s.work[forced + row] & ~s.work[must + row]
        if gone | taken:
            outcome = CHANGED
        while gone | taken:
            bit = (gone | taken) & -(gone | taken)
            root = s.work[d.roots + index + lowest_bit(bit)]
            s.work[d.masks + root] &= 1 << region if taken & bit else ~regions
            if s.work[d.masks + root] == 0:
                return CONTRADICTION
            gone &= ~bit
            taken &= ~bit
        index += d.columns
    return outcome
