"""Kinds of constraints, reasons why a search returns, and sizes shared with the rows."""

from __future__ import annotations

from enum import IntEnum

MAX_VALUES = 62
"""The largest number of values: a set of them is a 64-bit number that is never negative."""

PEER_WEIGHT = 16
"""What a peer adds to the weight of a cell."""

FAILURE_WEIGHT = 10 * PEER_WEIGHT
"""What a constraint first adds to the weights of its cells, and what a failure of peers adds to the
weight of a cell."""

REGION_WEIGHT = PEER_WEIGHT
"""What a connected region adds to begin with; its failures add nothing, as it is about almost all
cells alike. Measured on six published puzzles, adding what others do took 1.4 times the nodes."""

SHARED_WEIGHT = 75 * PEER_WEIGHT
"""What a failed constraint adds to the weight of a cell, divided by the number of its open cells
and by the number of candidates of the cell: the fewer these are, the more is the cell to blame."""

GUESS_WEIGHT = 15 * PEER_WEIGHT
"""What a failure adds, if there are rules, to the weight of the cell that the search narrowed last.
Boards without rules took twice the nodes with it."""

GROWTH_WITH_RULES = 4
"""How many times as many failures as before a restart there are before the next one, with rules.

Without rules there are half as many again. Measured on published puzzles, with five sets of first
weights each, restarts after 300, 1,200, 4,800, … failures take 0.91 of the propagations of none on
those that need so many: between 0.17 and 1.4, and 3.5 on one puzzle."""

FIRST_INCREMENT = 1 << 10
"""The unit of the register of what a failure counts: the first one counts this much."""

MOST_INCREMENT = 1 << 30
"""What a failure counts at most; after that, all weights are scaled back."""

LATER_FAILURES = 8
"""Each failure counts more than the one before, by one part in two to the power of this."""

CHUNK = 6
"""Number of values whose images under a relation are looked up at once."""


MOST_CLASSES = 5
"""Classes of values that some cells hit: a set of sets of them is a number of 32 bits."""


READY = -2
"""The level for a call that only prepares the arrays of a layout."""

SUMS = -3
"""The level for a call that finds sums by the rule of 45."""

UNGROUPED = -1
"""The number of groups that marks a sum still to be divided into groups."""

ABSENT, THERE = 1, 2
"""Candidates of a flag cell: the first means that other cells lack a value, the second that they
have it."""


class Labels(IntEnum):
    """What tells the regions of a division apart."""

    ANY = 0
    """Other constraints do."""
    IN_ORDER = 1
    """They are numbered in the order of their first cells."""
    INTERCHANGEABLE = 2
    """Only that order, which the grids that are found are given afterwards."""


class Returned(IntEnum):
    """Why the search returned."""

    EXHAUSTED = 0
    """There are no more solutions."""
    ENOUGH = 1
    """The requested number of solutions was found."""
    NODES = 2
    """The node limit was reached."""
    CLOCK = 3
    """The allowed work was done: check the clock and call again."""
    STACK = 4
    """There is no room left for saved states: make room and call again."""
    GRIDS = 5
    """There is no room left for grids: take them and call again."""
    FAILURES = 6
    """The limit of failures in a row was reached."""


class Propagator(IntEnum):
    """Kinds of constraints, in the order of the queue: cheap ones come first.

    A constraint is a row of numbers: number of cells, the cells, and what each kind adds.
    """

    VALUE_PEERS = 0  # a cell; for each of its values, once decided, the cells that lose it
    EXCLUSION = 1  # a relation in which only a decided first cell excludes anything
    RELATION = 2  # two cells; the place of the table of images: the second cell is narrowed
    UNIT = 3  # cells that differ; nothing more
    SETS = 4  # vectors of sets, their place, a flag, the other cells of units: see `SetsRow`
    SUM = 5  # bounds, the place of the weights and their steps, groups: see `SumRow`
    REQUIRED = 6  # values that some of the cells hold
    TIMES = 7  # a value, how often, a flag, groups: see `TimesRow`
    HITS = 8  # whether peers are narrowed, how many classes, each with sets: see `HitsRow`
    BAND = 9  # how many boxes, cells of a segment: see `BandRow`
    SAME = 10  # how many cells come first: those and the others hold the same set of values
    MATCHING = 11  # the same of fewer cells than values: a value decided here has a place there
    ACROSS = 12  # cells of a full unit: what sees both places of a value loses it
    DIFFER_WHERE = 13  # a cell and two others, which differ if it holds a value; the value
    INDEXED = 14  # a place, a value, the cells of a line; by how much places from 1 are larger
    APART = 15  # cells of two lines in turn, which are not the same
    COUNTED = 16  # the same as `SAME` of cells that need not differ: each value as often
    TABLE = 17  # words of a set of rows, and the place of the sets
    SANDWICH = 18  # the place of the sets between the ends: see `sandwiches`
    AUTOMATON = 19  # the place of the table of the machine: see `LineRow`
    REPEATING = 20  # the same of cells some of which come several times
    RUN = 21  # a number, cells along arms, and what makes a run: see `runs`
    ALIKE = 22  # a number, cells, and how much more are in the region of the first: see `runs`
    RANK = 23  # lines that are read as numbers: see `ranks`
    REGION = 24  # see `RegionRow`
    DIVISION = 25  # all regions at once: see `divisions`
    OR = 26  # a note of the impossible ones, and branches with their constraints: see `engine`


class StepForm(IntEnum):
    """Forms in which the steps of a part of a machine are written."""

    ONE_BY_ONE = 0
    """The transitions of each state, each a set of values and a state."""
    MOVES = 1
    """In vectors: sets of values, sets of states, and the state that they lead to, as a set."""
    SHIFTS = 2
    """In vectors: sets of values, sets of states, and by how much they rise, modulo 64."""
