"""Runs: each backend on each board, timed, and every answer checked."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Mapping

from unidoku.backends.base import Request, Result
from unidoku.backends.solver import Solver, wrong_answers
from unidoku.compare.plan import Run
from unidoku.compare.record import Outcome, Record
from unidoku.core.board import Board
from unidoku.core.variants import layout

__all__ = ["execute"]


def execute(
    runs: Iterable[Run], solvers: Mapping[str, Solver], request: Request
) -> Iterator[Record]:
    """Yield a record for each run, in order, as it ends.

    Each backend solves a small board beforehand, so that no run pays for imports. A run's time
    is that of the backend alone, its model's building included; checking comes after.
    """
    for solver in solvers.values():
        _warm_up(solver, request)
    versions = {label: solver.spec.version or "" for label, solver in solvers.items()}
    for run in runs:
        yield _execute(run, solvers[run.backend], versions[run.backend], request)


def _warm_up(solver: Solver, request: Request) -> None:
    # What fails here will fail again where it is recorded.
    with contextlib.suppress(Exception):
        solver.backend.search(Board.empty(layout("classic", 4)), request)


def _execute(run: Run, solver: Solver, version: str, request: Request) -> Record:
    board = run.case.board
    result: Result | None = None
    wall = cpu = 0
    if reasons := solver.spec.capabilities.lacking(board, request):
        outcome, evidence = Outcome.UNSUPPORTED, reasons
    else:
        wall, cpu = time.perf_counter_ns(), time.process_time_ns()
        try:
            result = solver.backend.search(board, request)
        except Exception as error:  # noqa: BLE001 - a backend's failure is a finding
            outcome, evidence = Outcome.FAILED, [f"{type(error).__name__}: {error}"]
        wall, cpu = time.perf_counter_ns() - wall, time.process_time_ns() - cpu
    if result is not None:
        evidence = wrong_answers(board, request, result)
        answered = result.stop.value in ("exhausted", "solutions")
        outcome = Outcome.SOLVED if answered else Outcome.UNKNOWN
        if evidence:
            outcome = Outcome.WRONG
    return Record(
        case=run.case.id,
        name=run.case.name,
        source=run.case.source,
        backend=run.backend,
        version=version,
        round=run.round,
        outcome=outcome,
        stop=result.stop if result else None,
        count=result.count if result else 0,
        solutions=result.solutions if result else (),
        wall_ns=wall,
        cpu_ns=cpu,
        statistics=result.statistics if result else {},
        evidence=tuple(evidence),
    )
