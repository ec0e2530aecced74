"""The interface between the compiled search and Python: the places of an array of numbers.

The search accesses all of its arrays by their addresses, which are here too, so that it does not
need Numba once it is compiled. The places are constants of a module, because Numba does not accept
members of an enumeration as an index of a pointer.
"""

from __future__ import annotations

# The result of the call, and Numba's place for an exception, which is never raised.
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
WATCH_AT = (
    12  # for each cell, the sets of constraints that it wakes, and that it wakes once decided
)
SEEN_AT = 13  # for each cell, the set of its peers, 32 bits at a time
START_AT = 14  # the initial weight of each cell
LEFT_AT = 15  # candidates that rules leave to each cell
CONSTRAINTS = 16  # number of constraints
PAIRS = 17  # number of pairs of cells that differ by rules
PAIRS_AT = 18  # place of these pairs in the data
SPARE = 19  # part of the work array that no propagator of one constraint uses
SETTLED = 20  # 1 if nothing more follows from LEFT_AT; otherwise all constraints are run
UNITS_AT = 21  # place in the data of the cells of units in vectors; 0 if there are none
# Registers of the memory of a search.
CANDIDATES_AT = 22
WEIGHTS_AT = 23
QUEUE_AT = 24
DECIDED_AT = 25
WORK_AT = 26
STACK_AT = 27
GUESSES_AT = 28  # a cell and a value for each saved state
GRIDS_AT = 29
DEPTH = 30  # saved states for which there is room
ROOM = 31  # grids for which there is room
# Registers of the question.
LIMIT = 32  # solutions
NODE_LIMIT = 33
FAILURE_LIMIT = 34  # failures in a row without a solution
TO_KEEP = 35  # number of grids still to be kept
RUN = 36  # failures until the next restart; 0 for no restarts
# Progress; 0 at the beginning of a search, except for the level.
LEVEL = 37  # saved states; -1 before the first call of a search
UNTIL = 38  # ticks at which to return
TICKS = 39
DECIDED = 40  # newly decided cells whose values are not yet removed from their peers
KEPT = 41  # grids
COUNT = 42
NODES = 43
FAILURES = 44
PROPAGATIONS = 45
RESTARTS = 46
RUN_FAILURES = 47  # failures since the last restart
IN_A_ROW = 48  # failures since the last solution
BRANCHES = 49  # 1 while branches of alternatives are tried, where peers keep the values of cells
GUESSED = 50  # the cell that was narrowed last, by a guess or its opposite
BLAME = 51  # what a failure counts, in 1,024ths of the first one

REGISTERS = 52
"""The number of registers."""
