"""Naked pairs and triples: two or three cells that see each other and hold as many values only.

Cells that see all of them lose these values. They are looked for once nothing else follows, and
only with cells that have changed since the last guess. Measured on published puzzles with rules,
searches take a sixth fewer nodes; on classic boards, where a node takes a third of a microsecond,
they do not pay.
"""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import (
    CELLS_AT_ONCE,
    cells_that_differ,
    cells_with_few,
    cells_within,
    lowest_bit,
)
from unidoku.backends.native.single.search.peers import take
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.state import Search, blocks_of

_BLOCK = (1 << CELLS_AT_ONCE) - 1

NOTHING, NARROWED = -1, -2
"""What `naked_subsets` returns instead of a cell of a contradiction."""


def naked_subsets(s: Search) -> int:
    """Find naked pairs and triples of cells that have changed; return what was found.

    Returns:
        `NOTHING`, `NARROWED` if cells lost candidates, or a cell of a pair or triple whose values
        some cell needs.
    """
    blocks = blocks_of(s)
    before, outcome = s.registers[Register.BEFORE], NOTHING
    for block in range(blocks):
        few = cells_with_few(s.candidates, block)
        if before >= 0:
            few &= cells_that_differ(s.candidates, block, s.stack, before)
        while few:
            cell = block * CELLS_AT_ONCE + lowest_bit(few)
            few &= few - 1
            of_cell = _subsets_with(s, cell, blocks)
            if of_cell >= 0:
                return of_cell
            outcome = min(outcome, of_cell)
    return outcome


def _subsets_with(s: Search, cell: int, blocks: int) -> int:
    """Do what `naked_subsets` does, for a pair or a triple with the values of one cell."""
    mask = s.candidates[cell]
    but_one = mask & (mask - 1)
    is_pair = but_one & (but_one - 1) == 0
    outcome = NOTHING
    for block in range(blocks):
        peers = s.seen[cell * blocks + block] & cells_within(s.candidates, block, mask)
        while peers:
            other = block * CELLS_AT_ONCE + lowest_bit(peers)
            peers &= peers - 1
            if is_pair:
                result = _taken(s, cell, other, other, mask, blocks)
            else:
                result = _triples_with(s, cell, other, peers, block, blocks)
            if result >= 0:
                return result
            outcome = min(outcome, result)
    return outcome


def _triples_with(s: Search, cell: int, other: int, peers: int, block: int, blocks: int) -> int:
    """Do the same for triples of two cells and one of the peers left in a block, or behind it."""
    mask = s.candidates[cell]
    outcome = NOTHING
    while True:
        thirds = peers & s.seen[other * blocks + block]
        while thirds:
            third = block * CELLS_AT_ONCE + lowest_bit(thirds)
            thirds &= thirds - 1
            result = _taken(s, cell, other, third, mask, blocks)
            if result >= 0:
                return result
            outcome = min(outcome, result)
        block += 1
        if block == blocks:
            return outcome
        peers = s.seen[cell * blocks + block] & cells_within(s.candidates, block, mask)


def _taken(s: Search, cell: int, other: int, third: int, values: int, blocks: int) -> int:
    """Remove values from the cells that see some cells; return `NARROWED` if any had them."""
    outcome = NOTHING
    for block in range(blocks):
        common = s.seen[cell * blocks + block] & s.seen[other * blocks + block]
        common &= s.seen[third * blocks + block] & _BLOCK
        if common:
            common &= ~cells_within(s.candidates, block, ~values)
            if common:
                outcome = NARROWED
                if not take(s, block, common, values):
                    return cell
    return outcome
