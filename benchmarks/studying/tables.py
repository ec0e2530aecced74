"""The figures of a study as CSV: of each family, stage and backend; growth; cross-overs."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from studying.figures import Estimate, missed, standings
from studying.growth import Axis, axis_of, cross_overs, growth
from studying.read import Published
from unidoku.comparison.statistics.times import Times

MOST_CROSSED = 8
"""Number of backends of a family that are examined for cross-overs."""

_FIGURES = (
    *("family", "stage", "time_limit_s", "backend", "boards", "solved", "fastest_on"),
    *("par2_s", "par2_low_s", "par2_high_s"),
    *("geometric_mean_s", "geometric_mean_low_s", "geometric_mean_high_s"),
    *("ratio_to_first", "ratio_low", "ratio_high"),
    *("missed_percent", "missed_low_percent", "missed_high_percent"),
)


def figures_csv(study: Published) -> str:
    """Return the figures of each backend on each family, in each stage."""
    rows = []
    for family, stage, times in _stages(study):
        adds = {row.backend: row.percent for row in missed(times)}
        for row in standings(times):
            ratio = Estimate(1, 1, 1)
            if row.ratio is not None:
                ratio = Estimate(row.ratio.ratio, row.ratio.low, row.ratio.high)
            estimates = (row.par2, row.typical, ratio, adds[row.backend])
            counts = (row.cases, row.solved, row.fastest)
            rows.append([family, stage, times.time_limit, row.backend, *counts, *_ends(estimates)])
    return _csv(_FIGURES, rows)


def growth_csv(study: Published) -> str:
    """Return the factor by which the times of each backend grow, with what it is fitted to."""
    head = (
        *("family", "stage", "axis", "backend"),
        *("factor", "factor_low", "factor_high", "for_each", "fitted_from", "fitted_to", "boards"),
    )
    rows = [
        [
            *(family, stage, axis.name, row.backend),
            *(*_ends([row.rate]), axis.unit, row.low, row.high, row.boards),
        ]
        for family, stage, times, axis in _axes(study)
        for row in growth(times, axis)
    ]
    return _csv(head, rows)


def cross_overs_csv(study: Published) -> str:
    """Return the sizes at which one of the best backends of a family overtakes another."""
    head = ("family", "stage", "axis", "below", "above", "at", "at_low", "at_high", "boards")
    rows = []
    for family, stage, times, axis in _axes(study):
        best = [row.backend for row in standings(times)[:MOST_CROSSED]]
        for row in cross_overs(times, axis, best):
            names = (family, stage, axis.name, row.below, row.above)
            rows.append([*names, *_ends([row.at]), row.boards])
    return _csv(head, rows)


def _stages(study: Published) -> Iterator[tuple[str, str, Times]]:
    """Yield the name of each family, of each stage with all of its boards, and the times."""
    for family in study.families:
        for stage, times in family.times.items():
            if stage != "options":
                yield family.name, stage, times


def _axes(study: Published) -> Iterator[tuple[str, str, Times, Axis]]:
    for family, stage, times in _stages(study):
        if (axis := axis_of(times)) is not None:
            yield family, stage, times, axis


def _ends(estimates: Iterable[Estimate]) -> Iterator[str]:
    """Yield the value and the ends of estimates, empty where there is none."""
    values = chain.from_iterable((each.value, each.low, each.high) for each in estimates)
    return (f"{value:.6g}" if math.isfinite(value) else "" for value in values)


def _csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([head, *rows])
    return file.getvalue()
