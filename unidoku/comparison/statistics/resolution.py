"""Resolution: the least difference that a run can tell from none, shown by its own twin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from unidoku.comparison.statistics.pairs import PairedTimes, pair
from unidoku.comparison.statistics.times import Times

__all__ = ["LEAST_PERCENT", "Resolution", "resolution", "resolves"]

LEAST_PERCENT = 2.0
"""Differences below it are not worth a word: another build of Python makes as much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """One configuration against itself: what differs between them is noise.

    Args:
        label: of the configuration.
        twin: the label under which it was entered a second time.
        ratio: of the twin's times over its own; the truth is 1.
        low: lower end of the ratio's interval.
        high: upper end.
        percent: the larger distance of an end from 1, in percent: the run cannot resolve less.
            Infinite with fewer than 3 cases solved.
    """

    label: str
    twin: str
    ratio: float
    low: float
    high: float
    percent: float


def resolution(times: Times, plan: Mapping[str, Any]) -> Resolution | None:
    """Return what a run can resolve, or None if its plan has no twin or there are no runs of it.

    Args:
        times: of all backends.
        plan: ``twin`` is the label of a backend and that of its twin.
    """
    label, twin = plan.get("twin") or (None, None)
    if label not in times.backends or twin not in times.backends:
        return None
    found = pair(times, label, twin)
    return Resolution(
        label=label,
        twin=twin,
        ratio=found.ratio,
        low=found.low,
        high=found.high,
        percent=100 * max(abs(found.low - 1), abs(found.high - 1)),
    )


def resolves(found: PairedTimes, within: Resolution | None) -> bool:
    """Say whether a pair differs by more than chance, the run's resolution, and 2 %.

    Args:
        found: the pair.
        within: of the run; None if it is not known.
    """
    percent = max(LEAST_PERCENT, within.percent if within else 0.0)
    if not found.different:
        return False
    return 100 * (max(found.ratio, 1 / found.ratio) - 1) >= percent
