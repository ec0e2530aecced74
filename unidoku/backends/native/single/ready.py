"""What follows for each cell from the rows of all constraints, once for a layout.

Which constraints a cell wakes, which cells are its peers by rules, and what it weighs.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# Numba infers the types here, and has none for mypy.

from __future__ import annotations

import numpy as np

from unidoku.backends.native.single import registers as reg
from unidoku.backends.native.single.kinds import CELLS_AT_ONCE, FAILURE_WEIGHT, Propagator
from unidoku.backends.native.single.state import ONE, compiled, size_of, start_of


@compiled
def get_ready(s):
    """Write into the arrays of a layout, which hold the peers by units and nothing else yet."""
    r = s.registers
    (weights, _), words = start_of(s), r[reg.WORDS]
    for constraint in range(r[reg.CONSTRAINTS]):
        kind, row = s.kinds[constraint], s.rows[constraint]
        size = s.data[row]
        word, own = constraint >> 6, ONE << (constraint & 63)
        if kind == Propagator.EXCLUSION:
            word += words
        one_way = kind <= Propagator.RELATION
        for place in range(row + 1, row + 1 + (1 if one_way else size)):
            cell = s.data[place]
            at = 2 * cell * words + word
            if s.watch[at] & own == 0:  # a line may read a cell again
                s.watch[at] |= own
                weights[cell] += FAILURE_WEIGHT
        if kind == Propagator.SETS:
            _differ(s, row + 1, size)
        elif kind == Propagator.SUM:
            at = row + 3 * size + 3
            for _ in range(s.data[at]):
                _differ(s, at + 3, s.data[at + 2])
                at += 2 + s.data[at + 2]
    blocks = (r[reg.CELLS] + CELLS_AT_ONCE - 1) // CELLS_AT_ONCE
    for cell in range(r[reg.CELLS]):
        for block in range(cell * blocks, (cell + 1) * blocks):
            weights[cell] += size_of(np.int64(s.seen[block]) & 0xFFFFFFFF)
        weights[cell] = max(weights[cell], ONE)


@compiled
def _differ(s, at, size):
    """Make so many cells of a row peers of each other."""
    blocks = (s.registers[reg.CELLS] + CELLS_AT_ONCE - 1) // CELLS_AT_ONCE
    for one in range(at, at + size):
        for other in range(at, at + size):
            peer = s.data[other]
            if one != other:
                block = s.data[one] * blocks + peer // CELLS_AT_ONCE
                s.seen[block] |= np.int32(ONE << peer % CELLS_AT_ONCE)
