"""Times: one figure for each backend and case, from all its rounds.

Figures of a case besides its times are here too: what backends count, and whether there is a
solution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.cases import Case
from unidoku.comparison.record import Measure, Outcome
from unidoku.comparison.results import MEASURES, OUTCOMES, Results

_ENDED = (Outcome.SOLVED, Outcome.LATE, Outcome.UNKNOWN, Outcome.TIMEOUT, Outcome.MEMORY)
_FAILED = (
    Outcome.UNSUPPORTED,
    Outcome.CRASHED,
    Outcome.FAILED,
    Outcome.REFUTED,
    Outcome.WRONG,
)

SEVERITY = np.array([(_ENDED + _FAILED).index(outcome) for outcome in OUTCOMES], dtype=np.int8)
"""The severity of each outcome, by its code: 0 for solved, most for wrong."""

COUNTED = np.array([outcome in _ENDED for outcome in OUTCOMES])
"""Whether the time of a run counts, by the code of its outcome.

It counts if the run solved its case or met a limit. The time of a run that failed, crashed, was
wrong or was not supported says nothing of solving.
"""

_BY_SEVERITY = np.argsort(SEVERITY).astype(np.int8)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Times:
    """The time and outcome of each backend on each case, in seconds.

    The time of a case is the median over its rounds, its outcome is the worst of them; `COUNTED`
    lists the outcomes that have a time.

    Args:
        backends: labels, one for each row of the arrays, including that of the twin.
        cases: the cases, one for each column.
        time_limit: seconds for each run; None if there was no limit.
        self_test_twin: label of the twin: the configuration of another row, entered a second time
            to show what the run can resolve. None if there is no twin. The twin does not compete.
        twin_of: label of that other row.
        seconds: time from the call to the answer; nan if there is none.
        outcome: code in `unidoku.comparison.results.OUTCOMES`, -1 where there is no run.
        solved: whether all rounds are solved.
        init: time before the search; nan where ``seconds`` is nan.
        solve: time in the search.
        decode: the rest: conversion in the adapter, before and after.
        load: time to import and make the backend, if a round had to; else nan.
        first: time of what came before, such as the worker's first search of the layout, if a round
            had it; else nan.
        one_off: what the first search of the layout took beyond a later one, if a round had it;
            else nan, as where it is part of the time.
        measure: code in `unidoku.comparison.results.MEASURES`, -1 where it is not known.
        machines: code of the machines that measured the rounds, and of their shares; see `mixes`.
    """

    backends: tuple[str, ...]
    cases: tuple[Case, ...]
    time_limit: float | None
    self_test_twin: str | None
    twin_of: str | None
    seconds: NDArray[np.float64]
    outcome: NDArray[np.int8]
    solved: NDArray[np.bool_]
    init: NDArray[np.float64]
    solve: NDArray[np.float64]
    decode: NDArray[np.float64]
    load: NDArray[np.float64]
    first: NDArray[np.float64]
    one_off: NDArray[np.float64]
    measure: NDArray[np.int8]
    machines: NDArray[np.int32]

    @property
    def competitors(self) -> NDArray[np.int64]:
        """The rows of all backends except for the twin."""
        rows = [row for row, label in enumerate(self.backends) if label != self.self_test_twin]
        return np.array(rows, dtype=np.int64)


def times_of(results: Results) -> Times:
    """Return the times of the cases themselves, without the runs of their symmetric images.

    A million runs take a second.
    """
    ordinary = results.column("image") == 0

    def column(name: str) -> NDArray[np.int64]:
        values: NDArray[np.int64] = results.column(name)[ordinary].astype(np.int64)
        return values

    shape = len(results.backends), len(results.cases)
    size = shape[0] * shape[1]
    groups = column("backend") * shape[1] + column("case")
    outcome = worst(groups, column("outcome"), size)
    counted = (outcome >= 0) & COUNTED[outcome]
    counts = counted[groups]

    def of_cases(name: str, is_counted: NDArray[np.bool_] = counts) -> NDArray[np.float64]:
        values = column(name)[is_counted] / 1e9
        return medians(groups[is_counted], values, size).reshape(shape)

    seconds = of_cases("wall_ns")
    has_first = counts & (column("first_ns") >= 0)
    measure = column("measure")
    # The first search was of the board that came before, or by older versions of this one.
    other = np.where(column("warm_up") >= 0, column("warm_up"), column("case"))
    beyond = column("first_ns") / 1e9 - seconds[column("backend"), other]
    is_beside = has_first & (measure != MEASURES.index(Measure.FIRST)) & ~np.isnan(beyond)
    codes = np.full(size, -1, dtype=np.int8)
    codes[groups] = measure
    twin_of, self_test_twin = results.plan.get("twin") or (None, None)
    return Times(
        backends=tuple(results.backends),
        cases=tuple(results.cases),
        time_limit=results.time_limit,
        self_test_twin=self_test_twin,
        twin_of=twin_of,
        seconds=seconds,
        outcome=outcome.reshape(shape),
        solved=(outcome == OUTCOMES.index(Outcome.SOLVED)).reshape(shape),
        init=of_cases("init_ns"),
        solve=of_cases("solve_ns"),
        decode=of_cases("decode_ns"),
        load=of_cases("load_ns", counts & (column("load_ns") >= 0)),
        first=of_cases("first_ns", has_first),
        one_off=medians(groups[is_beside], beyond[is_beside], size).reshape(shape),
        measure=codes.reshape(shape),
        machines=mixes(groups, column("machine"), size).reshape(shape),
    )


def selected(times: Times, rows: Sequence[int], columns: Sequence[int]) -> Times:
    """Return the times of some backends on some cases, in the order of these indices."""
    changed: dict[str, Any] = {
        "backends": tuple(times.backends[row] for row in rows),
        "cases": tuple(times.cases[column] for column in columns),
    }
    cells = np.ix_(np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64))
    for field in fields(times):
        if isinstance(value := getattr(times, field.name), np.ndarray):
            changed[field.name] = value[cells]
    return replace(times, **changed)


def image_times(results: Results) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the seconds of each backend, case and symmetric image, and whether it was solved.

    The board itself is the first image. The time of an image is the median over its rounds, nan if
    there is none; its outcome is the worst of them.
    """
    image = results.column("image").astype(np.int64)
    shape = len(results.backends), len(results.cases), int(image.max(initial=0)) + 1
    size = math.prod(shape)
    pairs = results.column("backend").astype(np.int64) * shape[1] + results.column("case")
    groups = pairs * shape[2] + image
    outcome = worst(groups, results.column("outcome"), size)
    counts = COUNTED[outcome[groups]]
    wall = np.maximum(results.column("wall_ns")[counts], 1) / 1e9
    seconds = medians(groups[counts], wall, size).reshape(shape)
    return seconds, (outcome == OUTCOMES.index(Outcome.SOLVED)).reshape(shape)


