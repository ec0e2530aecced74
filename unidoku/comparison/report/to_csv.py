"""The figures of the backends as CSV: a row each, seconds in full precision."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from unidoku.comparison.record import Outcome

if TYPE_CHECKING:
    from unidoku.comparison.statistics import Pair, Summary

__all__ = ["to_csv"]

_SECONDS = ("median", "mean", "maximum", "total", "par2", "shifted_mean")


def to_csv(
    summaries: Sequence[Summary],
    pairs: Mapping[str, Pair] | None = None,
    *,
    time_limit: float | None = None,
) -> str:
    """Return the summaries as CSV, with the ratio to the first and its interval.

    What there is no figure of is empty; an interval without an upper end says ``inf``. The
    columns are the same for every comparison.

    Args:
        summaries: a row each.
        pairs: of the first with each other, by the other's label.
        time_limit: seconds a run; None if there was none.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(
        [
            *("backend", "cases"),
            *(f"{outcome.value}_cases" for outcome in Outcome),
            *(f"{name}_s" for name in _SECONDS),
            *("time_limit_s", "unique_cases", "contribution_percent"),
            *("ratio_to", "ratio", "ratio_low", "ratio_high"),
        ]
    )
    for summary in summaries:
        pair = (pairs or {}).get(summary.backend)
        writer.writerow(
            [
                *(summary.backend, summary.cases),
                *(summary.outcomes.get(outcome, 0) for outcome in Outcome),
                *(_number(getattr(summary, name)) for name in _SECONDS),
                *(_number(time_limit), summary.unique, _number(summary.contribution)),
                pair.first if pair else "",
                *(_number(value) for value in ((pair.ratio, pair.low, pair.high) if pair else ())),
                *(("",) * 3 if not pair else ()),
            ]
        )
    return file.getvalue()


def _number(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else repr(float(value))
