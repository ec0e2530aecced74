"""What the compiled search and Python tell each other: the places of an array of numbers.

The search sees all of its arrays by their addresses, which stand here too, so that it needs nothing
of Numba's once it is compiled. Constants of a module, for Numba takes no member of an enumeration
for an index of a pointer.
"""

from __future__ import annotations

# What the call returns, and Numba's place for an exception, of which there is none.
PAUSE = 0
EXCEPTION = 1
# Of a layout: sizes and addresses.
CELLS = 2
VALUES = 3
WORDS = 4  # of a set of constraints
EXCLUSIONS = 5  # constraints of a decided cell; they come first
UNITS_BEGIN = 6
UNITS_END = 7
KINDS_AT = 8  # of each constraint
ROWS_AT = 9  # where the row of each constraint begins
DATA_AT = 10  # the rows, and the tables that they name
WATCH_AT = 11  # for each cell, the set of constraints that it wakes, and that it wakes once decided
SEEN_AT = 12  # for each cell, the set of its peers, 32 bits at a time
START_AT = 13  # the weight of each cell to begin with
LEFT_AT = 14  # what rules leave of each cell; 0 for all
CONSTRAINTS = 15  # how many
SPARE = 16  # where in the work array no propagator of one constraint works
# Of the memory of a search.
CANDIDATES_AT = 17
WEIGHTS_AT = 18
QUEUE_AT = 19
DECIDED_AT = 20
WORK_AT = 21
STACK_AT = 22
GUESSES_AT = 23  # a cell and a value for each saved state
GRIDS_AT = 24
DEPTH = 25  # saved states for which there is room
ROOM = 26  # grids for which there is room
# What is asked.
LIMIT = 27  # solutions
NODE_LIMIT = 28
FAILURE_LIMIT = 29  # in a row without a solution
TO_KEEP = 30  # grids that are still to be kept
RUN = 31  # failures until the next restart; 0 for no restarts
# What is going on; 0 at the beginning of a search, but for the level.
LEVEL = 32  # saved states; -1 before the first call of a search
UNTIL = 33  # ticks at which to return
TICKS = 34
DECIDED = 35  # cells that became single and were not yet taken from their peers
KEPT = 36  # grids
COUNT = 37
NODES = 38
FAILURES = 39
PROPAGATIONS = 40
RESTARTS = 41
RUN_FAILURES = 42  # since the last restart
IN_A_ROW = 43  # failures since the last solution

REGISTERS = 44
"""How many there are."""
