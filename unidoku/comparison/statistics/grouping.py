"""Runs of one kind as one figure: the median of their times, the worst of their outcomes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.record import Outcome
from unidoku.comparison.results import OUTCOMES

__all__ = ["COUNTED", "SEVERITY", "medians", "places", "worst"]

_WORST_FIRST = (
    Outcome.WRONG,
    Outcome.FAILED,
    Outcome.CRASHED,
    Outcome.UNSUPPORTED,
    Outcome.MEMORY,
    Outcome.TIMEOUT,
    Outcome.UNKNOWN,
    Outcome.SOLVED,
)

SEVERITY = np.array([_WORST_FIRST[::-1].index(outcome) for outcome in OUTCOMES], dtype=np.int8)
"""By an outcome's code, 0 for solved up to 7 for wrong."""

_ENDED = (Outcome.SOLVED, Outcome.UNKNOWN, Outcome.TIMEOUT, Outcome.MEMORY)

COUNTED = np.array([outcome in _ENDED for outcome in OUTCOMES])
"""By an outcome's code, whether such a run's time counts: it was solved, or met a limit.

The time of a run that failed, crashed or gave a wrong answer says nothing of solving, and one
that was not served has none.
"""

_BY_SEVERITY = np.argsort(SEVERITY).astype(np.int8)


def medians(
    groups: NDArray[np.int64], values: NDArray[np.float64], size: int
) -> NDArray[np.float64]:
    """Return the median of the values of each group, nan for a group without any.

    Args:
        groups: one group a value, from 0 to below ``size``, in any order.
        values: without nan.
        size: number of groups.
    """
    found = np.full(size, np.nan)
    if not len(groups):
        return found
    ordered = values[np.lexsort((values, groups))]
    counts = np.bincount(groups, minlength=size)
    there = np.flatnonzero(counts)
    starts = (np.cumsum(counts) - counts)[there]
    low = ordered[starts + (counts[there] - 1) // 2]
    high = ordered[starts + counts[there] // 2]
    found[there] = low + (high - low) / 2
    return found


def worst(groups: NDArray[np.int64], outcomes: NDArray[np.int64], size: int) -> NDArray[np.int8]:
    """Return the code of the worst outcome of each group, -1 for a group without any."""
    severity = np.full(size, -1, dtype=np.int8)
    np.maximum.at(severity, groups, SEVERITY[outcomes])
    return np.where(severity < 0, np.int8(-1), _BY_SEVERITY[severity])


def places(groups: NDArray[np.int64], rounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return each run's place, from 0, among those of its group in the order of their rounds."""
    order = np.lexsort((rounds, groups))
    in_order = groups[order]
    fresh = np.flatnonzero(np.r_[True, in_order[1:] != in_order[:-1]])
    lengths = np.diff(np.r_[fresh, len(groups)])
    found = np.empty(len(groups), dtype=np.int64)
    found[order] = np.arange(len(groups)) - np.repeat(fresh, lengths)
    return found
