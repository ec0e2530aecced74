"""The search, around the kernel's rounds: refill, record, branch, share.

A lane holds one state of one board. After each round, lanes whose state is dead or solved take
their next saved state, or else the next board of the batch. Lanes that are stuck branch: the first
answer continues in place, the others are saved. So each lane searches its board depth first.

When no board is left, idle lanes take the oldest saved states of busy ones. Even so, the grids that
are kept are those that a lone lane would find first: lanes on the same board have a `RANK`, which
puts their states, and the grids that they find, into the order of that lone search.

Compiled by Numba. `advance` returns to its caller to grow the stacks, to hand out grids, and from
time to time so that the caller can check the clock; called again, it continues. Its state between
two calls is in arrays, whose addresses are in one of them, the registers: Numba counts references
to arrays that are passed to it, which costs more than a round, but not to arrays made from
addresses.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# Numba infers the types here and provides none for mypy.

from __future__ import annotations

import numpy as np
from numba import carray

from unidoku.backends.native.lanes.arrays import (
    BOARD,
    BOTTOM,
    ONE,
    RANK,
    TOP,
    arrays_of,
    bit,
    drop,
    inlined,
    load,
    saved_at,
    slot_of,
    unload,
)
from unidoku.backends.native.lanes.intrinsics import at, invoke, lowest_bit
from unidoku.backends.native.lanes.registers import Pause, R

OVER_NODES, GAVE_UP = 1, 3
"""The limit that stopped a board; see `unidoku.backends.native.lanes.workspace`."""


@inlined
def _begin_node(s, lane):
    """Count a node of the lane's board; return whether the limit allows it."""
    board = s.lanes[BOARD, lane]
    if s.nodes[board] >= s.registers[R.NODE_LIMIT]:
        s.stops[board] = OVER_NODES
        return False
    s.nodes[board] += 1
    s.registers[R.NODES] += 1
    return True


@inlined
def _keep(s, lane, board):
    """Keep the grid in a lane if there is room for it after the grids that come before it."""
    r = s.registers
    rank, room = s.lanes[RANK, lane], r[R.ROOM]
    place = s.kept[board]
    while place > 0 and s.ranks[board, place - 1] > rank:
        place -= 1
    if place == room:
        return
    grids = r[R.GRIDS] + board * room * r[R.CELLS]
    if s.kept[board] < room:
        s.kept[board] += 1
    last = s.kept[board] - 1
    if place < last:
        held = carray(at(grids, np.uint8(0)), (room, r[R.CELLS]))
        for later in range(last, place, -1):
            s.ranks[board, later] = s.ranks[board, later - 1]
            for cell in range(r[R.CELLS]):  # a whole row takes Numba seconds to compile
                held[later, cell] = held[later - 1, cell]
    s.ranks[board, place] = rank
    invoke(r[R.READ], (slot_of(s, lane), grids + place * r[R.CELLS]))


@inlined
def _record(s, lane):
    """Count and keep the solution in a lane; return the lanes that need not continue."""
    r = s.registers
    board = s.lanes[BOARD, lane]
    if s.counts[board] < r[R.LIMIT]:
        s.counts[board] += 1
    s.in_a_row[board] = 0
    _keep(s, lane, board)
    lost = np.uint64(0)
    if s.counts[board] < r[R.LIMIT]:
        return lost
    if not r[R.SHARED]:
        return drop(s, lane)
    # Only what comes before the last grid that is kept can still change the answer.
    bound = s.ranks[board, r[R.ROOM] - 1] if r[R.ROOM] else np.int64(-1)
    active = np.uint64(r[R.ACTIVE])
    while active:
        other = lowest_bit(active)
        active &= active - ONE
        if s.lanes[BOARD, other] == board and s.lanes[RANK, other] >= bound:
            lost |= drop(s, other)
    return lost


@inlined
def _count_failures(s, dead, idle):
    """Count dead lanes as failures of their boards; return the lanes of boards to give up.

    A board of which nothing is left to search is decided, and not given up.
    """
    lost = np.uint64(0)
    while dead:
        lane = lowest_bit(dead)
        dead &= dead - ONE
        board = s.lanes[BOARD, lane]
        s.in_a_row[board] += 1
        if s.in_a_row[board] == s.registers[R.FAILURE_LIMIT]:
            lost |= _give_up(s, board, idle)
    return lost


