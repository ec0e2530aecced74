"""The view of a report: what its reader wants to see of the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unidoku.comparison.results import COUNTERS
from unidoku.errors import InputError

if TYPE_CHECKING:
    from unidoku.comparison.results import Results


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    """What a report shows, and how; the default is the usual report.

    Args:
        by: a grouping of `unidoku.comparison.statistics.groups.GROUPINGS`: a table of its groups is
            added.
        x: name of a number of the boards: a table of the figures over it is added, and a figure.
        reference: label of the backend that ratios refer to; None for the best one.
        show: names of the columns of the summary, in this order; see
            `unidoku.comparison.report.columns`. Empty for the usual ones. ``search`` among them
            adds the table of searches; it is no column, and ``effort`` says that it was there.
        scatter: labels of the two backends of the scatter; None for the two best.
        phases: whether the table of phases is shown.
        distributions: whether the table of run-time distributions is shown.
        effort: whether the table of searches is shown.

    Raises:
        InputError: there is no such grouping or column.
    """

    by: str | None = None
    x: str | None = None
    reference: str | None = None
    show: tuple[str, ...] = ()
    scatter: tuple[str, str] | None = None
    phases: bool = False
    distributions: bool = False
    effort: bool = False

    def __post_init__(self) -> None:
        """Check and complete what does not depend on the results."""
        if self.by is not None:
            from unidoku.comparison.statistics.groups import grouping  # imports numpy

            grouping(self.by)
        if self.show:
            from unidoku.comparison.report.columns import SEARCH, read_columns

            names = read_columns(self.show)
            object.__setattr__(self, "effort", self.effort or SEARCH in names)
            object.__setattr__(self, "show", tuple(name for name in names if name != SEARCH))

    @property
    def curve_figure(self) -> str:
        """The figure of a curve: the first counter that is shown, otherwise the median time."""
        return next((name for name in self.show if name in COUNTERS), "median")

    def check(self, results: Results) -> None:
        """Check that the results have the backends and the number that the view names.

        Raises:
            InputError: they do not.
        """
        if self.reference is not None:
            _check_label("--reference", self.reference, results.backends)
        for label in self.scatter or ():
            _check_label("--scatter", label, results.backends)
        if self.scatter and self.scatter[0] == self.scatter[1]:
            raise InputError(f"--scatter: expected two backends, got {self.scatter[0]} twice")
        if self.x is not None:
            from unidoku.comparison.statistics.curves import known_numbers, number_of

            if all(number_of(case, self.x) is None for case in results.cases):
                names = ", ".join(known_numbers(results.cases))
                raise InputError(
                    f"--x: expected a number that the boards have, of {names}; got {self.x!r}"
                )


def _check_label(option: str, label: str, labels: Sequence[str]) -> None:
    if label not in labels:
        raise InputError(
            f"{option}: expected a backend of this comparison, {', '.join(labels)}; got {label!r}"
        )
