"""What the tests cost: which files to look at once all together take longer than they should."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable

import pytest

from tests.helpers.volume import SOAK

BUDGET = 450.0
"""Seconds of processor time in which ``make test`` ends in five minutes on two cores."""

COST = "processor seconds"
"""What of a test's report has its cost, with its fixtures and the processes that it waited for."""

_NAMED = 10
"""So many files are named."""


def spent() -> float:
    """Return the seconds of processor time of this process and of those that it waited for."""
    return sum(os.times()[:4])


def files_to_look_at(reports: Iterable[pytest.TestReport]) -> str:
    """Return a line that names the most expensive files if all cost too much, else an empty one."""
    cost: dict[str, float] = defaultdict(float)
    for report in reports:
        for name, seconds in report.user_properties:
            if name == COST and isinstance(seconds, float):
                cost[report.nodeid.partition("::")[0]] += seconds
    total = sum(cost.values())
    if SOAK or total <= BUDGET:
        return ""
    most = sorted(cost.items(), key=lambda entry: -entry[1])[:_NAMED]
    named = ", ".join(f"{file} {seconds:.0f}" for file, seconds in most)
    return (
        f"The tests took {total:.0f} s of processor time, more than {BUDGET:.0f}; "
        f"the most expensive files: {named}"
    )
