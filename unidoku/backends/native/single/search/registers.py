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
    # Registers of the memory of a search.
    CANDIDATES_AT = 25
    WEIGHTS_AT = 26
    QUEUE_AT = 27
    DECIDED_AT = 28
    WORK_AT = 29
    STACK_AT = 30
    GUESSES_AT = 31  # a cell and a value for each saved state
    GRIDS_AT = 32
    DEPTH = 33  # saved states for which there is room
    ROOM = 34  # grids for which there is room
    # Registers of the question.
    LIMIT = 35  # solutions
    NODE_LIMIT = 36
    FAILURE_LIMIT = 37  # failures in a row without a solution
    TO_KEEP = 38  # number of grids still to be kept
    RUN = 39  # failures until the next restart; 0 for no restarts
    # Progress; 0 at the beginning of a search, except for the level.
    LEVEL = 40  # saved states; -1 before the first call of a search
    UNTIL = 41  # ticks at which to return
    TICKS = 42
    DECIDED = 43  # newly decided cells whose values are not yet removed from their peers
    GRID_COUNT = 44  # grids
    COUNT = 45
    NODES = 46
    FAILURES = 47
    PROPAGATIONS = 48
    RESTARTS = 49
    RUN_FAILURES = 50  # failures since the last restart
    IN_A_ROW = 51  # failures since the last solution
    BRANCHES = (
        52  # 1 while branches of alternatives are tried, where peers keep the values of cells
    )
    GUESSED = 53  # the cell that was narrowed last, by a guess or its opposite
    FAILURE_INCREMENT = 54  # what a failure counts, in 1,024ths of the first one
    BEFORE = 55  # where the state from which this one came is among the saved ones; -1 at the root
