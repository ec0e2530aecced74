"""Summaries: the figures of each backend, how much it contributes, and where its time goes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.record import Measure, Outcome
from unidoku.comparison.results import MEASURES, OUTCOMES
from unidoku.comparison.statistics.times import SEVERITY, Times, median

SHIFT = 1e-3
"""Seconds added to each time before the geometric mean, and subtracted from the mean.

Without it, microseconds on trivial boards would move the mean as much as hours on hard ones.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The figures of one backend over all cases; times in seconds, nan if there are none.

    The time of a case is that of `Times`; the median, mean, maximum, total and shifted mean are
    over the cases that have one. All cases count in PAR2, as in the SAT competitions: a case that
    is not solved costs twice the time limit, whatever the reason.

    Args:
        backend: label of the backend.
        cases: number of cases with a run, N; the sum of ``outcomes``.
        outcomes: number of cases by outcome, the worst of each case's rounds.
        solved: number of cases with all rounds solved.
        median: median time of a case.
        mean: mean time of a case.
        maximum: time of the slowest case.
        total: sum of the times.
        par2: mean over all N cases of the time, or of twice the time limit; nan without a time
            limit.
        shifted_mean: exp(mean(log(time + `SHIFT`))) - `SHIFT`.
        unique: number of cases that no other backend solved.
        contribution: how many percent the PAR2 of the virtual best would rise without this
            backend; nan without a time limit, and for the virtual best and the twin.
    """

    backend: str
    cases: int
    outcomes: Mapping[Outcome, int]
    solved: int
    median: float
    mean: float
    maximum: float
    total: float
    par2: float
    shifted_mean: float
    unique: int
    contribution: float

    @property
    def is_refuted(self) -> bool:
        """Whether any of the backend's answers is wrong, or refuted by the verdict."""
        return bool(_REFUTED & self.outcomes.keys())


_REFUTED = {Outcome.WRONG, Outcome.REFUTED}


def base_of(summaries: Iterable[Summary]) -> str | None:
    """Return the backend that others are compared with: the first without a refuted answer."""
    return next((summary.backend for summary in summaries if not summary.is_refuted), None)


def summarise(times: Times) -> list[Summary]:
    """Return a summary for each backend: most cases solved first, ties by the smallest PAR2.

    Backends with a wrong or refuted answer come after all others.
    The twin is listed right below its original, because it does not compete for a place.
    """
    summaries = [_of_backend(times, row) for row in range(len(times.backends))]
    # Between backends that solved equally many cases, the smallest PAR2 is the smallest time on
    # the solved cases, and that needs no time limit.

    def rank(row: int) -> tuple[bool, int, float, str]:
        spent = math.fsum(times.seconds[row, times.solved[row]])
        summary = summaries[row]
        return summary.is_refuted, -summary.solved, spent, times.backends[row]

    ranked = [summaries[row] for row in sorted(times.competitors.tolist(), key=rank)]
    for summary in summaries:
        if summary.backend == times.self_test_twin:
            labels = [other.backend for other in ranked]
            below = labels.index(times.twin_of) + 1 if times.twin_of in labels else len(labels)
            ranked.insert(below, summary)
    return ranked


def virtual_best(times: Times) -> Summary:
    """Return the summary of a backend that is as good on each case as the best backend there.

    The best one has the least severe outcome, and is the fastest of those that have it.
    """
    rows = times.competitors
    outcome, seconds = times.outcome[rows], times.seconds[rows]
    severity = np.where(outcome < 0, SEVERITY.max() + 1, SEVERITY[outcome])
    if not len(rows):
        severity = np.full((1, len(times.cases)), SEVERITY.max() + 1)
        outcome, seconds = np.full_like(severity, -1), np.full(severity.shape, np.nan)
    least = severity == severity.min(axis=0)
    best = np.take_along_axis(outcome, least.argmax(axis=0)[None], axis=0)[0]
    fastest = np.where(least & ~np.isnan(seconds), seconds, np.inf).min(axis=0)
    return _summary(
        "virtual best",
        np.where(np.isfinite(fastest), fastest, np.nan),
        best,
        times.time_limit,
        unique=0,
        contribution=math.nan,
    )


def _of_backend(times: Times, row: int) -> Summary:
    competes = times.backends[row] != times.self_test_twin
    others = times.competitors[times.competitors != row]
    alone = times.solved[row] & ~times.solved[others].any(axis=0)
    return _summary(
        times.backends[row],
        times.seconds[row],
        times.outcome[row],
        times.time_limit,
        unique=int(alone.sum()) if competes else 0,
        contribution=_contribution(times, others) if competes else math.nan,
    )


