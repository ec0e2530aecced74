"""The figures of a study as a table, one line for each family, stage and backend."""

from __future__ import annotations

import csv
import io
import math

from studying.figures import standings
from studying.read import Published

__all__ = ["figures_csv"]

_HEAD = (
    *("family", "stage", "time_limit_s", "backend", "boards", "solved", "fastest_on"),
    *(
        "par2_s",
        "par2_low_s",
        "par2_high_s",
        "geometric_mean_s",
        "ratio_to_first",
        "ratio_low",
        "ratio_high",
    ),
)


def figures_csv(study: Published) -> str:
    """Return the table as CSV."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_HEAD)
    for family in study.families:
        for stage, times in family.times.items():
            if stage == "options":
                continue
            for one in standings(times):
                held = [one.ratio.ratio, one.ratio.low, one.ratio.high] if one.ratio else [1, 1, 1]
                par2 = [one.par2.value, one.par2.low, one.par2.high, one.typical.value]
                words = [family.name, stage, times.time_limit, one.backend]
                counts = [one.cases, one.solved, one.fastest]
                writer.writerow([*words, *counts, *map(_figure, [*par2, *held])])
    return file.getvalue()


def _figure(value: float) -> str:
    return "" if math.isnan(value) or math.isinf(value) else f"{value:.6g}"
