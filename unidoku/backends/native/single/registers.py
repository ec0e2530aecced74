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
UNITS_BEGIN = 5
UNITS_END = 6
KINDS_AT = 7  # of each constraint
ROWS_AT = 8  # where the row of each constraint begins
DATA_AT = 9  # the rows, and the tables that they name
WATCH_AT = 10  # for each cell, the set of constraints on it
SEEN_AT = 11  # for each cell, the set of its peers, 32 bits at a time
START_AT = 12  # the weight of each cell to begin with
CONSTRAINTS = 13  # how many
SPARE = 14  # where in the work array no propagator of one constraint works
# Of the memory of a search.
CANDIDATES_AT = 15
WEIGHTS_AT = 16
QUEUE_AT = 17
DECIDED_AT = 18
WORK_AT = 19
STACK_AT = 20
GUESSES_AT = 21  # a cell and a value for each saved state
GRIDS_AT = 22
DEPTH = 23  # saved states for which there is room
ROOM = 24  # grids for which there is room
# What is asked.
LIMIT = 25  # solutions
NODE_LIMIT = 26
FAILURE_LIMIT = 27  # in a row without a solution
TO_KEEP = 28  # grids that are still to be kept
RUN = 29  # failures until the next restart; 0 for no restarts
# What is going on; 0 at the beginning of a search, but for the level.
LEVEL = 30  # saved states; -1 before the first call of a search
UNTIL = 31  # ticks at which to return
TICKS = 32
DECIDED = 33  # cells that became single and were not yet taken from their peers
KEPT = 34  # grids
COUNT = 35
NODES = 36
FAILURES = 37
PROPAGATIONS = 38
RESTARTS = 39
RUN_FAILURES = 40  # since the last restart
IN_A_ROW = 41  # failures since the last solution

REGISTERS = 42
"""How many there are."""
