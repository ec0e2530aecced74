"""The state of a search as arrays, with the states of its lanes: in lanes, in slots and saved.

A state is in a lane during rounds; in the lane's slot, its cells side by side, on its way in and
out; and on the lane's stack while it waits. Compiled by Numba, as part of `engine`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# Numba infers the types here and provides none for mypy.

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import carray, njit

from unidoku.backends.native.lanes import branch
from unidoku.backends.native.lanes.intrinsics import at, invoke, lowest_bit
from unidoku.backends.native.lanes.registers import LANE_ROWS, R

REGISTERS = len(R)
CHOICE_ROWS = branch.ROWS

BOARD, BOTTOM, TOP, RANK = range(LANE_ROWS)
"""Rows of the table of lanes: its board, where its saved states begin and end, its rank."""

ONE = np.uint64(1)


inlined = njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Decorator of all functions of the search: only `advance` calls them."""


class Arrays(NamedTuple):
    """The arrays of a search, whose addresses are in the registers, with their shapes."""

    registers: Any
    state: Any
    choice: Any
    flags: Any
    slots: Any
    stack: Any
    lanes: Any
    counts: Any
    nodes: Any
    in_a_row: Any
    stops: Any
    kept: Any
    ranks: Any


@inlined
def arrays_of(registers_at, one):
    """Return the arrays of a search; ``one`` has the type of a lane's numbers."""
    wide, byte = np.int64(0), np.uint8(0)
    r = carray(at(registers_at, wide), REGISTERS)
    width, size = r[R.WIDTH], r[R.SIZE]
    return Arrays(
        registers=r,
        state=carray(at(r[R.STATE], one), (r[R.CELLS], width)),
        choice=carray(at(r[R.CHOICE], one), (CHOICE_ROWS, width)),
        flags=carray(at(r[R.FLAGS], ONE), 3),
        slots=carray(at(r[R.SLOTS], one), (width, r[R.SLOT])),
        stack=carray(at(r[R.STACK], one), (width, r[R.DEPTH], r[R.SLOT])),
        lanes=carray(at(r[R.LANES], wide), (4, width)),
        counts=carray(at(r[R.COUNTS], wide), size),
        nodes=carray(at(r[R.NODES_OF], wide), size),
        in_a_row=carray(at(r[R.IN_A_ROW], wide), size),
        stops=carray(at(r[R.STOPS], byte), size),
        kept=carray(at(r[R.KEPT], wide), size),
        ranks=carray(at(r[R.RANKS], wide), (size, r[R.ROOM])),
    )


@inlined
def bit(lane):
    """Return a lane as a mask."""
    return ONE << np.uint64(lane)


@inlined
def slot_of(s, lane):
    """Return the address of the state that leaves a lane or enters it."""
    return s.registers[R.SLOTS] + lane * s.registers[R.SLOT] * s.state.itemsize


@inlined
def saved_at(s, lane, place):
    """Return the address of a state that a lane has saved."""
    r = s.registers
    offset = (lane * r[R.DEPTH] + place) * r[R.SLOT]
    return r[R.STACK] + offset * s.state.itemsize


@inlined
def _are_few(lanes):
    """Return whether there are so few lanes, one or two, that transposing all takes longer."""
    rest = lanes & (lanes - ONE)
    return rest & (rest - ONE) == 0


@inlined
def unload(s, lanes):
    """Copy the states of some lanes into their slots."""
    r = s.registers
    if not _are_few(lanes):
        invoke(r[R.UNLOAD], (r[R.STATE], r[R.SLOTS]))
        return
    while lanes:
        lane = lowest_bit(lanes)
        lanes &= lanes - ONE
        for cell in range(r[R.CELLS]):
            s.slots[lane, cell] = s.state[cell, lane]


@inlined
def load(s, lanes):
    """Load the states of some lanes from their slots."""
    r = s.registers
    if not _are_few(lanes):
        invoke(r[R.LOAD], (r[R.STATE], r[R.SLOTS], np.int64(lanes)))
        return
    while lanes:
        lane = lowest_bit(lanes)
        lanes &= lanes - ONE
        for cell in range(r[R.CELLS]):
            s.state[cell, lane] = s.slots[lane, cell]


@inlined
def drop(s, lane):
    """Drop a lane's saved states; return the lane as a mask."""
    s.lanes[TOP, lane] = s.lanes[BOTTOM, lane]
    return bit(lane)
