"""Curves: how many cases are solved within a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.statistics.times import Times

__all__ = ["cdf"]


def cdf(times: Times, backend: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the empirical distribution of a backend's times, as the corners of its steps.

    Args:
        times: of all backends.
        backend: a label.

    Returns:
        The seconds of the solved cases, ascending, and at each the fraction solved within it,
        of all cases that the backend has a run of: it ends at the fraction solved.

    Raises:
        ValueError: there is no such label.
    """
    row = times.backends.index(backend)
    seconds = np.sort(times.seconds[row, times.solved[row]])
    cases = int((times.outcome[row] >= 0).sum())
    return seconds, np.arange(1, len(seconds) + 1) / max(cases, 1)
