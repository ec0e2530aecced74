"""The search, around the kernel's rounds: refill, record, branch, share.

A lane holds one state of one board. After each round, lanes whose state is dead or solved take
their next saved state, or else the next board of the batch. Lanes that are stuck branch: the first
answer continues in place, the others are saved. So each lane searches its board depth first.

When no board is left, idle lanes take the oldest saved states of busy ones. Even so, the grids that
are kept are those that a lone lane would find first: lanes on the same board have a `RANK`, which
puts their states, and the grids that they find, into the order of that lone search.

Translated to machine code, see `unidoku.backends.native.compiler.translator`. The search returns to
its caller to grow the stacks, to hand out grids, and from time to time so that the caller can check
the clock; called again, it continues. Its state between two calls is in arrays, whose addresses are
in one of them, the registers.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# The translator infers the types here; mypy does not.

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import bytes_at, lowest_bit
from unidoku.backends.native.lanes.arrays import (
    arrays_at,
    bit,
    drop,
    invoke,
    load,
    saved_at,
    slot_of,
    unload,
    unsigned,
)
from unidoku.backends.native.lanes.registers import Pause, Register

OVER_NODES, GAVE_UP = 1, 3
"""The limit that stopped a board; see `unidoku.backends.native.lanes.workspace`."""


def _begin_node(s, lane):
    """Count a node of the lane's board; return whether the limit allows it."""
    board = s.board[lane]
    if s.nodes[board] >= s.registers[Register.NODE_LIMIT]:
        s.stops[board] = OVER_NODES
        return False
    s.nodes[board] += 1
    s.registers[Register.NODES] += 1
    return True


def _keep(s, lane, board):
    """Keep the grid in a lane if there is room for it after the grids that come before it."""
    r = s.registers
    rank, room = s.rank[lane], r[Register.ROOM]
    ranks = board * room
    index = s.grids_kept[board]
    while index > 0 and s.ranks[ranks + index - 1] > rank:
        index -= 1
    if index == room:
        return
    grids = r[Register.GRIDS] + ranks * r[Register.CELLS]
    if s.grids_kept[board] < room:
        s.grids_kept[board] += 1
    last = s.grids_kept[board] - 1
    if index < last:
        values = bytes_at(grids)
        for later in range(last, index, -1):
            s.ranks[ranks + later] = s.ranks[ranks + later - 1]
            for at in range(later * r[Register.CELLS], (later + 1) * r[Register.CELLS]):
                values[at] = values[at - r[Register.CELLS]]
    s.ranks[ranks + index] = rank
    invoke(r[Register.READ], slot_of(s, lane), grids + index * r[Register.CELLS])


def _record(s, lane):
    """Count and keep the solution in a lane; return the lanes that need not continue."""
    r = s.registers
    board = s.board[lane]
    if s.counts[board] < r[Register.LIMIT]:
        s.counts[board] += 1
    s.failures_in_a_row[board] = 0
    _keep(s, lane, board)
    lost = 0
    if s.counts[board] < r[Register.LIMIT]:
        return lost
    if not r[Register.SHARED]:
        return drop(s, lane)
    # Only what comes before the last grid that is kept can still change the answer.
    bound = s.ranks[(board + 1) * r[Register.ROOM] - 1] if r[Register.ROOM] else -1
    active = r[Register.ACTIVE]
    while active:
        other = lowest_bit(active)
        active &= active - 1
        if s.board[other] == board and s.rank[other] >= bound:
            lost |= drop(s, other)
    return lost


def _count_failures(s, dead, idle):
    """Count dead lanes as failures of their boards; return the lanes of boards to give up.

    A board of which nothing is left to search is decided, and not given up.
    """
    lost = 0
    while dead:
        lane = lowest_bit(dead)
        dead &= dead - 1
        board = s.board[lane]
        s.failures_in_a_row[board] += 1
        if s.failures_in_a_row[board] == s.registers[Register.FAILURE_LIMIT]:
            lost |= _give_up(s, board, idle)
    return lost


