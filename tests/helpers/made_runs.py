"""Results made of runs that are written down, for the tests of what is made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from unidoku import Board
from unidoku.comparison.cases import Case
from unidoku.comparison.config import MEASURED
from unidoku.comparison.journal import read_journal
from unidoku.comparison.order import run_key
from unidoku.comparison.record import COLUMNS, Outcome, Record, Timing, Usage
from unidoku.comparison.results import Results
from unidoku.core.variants import layout

PLAN = {"backends": ["a"], "repeats": 1} | dict.fromkeys(MEASURED, 1)
PLAN |= {"relabel": True, "measure": "auto", "cpu_limit": 0}
"""The plan of a journal."""

CASES = tuple(
    Case(
        board=Board.of(layout("classic", 4), (1 + k % 15, 1 + k // 15, *(15,) * 14)),
        name=f"c{k}",
        source="made",
    )
    for k in range(120)
)
"""As many boards as any test needs, none like another."""


def run(
    backend: str,
    case: int,
    seconds: float,
    outcome: Outcome = Outcome.SOLVED,
    round: int = 1,
    image: int = 0,
    **figures: Any,
) -> Record:
    """Return one run of one of `CASES`."""
    identity = CASES[case].id
    return Record(
        key=run_key(identity, backend, round, image),
        case=identity,
        backend=backend,
        round=round,
        image=image,
        outcome=outcome,
        **nested({"wall_ns": int(np.rint(seconds * 1e9))} | figures),
    )


def nested(figures: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a record, those of its timing and usage put into these."""
    groups: dict[str, Any] = {}
    for column in COLUMNS:
        if column.name in figures:
            group, _, name = column.path.rpartition(".")
            (groups.setdefault(group, {}) if group else groups)[name] = figures[column.name]
    kinds = {"timing": Timing, "usage": Usage}
    return groups | {group: kinds[group](**groups[group]) for group in kinds if group in groups}


def timed(record: Record, **figures: int | None) -> Record:
    """Return the record with other times."""
    return replace(record, timing=replace(record.timing, **figures))  # type: ignore[arg-type]  # keywords of one test


def results_of(
    records: Iterable[Record],
    *,
    time_limit: float | None = 10.0,
    self_test_twin: Sequence[str] = (),
) -> Results:
    """Return the results of runs, the cases in the order that they come in."""
    plan: dict[str, Any] = {"time_limit": time_limit}
    if self_test_twin:
        plan["twin"] = list(self_test_twin)
    results = Results(plan=plan)
    by_id = {case.id: case for case in CASES}
    for record in records:
        results.add_case(by_id[record.case])
        results.add(record)
    return results


def simulated(
    random: np.random.Generator, *, cases: int, rounds: int, ratio: float = 1.0, spread: float = 0.0
) -> list[Record]:
    """Return runs of two backends, "a" and "b", as a shared machine gives them.

    Cases differ in difficulty, the machine drifts for both alike, each round has its noise, and
    2 % of the runs take ten times as long.

    Args:
        random: the source of all of it.
        cases: how many.
        rounds: how many.
        ratio: true ratio of the times of "b" over those of "a".
        spread: standard deviation over cases of the true ratio's log.
    """
    noise = random.uniform(0.02, 0.05)
    difficulty = 1e-3 * np.exp(random.normal(0, 0.8, cases))
    ratios = np.exp(random.normal(np.log(ratio), spread, cases))
    drift = np.exp(np.cumsum(random.normal(0, 0.01, rounds * cases))).reshape(rounds, cases)
    records = []
    for label, factors in (("a", np.ones(cases)), ("b", ratios)):
        seconds = difficulty * factors * drift * np.exp(random.normal(0, noise, drift.shape))
        seconds = np.where(random.random(drift.shape) < 0.02, 10 * seconds, seconds)
        for (number, case), second in np.ndenumerate(seconds):
            records.append(run(label, case, float(second), round=number + 1))
    return records


def records_in(path: Path) -> list[Record]:
    """Return the records of a journal."""
    return [entry for entry in read_journal(path) if isinstance(entry, Record)]
