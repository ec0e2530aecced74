"""Pairs of backends: the ratio of their times, and its confidence interval.

The ratio is paired: it is computed case by case and then averaged. Therefore no case has more
weight because it takes longer, and differences in difficulty between cases do not matter.

The interval is over cases. Each case is one observation: the log of the ratio of its two times,
each of which is the median of its rounds. Rounds are not resampled inside a case, though that is
often done: the spread between the ratios of cases already contains the noise of the rounds, so
resampling would count it twice, and a sample may repeat an outlier that the median over rounds had
removed. Each end of the interval is the wider of two:

- Student's t interval of the mean of the logs, which holds with outliers;
- the percentile interval of a bootstrap over cases, widened around the mean by sqrt(n/(n-1))
  and by t over z (Hesterberg 2015, "What teachers should know about the bootstrap"), which
  follows a skewed distribution of ratios.

In simulations with noise, drift and outliers, this interval calls a backend different from itself
in 1 to 6 % of the trials (it should be 5 %), the plain percentile interval in 8 to 17 %, and
bootstrap-t in up to 16 %.

Each interval is for one pair. Where a backend is compared with m others, one of the m intervals is
wrong more often than each. The joint interval of a pair has Bonferroni's confidence 1 - 0.05/m, so
that all m are right together in 95 % of the comparisons: in logarithms, the distance of each end
from the mean grows by the ratio of Student's quantiles.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.statistics.times import Times
from unidoku.support.t_distribution import student_quantile

LEAST_PERCENT = 2.0
"""Smaller differences are not reported: another build of Python causes as much."""

_LEAST_CASES = 3
_CHUNK = 1 << 21
"""The most resampled cases in memory at a time."""

_FAR = 700.0
"""Logarithm of the largest end of a joint interval: few cases and many comparisons overflow."""

_TICK = 1e-9
"""Seconds of one tick of the clock; a time of 0 counts as one tick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTimes:
    """Two backends on the same cases.

    Args:
        first: label of the backend that the other is compared with.
        second: label of the other.
        ratio: geometric mean, over the cases that both solved, of the second's time over the
            first's: at 2 the second is twice as slow. nan if there is no such case.
        low: lower end of the ratio's interval; 0 with fewer than 3 such cases.
        high: upper end of the interval; infinite with fewer than 3 such cases.
        both: number of cases that both solved.
        only_first: number of cases that both ran and only the first solved.
        only_second: the same for the second.
        different: whether 1 is outside the interval.
        joint_low: lower end of the joint interval; ``low`` if there is one comparison only.
        joint_high: upper end of the joint interval, likewise.
        across: whether a case's two times are from different machines, or from different shares of
            them, so that the ratio is also one of machines.
    """

    first: str
    second: str
    ratio: float
    low: float
    high: float
    both: int
    only_first: int
    only_second: int
    different: bool
    joint_low: float
    joint_high: float
    across: bool

    @property
    def jointly_different(self) -> bool:
        """Whether 1 is outside the joint interval."""
        return not self.joint_low <= 1 <= self.joint_high


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseFloor:
    """The smallest difference that a run can resolve, shown by one configuration against itself.

    Every difference between the configuration and its twin is noise.

    Args:
        label: label of the configuration.
        self_test_twin: label under which it was entered a second time.
        ratio: the twin's times over its own, with an interval from ``low`` to ``high``; the true
            value is 1.
        percent: the larger distance of an end from 1, in percent; infinite with fewer than 3
            cases solved.
    """

    label: str
    self_test_twin: str
    ratio: float
    low: float
    high: float
    percent: float


def pair(
    times: Times,
    first: str,
    second: str,
    *,
    seed: int = 1,
    draws: int = 1000,
    confidence: float = 0.95,
    comparisons: int = 1,
) -> PairedTimes:
    """Compare two backends case by case; seed and draws are those of the bootstrap.

    The joint interval is for this number of comparisons with the first.

    The same times give the same interval, in whatever order they were recorded. Swapping the
    backends inverts it. A thousand cases take 10 ms, a hundred thousand take a second.
    """
    first_index, second_index = times.backends.index(first), times.backends.index(second)
    ran = (times.outcome[first_index] >= 0) & (times.outcome[second_index] >= 0)
    solved_one, solved_other = times.solved[first_index] & ran, times.solved[second_index] & ran
    both = solved_one & solved_other
    logs = _log_ratios(times, first_index, second_index, both)
    low, high = _interval(logs, seed, draws, confidence)
    joint_low, joint_high = _joint(logs, low, high, confidence, comparisons)
    return PairedTimes(
        first=first,
        second=second,
        ratio=math.exp(logs.mean()) if len(logs) else math.nan,
        low=low,
        high=high,
        both=len(logs),
        only_first=int((solved_one & ~solved_other).sum()),
        only_second=int((solved_other & ~solved_one).sum()),
        different=not low <= 1 <= high,
        joint_low=joint_low,
        joint_high=joint_high,
        across=bool((times.machines[first_index] != times.machines[second_index])[both].any()),
    )


