"""Engines in this process for the fuzzer, on which nothing real crashes or hangs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing

import pytest

from tests.helpers.wrong import mutants
from unidoku import Request, load
from unidoku.backends.solving.solver import Solver
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record, record_of
from unidoku.comparison.run import Runner
from unidoku.comparison.run.measure import Inline, MeasurementSettings
from unidoku.fuzzing.finding import Finding
from unidoku.fuzzing.folder import HuntState
from unidoku.fuzzing.hunt import Hunt, HuntSettings, OpenRunner


class Ended(BaseException):
    """Stands for the end of a process."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


class Guarded:
    """An engine in this process that survives what would have ended a worker."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._measuring = MeasurementSettings(request=Request(), untimed=True, relabel=False)
        self._labels = labels
        self.refresh()

    def refresh(self) -> None:
        self._inline = Inline(solvers_of(self._labels), self._measuring)

    def run(self, runs: Iterable[Run]) -> Iterator[Record]:
        for run in runs:
            try:
                yield from self._inline.run([run])
            except Ended as end:
                yield record_of(run, end.outcome, evidence=("it ended",))

    def close(self) -> None:
        self._inline.close()


def solvers_of(labels: Sequence[str]) -> dict[str, Solver]:
    """Return solvers that have seen no board."""
    return {label: load(label) for label in labels}


def guarded(labels: Sequence[str]) -> OpenRunner:
    """Return what starts engines in this process; each has solvers that have seen no board."""

    def opened(workers: int | None) -> AbstractContextManager[Runner]:
        return closing(Guarded(labels))

    return opened


def survive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the mutants that end their process, or overrun, do so in name only."""

    def crash() -> None:
        raise Ended(Outcome.CRASHED)

    def overrun(_: float) -> None:
        raise Ended(Outcome.TIMEOUT)

    monkeypatch.setattr(mutants, "end_process", crash)
    monkeypatch.setattr(mutants, "overrun", overrun)


def hunted(
    labels: Sequence[str],
    boards: int,
    *,
    until: Callable[[Finding], bool] = lambda _: False,
    **options: object,
) -> list[Finding]:
    """Return what a hunt finds within so many trials, or until it finds the right one."""
    hunting = HuntSettings(chunk=8, **options)  # type: ignore[arg-type]  # values of several types
    findings = []
    with closing(Hunt(solvers_of(labels), guarded(labels), hunting)) as hunt:
        for event in hunt.run(0, boards):
            if isinstance(event, Finding):
                findings.append(event)
                if until(event):
                    break
    return findings


def any_finding(_: Finding) -> bool:
    """Stop at the first."""
    return True


def begun(**options: object) -> HuntState:
    return HuntState(**{"seed": 1, "backends": ["norvig"], **options})  # type: ignore[arg-type]  # as above
