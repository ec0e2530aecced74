"""Digging: givens are removed as long as one solution is left; and the proof of minimality."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unidoku.generation.judge import Cells, Flags, Judge

__all__ = ["dig", "minimality"]

_FIRST = 16
"""Orbits that are removed at once to begin with; a power of two."""


def dig(
    judge: Judge,
    grids: Cells,
    orbits: Sequence[tuple[int, ...]],
    priority: NDArray[np.uint32],
    fewest: NDArray[np.intp],
) -> Cells:
    """Remove from each grid one orbit after the other that is not needed for uniqueness.

    Each orbit is tried once; one that is needed then is needed later too, with fewer givens.
    Several are tried at once while that goes well: if the puzzle is unique without all of them,
    so it is without some. A puzzle is what it would be with one after the other.

    Args:
        judge: decides about uniqueness; what it leaves undecided is not removed.
        grids: full grids.
        orbits: the cells in groups that go together.
        priority: random numbers of shape (grids, orbits); the lowest goes first.
        fewest: givens that each puzzle keeps at least.

    Raises:
        TimeLimitError: the deadline came first.
    """
    turns = _turns(judge, orbits, priority)
    cells = grids.copy()
    turn = np.zeros(len(grids), np.intp)
    stride = np.full(len(grids), _FIRST)
    calm = np.ones(len(grids), np.bool_)
    while len(active := np.flatnonzero((turn < len(orbits)) & (_givens(cells) > fewest))):
        begin = turn[active, None]
        tried = (turns[active] >= begin) & (turns[active] < begin + stride[active, None])
        trial = np.where(tried, np.uint8(0), cells[active])
        enough = np.flatnonzero(_givens(trial) >= fewest[active])
        good = np.zeros(len(active), np.bool_)
        good[enough] = judge.ask(trial[enough]).unique
        cells[active[good]] = trial[good]
        turn[active[good]] += stride[active[good]]
        stride[active[good]] <<= calm[active[good]]
        bad = active[~good]
        calm[bad] = False
        turn[bad] += stride[bad] == 1
        stride[bad] = np.maximum(stride[bad] >> 1, 1)
    return cells


def _turns(
    judge: Judge, orbits: Sequence[tuple[int, ...]], priority: NDArray[np.uint32]
) -> NDArray[np.intp]:
    """Return when each cell of each grid is to go."""
    place = np.empty_like(priority, np.intp)
    order = priority.argsort(axis=1, kind="stable")
    np.put_along_axis(place, order, np.arange(len(orbits))[None, :], axis=1)
    orbit_of = np.empty(len(judge.layout), np.intp)
    for number, orbit in enumerate(orbits):
        orbit_of[list(orbit)] = number
    turns: NDArray[np.intp] = place[:, orbit_of]
    return turns


def _givens(cells: Cells) -> NDArray[np.intp]:
    return np.asarray(np.count_nonzero(cells, axis=1), np.intp)


def minimality(judge: Judge, puzzles: Cells) -> tuple[Flags, Flags]:
    """Prove that no single given of a puzzle can go.

    Args:
        judge: looks for a second solution without each given.
        puzzles: each with exactly one solution.

    Returns:
        For each puzzle whether it is minimal, and whether it is not; neither, where that is
        undecided.

    Raises:
        TimeLimitError: the deadline came first.
    """
    rows, cells = np.nonzero(puzzles)
    without = puzzles[rows]
    without[np.arange(len(rows)), cells] = 0
    answers = judge.ask(without)
    needed = np.bincount(rows[answers.several], minlength=len(puzzles))
    superfluous = np.bincount(rows[answers.unique], minlength=len(puzzles))
    return needed == _givens(puzzles), superfluous > 0
