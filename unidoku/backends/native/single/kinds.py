"""Kinds of constraints, why a search returns, and sizes that the search and its rows agree on."""

from __future__ import annotations

from enum import IntEnum

MAX_VALUES = 62
"""The most values of a layout: a set of them is a number of 64 bits that is never negative."""

SETS_AT_ONCE = 8
"""Sets of values that a vector holds; lists of them are filled up with empty ones."""

NARROW = 16
"""Bits of a set on boards of so few values."""

NARROW_SETS_AT_ONCE = 16
"""Such sets that a vector holds."""

WORDS_AT_ONCE = 4
"""Words of a set of constraints that a vector holds; sets of more than one are filled up."""

VALUES_AT_ONCE = 8
"""Values of a term of a sum that are looked at at once, beside the one that is nearest."""

MOVES_AT_ONCE = 8
"""Moves of a machine that a vector holds; lists of them are filled up with some of no values."""

NARROW_MOVES_AT_ONCE = 16
"""The same of a machine whose states and values are 31 at most."""

CELLS_AT_ONCE = 32
"""Cells from which a vector takes a value."""

FAILURE_WEIGHT = 10
"""What a constraint adds to the weights of its cells to begin with, and a failure of peers to that
of a cell; a peer weighs a tenth of that."""

SHARED_WEIGHT = 60
"""What the cells of a constraint that fails share, beside two each: where few are to blame, each is
more. Measured on published puzzles, the same for each cell took 4 % more nodes."""

CHUNK = 6
"""Values whose images under a relation are looked up at once."""


MOST_CLASSES = 5
"""Classes of values that some cells hit: a set of sets of them is a number of 32 bits."""


READY = -2
"""The level of a search that asks for the arrays of a layout to be got ready, and for no search."""

DEDUCE = -3
"""The level of a search that asks for the sums that follow from cages, and for no search."""

UNGROUPED = -1
"""The number of groups of a sum that is to be divided into them."""

ABSENT, THERE = 1, 2
"""Candidates of a cell whose first value tells that others lack a value, the second that not."""


class Returned(IntEnum):
    """Why the search returned."""

    EXHAUSTED = 0
    """There are no more solutions."""
    ENOUGH = 1
    """As many solutions as asked for were found."""
    NODES = 2
    """The node limit."""
    CLOCK = 3
    """As much was done as allowed: look at the clock, and call again."""
    STACK = 4
    """There is no more room for saved states: make some, and call again."""
    GRIDS = 5
    """There is no more room for grids: take them, and call again."""
    FAILURES = 6
    """As many failures in a row as allowed."""


class Propagator(IntEnum):
    """Kinds of constraints, in the order of the queue: what is cheap comes first.

    A constraint is a row of numbers: how many cells, the cells, and what each kind adds.
    """

    EXCLUSION = 0  # a relation in which only a decided first cell excludes anything
    RELATION = 1  # two cells; the place of the table of images: the second cell is narrowed
    UNIT = 2  # cells that differ; nothing more
    SETS = 3  # vectors of sets, narrow or not, their place, whether what sees the cells is told
    SUM = 4  # bounds, places of products, weights, groups: see `sums`
    REQUIRED = 5  # values that some of the cells hold
    TIMES = 6  # a value, how often, a flag, groups: see `places`
    HITS = 7  # whether what sees the cells is told, how many classes, each with sets: see `places`
    BAND = 8  # how many boxes, cells of a segment: see `units`
    SAME = 9  # how many cells come first: those and the others hold the same set of values
    ACROSS = 10  # cells of a full unit: what sees both places of a value loses it
    APART = 11  # cells of two lines in turn, which are not the same
    COUNTED = 12  # the same as `SAME` of cells that need not differ: each value as often
    TABLE = 13  # words of a set of rows, and the place of the sets
    AUTOMATON = 14  # words of a set of states, and the parts of the machine: see `lines`
    REPEATING = 15  # the same of cells some of which come several times
    OR = 16  # branches, and of each its constraints, by propagator and row: see `engine`


class StepForm(IntEnum):
    """How the steps of a part of a machine are written; sets of states are one number but in one.

    A move is a set of values, a set of states, and the state that they lead to, as a set. A shift
    is a set of values, a set of states, and how much higher a number the state has that each leads
    to.
    """

    ONE_BY_ONE = 0  # where those of each state begin, each a set of values and a state
    MOVES = 1  # in vectors
    NARROW_MOVES = 2  # in vectors of numbers of half the size
    FEW_SHIFTS = 3  # one after the other
    SHIFTS = 4  # in vectors
