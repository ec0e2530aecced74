"""The state of a search as arrays, with the states of its lanes: in lanes, in slots and saved.

A state is in a lane during rounds; in the lane's slot, its cells side by side, on its way in and
out; and on the lane's stack while it waits. Translated to machine code, as part of `engine`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# The translator infers the types here; mypy does not.

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir

from unidoku.backends.native.compiler.translator import I64, Emitted, emitted
from unidoku.backends.native.lanes.registers import Register


class Arrays(NamedTuple):
    """The arrays of a search, as pointers; an array of several dimensions is one row of numbers.

    Sets of values (state, choice, slots, stack) are numbers without a sign as wide as a lane.
    """

    registers: Any
    state: Any  # (cells, lanes)
    choice: Any  # (`CHOICE_ROWS`, lanes)
    slots: Any  # (lanes, slot)
    stack: Any  # (lanes, depth, slot)
    set_bytes: Any  # bytes of a set
    flags: Any  # three lane masks
    board: Any  # the board in each lane
    bottom: Any  # where the saved states of each lane begin
    top: Any  # where the saved states of each lane end
    rank: Any  # rank of each lane among those with its board
    counts: Any
    nodes: Any
    failures_in_a_row: Any
    stops: Any
    grids_kept: Any
    ranks: Any  # (boards, room)


def _numbers_of(bits):
    """Return the function that returns an address as a pointer to numbers of so many bits."""
    kind = ir.IntType(bits).as_pointer()
    return Emitted(lambda builder, address: builder.inttoptr(address, kind))


bytes_at, _numbers_16, _numbers_32, numbers_at = map(_numbers_of, (8, 16, 32, 64))

lowest_bit = Emitted(lambda builder, mask: builder.cttz(mask, ir.Constant(ir.IntType(1), 1)))
"""The place of the lowest set bit; at least one must be set."""


@emitted
def invoke(builder, address, *arguments):
    """Call the function of 64-bit numbers at an address."""
    kind = ir.FunctionType(I64, [I64] * len(arguments))
    return builder.call(builder.inttoptr(address, kind.as_pointer()), arguments)


@emitted
def unsigned(builder, numbers, index):
    """Read a number that has no sign."""
    number = builder.load(builder.gep(numbers, [index]))
    return number if number.type == I64 else builder.zext(number, I64)


def arrays_of_16(registers_at):
    """Return the arrays of a search with lanes of 16 bits."""
    r = numbers_at(registers_at)
    state, choice = _numbers_16(r[Register.STATE]), _numbers_16(r[Register.CHOICE])
    slots, stack = _numbers_16(r[Register.SLOTS]), _numbers_16(r[Register.STACK])
    return _arrays(r, state, choice, slots, stack, 2)


def arrays_of_32(registers_at):
    """Return the arrays of a search with lanes of 32 bits."""
    r = numbers_at(registers_at)
    state, choice = _numbers_32(r[Register.STATE]), _numbers_32(r[Register.CHOICE])
    slots, stack = _numbers_32(r[Register.SLOTS]), _numbers_32(r[Register.STACK])
    return _arrays(r, state, choice, slots, stack, 4)


def arrays_of_64(registers_at):
    """Return the arrays of a search with lanes of 64 bits."""
    r = numbers_at(registers_at)
    state, choice = numbers_at(r[Register.STATE]), numbers_at(r[Register.CHOICE])
    slots, stack = numbers_at(r[Register.SLOTS]), numbers_at(r[Register.STACK])
    return _arrays(r, state, choice, slots, stack, 8)


def _arrays(r, state, choice, slots, stack, set_bytes):
    """Return the arrays of a search from those of sets, which are so many bytes wide."""
    row = 8 * r[Register.WIDTH]
    return Arrays(
        r,
        state,
        choice,
        slots,
        stack,
        set_bytes,
        numbers_at(r[Register.FLAGS]),
        numbers_at(r[Register.LANES]),
        numbers_at(r[Register.LANES] + row),
        numbers_at(r[Register.LANES] + 2 * row),
        numbers_at(r[Register.LANES] + 3 * row),
        numbers_at(r[Register.COUNTS]),
        numbers_at(r[Register.NODES_OF]),
        numbers_at(r[Register.FAILURES_IN_A_ROW]),
        bytes_at(r[Register.STOPS]),
        numbers_at(r[Register.GRIDS_KEPT]),
        numbers_at(r[Register.RANKS]),
    )


def bit(lane):
    """Return a lane as a mask."""
    return 1 << lane


def slot_of(s, lane):
    """Return the address of the state that leaves a lane or enters it."""
    return s.registers[Register.SLOTS] + lane * s.registers[Register.SLOT] * s.set_bytes


def saved_at(s, lane, index):
    """Return the address of a state that a lane has saved."""
    r = s.registers
    first = (lane * r[Register.DEPTH] + index) * r[Register.SLOT]
    return r[Register.STACK] + first * s.set_bytes


def _are_few(lanes):
    """Return whether there are so few lanes, one or two, that transposing all takes longer."""
    rest = lanes & (lanes - 1)
    return rest & (rest - 1) == 0


def unload(s, lanes):
    """Copy the states of some lanes into their slots."""
    r = s.registers
    if not _are_few(lanes):
        invoke(r[Register.UNLOAD], r[Register.STATE], r[Register.SLOTS])
        return
    while lanes:
        lane = lowest_bit(lanes)
        lanes &= lanes - 1
        for cell in range(r[Register.CELLS]):
            s.slots[lane * r[Register.SLOT] + cell] = s.state[cell * r[Register.WIDTH] + lane]


def load(s, lanes):
    """Load the states of some lanes from their slots."""
    r = s.registers
    if not _are_few(lanes):
        invoke(r[Register.LOAD], r[Register.STATE], r[Register.SLOTS], lanes)
        return
    while lanes:
        lane = lowest_bit(lanes)
        lanes &= lanes - 1
        for cell in range(r[Register.CELLS]):
            s.state[cell * r[Register.WIDTH] + lane] = s.slots[lane * r[Register.SLOT] + cell]


def drop(s, lane):
    """Drop a lane's saved states; return the lane as a mask."""
    s.top[lane] = s.bottom[lane]
    return bit(lane)
