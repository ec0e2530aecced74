"""Compares encodings and options of one solver on the same boards."""

from __future__ import annotations

import math
from collections.abc import Iterator

from studying.read import Published, all_times, family_times
from unidoku.comparison.statistics import PairedTimes, Times, pair
from unidoku.support.text import ratio

_LEAST_BOARDS = 3


def option_rows(study: Published) -> Iterator[list[str]]:
    """Yield a row for each set of options except the defaults."""
    if "options" not in study.comparisons:
        return
    results = study.comparisons["options"].results
    times = all_times(results)
    families = [
        (family.title, found)
        for family in study.families
        if (found := family_times(results, family.name)) is not None
    ]
    groups = [stage["backends"] for stage in study.facts["stages"] if stage["journal"] == "options"]
    for first, *others in groups:
        for other in others:
            if {first, other} <= {*times.backends}:
                yield _row(times, families, first, other)


def _row(times: Times, families: list[tuple[str, Times]], first: str, other: str) -> list[str]:
    found = pair(times, first, other)
    solved = f"{found.both + found.only_second} to {found.both + found.only_first}"
    by_family = [
        (its_pair.ratio, title)
        for title, its_times in families
        if {first, other} <= {*its_times.backends}
        and (its_pair := pair(its_times, first, other)).both >= _LEAST_BOARDS
    ]
    ends = [min(by_family), max(by_family)] if by_family else []
    return [
        f"`{first}`",
        f"`{other}`",
        solved,
        _ratio_words(found),
        *(f"{title} × {ratio(value)}" for value, title in ends),
        *[""] * (2 - len(ends)),
    ]


def _ratio_words(found: PairedTimes) -> str:
    if math.isnan(found.ratio) or math.isinf(found.high):
        return ratio(found.ratio)
    return f"{ratio(found.ratio)} [{ratio(found.low)}–{ratio(found.high)}]"
