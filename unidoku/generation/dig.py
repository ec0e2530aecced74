"""Digging: removes givens while the solution stays unique, and proves minimality."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unidoku.generation.oracle import Cells, Flags, Oracle

_FIRST = 16
"""The number of orbits that the first step removes at once; a power of two."""


def dig(
    oracle: Oracle,
    grids: Cells,
    orbits: Sequence[tuple[int, ...]],
    priority: NDArray[np.uint32],
    fewest: NDArray[np.intp],
) -> Cells:
    """Remove from each grid, one after the other, the orbits that uniqueness does not need.

    Each orbit is tried once: an orbit that is needed now is also needed later, with fewer givens.
    Several orbits are tried at once as long as that succeeds: a puzzle that is unique without all
    of them is unique without some of them. The puzzles are the same as with one orbit at a time.

    Args:
        oracle: checks uniqueness; orbits that it cannot decide stay.
        grids: full grids.
        orbits: the cells, in groups that are removed together.
        priority: random numbers of shape (grids, orbits); the lowest is removed first.
        fewest: the smallest number of givens that a puzzle may have.

    Raises:
        TimeLimitError: the deadline has passed.
    """
    turns = _turns(oracle, orbits, priority)
    cells = grids.copy()
    turn = np.zeros(len(grids), np.intp)
    stride = np.full(len(grids), _FIRST)
    growing = np.ones(len(grids), np.bool_)
    while len(active := np.flatnonzero((turn < len(orbits)) & (_givens(cells) > fewest))):
        begin = turn[active, None]
        tried = (turns[active] >= begin) & (turns[active] < begin + stride[active, None])
        trial = np.where(tried, np.uint8(0), cells[active])
        enough = np.flatnonzero(_givens(trial) >= fewest[active])
        good = np.zeros(len(active), np.bool_)
        good[enough] = oracle.ask(trial[enough]).unique
        cells[active[good]] = trial[good]
        turn[active[good]] += stride[active[good]]
        stride[active[good]] <<= growing[active[good]]
        bad = active[~good]
        growing[bad] = False
        turn[bad] += stride[bad] == 1
        stride[bad] = np.maximum(stride[bad] >> 1, 1)
    return cells


def _turns(
    oracle: Oracle, orbits: Sequence[tuple[int, ...]], priority: NDArray[np.uint32]
) -> NDArray[np.intp]:
    """Return the step in which each cell of each grid is removed."""
    step = np.empty_like(priority, np.intp)
    order = priority.argsort(axis=1, kind="stable")
    np.put_along_axis(step, order, np.arange(len(orbits))[None, :], axis=1)
    orbit_of = np.empty(len(oracle.layout), np.intp)
    for number, orbit in enumerate(orbits):
        orbit_of[list(orbit)] = number
    turns: NDArray[np.intp] = step[:, orbit_of]
    return turns


def _givens(cells: Cells) -> NDArray[np.intp]:
    return np.asarray(np.count_nonzero(cells, axis=1), np.intp)


def minimality(oracle: Oracle, puzzles: Cells) -> tuple[Flags, Flags]:
    """Prove that every given of a puzzle is needed for uniqueness.

    The oracle looks for a second solution of the puzzle without each given in turn.

    Returns:
        Two flags for each puzzle: it is minimal, it is not minimal; neither is set if undecided.

    Raises:
        TimeLimitError: the deadline has passed.
    """
    rows, cells = np.nonzero(puzzles)
    without = puzzles[rows]
    without[np.arange(len(rows)), cells] = 0
    answers = oracle.ask(without)
    needed = np.bincount(rows[answers.several], minlength=len(puzzles))
    superfluous = np.bincount(rows[answers.unique], minlength=len(puzzles))
    return needed == _givens(puzzles), superfluous > 0