def _give_up(s, board, idle):
    """Give up a board; return its lanes."""
    lost = 0
    active = s.registers[Register.ACTIVE]
    while active:
        lane = lowest_bit(active)
        active &= active - 1
        if s.board[lane] == board:
            if not idle & bit(lane) or s.top[lane] > s.bottom[lane]:
                s.stops[board] = GAVE_UP
            lost |= drop(s, lane)
    return lost


def _branch(s, lane):
    """Continue with the lane's first answer, save the others; return whether there are any."""
    r = s.registers
    width = r[Register.WIDTH]
    first, value = unsigned(s.choice, lane), unsigned(s.choice, width + lane)
    answers = unsigned(s.choice, 2 * width + lane) | unsigned(s.choice, 3 * width + lane) << 16
    top, slot = s.top[lane], slot_of(s, lane)
    if answers == 0:  # a cell
        at = lane * r[Register.SLOT] + first
        value = unsigned(s.slots, at)
        low = value & -value
        if low == value:
            return False
        invoke(r[Register.COPY], slot, saved_at(s, lane, top))
        s.stack[(lane * r[Register.DEPTH] + top) * r[Register.SLOT] + first] = value ^ low
        s.slots[at] = low
        s.top[lane] += 1
        return True
    size = r[Register.SLOT] * s.set_bytes
    masks = r[Register.MASKS] + first * size
    chosen = lowest_bit(answers)
    answers &= answers - 1
    while answers:
        mask = masks + lowest_bit(answers) * size
        answers &= answers - 1
        invoke(r[Register.ANSWER], slot, saved_at(s, lane, top), mask, value)
        top += 1
    s.top[lane] = top
    invoke(r[Register.ANSWER], slot, slot, masks + chosen * size, value)
    return True


def _refill(s, lane):
    """Give a lane its next saved state, or else the next board; return whether there was one."""
    r = s.registers
    if s.top[lane] > s.bottom[lane]:
        s.top[lane] -= 1
        invoke(r[Register.COPY], saved_at(s, lane, s.top[lane]), slot_of(s, lane))
        return True
    s.top[lane] = 0
    s.bottom[lane] = 0
    board = r[Register.NEXT]
    if board == r[Register.SIZE]:
        return False
    r[Register.NEXT] += 1
    put = r[Register.COPY] if r[Register.FROM_STATES] else r[Register.START]
    invoke(put, r[Register.BOARDS] + board * r[Register.STRIDE], slot_of(s, lane))
    s.board[lane] = board
    s.rank[lane] = 0
    return True


def _share(s):
    """Let idle lanes take the oldest saved states of busy ones; return the lanes that did."""
    width = s.registers[Register.WIDTH]
    busy = s.registers[Register.ACTIVE]
    idle = ~busy
    if width < 64:
        idle &= bit(width) - 1
    taken = 0
    while busy and idle:
        giver = lowest_bit(busy)
        busy &= busy - 1
        while idle and s.top[giver] > s.bottom[giver]:
            lane = lowest_bit(idle)
            idle &= idle - 1
            taken |= bit(lane)
            _give(s, giver, lane)
    return taken


def _give(s, giver, lane):
    """Move the giver's oldest saved state to another lane.

    The oldest is the last of all that the giver has yet to search, so that its new lane comes
    right after the giver, and before the lanes that followed it.
    """
    r = s.registers
    invoke(r[Register.COPY], saved_at(s, giver, s.bottom[giver]), slot_of(s, lane))
    s.bottom[giver] += 1
    if s.bottom[giver] == s.top[giver]:
        s.bottom[giver] = s.top[giver] = 0
    board, rank = s.board[giver], s.rank[giver]
    for other in range(r[Register.WIDTH]):
        if s.board[other] == board and s.rank[other] > rank:
            s.rank[other] += 1
    ranks = board * r[Register.ROOM]
    for index in range(ranks, ranks + s.grids_kept[board]):
        if s.ranks[index] > rank:
            s.ranks[index] += 1
    s.board[lane] = board
    s.rank[lane] = rank + 1
    s.bottom[lane] = s.top[lane] = 0
    r[Register.SHARED] = 1
    _begin_node(s, lane)


