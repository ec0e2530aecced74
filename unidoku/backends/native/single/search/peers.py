"""Decided cells: their peers lose their values, 32 cells at a time."""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import (
    CELLS_AT_ONCE,
    lowest_bit,
    take_all,
    take_from,
)
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.state import (
    Search,
    blocks_of,
    decide,
    wake,
    wake_once_decided,
)


def sees(s: Search, cell: int, other: int) -> int:
    """Return 1 if two cells differ, else 0."""
    seen = s.seen[cell * blocks_of(s) + other // CELLS_AT_ONCE]
    return seen >> other % CELLS_AT_ONCE & 1


def take_decided(s: Search) -> int:
    """Remove the values of newly decided cells from their peers; return a cell that fails, or -1.

    All cells decided so far are handled at once, then those that this decides, and so on.
    """
    r = s.registers
    blocks = blocks_of(s)
    first = 0
    while first < r[Register.DECIDED]:
        end = r[Register.DECIDED]
        for block in range(blocks):
            lost = take_all(s.candidates, s.seen, s.decided, blocks, block, first, end)
            empty = _lost_one(s, block, lost)
            if empty >= 0:
                return _that_sees(s, first, end, empty)
        for index in range(first, end):
            wake_once_decided(s, s.decided[index])
        first = end
    r[Register.DECIDED] = 0
    return -1


def take(s: Search, block: int, cells: int, value: int) -> bool:
    """Remove a value from cells, a set in a block; return whether each has another left."""
    return _lost_one(s, block, take_from(s.candidates, block, cells, value)) < 0


def value_peers(s: Search, row: int) -> bool:
    """Remove the value of a decided cell from the cells that may not have this value as well.

    A row: the cell, and for each value a set of cells, 32 bits at a time.
    """
    value = s.candidates[s.data[row + 1]]
    if value & (value - 1):
        return True
    blocks = blocks_of(s)
    first = row + 2 + lowest_bit(value) * blocks
    for block in range(blocks):
        cells = s.data[first + block]
        if cells and not take(s, block, cells, value):
            return False
    return True


def _lost_one(s: Search, block: int, lost: int) -> int:
    """Note that cells of a block lost a value; return one that has no other, or -1."""
    while lost:
        cell = CELLS_AT_ONCE * block + lowest_bit(lost)
        lost &= lost - 1
        mask = s.candidates[cell]
        if mask & (mask - 1) == 0:
            if mask == 0:
                return cell
            decide(s, cell)
        wake(s, cell)
    return -1


def _that_sees(s: Search, first: int, end: int, cell: int) -> int:
    """Return the most recently decided cell that sees `cell`."""
    blocks = blocks_of(s)
    block, number = cell // CELLS_AT_ONCE, cell % CELLS_AT_ONCE
    last = end - 1
    while last > first and not s.seen[s.decided[last] * blocks + block] >> number & 1:
        last -= 1
    return s.decided[last]
