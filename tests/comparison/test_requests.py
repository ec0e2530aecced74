"""Runs with a request of their own, and runs that must stay together."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter

import pytest

from tests.helpers.engines import CASES, label, measuring, solvers_of
from unidoku import Request
from unidoku.comparison import Outcome, Run
from unidoku.comparison.run import open_runner


@pytest.mark.parametrize("kind", ["pool", "inline"])
def test_a_run_may_ask_something_else_than_the_others(kind: str) -> None:
    asked = [1, 2, 5, None, 1]
    runs = [
        Run(
            CASES[0], label("Sound"), k, request=Request(solutions=n, time_limit=5.0) if n else None
        )
        for k, n in enumerate(asked, start=1)
    ]
    with open_runner(solvers_of("Sound"), measuring(), kind=kind) as engine:
        records = sorted(engine.run(runs), key=attrgetter("round"))
    assert [record.count for record in records] == [1, 2, 5, 1, 1]


def test_a_run_is_ended_at_its_own_limit() -> None:
    run = Run(CASES[1], label("IgnoresTheLimit"), 1, request=Request(solutions=1, time_limit=0.05))
    slow = measuring(request=Request(solutions=1, time_limit=100.0))
    with open_runner(solvers_of("IgnoresTheLimit"), slow, kind="pool") as engine:
        (record,) = engine.run([run])
    assert record.outcome is Outcome.TIMEOUT
    assert "limit of 0.05 s" in record.evidence[0]


def test_the_runs_of_a_group_are_measured_by_one_worker_in_their_order() -> None:
    runs = [
        Run(CASES[k % 2], label("Sound"), 4 * group + k, group=group)
        for group in range(60)
        for k in range(4)
    ]
    with open_runner(solvers_of("Sound"), measuring(), kind="pool", workers=2) as engine:
        records = list(engine.run(runs))
    assert len(records) == len(runs)
    for worker in {record.worker for record in records}:
        rounds = [record.round for record in records if record.worker == worker]
        groups = [(group, list(found)) for group, found in groupby(rounds, lambda k: k // 4)]
        assert all(found == list(range(4 * group, 4 * group + 4)) for group, found in groups)