def pairs_with(times: Times, first: str) -> dict[str, PairedTimes]:
    """Compare one backend with each of the others; the keys are the others' labels.

    The joint intervals are for all of them except for the twin, which does not compete.
    """
    others = [label for label in times.backends if label != first]
    comparisons = max(1, sum(label != times.self_test_twin for label in others))
    return {label: pair(times, first, label, comparisons=comparisons) for label in others}


def noise_floor(times: Times, plan: Mapping[str, Any]) -> NoiseFloor | None:
    """Return the noise floor of a run; None if its plan has no twin, or the twin has no runs."""
    label, self_test_twin = plan.get("twin") or (None, None)
    if label not in times.backends or self_test_twin not in times.backends:
        return None
    paired = pair(times, label, self_test_twin)
    return NoiseFloor(
        label=label,
        self_test_twin=self_test_twin,
        ratio=paired.ratio,
        low=paired.low,
        high=paired.high,
        percent=100 * max(abs(paired.low - 1), abs(paired.high - 1)),
    )


def resolves(paired: PairedTimes, within: NoiseFloor | None) -> bool:
    """Return whether two backends differ by more than chance, the run's resolution, and 2 %."""
    percent = max(LEAST_PERCENT, within.percent if within else 0.0)
    return paired.different and 100 * (max(paired.ratio, 1 / paired.ratio) - 1) >= percent


def resolves_jointly(paired: PairedTimes, within: NoiseFloor | None) -> bool:
    """Return whether two backends differ by more than that if all comparisons count together."""
    return paired.jointly_different and resolves(paired, within)


def _log_ratios(
    times: Times, first: int, second: int, both: NDArray[np.bool_]
) -> NDArray[np.float64]:
    # Sorted by the ids of cases, so that the samples do not depend on the order of the runs.
    columns = sorted(np.flatnonzero(both).tolist(), key=lambda column: times.cases[column].id)
    logs = np.log(np.maximum(times.seconds[[first, second]][:, columns], _TICK))
    ratios: NDArray[np.float64] = logs[1] - logs[0]
    return ratios


def _interval(
    logs: NDArray[np.float64], seed: int, draws: int, confidence: float
) -> tuple[float, float]:
    cases = len(logs)
    if cases < _LEAST_CASES:
        return 0.0, math.inf
    mean = logs.mean()
    student = student_quantile(confidence, cases - 1)
    margin = student * logs.std(ddof=1) / math.sqrt(cases)
    widened = student / NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(cases / (cases - 1))
    tails = ((1 - confidence) / 2, (1 + confidence) / 2)
    low, high = np.quantile(_means(logs, seed, draws) - mean, tails) * widened
    return math.exp(mean + min(low, -margin)), math.exp(mean + max(high, margin))


def _joint(
    logs: NDArray[np.float64], low: float, high: float, confidence: float, comparisons: int
) -> tuple[float, float]:
    """Return the interval widened for several comparisons."""
    if comparisons == 1 or len(logs) < _LEAST_CASES:
        return low, high
    mean, freedom = float(logs.mean()), len(logs) - 1
    together = student_quantile(1 - (1 - confidence) / comparisons, freedom)
    wider = together / student_quantile(confidence, freedom)
    moved = [mean + (math.log(end) - mean) * wider for end in (low, high)]
    return math.exp(max(moved[0], -_FAR)), math.exp(min(moved[1], _FAR))


def _means(logs: NDArray[np.float64], seed: int, draws: int) -> NDArray[np.float64]:
    """Return the means of samples, each drawn with replacement and as large as the set of cases."""
    random = np.random.default_rng(seed)
    at_a_time = max(1, _CHUNK // len(logs))
    means = []
    for start in range(0, draws, at_a_time):
        shape = min(at_a_time, draws - start), len(logs)
        drawn = random.integers(len(logs), size=shape, dtype=np.int32)
        means.append(logs[drawn].mean(axis=1))
    return np.concatenate(means)
