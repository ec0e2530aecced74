"""The propagator of lines that are read as numbers, some of which have a rank among all of them.

A rank says how many lines are smaller. Where each value begins equally many lines, the line with a
rank begins with a known value, and the rank says how many of the lines that begin with this value
are smaller, and how many are not. Each of the other lines begins with it or not, and may be
smaller or not; where as many lines may be on one side as have to be, they are, and where as many
are as may be, no other is. A line on a known side is narrowed by its order.

Values start from 0 here, as bits do. The row is `RankRow`.
"""

from __future__ import annotations

from typing import NamedTuple

from unidoku.backends.native.compiler.intrinsics import lowest_bit
from unidoku.backends.native.single.search.peers import sees
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.state import (
    Search,
    from_value,
    highest_bit,
    keep,
    up_to,
)

NOT_SMALLER, SMALLER = 1, 2
"""Sides of another line; for a line that is compared with another, `NOT_SMALLER` means larger."""

EQUAL = 4
"""A line may be equal to another."""

BEGINS = 4
"""The line begins with the value of the line with the rank."""

FIGURES = 5
"""Numbers of a rank before its lines."""


class RankRow(NamedTuple):
    """Lines, some of which have a rank among all of them.

    Args:
        size: number of cells of a line.
        line_count: number of lines.
        lines: the cells of the lines, one line after the other.
        ranks: number of ranks.
        first: for each rank its line; the lines that are smaller and that are not, of those with
            the same first value; this value as a set, or 0 if any line counts; and whether other
            lines may be equal. Then for each line its possible sides.
        differ: whether the cells of each line differ.
    """

    size: int
    line_count: int
    lines: int
    ranks: int
    first: int
    differ: int


def rank_row(s: Search, row: int) -> RankRow:
    """Return a row of ranks as numbers."""
    end = row + 1 + s.data[row]
    return RankRow(
        s.data[end],
        s.data[end + 1],
        s.data[end + 2],
        s.data[end + 3],
        s.data[end + 4],
        s.data[end + 5],
    )


def ranked(s: Search, row: int) -> bool:
    """Keep the values by which lines can have their ranks; return whether there are any."""
    r = rank_row(s, row)
    s.registers[Register.TICKS] += r.ranks
    at = r.first
    for _ in range(r.ranks):
        if not _rank(s, r, at):
            return False
        at += FIGURES + r.line_count
    return True


def _rank(s: Search, r: RankRow, at: int) -> bool:
    """Keep the values by which one line can have its rank."""
    ranked_line = r.lines + s.data[at] * r.size
    below, above, value = s.data[at + 1], s.data[at + 2], s.data[at + 3]
    if value and not keep(s, s.data[ranked_line], value):
        return False
    may_below = may_above = must_below = must_above = 0
    for line in range(r.line_count):
        sides = _sides(s, r, at, ranked_line, line)
        if sides < 0:
            return False
        s.work[line] = sides
        may_below += (sides & SMALLER) >> 1
        may_above += sides & NOT_SMALLER
        must_below += sides == BEGINS | SMALLER
        must_above += sides == BEGINS | NOT_SMALLER
    if may_below < below or must_below > below or may_above < above or must_above > above:
        return False
    every_below, no_below = may_below == below, must_below == below
    every_above, no_above = may_above == above, must_above == above
    if every_below | no_below | every_above | no_above:
        for line in range(r.line_count):
            before = sides = s.work[line]
            if sides & SMALLER and (every_below or (no_below and sides != BEGINS | SMALLER)):
                sides = BEGINS | SMALLER if every_below else sides & ~SMALLER
            if sides & NOT_SMALLER and (
                every_above or (no_above and sides != BEGINS | NOT_SMALLER)
            ):
                sides = BEGINS | NOT_SMALLER if every_above else sides & ~NOT_SMALLER
            if before and sides == 0 and not keep(s, s.data[r.lines + line * r.size], ~value):
                return False
            s.work[line] = sides
    return _follow(s, r, at, ranked_line)


