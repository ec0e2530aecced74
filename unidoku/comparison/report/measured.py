"""What the times of a comparison include, in words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unidoku.comparison.record import Measure
from unidoku.comparison.results import MEASURES
from unidoku.comparison.statistics import Times
from unidoku.support.text import listed, plural

_MOST_NAMES = 4
"""The most backends that are named; others are counted."""


def measured_as(times: Times) -> Iterator[str]:
    """Yield a sentence for each group of cases that are measured alike, and for programs."""
    codes = {measure: MEASURES.index(measure) for measure in Measure}
    has = {measure: (times.measure == code).any(axis=0) for measure, code in codes.items()}
    warm = has[Measure.WARM] | (has[Measure.WHOLE] & ~has[Measure.FIRST])
    if count := int(warm.sum()):
        layouts = len({times.cases[index].board.layout for index in np.flatnonzero(warm)})
        yield (
            f"Warm: {plural(count, 'case')} on {plural(layouts, 'layout')}, whose cost is beside "
            "the time of a search (--phases)."
        )
    if count := int(has[Measure.FIRST].sum()):
        yield f"First: {plural(count, 'case')}, where the time includes what the layout costs."
    programs = np.flatnonzero((times.measure == codes[Measure.WHOLE]).any(axis=1)).tolist()
    if programs:
        names = [times.backends[row] for row in programs]
        if len(names) > _MOST_NAMES:
            names = [*names[: _MOST_NAMES - 1], f"{len(names) - _MOST_NAMES + 1} more"]
        verb = "starts" if len(programs) == 1 else "start"
        yield f"{listed(names)} {verb} a program for each search, whose time has all of it."
