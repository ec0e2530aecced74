"""What the compiled engine and Python tell each other.

An array of 64-bit numbers, the registers, has all that a search knows: sizes, limits, and addresses
of functions and of other arrays. Numba counts the references of every array that it is handed, in
each function and each time; an array made from an address is free of that.

The order of the registers matters to `unidoku.backends.native.lanes.workspace`, which writes what
belongs to a search in one go.
"""

from __future__ import annotations

from enum import IntEnum

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
    RULES = 23  # address of the interpreter of rules; 0 if there are none
    PROGRAM = 24  # what it reads
    SCRATCH = 25  # what it works with
    UNIT_ROUNDS = 26  # rounds of the units for one of the rules
    # Of a search: addresses of arrays, sizes, and what is asked.
    BOARDS = 27  # (boards, stride) bytes
    COUNTS = 28  # solutions of each board
    NODES_OF = 29  # nodes of each board
    STOPS = 30  # whether the node limit stopped a board, one byte each
    KEPT = 31  # grids kept of each board
    RANKS = 32  # (boards, room): of the grids kept
    GRIDS = 33  # (boards, room, cells) bytes
    SIZE = 34  # boards
    STRIDE = 35  # bytes from a board to the next
    ROOM = 36  # grids kept of each board, at most
    FROM_STATES = 37  # boards are saved states rather than values
    LIMIT = 38  # solutions of each board
    NODE_LIMIT = 39  # of each board
    SHARE = 40  # whether lanes may share a board
    HAND_OUT = 41  # whether to return when there is no room for another grid of the one board
    # What is going on; 0 at the beginning of a search.
    UNTIL = 42  # rounds after which to return
    ACTIVE = 43  # lanes that hold a state
    CANCELLED = 44  # lanes whose state the caller gives up
    NEXT = 45  # the next board
    SHARED = 46  # whether some board has several lanes
    FULL = 47  # whether a lane may run out of room
    ROUNDS = 48
    NODES = 49