def _choose(s, stuck):
    """Have chosen what to branch on in the lanes that are stuck."""
    r = s.registers
    if stuck & invoke(r[Register.CHOOSE], r[Register.STATE], r[Register.CHOICE]):
        invoke(r[Register.CHOOSE_CELL], r[Register.STATE], r[Register.CHOICE])


def _work_round(s):
    """Work one round, and all that follows from it in single lanes.

    Returns the idle lanes, and those whose state is to be loaded.
    """
    r = s.registers
    active = r[Register.ACTIVE]
    r[Register.ROUNDS] += 1
    invoke(r[Register.ROUND], r[Register.STATE], r[Register.FLAGS])
    cancelled = r[Register.CANCELLED]
    dead = s.flags[0] & active & ~cancelled
    idle = (s.flags[0] | cancelled) & active
    r[Register.CANCELLED] = 0
    solved = active & ~idle & ~s.flags[1]
    if solved:
        right = invoke(r[Register.CHECK], r[Register.STATE])
        idle |= solved
        dead |= solved & ~right
        solved &= right
    stuck = active & ~idle & ~s.flags[2]
    if stuck or (solved and r[Register.ROOM]):
        unload(s, stuck | solved)
    while solved:
        lane = lowest_bit(solved)
        solved &= solved - 1
        idle |= _record(s, lane)
    idle |= _count_failures(s, dead, idle)
    stuck &= ~idle
    entering = stuck
    if stuck:
        _choose(s, stuck)
    while stuck:
        lane = lowest_bit(stuck)
        stuck &= stuck - 1
        if _branch(s, lane):
            if s.top[lane] + r[Register.MOST_ANSWERS] > r[Register.DEPTH]:
                r[Register.FULL] = 1
            if not _begin_node(s, lane):
                idle |= drop(s, lane)
    return idle, entering


def _fill(s, idle, entering):
    """Give the idle lanes something to do, and load them and those that enter another state.

    Without anything to do lanes stay idle.
    """
    r = s.registers
    active = r[Register.ACTIVE] & ~idle
    while idle:
        lane = lowest_bit(idle)
        idle &= idle - 1
        while _refill(s, lane):
            if _begin_node(s, lane):
                active |= bit(lane)
                entering |= bit(lane)
                break
            drop(s, lane)
    r[Register.ACTIVE] = active
    if r[Register.SHARE] and r[Register.NEXT] == r[Register.SIZE]:
        taken = _share(s)
        entering |= taken
        r[Register.ACTIVE] |= taken
    if entering:
        load(s, entering)


def advance_16(registers_at):
    """Search on with lanes of 16 bits; return the `Pause` that says why it stops."""
    return _advance(arrays_at(registers_at, 16))


def advance_32(registers_at):
    """Search on with lanes of 32 bits; return the `Pause` that says why it stops."""
    return _advance(arrays_at(registers_at, 32))


def advance_64(registers_at):
    """Search on with lanes of 64 bits; return the `Pause` that says why it stops."""
    return _advance(arrays_at(registers_at, 64))


def _advance(s):
    """Search on; return the `Pause` that says why it stops."""
    r = s.registers
    idle = entering = 0
    if r[Register.NEXT] == 0:
        for lane in range(r[Register.WIDTH]):
            idle |= bit(lane)
    while True:
        _fill(s, idle, entering)
        if r[Register.ACTIVE] == 0:
            return Pause.FINISHED
        if r[Register.FULL]:
            return Pause.STACK
        if r[Register.HAND_OUT] and s.grids_kept[0] == r[Register.ROOM]:
            return Pause.GRIDS
        if r[Register.ROUNDS] >= r[Register.UNTIL]:
            return Pause.ROUNDS
        idle, entering = _work_round(s)
