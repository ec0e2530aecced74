"""The figures of each backend: how many solved, how long, how many times the first."""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from unidoku.compare.record import Outcome, Record

__all__ = ["Summary", "summarise"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The figures of one backend over all cases; seconds.

    A case's time is the median over its repeats. Cases that ended at a limit count with the
    time they took until then; cases that were not served, failed, or got a wrong answer, do not
    count.

    Args:
        backend: the label.
        outcomes: cases by outcome, each by the worst of its repeats.
        median: of the cases' times.
        mean: of the cases' times.
        maximum: of the cases' times.
        total: of the cases' times.
        ratio: geometric mean, over the cases that both solved, of its time over that of the
            first backend: the one with the most cases solved and, of those, the least total.
            None if there is no such case.
    """

    backend: str
    outcomes: Mapping[Outcome, int]
    median: float
    mean: float
    maximum: float
    total: float
    ratio: float | None


_WORST_FIRST = (
    Outcome.WRONG,
    Outcome.FAILED,
    Outcome.UNKNOWN,
    Outcome.UNSUPPORTED,
    Outcome.SOLVED,
)


def summarise(records: Iterable[Record]) -> list[Summary]:
    """Return a summary a backend: most cases solved first, and of those the least total."""
    runs: defaultdict[str, defaultdict[str, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        runs[record.backend][record.case].append(record)
    times = {label: {c: _time(r) for c, r in cases.items()} for label, cases in runs.items()}
    outcomes = {label: {c: _worst(r) for c, r in cases.items()} for label, cases in runs.items()}

    def rank(label: str) -> tuple[int, float]:
        solved = sum(outcome is Outcome.SOLVED for outcome in outcomes[label].values())
        return -solved, sum(_counted(times[label], outcomes[label]))

    ranked = sorted(runs, key=rank)
    solved_times = {
        label: {c: times[label][c] for c, o in outcomes[label].items() if o is Outcome.SOLVED}
        for label in ranked
    }
    summaries = []
    for label in ranked:
        counted = _counted(times[label], outcomes[label])
        summaries.append(
            Summary(
                backend=label,
                outcomes=Counter(outcomes[label].values()),
                median=statistics.median(counted) if counted else math.nan,
                mean=statistics.fmean(counted) if counted else math.nan,
                maximum=max(counted, default=math.nan),
                total=math.fsum(counted),
                ratio=_ratio(solved_times[label], solved_times[ranked[0]]),
            )
        )
    return summaries


def _time(records: Iterable[Record]) -> float:
    return statistics.median(record.wall_ns for record in records) / 1e9


def _worst(records: Iterable[Record]) -> Outcome:
    return min((record.outcome for record in records), key=_WORST_FIRST.index)


def _counted(times: Mapping[str, float], outcomes: Mapping[str, Outcome]) -> list[float]:
    left_out = (Outcome.UNSUPPORTED, Outcome.FAILED, Outcome.WRONG)
    return [times[case] for case, outcome in outcomes.items() if outcome not in left_out]


def _ratio(times: Mapping[str, float], first: Mapping[str, float]) -> float | None:
    """Geometric mean of the paired ratios: no case weighs more because it takes longer."""
    both = times.keys() & first.keys()
    if not both:
        return None
    return math.exp(math.fsum(math.log(times[case] / first[case]) for case in both) / len(both))
