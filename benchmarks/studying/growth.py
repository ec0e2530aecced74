"""Growth of times with the size of a board, and sizes at which another backend becomes faster.

Both are straight lines through logarithms of times over the size. Growth is fitted to the sizes
for which a backend solved every board, so that no time is cut off by the limit. A cross-over is
the zero of the line through the log ratios of two backends; a board that one of them did not
solve counts as twice the limit there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studying.figures import TICK, Estimate, penalised, samples
from studying.read import settings_of
from unidoku.comparison.statistics.times import Times
from unidoku.support.t_distribution import student_quantile

_LEAST_SIZES = 3
_TRANSITION = "42%"
_EMPTY = "% empty"
_SURE = 0.975
_CONFIDENCE = 0.95

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Axis:
    """A property that changes from board to board of a family.

    Args:
        name: for readers, such as ``size`` or ``% empty``.
        unit: the change for which a rate is stated.
        values: its value for each board; nan for a board that is left out.
    """

    name: str
    unit: float
    values: Array

    @property
    def levels(self) -> list[float]:
        """The different values, ascending."""
        return [float(value) for value in np.unique(self.values[~np.isnan(self.values)])]


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """The growth of one backend's times.

    Args:
        backend: its label.
        rate: factor by which the time grows with one unit of the axis.
        low: smallest value of the axis that it is fitted to.
        high: the largest.
        boards: number of boards that it is fitted to.
        line: the natural logarithm of the seconds at 0, and its increase for 1.
    """

    backend: str
    rate: Estimate
    low: float
    high: float
    boards: int
    line: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossOver:
    """A value of the axis at which one backend overtakes another.

    Args:
        below: the faster backend below this value.
        above: the faster backend above it.
        at: the value of the axis.
        boards: number of boards that it is computed from.
    """

    below: str
    above: str
    at: Estimate
    boards: int


def axis_of(times: Times) -> Axis | None:
    """Return the axis in which the boards of a family differ; None if it has no or few numbers.

    If both size and emptiness change, it is the size, for boards of one emptiness.
    """
    settings = settings_of(times)
    sizes = {setting.size for setting in settings}
    shares = {setting.level for setting in settings if setting.level.endswith("%")}
    if len(sizes) >= _LEAST_SIZES:
        share = _TRANSITION if _TRANSITION in shares else None
        used = [share is None or setting.level == share for setting in settings]
        values = [s.size if ok else math.nan for s, ok in zip(settings, used, strict=True)]
        name = f"size, {share} empty" if share else "size"
        return Axis(name, 5.0 if max(sizes) > 12 else 1.0, np.array(values, float))
    if len(shares) >= _LEAST_SIZES:
        return Axis(_EMPTY, 10.0, np.array([100 * setting.share for setting in settings]))
    return None


def growth(times: Times, axis: Axis) -> list[Growth]:
    """Return the growth of each backend that solved all boards of three sizes or more."""
    growths = []
    for row, label in enumerate(times.backends):
        used = _uncut(times, axis, row)
        sizes = np.unique(axis.values[used])
        if len(sizes) < _LEAST_SIZES or used.sum() <= _LEAST_SIZES:
            continue
        x, y = axis.values[used], np.log(np.maximum(times.seconds[row, used], TICK))
        start, slope = _line(x, y)
        margin = _margin(x, y, start, slope)
        rates = (slope, slope - margin, slope + margin)
        growths.append(
            Growth(
                backend=label,
                rate=Estimate(*(math.exp(axis.unit * rate) for rate in rates)),
                low=float(sizes[0]),
                high=float(sizes[-1]),
                boards=int(used.sum()),
                line=(start, slope),
            )
        )
    return sorted(growths, key=lambda row: (row.rate.value, row.backend))


def cross_overs(times: Times, axis: Axis, labels: Sequence[str]) -> list[CrossOver]:
    """Return the certain cross-overs between some backends, within the sizes measured.

    A cross-over is certain if its slope has the same sign in 97.5 % of the bootstrap samples, and
    its interval does not reach far beyond the sizes.
    """
    seconds = np.log(np.maximum(penalised(times), TICK))
    rows = {label: times.backends.index(label) for label in labels}
    crossings = []
    for index, first in enumerate(labels):
        for second in labels[index + 1 :]:
            first_row, second_row = rows[first], rows[second]
            decided = times.solved[first_row] | times.solved[second_row]
            ran = ~np.isnan(seconds[first_row] + seconds[second_row])
            used = decided & ran & ~np.isnan(axis.values)
            ratio = seconds[second_row, used] - seconds[first_row, used]
            if (at := _crossing(axis.values[used], ratio)) is not None:
                rises = _line(axis.values[used], ratio)[1] > 0
                below, above = (second, first) if rises else (first, second)
                crossings.append(CrossOver(below=below, above=above, at=at, boards=int(used.sum())))
    return crossings


def _uncut(times: Times, axis: Axis, row: int) -> NDArray[np.bool_]:
    """Return the boards of the sizes for which the backend solved every board."""
    cut = axis.values[~times.solved[row] & ~np.isnan(axis.values)]
    return ~np.isnan(axis.values) & ~np.isin(axis.values, cut)


def _line(x: Array, y: Array) -> tuple[float, float]:
    """Return the start and the slope of the line of least squares; nan without two sizes."""
    starts, slopes = _lines(x, y, np.arange(len(x))[None])
    return float(starts[0]), float(slopes[0])


def _margin(x: Array, y: Array, start: float, slope: float) -> float:
    """Return the half width of the slope's interval by Student's t."""
    freedom = len(x) - 2
    rest = float(((y - start - slope * x) ** 2).sum()) / freedom
    return student_quantile(_CONFIDENCE, freedom) * math.sqrt(
        rest / float(((x - x.mean()) ** 2).sum())
    )


def _crossing(x: Array, y: Array) -> Estimate | None:
    """Return the zero of the line through these points; None if it is not certain."""
    if len(np.unique(x)) < _LEAST_SIZES:
        return None
    start, slope = _line(x, y)
    low, high = float(x.min()), float(x.max())
    if not slope or not low < -start / slope < high:
        return None
    starts, slopes = _lines(x, y, samples(len(x)))
    same = np.sign(slopes) == np.sign(slope)
    if same.mean() < _SURE:
        return None
    ends = np.quantile(-starts[same] / slopes[same], (0.025, 0.975))
    if ends[0] < 0 or ends[1] > 2 * high:
        return None
    return Estimate(-start / slope, float(ends[0]), float(ends[1]))


def _lines(x: Array, y: Array, drawn: NDArray[np.int64]) -> tuple[Array, Array]:
    """Return the starts and slopes of the lines of samples; nan if all have one size."""
    xs, ys = x[drawn], y[drawn]
    off = xs - xs.mean(axis=1, keepdims=True)
    spread = (off**2).sum(axis=1)
    rise = (off * (ys - ys.mean(axis=1, keepdims=True))).sum(axis=1)
    slopes = np.divide(rise, spread, out=np.full(len(drawn), np.nan), where=spread > 0)
    return ys.mean(axis=1) - slopes * xs.mean(axis=1), slopes
