"""Run-time distributions: the times of one board over its symmetric images.

All images of a board are equally hard. If a backend's times on them differ by orders of magnitude,
it depends on its first choices, and the distribution has a heavy tail: on logarithmic axes, the
share of images that take longer than a time falls along a straight line (Gomes, Selman, Crato and
Kautz 2000, "Heavy-tailed phenomena in satisfiability and constraint satisfaction problems").

The image of a board under a symmetry of its layout is as hard as the board. A difference between
their times is luck: it comes from which cell was first, and which value was tried first. The
symmetry spread says how large it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.cases import Case
from unidoku.comparison.results import Results
from unidoku.comparison.statistics.times import image_times

LEAST_IMAGES = 3
"""The fewest images of a board, itself included, that show a distribution."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Distribution:
    """The times of one backend on the images of a board, the board itself among them.

    The time of an image is the median over its rounds, as it is that of a case.

    Args:
        backend: label of the backend.
        case: the board.
        images: number of images with a time, solved or stopped at a limit.
        seconds: times of the solved images in ascending order.
    """

    backend: str
    case: Case
    images: int
    seconds: NDArray[np.float64]

    def quantile(self, share: float) -> float:
        """Return the least time within which this share of the images is solved.

        It is infinite if fewer are solved, and nan without images.
        """
        if not self.images:
            return math.nan
        index = max(math.ceil(share * self.images - 1e-9), 1) - 1
        return float(self.seconds[index]) if index < len(self.seconds) else math.inf

    @property
    def spread(self) -> float:
        """The slowest image over the fastest; infinite if one is not solved, nan without times."""
        low, high = self.quantile(0), self.quantile(1)
        return math.inf if math.isinf(high) else high / low

    @property
    def survival(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The times of the solved images, and the share of images that take at least as long."""
        return self.seconds, 1 - np.arange(len(self.seconds)) / max(self.images, 1)


def distributions(results: Results) -> list[Distribution]:
    """Return the distributions of boards with `LEAST_IMAGES` images or more, case by case."""
    if not results.column("image").any():
        return []
    seconds, solved = image_times(results)
    images = (~np.isnan(seconds)).sum(axis=2)
    return [
        Distribution(
            backend=results.backends[row],
            case=results.cases[column],
            images=int(images[row, column]),
            seconds=np.sort(seconds[row, column][solved[row, column]]),
        )
        for column, row in np.argwhere(images.T >= LEAST_IMAGES).tolist()
    ]


def pooled(spreads: list[Distribution], backend: str) -> tuple[NDArray[np.float64], int]:
    """Return a backend's times over all boards, each over the median of its board's images.

    Boards of which less than half of the images are solved have no such median, and are left out.

    Returns:
        The ratios in ascending order, and the number of images, those not solved included.
    """
    mine = [distribution for distribution in spreads if distribution.backend == backend]
    mine = [distribution for distribution in mine if math.isfinite(distribution.quantile(0.5))]
    ratios = [distribution.seconds / distribution.quantile(0.5) for distribution in mine]
    return np.sort(np.concatenate([*ratios, []])), sum(distribution.images for distribution in mine)


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
    spreads = []
    for row, label in enumerate(results.backends):
        logs = np.log(seconds[row, usable[row]])
        if not len(logs):
            continue
        middle = np.nanmedian(logs, axis=1)
        spreads.append(
            SymmetrySpread(
                backend=label,
                low=float(np.exp((np.nanmin(logs, axis=1) - middle).mean())),
                high=float(np.exp((np.nanmax(logs, axis=1) - middle).mean())),
                cases=len(logs),
            )
        )
    return spreads
