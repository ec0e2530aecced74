"""Runs: each backend on each board, timed, and every answer checked."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping

from unidoku.backends.base import Request
from unidoku.backends.solver import Attempt, Solver
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
    attempt = solver.attempt(run.case.board, request)
    result = attempt.result
    return Record(
        case=run.case.id,
        name=run.case.name,
        source=run.case.source,
        backend=run.backend,
        version=version,
        round=run.round,
        outcome=_outcome(attempt),
        stop=result.stop if result else None,
        count=result.count if result else 0,
        solutions=result.solutions if result else (),
        wall_ns=attempt.wall_ns,
        cpu_ns=attempt.cpu_ns,
        statistics=result.statistics if result else {},
        evidence=_evidence(attempt),
    )


def _outcome(attempt: Attempt) -> Outcome:
    if attempt.refused:
        return Outcome.UNSUPPORTED
    if attempt.error is not None:
        return Outcome.FAILED
    if attempt.wrong:
        return Outcome.WRONG
    answered = attempt.result is not None and attempt.result.stop.answered
    return Outcome.SOLVED if answered else Outcome.UNKNOWN


def _evidence(attempt: Attempt) -> tuple[str, ...]:
    if attempt.error is not None:
        return (f"{type(attempt.error).__name__}: {attempt.error}",)
    return attempt.refused or attempt.wrong
