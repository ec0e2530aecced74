"""What to guess when nothing more follows: cells with values, of which a solution has just one.

A two-candidate cell with many undecided peers, after J. Kelly's FastBandSolver
(semajyllek/sudoku); where no cell has few candidates a value with two places in a unit, after
sk_bforce2. Sets of cells are ints throughout, as in `tree`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

MANY_CANDIDATES = 4
"""From this number on a value with two places in a unit is guessed, and not a cell.

Measured: with 3 there are more nodes on jigsaws and hard classic boards. Most boards never come
to it; Norvig's impossible one takes 3 nodes, and 786,000 without the rule.
"""

MOST_COMPARED = 1024
"""How many cells, or values in units, are compared for a guess: large boards have many more."""

Guess = tuple[int, int]
"""A cell, as a set of one, and a value from 0."""


def alternatives(
    places: Sequence[int],
    undecided: int,
    pairs: int,
    left: Mapping[int, int],
    units: Sequence[int],
) -> list[Guess]:
    """Return what is to be tried in turn; every solution agrees with exactly one of it.

    Args:
        places: places left to each value, with nothing more to conclude.
        undecided: cells with several candidates; there is one.
        pairs: those with two.
        left: for a cell, what it does not see, itself among it.
        units: the full ones.
    """
    cells = pairs
    if not pairs:
        cells = _fewest(places, undecided)
        one = cells & -cells
        if sum(own & one != 0 for own in places) >= MANY_CANDIDATES:
            value, both = _two_places(places, left, units)
            if both:
                first = both & -both
                return [(first, value), (both ^ first, value)]
    cell = _seeing_most(cells, undecided, pairs, left)
    return [(cell, value) for value, own in enumerate(places) if own & cell]


def _seeing_most(cells: int, undecided: int, pairs: int, left: Mapping[int, int]) -> int:
    """Return the cell of a set that sees most undecided cells.

    Those of two candidates count twice, for the guess may decide them at once. Measured against
    once: 1 to 15 % fewer nodes on all sets of boards.
    """
    best = 0
    fewest = 2 * undecided.bit_count() + 1
    for _ in range(MOST_COMPARED):
        if not cells:
            break
        cell = cells & -cells
        cells ^= cell
        others = left[cell]
        unseen = (undecided & others).bit_count() + (pairs & others).bit_count()
        if unseen < fewest:
            best, fewest = cell, unseen
    return best


def _fewest(places: Sequence[int], undecided: int) -> int:
    """Return the undecided cells with the fewest candidates.

    The candidates of all cells are counted at once, in binary: one set of cells a digit.
    """
    digits = [0] * len(places).bit_length()
    for carry in places:
        for k, digit in enumerate(digits):
            digits[k], carry = digit ^ carry, digit & carry
    cells = undecided
    for digit in reversed(digits):
        cells = cells & ~digit or cells
    return cells


def _two_places(
    places: Sequence[int], left: Mapping[int, int], units: Sequence[int]
) -> tuple[int, int]:
    """Return a value and its two places in a unit, those that remove most; no place if none."""
    best = (0, 0)
    most = -1
    if len(places) * len(units) > MOST_COMPARED:
        return best
    for value, own in enumerate(places):
        for unit in units:
            both = own & unit
            if both.bit_count() == 2:
                first = both & -both
                removed = (own & ~left[first]).bit_count() + (own & ~left[both ^ first]).bit_count()
                if removed > most:
                    best, most = (value, both), removed
    return best
