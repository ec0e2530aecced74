"""What the compiled engine and Python tell each other.

An array of 64-bit numbers, the registers, has all that a search knows: sizes, limits, and addresses
of functions and of other arrays. Numba counts the references of every array that it is handed, in
each function and each time; an array made from an address is free of that.

The order of the registers matters to `unidoku.backends.native.lanes.workspace`, which writes what
belongs to a search in one go.
"""

from __future__ import annotations

from enum import IntEnum, auto

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

    @staticmethod
    def _generate_next_value_(
        name: str,
        start: int,
        count: int,
        last_values: list[int],
    ) -> int:
        """Number the places from 0."""
        return count

    # Addresses of the kernel's functions, in the order of the kernel.
    ROUND = auto()
    CHECK = auto()
    CHOOSE = auto()
    CHOOSE_CELL = auto()
    UNLOAD = auto()
    LOAD = auto()
    START = auto()
    READ = auto()
    COPY = auto()
    ANSWER = auto()
    # A workspace: addresses of arrays, and sizes.
    STATE = auto()  # one vector a cell
    CHOICE = auto()  # what the kernel chose to branch on
    FLAGS = auto()  # three lane masks
    STACK = auto()  # (lanes, depth, slot): saved states
    LANES = auto()  # four rows of one number a lane
    SLOTS = auto()  # (lanes, slot): states on their way out of lanes and into them
    MASKS = auto()  # (answers, slot): the cells that a value leaves, as saved states
    CELLS = auto()
    WIDTH = auto()  # lanes
    DEPTH = auto()  # states that a lane has room to save
    SLOT = auto()  # elements of a saved state
    MOST_ANSWERS = auto()  # to a question
    RULES = auto()  # address of the interpreter of rules; 0 if there are none
    PROGRAM = auto()  # what it reads
    CHOOSE_RULED = auto()  # address of the function that chooses a cell where there are rules
    SCRATCH = auto()  # what they work with
    CHOICES = auto()  # what that reads
    UNIT_ROUNDS = auto()  # rounds of the units for one of the rules
    # A search: addresses of arrays, sizes, and the request.
    BOARDS = auto()  # (boards, stride) bytes
    COUNTS = auto()  # solutions of each board
    NODES_OF = auto()  # nodes of each board
    IN_A_ROW = auto()  # failures of each board since its last solution
    STOPS = auto()  # what limit stopped a board, one byte each
    KEPT = auto()  # grids kept of each board
    RANKS = auto()  # (boards, room): of the grids kept
    GRIDS = auto()  # (boards, room, cells) bytes
    SIZE = auto()  # boards
    STRIDE = auto()  # bytes from a board to the next
    ROOM = auto()  # grids kept of each board, at most
    FROM_STATES = auto()  # boards are saved states rather than values
    LIMIT = auto()  # solutions of each board
    NODE_LIMIT = auto()  # of each board
    FAILURE_LIMIT = auto()  # of each board in a row without a solution
    SHARE = auto()  # whether lanes may share a board
    HAND_OUT = auto()  # whether to return when there is no room for another grid of the one board
    # What is going on; 0 at the beginning of a search.
    UNTIL = auto()  # rounds after which to return
    ACTIVE = auto()  # lanes that hold a state
    CANCELLED = auto()  # lanes whose state the caller gives up
    NEXT = auto()  # the next board
    SHARED = auto()  # whether some board has several lanes
    FULL = auto()  # whether a lane may run out of room
    ROUNDS = auto()
    NODES = auto()
