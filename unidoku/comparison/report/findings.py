"""The findings of a comparison: what its tables, its page and its figures are all made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.report.columns import Row
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.results import COUNTERS, Results
from unidoku.comparison.statistics.groups import grouped
from unidoku.comparison.statistics.pairs import NoiseFloor, PairedTimes, noise_floor, pairs_with
from unidoku.comparison.statistics.summary import Summary, base_of, summarise
from unidoku.comparison.statistics.times import Times, counted, median, satisfiable, times_of


@dataclass(frozen=True, kw_only=True, eq=False)
class Findings:
    """The figures of all cases, or of a group of them, each computed when it is first needed.

    Args:
        results: the results.
        view: what the reader wants to see of them.
        times: the times of the cases.
        columns: the indices of the cases in the results.
        whole: the findings on all cases, if these are of a group.
    """

    results: Results
    view: ReportView
    times: Times
    columns: Sequence[int]
    whole: Findings | None = None

    @classmethod
    def of(cls, results: Results, view: ReportView | None = None) -> Findings:
        """Return the findings on all cases.

        Raises:
            InputError: the results lack what the view names.
        """
        view = view or ReportView()
        view.check(results)
        columns = range(len(results.cases))
        return cls(results=results, view=view, times=times_of(results), columns=columns)

    @cached_property
    def parts(self) -> list[tuple[str, Findings]]:
        """The findings on each group of the view, by its name; these without a name if it has none.

        Raises:
            InputError: there is no such grouping.
        """
        if self.view.by is None:
            return [("", self)]
        return [
            (group.name, replace(self, times=group.times, columns=group.columns, whole=self))
            for group in grouped(self.times, self.view.by)
        ]

    @cached_property
    def summaries(self) -> list[Summary]:
        """The summary of each backend, in the order of the rows of tables."""
        return summarise(self.times)

    @property
    def labels(self) -> list[str]:
        """The labels of the backends in that order."""
        return [summary.backend for summary in self.summaries]

    @cached_property
    def reference(self) -> str | None:
        """The backend that ratios refer to, the same in all groups; None for no ratios."""
        if self.whole is not None:
            return self.whole.reference
        return self.view.reference or base_of(self.summaries)

    @cached_property
    def pairs(self) -> dict[str, PairedTimes]:
        """The reference with each other backend, by the label of the other."""
        return {} if self.reference is None else pairs_with(self.times, self.reference)

    @cached_property
    def noise_floor(self) -> NoiseFloor | None:
        """What the run can resolve; None if no backend was run twice for it."""
        return noise_floor(self.times, self.results.plan)

    @cached_property
    def counters(self) -> dict[str, NDArray[np.float64]]:
        """Each counter that the view shows, of each backend on each case."""
        if self.whole is not None:
            counters = self.whole.counters
            return {name: counts[:, self.columns] for name, counts in counters.items()}
        return {name: counted(self.results, name) for name in self.view.show if name in COUNTERS}

    @cached_property
    def satisfiable(self) -> NDArray[np.float64]:
        """For each case 1 if it has a solution, 0 if it has none, nan if that is not known."""
        return satisfiable(self.results)[self.columns]

    @cached_property
    def rows(self) -> list[Row]:
        """The rows of the summaries, with the medians of the counters that the view shows."""
        return [self._row(summary) for summary in self.summaries]

    def _row(self, summary: Summary) -> Row:
        row = self.times.backends.index(summary.backend)
        solved = self.times.solved[row]
        return Row(
            summary=summary,
            pair=self.pairs.get(summary.backend),
            counters={name: median(counts[row][solved]) for name, counts in self.counters.items()},
            time_limit=self.times.time_limit,
            competes=summary.backend != self.times.self_test_twin,
            is_base=summary.backend == self.reference,
        )