@inlined
def _give_up(s, board, idle):
    """Give up a board; return its lanes."""
    lost = np.uint64(0)
    active = np.uint64(s.registers[R.ACTIVE])
    while active:
        lane = lowest_bit(active)
        active &= active - ONE
        if s.lanes[BOARD, lane] == board:
            if not idle & bit(lane) or s.lanes[TOP, lane] > s.lanes[BOTTOM, lane]:
                s.stops[board] = GAVE_UP
            lost |= drop(s, lane)
    return lost


@inlined
def _branch(s, lane):
    """Continue with the lane's first answer, save the others; return whether there are any."""
    r = s.registers
    first, value = s.choice[0, lane], s.choice[1, lane]
    answers = np.uint64(s.choice[2, lane]) | np.uint64(s.choice[3, lane]) << np.uint64(16)
    top, slot = s.lanes[TOP, lane], slot_of(s, lane)
    if answers == 0:  # a cell
        value = s.slots[lane, first]
        low = value & -value
        if low == value:
            return False
        invoke(r[R.COPY], (slot, saved_at(s, lane, top)))
        s.stack[lane, top, first] = value ^ low
        s.slots[lane, first] = low
        s.lanes[TOP, lane] += 1
        return True
    size = r[R.SLOT] * s.state.itemsize
    masks = r[R.MASKS] + np.int64(first) * size
    chosen = lowest_bit(answers)
    answers &= answers - ONE
    while answers:
        mask = masks + lowest_bit(answers) * size
        answers &= answers - ONE
        invoke(r[R.ANSWER], (slot, saved_at(s, lane, top), mask, value))
        top += 1
    s.lanes[TOP, lane] = top
    invoke(r[R.ANSWER], (slot, slot, masks + chosen * size, value))
    return True


@inlined
def _refill(s, lane):
    """Give a lane its next saved state, or else the next board; return whether there was one."""
    r = s.registers
    if s.lanes[TOP, lane] > s.lanes[BOTTOM, lane]:
        s.lanes[TOP, lane] -= 1
        invoke(r[R.COPY], (saved_at(s, lane, s.lanes[TOP, lane]), slot_of(s, lane)))
        return True
    s.lanes[TOP, lane] = 0
    s.lanes[BOTTOM, lane] = 0
    board = r[R.NEXT]
    if board == r[R.SIZE]:
        return False
    r[R.NEXT] += 1
    put = r[R.COPY] if r[R.FROM_STATES] else r[R.START]
    invoke(put, (r[R.BOARDS] + board * r[R.STRIDE], slot_of(s, lane)))
    s.lanes[BOARD, lane] = board
    s.lanes[RANK, lane] = 0
    return True


@inlined
def _share(s):
    """Let idle lanes take the oldest saved states of busy ones; return the lanes that did."""
    width = s.registers[R.WIDTH]
    busy = np.uint64(s.registers[R.ACTIVE])
    idle = ~busy
    if width < 64:
        idle &= bit(width) - ONE
    taken = np.uint64(0)
    while busy and idle:
        giver = lowest_bit(busy)
        busy &= busy - ONE
        while idle and s.lanes[TOP, giver] > s.lanes[BOTTOM, giver]:
            lane = lowest_bit(idle)
            idle &= idle - ONE
            taken |= bit(lane)
            _give(s, giver, lane)
    return taken