def _contribution(times: Times, others: NDArray[np.int64]) -> float:
    if times.time_limit is None:
        return math.nan
    ran = (times.outcome[times.competitors] >= 0).any(axis=0)
    penalty = 2 * times.time_limit
    together = _best(times, times.competitors, penalty)[ran].sum()
    without = _best(times, others, penalty)[ran].sum()
    return 100 * float(without / together - 1) if together > 0 else math.nan


def _best(times: Times, rows: NDArray[np.int64], penalty: float) -> NDArray[np.float64]:
    """Return the least time for each case among these backends, a penalty if none solved it."""
    solved = np.where(times.solved[rows], times.seconds[rows], np.inf)
    best = solved.min(axis=0, initial=np.inf)
    return np.where(np.isfinite(best), best, penalty)


def _summary(
    backend: str,
    seconds: NDArray[np.float64],
    outcome: NDArray[np.int8],
    time_limit: float | None,
    *,
    unique: int,
    contribution: float,
) -> Summary:
    codes = outcome[outcome >= 0]
    counts = np.bincount(codes, minlength=len(OUTCOMES))
    solved = outcome == OUTCOMES.index(Outcome.SOLVED)
    counted = seconds[~np.isnan(seconds)]
    has_times = len(counted) > 0
    penalty = math.nan if time_limit is None else 2 * time_limit
    spent = float(seconds[solved].sum()) + penalty * (len(codes) - int(solved.sum()))
    logs = np.log1p(counted / SHIFT)
    return Summary(
        backend=backend,
        cases=len(codes),
        outcomes={o: int(n) for o, n in zip(OUTCOMES, counts, strict=True) if n},
        solved=int(solved.sum()),
        median=float(np.median(counted)) if has_times else math.nan,
        mean=float(counted.mean()) if has_times else math.nan,
        maximum=float(counted.max()) if has_times else math.nan,
        total=math.fsum(counted),
        par2=spent / len(codes) if len(codes) else math.nan,
        shifted_mean=math.expm1(logs.mean()) * SHIFT if has_times else math.nan,
        unique=unique,
        contribution=contribution,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Phases:
    """Medians over the cases that a backend solved, in seconds; nan if it solved none.

    Each is a separate median, so they need not add up to the median of the whole.

    Args:
        backend: label of the backend.
        load: time to import and create the backend, over all cases where a run had to. It includes
            imports that several labels of one backend share, but not imports that another backend
            made earlier.
        first: time of what came before, such as a worker's first search of a layout, over the cases
            where a run had it. It includes tables and code that later searches find ready.
        init: time before the search: building the model.
        solve: time in the search.
        decode: the rest: conversion in the adapter, before and after.
    """

    backend: str
    load: float
    first: float
    init: float
    solve: float
    decode: float


def phases(times: Times) -> list[Phases]:
    """Return the phases of each backend, in the order of the times."""

    def of_solved(values: NDArray[np.float64], row: int) -> float:
        return median(values[row, times.solved[row]])

    return [
        Phases(
            backend=label,
            load=median(times.load[row]),
            first=of_solved(times.first, row),
            init=of_solved(times.init, row),
            solve=of_solved(times.solve, row),
            decode=of_solved(times.decode, row),
        )
        for row, label in enumerate(times.backends)
    ]


def ranking(times: Times, boards: int) -> list[tuple[str, float]]:
    """Return the end-to-end seconds for each of that many boards solved in one go, fastest first.

    A board costs the mean over the cases that all these backends solved, so that no backend gains
    by leaving out hard ones, plus its share of the one-off cost, which is the median of
    `Times.one_off`. Cases whose times include what their layout costs are left out, and so are
    backends that solved nothing, and the twin. If no case is left, every figure is nan.
    """
    rows = [row for row in times.competitors.tolist() if times.solved[row].any()]
    is_beside = times.measure != MEASURES.index(Measure.FIRST)
    usable = (times.solved & is_beside)[rows].all(axis=0)
    shared = usable if rows else np.zeros(len(times.cases), dtype=bool)
    shares = []
    for row in rows:
        solved = times.solved[row]
        one_off = median(times.one_off[row, solved])
        warm = float(times.seconds[row, shared].mean()) if shared.any() else math.nan
        share = 0.0 if math.isnan(one_off) else max(one_off, 0.0) / boards
        shares.append((times.backends[row], warm + share))
    return sorted(shares, key=lambda entry: (entry[1], entry[0]))
