"""The interface between the search and Python: an array of numbers, and what each of them is.

The search accesses all of its arrays by their addresses, which are here too.
"""

from __future__ import annotations

from enum import IntEnum


class Register(IntEnum):
    """A number of the interface, by its index."""

    # The result of the call, and a place that is not used.
    PAUSE = 0
    EXCEPTION = 1
    # Registers of a layout: sizes and addresses.
    CELLS = 2
    VALUES = 3
    WORDS = 4  # words of a set of constraints
    EXCLUSIONS = 5  # number of constraints of a decided cell; they come first
    UNITS_BEGIN = 6
    CAGES_BEGIN = 7  # first unit that comes from a rule
    UNITS_END = 8
    KINDS_AT = 9  # kind of each constraint
    ROWS_AT = 10  # where the row of each constraint begins
    DATA_AT = 11  # the rows, and the tables that they name
    # For each cell, the sets of constraints that it wakes, and that it wakes once decided.
    WATCH_AT = 12
    SEEN_AT = 13  # for each cell, the set of its peers, 32 bits at a time
    START_AT = 14  # the initial weight of each cell
    ROOT_DOMAINS_AT = 15  # candidates that rules leave to each cell
    CONSTRAINTS = 16  # number of constraints
    PAIRS = 17  # number of pairs of cells that differ by rules
    PAIRS_AT = 18  # place of these pairs in the data
    SPARE = 19  # part of the work array that no propagator of one constraint uses
    ROOT_IS_FIXPOINT = (
        20  # 1 if nothing more follows from ROOT_DOMAINS_AT; otherwise all constraints are run
    )
    UNITS_AT = 21  # place in the data of the cells of units in vectors; 0 if there are none
    LABELS = 22  # row of a division whose regions are interchangeable; 0 for none
    MEMO_AT = 23  # part of the work array where propagators note what they found
    STATE = 24  # numbers of a saved state: the cells, or what comes behind them too
    RULED = 25  # 1 if there are rules beside units
    # Registers of the memory of a search.
    CANDIDATES_AT = 26
    WEIGHTS_AT = 27
    QUEUE_AT = 28
    DECIDED_AT = 29
    WORK_AT = 30
    STACK_AT = 31
    GUESSES_AT = 32  # a cell and a value for each saved state
    GRIDS_AT = 33
    DEPTH = 34  # saved states for which there is room
    ROOM = 35  # grids for which there is room
    # Registers of the question.
    LIMIT = 36  # solutions
    NODE_LIMIT = 37
    FAILURE_LIMIT = 38  # failures in a row without a solution
    TO_KEEP = 39  # number of grids still to be kept
    RUN = 40  # failures until the next restart
    # Progress; 0 at the beginning of a search, except for the level.
    LEVEL = 41  # saved states; -1 before the first call of a search
    UNTIL = 42  # ticks at which to return
    TICKS = 43
    DECIDED = 44  # newly decided cells whose values are not yet removed from their peers
    GRID_COUNT = 45  # grids
    COUNT = 46
    NODES = 47
    FAILURES = 48
    PROPAGATIONS = 49
    RESTARTS = 50
    RUN_FAILURES = 51  # failures since the last restart
    IN_A_ROW = 52  # failures since the last solution
    BRANCHES = (
        53  # 1 while branches of alternatives are tried, where peers keep the values of cells
    )
    GUESSED = 54  # the cell that was narrowed last, by a guess or its opposite
    FAILURE_INCREMENT = 55  # what a failure counts, in 1,024ths of the first one
    BEFORE = 56  # where the state from which this one came is among the saved ones; -1 at the root
