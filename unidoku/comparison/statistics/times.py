"""Times: one figure a backend and case, from all rounds of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.cases import Case
from unidoku.comparison.record import Outcome
from unidoku.comparison.results import OUTCOMES, Results
from unidoku.comparison.statistics.grouping import COUNTED, medians, places, worst

__all__ = ["Times", "times_of"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Times:
    """The time and outcome of each backend on each case; seconds.

    A case's time is the median over its rounds, its outcome the worst of them. Cases that ended
    at a limit have the time they took until then; cases that were not served, failed, crashed,
    or got a wrong answer, have none.

    Args:
        backends: labels, the rows of the arrays; the twin is one of them.
        cases: the columns.
        time_limit: seconds a run; None if there was none.
        twin: the label that names another row's configuration a second time, to show what
            the run can resolve; None if there is none. It is no competitor.
        twin_of: the label of that other row.
        seconds: from the call to the answer; nan where there is no time.
        outcome: code of `unidoku.comparison.results.OUTCOMES`, -1 where there is no run.
        solved: whether all rounds are solved.
        rounds: backends × cases × rounds, each round's time; nan beyond the last, and where
            ``seconds`` is.
        init: the part before the search; nan as ``seconds``.
        solve: the part in the search.
        decode: the rest, the way in and out of the adapter.
        load: of importing and making the backend, where a round had it; else nan.
        first: of the worker's first search of the layout, where a round had it; else nan.
    """

    backends: tuple[str, ...]
    cases: tuple[Case, ...]
    time_limit: float | None
    twin: str | None
    twin_of: str | None
    seconds: NDArray[np.float64]
    outcome: NDArray[np.int8]
    solved: NDArray[np.bool_]
    rounds: NDArray[np.float64]
    init: NDArray[np.float64]
    solve: NDArray[np.float64]
    decode: NDArray[np.float64]
    load: NDArray[np.float64]
    first: NDArray[np.float64]

    @property
    def competitors(self) -> NDArray[np.int64]:
        """The rows of all backends but the twin."""
        rows = [row for row, label in enumerate(self.backends) if label != self.twin]
        return np.array(rows, dtype=np.int64)


def times_of(results: Results) -> Times:
    """Return the times of the cases themselves; runs of their images are left out.

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

    def median(name: str, here: NDArray[np.bool_] = counts) -> NDArray[np.float64]:
        values = column(name)[here] / 1e9
        return medians(groups[here], values, size).reshape(shape)

    twin_of, twin = results.plan.get("twin") or (None, None)
    place = places(groups, column("round"))
    rounds = np.full((size, int(place.max(initial=-1)) + 1), np.nan)
    rounds[groups[counts], place[counts]] = column("wall_ns")[counts] / 1e9
    return Times(
        backends=tuple(results.backends),
        cases=tuple(results.cases),
        time_limit=results.time_limit,
        twin=twin,
        twin_of=twin_of,
        seconds=median("wall_ns"),
        outcome=outcome.reshape(shape),
        solved=(outcome == OUTCOMES.index(Outcome.SOLVED)).reshape(shape),
        rounds=rounds.reshape(*shape, -1) if size else rounds.reshape(*shape, 0),
        init=median("init_ns"),
        solve=median("solve_ns"),
        decode=median("decode_ns"),
        load=median("load_ns", counts & (column("load_ns") >= 0)),
        first=median("first_ns", counts & (column("first_ns") >= 0)),
    )
