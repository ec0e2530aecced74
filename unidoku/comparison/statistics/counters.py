"""Figures of a case besides its times: what backends count, and whether there is a solution."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.record import Outcome
from unidoku.comparison.results import OUTCOMES, Results
from unidoku.comparison.statistics.times import COUNTED, medians


def counted(results: Results, name: str) -> NDArray[np.float64]:
    """Return a statistic of `unidoku.comparison.results.COUNTERS` of each backend on each case.

    It is the median over the rounds that count, as the time of a case is; nan where the backend
    does not report it.
    """
    values = results.counter(name)
    here = (results.column("image") == 0) & COUNTED[results.column("outcome")] & ~np.isnan(values)
    shape = len(results.backends), len(results.cases)
    groups = results.column("backend").astype(np.int64) * shape[1] + results.column("case")
    return medians(groups[here], values[here], shape[0] * shape[1]).reshape(shape)


def satisfiable(results: Results) -> NDArray[np.float64]:
    """Return for each case 1 if it has a solution, 0 if it has none, nan if that is not known."""
    found = np.full(len(results.cases), math.nan)
    solved = results.column("outcome") == OUTCOMES.index(Outcome.SOLVED)
    found[results.column("case")[solved]] = 0
    found[results.column("case")[solved & (results.column("count") > 0)]] = 1
    for column, case in enumerate(results.cases):
        if case.solutions is not None:
            found[column] = min(case.solutions, 1)
    return found
