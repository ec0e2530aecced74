"""Two backends side by side: how many times the time of the first, and how sure that is.

The ratio is paired: each case is its own measure, and only then averaged, so that no case weighs
more because it takes longer, and the spread of the cases' difficulty falls out.

The interval is over cases: each case is one observation, the log of the ratio of its two times,
each the median of its rounds. Rounds are not drawn again inside a case, though that is often
done: the spread between the cases' ratios already has the noise of the rounds in it, so that
drawing them anew counts it twice, and a draw may take an outlier often enough to bring back what
the median over rounds is there to drop. At each end the interval is the wider of two:

- Student's t interval of the mean of the logs, which holds with outliers;
- the percentile interval of a bootstrap over cases, widened around the mean by sqrt(n/(n-1))
  and by t over z (Hesterberg 2015, "What teachers should know about the bootstrap"), which
  follows a skewed distribution of ratios.

Simulated, with one backend against itself (150 to 1000 trials each; 3 to 100 cases, 1 to 5 rounds,
noise of 2 to 5 % a round, shared drift, 2 % of runs 10 times slower), the share of trials
called different, which should be 5 %: 1 to 6 %; where the true ratios of cases spread by 30 %,
4 to 6 %; where their logs are exponential, 11 % with 5 cases, 7 % with 12, 5 % with 50.
The plain percentile interval calls 17 % with 5 cases and 8 % with 20, and bootstrap-t up to 16 %
with outliers. Drawing rounds inside cases as well calls next to none, for the price of an interval
5 to 10 times as wide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.record import Outcome
from unidoku.comparison.results import OUTCOMES
from unidoku.comparison.statistics.times import Times
from unidoku.student import student_quantile

__all__ = ["Pair", "pair", "pairs_with"]

_LEAST_CASES = 3
_CHUNK = 1 << 21
"""Drawn cases held in memory at a time."""

_TICK = 1e-9
"""Seconds that the clock ticks in: what took none took less than one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two backends on the same cases.

    Args:
        first: the label of the one that is measured by.
        second: the label of the other.
        ratio: geometric mean, over the cases that both solved, of the second's time over the
            first's: 2 is twice as slow. nan if there is no such case.
        low: lower end of the ratio's interval; 0 with fewer than 3 such cases.
        high: upper end; infinite with fewer than 3 such cases.
        both: cases that both solved.
        only_first: cases that only the first solved.
        only_second: cases that only the second solved.
        neither: cases with runs of both that neither solved.
        first_faster: cases that the first solved faster, or alone where the second was asked.
            One that came to no answer orders a pair too, though not by how much.
        second_faster: likewise.
        different: whether 1 is outside the interval.
    """

    first: str
    second: str
    ratio: float
    low: float
    high: float
    both: int
    only_first: int
    only_second: int
    neither: int
    first_faster: int
    second_faster: int
    different: bool


def pair(
    times: Times,
    first: str,
    second: str,
    *,
    seed: int = 1,
    draws: int = 1000,
    confidence: float = 0.95,
) -> Pair:
    """Compare two backends case by case.

    The same times give the same interval, in whatever order they were recorded, and that of the
    swapped pair is its inverse. A thousand cases take 10 ms, and a hundred thousand a second.

    Args:
        times: of all backends.
        first: a label.
        second: a label.
        seed: of the bootstrap.
        draws: of the bootstrap.
        confidence: of the interval, above 0 and below 1.

    Raises:
        ValueError: there is no such label.
    """
    one, other = times.backends.index(first), times.backends.index(second)
    ran = (times.outcome[one] >= 0) & (times.outcome[other] >= 0)
    solved_one, solved_other = times.solved[one] & ran, times.solved[other] & ran
    both = solved_one & solved_other
    logs = _log_ratios(times, one, other, both)
    low, high = _interval(logs, seed, draws, confidence)
    unsupported = OUTCOMES.index(Outcome.UNSUPPORTED)
    first_alone = solved_one & ~solved_other & (times.outcome[other] != unsupported)
    second_alone = solved_other & ~solved_one & (times.outcome[one] != unsupported)
    return Pair(
        first=first,
        second=second,
        ratio=math.exp(logs.mean()) if len(logs) else math.nan,
        low=low,
        high=high,
        both=len(logs),
        only_first=int((solved_one & ~solved_other).sum()),
        only_second=int((solved_other & ~solved_one).sum()),
        neither=int((ran & ~solved_one & ~solved_other).sum()),
        first_faster=int((logs > 0).sum() + first_alone.sum()),
        second_faster=int((logs < 0).sum() + second_alone.sum()),
        different=not low <= 1 <= high,
    )


def pairs_with(
    times: Times, first: str, *, seed: int = 1, draws: int = 1000, confidence: float = 0.95
) -> dict[str, Pair]:
    """Return the pair of one backend with each other one, by the other's label."""
    return {
        label: pair(times, first, label, seed=seed, draws=draws, confidence=confidence)
        for label in times.backends
        if label != first
    }


def _log_ratios(times: Times, one: int, other: int, both: NDArray[np.bool_]) -> NDArray[np.float64]:
    # In the order of the cases' ids, so that the draws do not depend on that of the runs.
    columns = sorted(np.flatnonzero(both).tolist(), key=lambda column: times.cases[column].id)
    logs = np.log(np.maximum(times.seconds[[one, other]][:, columns], _TICK))
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


def _means(logs: NDArray[np.float64], seed: int, draws: int) -> NDArray[np.float64]:
    """Return the mean of as many cases as there are, drawn with replacement, of each draw."""
    random = np.random.default_rng(seed)
    at_a_time = max(1, _CHUNK // len(logs))
    means = []
    for start in range(0, draws, at_a_time):
        shape = min(at_a_time, draws - start), len(logs)
        drawn = random.integers(len(logs), size=shape, dtype=np.int32)
        means.append(logs[drawn].mean(axis=1))
    return np.concatenate(means)
