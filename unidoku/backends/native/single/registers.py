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
CAGES_BEGIN = 7  # of the units those that rules say
UNITS_END = 8
KINDS_AT = 9  # of each constraint
ROWS_AT = 10  # where the row of each constraint begins
DATA_AT = 11  # the rows, and the tables that they name
WATCH_AT = 12  # for each cell, the set of constraints that it wakes, and that it wakes once decided
SEEN_AT = 13  # for each cell, the set of its peers, 32 bits at a time
START_AT = 14  # the weight of each cell to begin with
LEFT_AT = 15  # what rules leave of each cell
CONSTRAINTS = 16  # how many
SPARE = 17  # where in the work array no propagator of one constraint works
SETTLED = 18  # 1 if nothing more follows from what rules leave; else all constraints are worked
# Of the memory of a search.
CANDIDATES_AT = 19
WEIGHTS_AT = 20
QUEUE_AT = 21
DECIDED_AT = 22
WORK_AT = 23
STACK_AT = 24
GUESSES_AT = 25  # a cell and a value for each saved state
GRIDS_AT = 26
DEPTH = 27  # saved states for which there is room
ROOM = 28  # grids for which there is room
# What is asked.
LIMIT = 29  # solutions
NODE_LIMIT = 30
FAILURE_LIMIT = 31  # in a row without a solution
TO_KEEP = 32  # grids that are still to be kept
RUN = 33  # failures until the next restart; 0 for no restarts
# What is going on; 0 at the beginning of a search, but for the level.
LEVEL = 34  # saved states; -1 before the first call of a search
UNTIL = 35  # ticks at which to return
TICKS = 36
DECIDED = 37  # cells that became single and were not yet taken from their peers
KEPT = 38  # grids
COUNT = 39
NODES = 40
FAILURES = 41
PROPAGATIONS = 42
RESTARTS = 43
RUN_FAILURES = 44  # since the last restart
IN_A_ROW = 45  # failures since the last solution

REGISTERS = 46
"""How many there are."""