def _sides(s: Search, r: RankRow, at: int, ranked_line: int, line: int) -> int:
    """Return on which sides of a line with a rank another may be that begins with its value.

    And `BEGINS` if it does; 0 if it does not or is that line; -1 for a contradiction.
    """
    value, ties = s.data[at + 3], s.data[at + 4]
    allowed = s.data[at + FIGURES + line]
    if line == s.data[at]:
        return 0
    other = r.lines + line * r.size
    begins, first = BEGINS, 0
    if value:
        mask = s.candidates[s.data[other]]
        if mask & value == 0:
            if mask < value:
                allowed &= SMALLER
            elif lowest_bit(mask) > lowest_bit(value):
                allowed &= NOT_SMALLER
            if allowed == 0:
                return -1
            return 0
        if mask != value:
            begins = 0
        first = 1
    sides = _compared(s, r, other, ranked_line, first, value if r.differ else 0)
    if ties and sides & EQUAL:
        sides |= NOT_SMALLER
    sides &= allowed
    if sides == 0:
        return -1 if begins or not keep(s, s.data[other], ~value) else 0
    return sides | begins


def _follow(s: Search, r: RankRow, at: int, ranked_line: int) -> bool:
    """Narrow the lines by the sides that are left."""
    value, ties = s.data[at + 3], s.data[at + 4]
    for line in range(r.line_count):
        sides = s.work[line]
        other = r.lines + line * r.size
        if sides & BEGINS:
            if value and not keep(s, s.data[other], value):
                return False
            if sides == BEGINS | SMALLER:
                if not _order(s, r, other, ranked_line, 0):
                    return False
            elif sides == BEGINS | NOT_SMALLER:
                if not _order(s, r, ranked_line, other, ties):
                    return False
            elif sides == BEGINS:
                return False
    return True


def _compared(s: Search, r: RankRow, line: int, ranked_line: int, first: int, used: int) -> int:
    """Return how a line may compare with another, as sides and `EQUAL`.

    Args:
        s: the search.
        r: the row.
        line: the place of the cells of the line.
        ranked_line: the place of the cells of the other.
        first: the number of their cells that are known to be equal.
        used: the values of these.
    """
    sides = 0
    for index in range(first, r.size):
        cell, other = s.data[line + index], s.data[ranked_line + index]
        candidates, other_candidates = s.candidates[cell] & ~used, s.candidates[other] & ~used
        if candidates == 0 or other_candidates == 0:
            return sides
        if cell == other:
            if r.differ and candidates & (candidates - 1) == 0:
                used |= candidates
            continue
        if lowest_bit(candidates) < highest_bit(other_candidates):
            sides |= SMALLER
        if highest_bit(candidates) > lowest_bit(other_candidates):
            sides |= NOT_SMALLER
        both = candidates & other_candidates
        if sides == SMALLER | NOT_SMALLER or both == 0 or sees(s, cell, other):
            return sides
        if r.differ:  # it is one value, as otherwise either cell may be the smaller one
            used |= both
    return sides | EQUAL


def _order(s: Search, r: RankRow, small: int, large: int, or_equal: int) -> bool:
    """Narrow two lines the first of which is smaller, or equal where that is possible."""
    used = 0
    for index in range(r.size):
        cell, other = s.data[small + index], s.data[large + index]
        if cell == other:
            continue
        candidates, other_candidates = s.candidates[cell], s.candidates[other]
        if candidates != other_candidates or candidates & (candidates - 1):
            both = candidates & other_candidates
            least = 1  # how much larger the value of the other is
            if both and not sees(s, cell, other):
                used |= both if r.differ and both & (both - 1) == 0 else 0
                behind = _compared(s, r, small, large, index + 1, used)
                if behind & SMALLER or (or_equal and behind & EQUAL):
                    least = 0
            top = highest_bit(other_candidates) - least
            if top < 0 or not keep(s, cell, up_to(top)):
                return False
            if not keep(s, other, from_value(lowest_bit(s.candidates[cell]) + least)):
                return False
            if s.candidates[cell] != s.candidates[other] or least:
                return True
            candidates = s.candidates[cell]
            if candidates & (candidates - 1):
                return True
        used |= candidates if r.differ else 0
    return or_equal != 0