def cdf(times: Times, backend: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the empirical distribution of a backend's times, as the corners of its steps.

    These are the times of the solved cases in ascending order, and for each the fraction of the
    backend's cases that were solved within it.
    """
    row = times.backends.index(backend)
    seconds = np.sort(times.seconds[row, times.solved[row]])
    cases = int((times.outcome[row] >= 0).sum())
    return seconds, np.arange(1, len(seconds) + 1) / max(cases, 1)


def medians(
    groups: NDArray[np.int64], values: NDArray[np.float64], size: int
) -> NDArray[np.float64]:
    """Return the median of each group's values, nan for an empty group; no value may be nan.

    The group of each value is a number below ``size``; they need no order.
    """
    middles = np.full(size, np.nan)
    if not len(groups):
        return middles
    ordered = values[np.lexsort((values, groups))]
    counts = np.bincount(groups, minlength=size)
    nonempty = np.flatnonzero(counts)
    starts = (np.cumsum(counts) - counts)[nonempty]
    low = ordered[starts + (counts[nonempty] - 1) // 2]
    high = ordered[starts + counts[nonempty] // 2]
    middles[nonempty] = low + (high - low) / 2
    return middles


def worst(groups: NDArray[np.int64], outcomes: NDArray[np.int64], size: int) -> NDArray[np.int8]:
    """Return the code of each group's worst outcome, -1 for an empty group."""
    severity = np.full(size, -1, dtype=np.int8)
    np.maximum.at(severity, groups, SEVERITY[outcomes])
    return np.where(severity < 0, np.int8(-1), _BY_SEVERITY[severity])


def median(values: NDArray[np.float64]) -> float:
    """Return the median of the values that are not nan; nan if all are."""
    values = values[~np.isnan(values)]
    return float(np.median(values)) if len(values) else math.nan


def mixes(groups: NDArray[np.int64], machine: NDArray[np.int64], size: int) -> NDArray[np.int32]:
    """Return a code for each group: groups with the same shares of machines have the same one.

    Args:
        groups: the group of each run, a number below ``size``.
        machine: the number of each run's machine.
        size: number of groups; those without runs have the code of each other.
    """
    if not len(machine) or not machine.any():
        return np.zeros(size, dtype=np.int32)
    width = int(machine.max()) + 1
    counts = np.bincount(groups * width + machine, minlength=size * width).reshape(size, width)
    shares = counts // np.maximum(np.gcd.reduce(counts, axis=1), 1)[:, None]
    codes = np.unique(shares, axis=0, return_inverse=True)[1]
    return codes.reshape(size).astype(np.int32)


def counted(results: Results, name: str) -> NDArray[np.float64]:
    """Return a statistic of `unidoku.comparison.results.COUNTERS` of each backend on each case.

    It is the median over the rounds that count, as the time of a case is; nan where the backend
    does not report it.
    """
    values = results.counter(name)
    is_counted = (
        (results.column("image") == 0) & COUNTED[results.column("outcome")] & ~np.isnan(values)
    )
    shape = len(results.backends), len(results.cases)
    groups = results.column("backend").astype(np.int64) * shape[1] + results.column("case")
    return medians(groups[is_counted], values[is_counted], shape[0] * shape[1]).reshape(shape)


def satisfiable(results: Results) -> NDArray[np.float64]:
    """Return for each case 1 if it has a solution, 0 if it has none, nan if that is not known."""
    has_solution = np.full(len(results.cases), math.nan)
    solved = results.column("outcome") == OUTCOMES.index(Outcome.SOLVED)
    has_solution[results.column("case")[solved]] = 0
    has_solution[results.column("case")[solved & (results.column("count") > 0)]] = 1
    for column, case in enumerate(results.cases):
        if case.solutions is not None:
            has_solution[column] = min(case.solutions, 1)
    return has_solution
