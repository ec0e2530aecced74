"""Symmetry spread: how much a backend's time depends on how a board happens to be turned.

The image of a board under a symmetry of its layout is as hard as the board. A difference between
their times is luck: it comes from which cell was first, and which value was tried first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unidoku.comparison.results import Results
from unidoku.comparison.statistics.times import image_times


@dataclass(frozen=True, slots=True, kw_only=True)
class SymmetrySpread:
    """The spread of one backend's times over the images of a board.

    Args:
        backend: label of the backend.
        low: time of the fastest image over the median of all images, geometric mean over cases.
        high: time of the slowest image over that median, likewise. Images that met a limit count
            with their time until then, so the true ratio may be higher.
        cases: number of cases with at least two images that have a time, one of them solved.
    """

    backend: str
    low: float
    high: float
    cases: int


def symmetry_spread(results: Results) -> list[SymmetrySpread]:
    """Return the spread of each backend that ran images, in the order of the results.

    The board itself counts as an image. The time of an image is the median over its rounds.
    """
    if not results.column("image").any():
        return []
    seconds, solved = image_times(results)
    usable = (~np.isnan(seconds)).sum(axis=2) >= 2
    usable &= solved.any(axis=2)
    found = []
    for row, label in enumerate(results.backends):
        logs = np.log(seconds[row, usable[row]])
        if not len(logs):
            continue
        middle = np.nanmedian(logs, axis=1)
        found.append(
            SymmetrySpread(
                backend=label,
                low=float(np.exp((np.nanmin(logs, axis=1) - middle).mean())),
                high=float(np.exp((np.nanmax(logs, axis=1) - middle).mean())),
                cases=len(logs),
            )
        )
    return found