@inlined
def _give(s, giver, lane):
    """Move the giver's oldest saved state to another lane.

    The oldest is the last of all that the giver has yet to search, so that its new lane comes
    right after the giver, and before the lanes that followed it.
    """
    r = s.registers
    invoke(r[R.COPY], (saved_at(s, giver, s.lanes[BOTTOM, giver]), slot_of(s, lane)))
    s.lanes[BOTTOM, giver] += 1
    if s.lanes[BOTTOM, giver] == s.lanes[TOP, giver]:
        s.lanes[BOTTOM, giver] = s.lanes[TOP, giver] = 0
    board, rank = s.lanes[BOARD, giver], s.lanes[RANK, giver]
    for other in range(r[R.WIDTH]):
        if s.lanes[BOARD, other] == board and s.lanes[RANK, other] > rank:
            s.lanes[RANK, other] += 1
    for place in range(s.kept[board]):
        if s.ranks[board, place] > rank:
            s.ranks[board, place] += 1
    s.lanes[BOARD, lane] = board
    s.lanes[RANK, lane] = rank + 1
    s.lanes[BOTTOM, lane] = s.lanes[TOP, lane] = 0
    r[R.SHARED] = 1
    _begin_node(s, lane)


@inlined
def _choose(s, stuck):
    """Have chosen what to branch on in the lanes that are stuck."""
    r = s.registers
    if stuck & invoke(r[R.CHOOSE], (r[R.STATE], r[R.CHOICE])):
        invoke(r[R.CHOOSE_CELL], (r[R.STATE], r[R.CHOICE]))


@inlined
def _work_round(s):
    """Work one round, and all that follows from it in single lanes.

    Returns the idle lanes, and those whose state is to be loaded.
    """
    r = s.registers
    active = np.uint64(r[R.ACTIVE])
    r[R.ROUNDS] += 1
    invoke(r[R.ROUND], (r[R.STATE], r[R.FLAGS]))
    cancelled = np.uint64(r[R.CANCELLED])
    dead = s.flags[0] & active & ~cancelled
    idle = (s.flags[0] | cancelled) & active
    r[R.CANCELLED] = 0
    solved = active & ~idle & ~s.flags[1]
    if solved:
        right = invoke(r[R.CHECK], (r[R.STATE],))
        idle |= solved
        dead |= solved & ~right
        solved &= right
    stuck = active & ~idle & ~s.flags[2]
    if stuck or (solved and r[R.ROOM]):
        unload(s, stuck | solved)
    while solved:
        lane = lowest_bit(solved)
        solved &= solved - ONE
        idle |= _record(s, lane)
    idle |= _count_failures(s, dead, idle)
    stuck &= ~idle
    entering = stuck
    if stuck:
        _choose(s, stuck)
    while stuck:
        lane = lowest_bit(stuck)
        stuck &= stuck - ONE
        if _branch(s, lane):
            if s.lanes[TOP, lane] + r[R.MOST_ANSWERS] > r[R.DEPTH]:
                r[R.FULL] = 1
            if not _begin_node(s, lane):
                idle |= drop(s, lane)
    return idle, entering


@inlined
def _fill(s, idle, entering):
    """Give the idle lanes something to do, and load them and those that enter another state.

    Without anything to do lanes stay idle.
    """
    r = s.registers
    active = np.uint64(r[R.ACTIVE]) & ~idle
    while idle:
        lane = lowest_bit(idle)
        idle &= idle - ONE
        while _refill(s, lane):
            if _begin_node(s, lane):
                active |= bit(lane)
                entering |= bit(lane)
                break
            drop(s, lane)
    r[R.ACTIVE] = np.int64(active)
    if r[R.SHARE] and r[R.NEXT] == r[R.SIZE]:
        taken = _share(s)
        entering |= taken
        r[R.ACTIVE] |= np.int64(taken)
    if entering:
        load(s, entering)


def advance(registers_at, one):
    """Search on; return the `Pause` that says why it stops. ``one`` has the type of a lane."""
    s = arrays_of(registers_at, one)
    r = s.registers
    idle = entering = np.uint64(0)
    if r[R.NEXT] == 0:
        for lane in range(r[R.WIDTH]):
            idle |= bit(lane)
    while True:
        _fill(s, idle, entering)
        if r[R.ACTIVE] == 0:
            return Pause.FINISHED
        if r[R.FULL]:
            return Pause.STACK
        if r[R.HAND_OUT] and s.kept[0] == r[R.ROOM]:
            return Pause.GRIDS
        if r[R.ROUNDS] >= r[R.UNTIL]:
            return Pause.ROUNDS
        idle, entering = _work_round(s)
