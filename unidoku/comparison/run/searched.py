"""The searches of a run, and what is recorded of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from unidoku.backends.failure import summarize_exception, traceback_of
from unidoku.backends.solving.policy import Attempt
from unidoku.comparison.order import Run
from unidoku.comparison.record import Measure, Outcome, Record, Timing, record_of
from unidoku.comparison.run.limits import Guard
from unidoku.comparison.run.sample import figures
from unidoku.comparison.run.views import undone
from unidoku.core.layout import Grid
from unidoku.core.symmetry import Symmetry
from unidoku.errors import WrongAnswerError, is_out_of_memory

_SLACK = 0.05
"""Seconds, and share of the time limit, by which an answer may come after the limit."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The searches of a run.

    Args:
        outcome: how they ended.
        attempt: the search; the means of a sample.
        way: symmetries from the board of the run to the board searched.
        loops: number of searches in the sample.
        first_ns: nanoseconds to load and to search before the sample, as in `Timing`.
        measure: what the time includes.
        warm_up: id of the case of the search before the sample, if that was another one.
        doubt: reason why the time is doubtful; empty if there is none.
    """

    outcome: Outcome
    attempt: Attempt = Attempt()  # noqa: RUF009 - it is immutable
    way: Sequence[Symmetry] = ()
    loops: int = 1
    first_ns: int | None = None
    measure: Measure | None = None
    warm_up: str | None = None
    doubt: str = ""

    def record(self, run: Run, guard: Guard, started: float, load_ns: int | None) -> Record:
        """Return the record of the run, with its grids mapped back to its own board."""
        timing = self._timing(load_ns)
        usage = guard.usage(timing)
        if self.doubt:
            usage = replace(usage, disturbed=(*usage.disturbed, self.doubt))
        attempt = self.attempt
        evidence, error, where = attempt.refused or attempt.wrong, attempt.error, ""
        if error is not None and not attempt.refused:
            evidence, where = (summarize_exception(error),), traceback_of(error)
        result = attempt.result
        return record_of(
            run,
            self.outcome,
            evidence=evidence,
            timing=timing,
            usage=usage,
            started=started,
            stop=result.stop if result else None,
            count=result.count if result else 0,
            solutions=tuple(_undone(grid, self.way) for grid in result.solutions) if result else (),
            statistics=figures(result.statistics) if result else {},
            traceback="" if result else where,
            answered_by=result.answered_by if result else "",
            measure=self.measure,
            warm_up=self.warm_up,
        )

    def _timing(self, load_ns: int | None) -> Timing:
        """Return the times, divided into phases as the backend reports them."""
        wall, result = self.attempt.wall_ns, self.attempt.result
        init, solve = 0, wall
        if result is not None and "solve_time" in result.statistics:
            statistics = figures(result.statistics)
            init = round(min(max(0, statistics.get("init_time", 0) * 1e9), wall))
            solve = round(min(max(0, statistics.get("solve_time", 0) * 1e9), wall - init))
        return Timing(
            wall_ns=wall,
            cpu_ns=self.attempt.cpu_ns,
            init_ns=init,
            solve_ns=solve,
            decode_ns=wall - init - solve,
            load_ns=load_ns,
            first_ns=self.first_ns,
            loops=self.loops,
        )


def latest_ns(time_limit: float) -> float:
    """Return the nanoseconds after which an answer is late, for a time limit in seconds."""
    return 1e9 * (time_limit + max(_SLACK, _SLACK * time_limit))


def outcome_of(attempt: Attempt, time_limit: float | None, cpu_limit: float | None) -> Outcome:
    """Return how a search ended, under limits of time and processor time in seconds."""
    if attempt.refused:
        return Outcome.UNSUPPORTED
    if attempt.error is not None:
        if isinstance(attempt.error, WrongAnswerError):
            return Outcome.WRONG
        return Outcome.MEMORY if is_out_of_memory(attempt.error) else Outcome.FAILED
    if attempt.wrong:
        return Outcome.WRONG
    if attempt.result is None or not attempt.result.stop.answered:
        return Outcome.UNKNOWN
    is_late = time_limit is not None and attempt.wall_ns > latest_ns(time_limit)
    is_late |= cpu_limit is not None and attempt.cpu_ns > 1e9 * cpu_limit
    return Outcome.LATE if is_late else Outcome.SOLVED


def _undone(grid: Grid, way: Sequence[Symmetry]) -> Grid:
    try:
        return undone(grid, way)
    except (IndexError, TypeError, ValueError):
        return grid  # not a grid of the board; the record reports that it is wrong
