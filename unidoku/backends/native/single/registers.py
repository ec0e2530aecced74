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
PAIRS = 17  # how many pairs of cells that differ, by rules
PAIRS_AT = 18  # where they are in the data
SPARE = 19  # where in the work array no propagator of one constraint works
SETTLED = 20  # 1 if nothing more follows from what rules leave; else all constraints are worked
# Of the memory of a search.
CANDIDATES_AT = 21
WEIGHTS_AT = 22
QUEUE_AT = 23
DECIDED_AT = 24
WORK_AT = 25
STACK_AT = 26
GUESSES_AT = 27  # a cell and a value for each saved state
GRIDS_AT = 28
DEPTH = 29  # saved states for which there is room
ROOM = 30  # grids for which there is room
# What is asked.
LIMIT = 31  # solutions
NODE_LIMIT = 32
FAILURE_LIMIT = 33  # in a row without a solution
TO_KEEP = 34  # grids that are still to be kept
RUN = 35  # failures until the next restart; 0 for no restarts
# What is going on; 0 at the beginning of a search, but for the level.
LEVEL = 36  # saved states; -1 before the first call of a search
UNTIL = 37  # ticks at which to return
TICKS = 38
DECIDED = 39  # cells that became single and were not yet taken from their peers
KEPT = 40  # grids
COUNT = 41
NODES = 42
FAILURES = 43
PROPAGATIONS = 44
RESTARTS = 45
RUN_FAILURES = 46  # since the last restart
IN_A_ROW = 47  # failures since the last solution

REGISTERS = 48
"""How many there are."""
