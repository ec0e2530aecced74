"""The choice of a guess: a cell and its lowest value, or its highest if there are rules.

A high value uses up most of a sum: measured on published puzzles, lunchboxes took 2.4 times as
long with the lowest first, sum lines 3.4, indices 2.2, thermometers 1.2, killers as long; but
differences 0.9.

By weight: the cell with the fewest candidates beyond the first relative to its weight, or a value
with two places in a unit if one of them is better. Weights begin with the number of constraints on
a cell and grow with each failure, see `engine`, so that the search focuses on hard parts. Not to
count the first candidate took a tenth fewer nodes, measured on published puzzles.

By peers, without rules and until the first restart, as Python's engine does: measured, a tenth
fewer nodes on hard classic boards; and it refutes at once two jigsaws without solutions that take a
million nodes by weight.
"""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import CELLS_AT_ONCE, size_of
from unidoku.backends.native.single.search.kinds import MAX_VALUES
from unidoku.backends.native.single.search.occurrences import with_two_places
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.state import Search, blocks_of, highest_bit

MANY_CANDIDATES = 4
"""If every cell has at least this many candidates, a value with two places in a unit is guessed
first."""

ANY_IS_BETTER = 2
"""For a weight of one, a number of further candidates that is worse than one for any weight."""


def _two_places(s: Search, chosen: int, value: int, least: int, weight: int) -> tuple[int, int]:
    """Return the guess, or a value with two places in a unit if one of them is better."""
    for constraint in range(s.registers[Register.UNITS_BEGIN], s.registers[Register.UNITS_END]):
        row = s.rows[constraint]
        first, end = row + 1, row + 1 + s.data[row]
        every, two = with_two_places(s, first, end)
        if two == 0 or size_of(every) != s.data[row]:
            continue
        for index in range(first, end):
            cell = s.data[index]
            mask = s.candidates[cell] & two
            if mask and least * s.weights[cell] > weight:
                chosen, value = cell, mask & -mask
                least, weight = 1, s.weights[cell]
    return chosen, value


def _guess_by_peers(s: Search) -> tuple[int, int]:
    """Return the guess: of the cells with the fewest candidates, the one that sees most open cells.

    Among those seen, cells with two candidates count twice. If all cells have many candidates, a
    value with two places is guessed.
    """
    cells = s.registers[Register.CELLS]
    blocks = blocks_of(s)
    for block in range(2 * blocks):
        s.work[block] = 0
    fewest = MAX_VALUES + 1
    for cell in range(cells):
        mask = s.candidates[cell]
        if mask & (mask - 1):
            size, bit = size_of(mask), 1 << cell % CELLS_AT_ONCE
            fewest = min(fewest, size)
            s.work[cell // CELLS_AT_ONCE] |= bit
            if size == 2:
                s.work[blocks + cell // CELLS_AT_ONCE] |= bit
    chosen, most = -1, -1
    for cell in range(cells):
        mask = s.candidates[cell]
        if size_of(mask) == fewest:
            seen = 0
            for block in range(blocks):
                peers = s.seen[cell * blocks + block]
                seen += size_of(peers & s.work[block])
                seen += size_of(peers & s.work[blocks + block])
            if seen > most:
                chosen, most = cell, seen
    if chosen < 0:
        return chosen, 0
    value = s.candidates[chosen] & -s.candidates[chosen]
    if fewest >= MANY_CANDIDATES:
        return _two_places(s, chosen, value, ANY_IS_BETTER, 1)
    return chosen, value


def _numbers(s: Search) -> tuple[int, int, int]:
    """Return the first cell with the number of an interchangeable region, the end, and new numbers.

    Numbers are new if their regions have no cell so far. They count as one candidate, because
    `unidoku.backends.native.single.search.divisions` chooses among them. Without interchangeable
    regions all three are 0.
    """
    labels = s.registers[Register.LABELS]
    if labels == 0:
        return 0, 0, 0
    first = s.data[labels + 1]
    end = first + s.data[labels + 1 + s.data[labels]]
    every = begun = 0
    for cell in range(first, end):
        mask = s.candidates[cell]
        every |= mask
        if mask & (mask - 1) == 0:
            begun |= mask
    return first, end, every & ~begun


def _guess_by_weight(s: Search) -> tuple[int, int]:
    """Return the guess: the cell of fewest candidates by weight, or a value with two places.

    If that cell has two candidates, no value is better.
    """
    chosen, least, weight = -1, 0, 0
    first, end, fresh = _numbers(s)
    for cell in range(s.registers[Register.CELLS]):
        mask = s.candidates[cell]
        if mask & (mask - 1):
            further = size_of(mask) - 1
            if first <= cell < end and mask & fresh:
                further -= size_of(mask & fresh) - 1
            # least / weight > more / weights[cell], in whole numbers
            if chosen < 0 or least * s.weights[cell] > further * weight:
                chosen, least, weight = cell, further, s.weights[cell]
    if chosen < 0:
        return chosen, 0
    mask = s.candidates[chosen]
    value = 1 << highest_bit(mask) if s.registers[Register.RULED] else mask & -mask
    if first <= chosen < end:
        value = mask & -mask
        if value & fresh:
            value = mask & fresh
    if least > 1:
        return _two_places(s, chosen, value, least, weight)
    return chosen, value


def guess(s: Search) -> tuple[int, int]:
    """Return a cell and the value to guess there, as a set; the cell is -1 if all are decided."""
    if s.registers[Register.RULED] or s.registers[Register.RESTARTS]:
        return _guess_by_weight(s)
    return _guess_by_peers(s)
