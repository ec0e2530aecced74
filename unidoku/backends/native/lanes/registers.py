"""What the compiled engine and Python tell each other, and how the engine uses it.

An array of 64-bit numbers, the registers, has all that a search knows: sizes, limits, and addresses
of functions and of other arrays. Numba counts the references of every array that it is handed, in
each function and each time; an array made from an address is free of that.

The order of the registers matters to `unidoku.backends.native.lanes.workspace`, which writes what
belongs to a search in one go.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from unidoku.backends.native.lanes.vector import I64

LANE_ROWS = 4
"""Rows of the table of lanes."""


class Pause(IntEnum):
    """Why the engine returned."""

    FINISHED = 0
    """Every board is done."""
    ROUNDS = 1
    """As many rounds were worked as allowed."""
    STACK = 2
    """A lane has no more room to save states."""
    GRIDS = 3
    """There is no more room for grids."""


class R(IntEnum):
    """The places of the registers, 64-bit numbers."""

    # Addresses of the kernel's functions, in the order of the kernel.
    ROUND = 0
    CHECK = 1
    CHOOSE = 2
    CHOOSE_CELL = 3
    START = 4
    SAVE = 5
    RESTORE = 6
    READ = 7
    EXCLUDE = 8
    SAVE_WITHOUT = 9
    # Of a workspace: addresses of arrays, and sizes.
    STATE = 10  # one vector a cell
    CHOICE = 11  # what the kernel chose to branch on
    FLAGS = 12  # three lane masks
    STACK = 13  # (lanes, depth, slot): saved states
    LANES = 14  # four rows of one number a lane
    EXCLUDED = 15  # (answers, most): where rows of cells begin
    MASKS = 16  # (answers, slot): the same as saved states
    CELLS = 17
    WIDTH = 18  # lanes
    DEPTH = 19  # states that a lane has room to save
    SLOT = 20  # elements of a saved state
    MOST_EXCLUDED = 21  # cells, by an answer
    MOST_ANSWERS = 22  # to a question
    # Of a search: addresses of arrays, sizes, and what is asked.
    BOARDS = 23  # (boards, stride) bytes
    COUNTS = 24  # solutions of each board
    NODES_OF = 25  # nodes of each board
    STOPS = 26  # whether the node limit stopped a board, one byte each
    KEPT = 27  # grids kept of each board
    RANKS = 28  # (boards, room): of the grids kept
    GRIDS = 29  # (boards, room, cells) bytes
    SIZE = 30  # boards
    STRIDE = 31  # bytes from a board to the next
    ROOM = 32  # grids kept of each board, at most
    FROM_STATES = 33  # boards are saved states rather than values
    LIMIT = 34  # solutions of each board
    NODE_LIMIT = 35  # of each board
    SHARE = 36  # whether lanes may share a board
    HAND_OUT = 37  # whether to return when there is no room for another grid of the one board
    # What is going on; 0 at the beginning of a search.
    UNTIL = 38  # rounds after which to return
    ACTIVE = 39  # lanes that hold a state
    CANCELLED = 40  # lanes whose state the caller gives up
    NEXT = 41  # the next board
    SHARED = 42  # whether some board has several lanes
    FULL = 43  # whether a lane may run out of room
    ROUNDS = 44
    NODES = 45


@intrinsic  # type: ignore[untyped-decorator] # numba has no types
def invoke(_context: Any, address: Any, arguments: Any) -> Any:
    """Call the function of 64-bit numbers at the address with a tuple of them; return another."""
    signature = types.uint64(types.uint64, arguments)

    def emitted(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        kind = ir.FunctionType(I64, [I64] * len(arguments))
        function = builder.inttoptr(values[0], kind.as_pointer())
        numbers = []
        for place, given in enumerate(arguments):
            number = builder.extract_value(values[1], place)
            numbers.append(context.cast(builder, number, given, types.uint64))
        return builder.call(function, numbers)

    return signature, emitted


@intrinsic  # type: ignore[untyped-decorator] # as above
def at(_context: Any, address: Any, example: Any) -> Any:
    """Return the address as a pointer to numbers of the example's type, for `numba.carray`."""

    def emitted(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.inttoptr(values[0], context.get_value_type(signature.return_type))

    return types.CPointer(example)(types.uint64, example), emitted


@intrinsic  # type: ignore[untyped-decorator] # as above
def lowest_bit(_context: Any, mask: Any) -> Any:
    """Return the place of the lowest bit that is set, at least one is."""

    def emitted(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        place = builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))
        return context.cast(builder, place, mask, types.int64)

    return types.int64(mask), emitted
