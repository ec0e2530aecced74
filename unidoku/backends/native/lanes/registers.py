"""The interface between the compiled engine and Python.

An array of 64-bit numbers, the registers, holds the state of a search: sizes, limits, and addresses
of functions and of other arrays.

The order of the registers matters to `unidoku.backends.native.lanes.workspace`, which writes the
registers of a search in one piece.
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
    """The allowed number of rounds was reached."""
    STACK = 2
    """A lane has no room left to save states."""
    GRIDS = 3
    """There is no room left for grids."""


class Register(IntEnum):
    """The places of the registers, 64-bit numbers."""

    # Addresses of the kernel's functions, in the order of the kernel.
    ROUND = 0
    CHECK = auto()
    CHOOSE = auto()
    CHOOSE_CELL = auto()
    UNLOAD = auto()
    LOAD = auto()
    START = auto()
    READ = auto()
    COPY = auto()
    ANSWER = auto()
    # Registers of a workspace: addresses of arrays, and sizes.
    STATE = auto()  # one vector a cell
    CHOICE = auto()  # the kernel's choice of what to branch on
    FLAGS = auto()  # three lane masks
    STACK = auto()  # (lanes, depth, slot): saved states
    LANES = auto()  # four rows with one number for each lane
    SLOTS = auto()  # (lanes, slot): states that leave or enter lanes
    MASKS = auto()  # (answers, slot): the cells that a value is removed from, as saved states
    CELLS = auto()
    WIDTH = auto()  # lanes
    DEPTH = auto()  # states that a lane has room to save
    SLOT = auto()  # elements of a saved state
    MOST_ANSWERS = auto()  # largest number of answers to a question
    # Registers of a search: addresses of arrays, sizes, and the question.
    BOARDS = auto()  # (boards, stride) bytes
    COUNTS = auto()  # solutions of each board
    NODES_OF = auto()  # nodes of each board
    FAILURES_IN_A_ROW = auto()  # failures of each board since its last solution
    STOPS = auto()  # the limit that stopped each board, one byte each
    GRIDS_KEPT = auto()  # grids kept of each board
    RANKS = auto()  # (boards, room): ranks of the grids kept
    GRIDS = auto()  # (boards, room, cells) bytes
    SIZE = auto()  # boards
    STRIDE = auto()  # bytes from one board to the next
    ROOM = auto()  # grids kept of each board, at most
    FROM_STATES = auto()  # boards are saved states rather than values
    LIMIT = auto()  # solutions of each board
    NODE_LIMIT = auto()  # nodes of each board
    FAILURE_LIMIT = auto()  # failures of each board in a row without a solution
    SHARE = auto()  # whether lanes may share a board
    HAND_OUT = auto()  # whether to return when there is no room for another grid
    # Progress of a search; 0 at its beginning.
    UNTIL = auto()  # rounds after which to return
    ACTIVE = auto()  # lanes that hold a state
    CANCELLED = auto()  # lanes whose state the caller cancels
    NEXT = auto()  # the next board
    SHARED = auto()  # whether some board has several lanes
    FULL = auto()  # whether a lane may run out of room
    ROUNDS = auto()
    NODES = auto()
