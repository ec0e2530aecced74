"""Quantiles of Student's t distribution, without a statistics library."""

from __future__ import annotations

import math
from statistics import NormalDist

_SERIES = 60
"""Degrees of freedom from which the expansion is exact to nine digits in the usual range."""


def student_quantile(confidence: float, freedom: int) -> float:
    """Return the t such that the distribution lies between -t and t with this probability.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 to 26.7.5.

    >>> round(student_quantile(0.95, 4), 4)  # 4 degrees of freedom
    2.7764
    """
    if freedom >= _SERIES:
        return _expanded(NormalDist().inv_cdf((1 + confidence) / 2), freedom)
    low, high = 0.0, math.pi / 2
    while high - low > 1e-15:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if _within(middle, freedom) < confidence:
            low = middle
        else:
            high = middle
    return math.tan((low + high) / 2) * math.sqrt(freedom)


def _within(angle: float, freedom: int) -> float:
    """Return the probability that |T| is below t = tan(angle) sqrt(freedom)."""
    square = math.cos(angle) ** 2
    odd = freedom % 2
    term, series = 1.0, 0.0
    for k in range(1 + odd, freedom, 2):
        series += term
        term *= square * k / (k + 1)
    if odd:
        return (angle + math.sin(angle) * math.cos(angle) * series) * 2 / math.pi
    return math.sin(angle) * series


def _expanded(z: float, freedom: int) -> float:
    """Return the Cornish-Fisher expansion of the quantile around the normal quantile."""
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
