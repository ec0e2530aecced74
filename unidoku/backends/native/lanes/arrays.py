"""The state of a search as arrays, with the states of its lanes: in lanes, in slots and saved.

A state is in a lane during rounds; in the lane's slot, its cells side by side, on its way in and
out; and on the lane's stack while it waits. Translated to machine code, as part of `engine`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# The translator infers the types here; mypy does not.

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir

from unidoku.backends.native.compiler.intrinsics import lowest_bit
from unidoku.backends.native.compiler.translator.emitted import I64, Emitted
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


@Emitted
def invoke(builder, address, *arguments):
    """Call the function of 64-bit numbers at an address."""
    kind = ir.FunctionType(I64, [I64] * len(arguments))
    return builder.call(builder.inttoptr(address, kind.as_pointer()), arguments)


@Emitted
def unsigned(builder, numbers, index):
    """Read a number that has no sign."""
    number = builder.load(builder.gep(numbers, [index]))
    return number if number.type == I64 else builder.zext(number, I64)


@Emitted
def arrays_at(builder, registers_at, bits):
    """Return the arrays of a search with lanes of so many bits, a constant."""
    registers = builder.inttoptr(registers_at, I64.as_pointer())

    def number(register):
        return builder.load(builder.gep(registers, [ir.Constant(I64, register)]))

    def array(register, width=64):
        return builder.inttoptr(number(register), ir.IntType(width).as_pointer())

    def row_of_lanes(row):
        first = builder.mul(number(Register.WIDTH), ir.Constant(I64, row))
        return builder.gep(array(Register.LANES), [first])

    return Arrays(
        registers,
        array(Register.STATE, bits.constant),
        array(Register.CHOICE, bits.constant),
        array(Register.SLOTS, bits.constant),
        array(Register.STACK, bits.constant),
        ir.Constant(I64, bits.constant // 8),
        array(Register.FLAGS),
        row_of_lanes(0),
        row_of_lanes(1),
        row_of_lanes(2),
        row_of_lanes(3),
        array(Register.COUNTS),
        array(Register.NODES_OF),
        array(Register.FAILURES_IN_A_ROW),
        array(Register.STOPS, 8),
        array(Register.GRIDS_KEPT),
        array(Register.RANKS),
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
