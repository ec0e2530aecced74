"""The searches of a run: repeated until they can be timed, and what is recorded of them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeGuard

from unidoku.backends.base import Request, Result
from unidoku.backends.failure import summarize_exception, traceback_of
from unidoku.backends.solving.policy import Attempt, wrong_answers
from unidoku.backends.solving.solver import Solver
from unidoku.comparison.order import Run
from unidoku.comparison.record import RENAMED, Measure, Outcome, Record, Timing, record_of
from unidoku.comparison.run.effects import FORKED, end_if_forked
from unidoku.comparison.run.limits import Guard
from unidoku.comparison.run.views import undone
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.core.symmetry import Symmetry
from unidoku.errors import WrongAnswerError, is_out_of_memory
from unidoku.parallel.processes import cpu_ns

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


IN_ALL = 10
"""A sample ends after this many times its least time, with what is done between its searches."""

_BLOCK = 512
"""The most searches between two looks at the clock."""

_UNSURE = 8
"""Searches after which it is known about how long one takes."""

_FEW = 1000
"""Results of a sample that can be examined in negligible time."""

_FIGURES = 64
"""Results of a sample whose statistics are read; all would take as long as the sample."""

_PHASES = ("init_time", "solve_time")
"""Statistics that are read of all results: a pause of the machine in one of a few would count as
if each such search had it, and as more than all the time there was."""


def sample(
    solver: Solver,
    request: Request,
    boards: Iterator[Board],
    least: int,
    beat: Callable[[], object],
) -> tuple[Attempt, int]:
    """Search boards for at least some time, and return the means of the searches.

    Args:
        solver: solver of the searches.
        request: the request of each search.
        boards: forms of one board, none of which occurs twice. The first is the given one.
        least: nanoseconds that the searches together take at least, unless there are no more boards
            or a search ends at a limit. Making the boards included, ``IN_ALL`` times that is the
            most.
        beat: called before searches that may take any time, and after many, to show that the
            process still works.

    Returns:
        The means as one attempt with the result of the first board, and the number of searches.
    """
    first = next(boards)
    search = solver.searching(first.layout)
    results: list[Result] = []
    append = results.append
    block = [first]
    wall, cpu, begun = 0, cpu_ns(), time.perf_counter_ns()
    failure: Exception | None = None
    while block and failure is None:
        if len(results) < _UNSURE:
            beat()  # a board may be far harder in another form
        wall -= time.perf_counter_ns()
        try:
            for board in block:
                append(search(board, request))
                if FORKED:  # by the search, in a process that must not measure too
                    end_if_forked()
        except Exception as error:  # noqa: BLE001 - every exception is recorded
            failure = error
        wall += time.perf_counter_ns()
        if failure is None and not _is_answered(results[-1]):
            break
        if wall >= least or time.perf_counter_ns() - begun >= IN_ALL * least:
            break
        loops = (least - wall) * len(results) // max(wall, 1) + 1 if results else 0
        block = list(islice(boards, min(loops, len(results), _BLOCK)))
    cpu = cpu_ns() - cpu
    if len(results) > _FEW:
        beat()  # many results take time to examine
    loops = max(len(results), 1)
    wall, cpu = wall // loops, cpu // loops
    if failure is not None:
        return Attempt(error=failure, wall_ns=wall, cpu_ns=cpu), loops
    different = _different(results)
    wrong = tuple(_wrong(solver, request, first, results, different))
    result = None if wrong else _summed(results, different)
    return Attempt(result=result, wrong=wrong, wall_ns=wall, cpu_ns=cpu), loops


def mean_of(attempts: Sequence[Attempt]) -> Attempt:
    """Return the means of searches of one board in several forms, which were all answered."""
    if len(attempts) == 1:
        return attempts[0]
    results = [attempt.result for attempt in attempts if attempt.result is not None]
    wall = sum(attempt.wall_ns for attempt in attempts) // len(attempts)
    cpu = sum(attempt.cpu_ns for attempt in attempts) // len(attempts)
    different = _different(results)
    wrong = tuple(_contradictions(different))
    result = None if wrong else _summed(results, different)
    return Attempt(result=result, wrong=wrong, wall_ns=wall, cpu_ns=cpu)


def _summed(results: Sequence[Result], different: Sequence[Result]) -> Result:
    """Return the first result with the means of all statistics, or one that met a limit."""
    for result in different:
        if not result.stop.answered:
            return result
    first = results[0]
    if not first.statistics:
        return first
    chosen = results[:: max(1, len(results) // _FIGURES)]
    samples = [figures(result.statistics) for result in chosen]
    statistics = {
        name: sum(sample.get(name, 0) for sample in samples) / len(samples) for name in samples[0]
    }
    for name in statistics.keys() & set(_PHASES):
        times = (result.statistics.get(name) for result in results)
        statistics[name] = sum(time for time in times if _is_figure(time)) / len(results)
    return replace(first, statistics=statistics)


def figures(statistics: Mapping[str, object]) -> dict[str, float]:
    """Return the statistics that are finite numbers: a journal cannot hold others."""
    return {
        name: value + 0  # turns a bool into an int
        for name, value in statistics.items()
        if _is_figure(value)
    }


def _is_figure(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and abs(value) <= sys.float_info.max


def _is_answered(result: object) -> bool:
    return not isinstance(result, Result) or result.stop.answered


def _different(results: Sequence[Result]) -> list[Result]:
    """Return one result for each different answer: nearly always one, of thousands of results."""
    first = results[0]
    if any(not issubclass(kind, Result) for kind in set(map(type, results))):
        return []
    count, stop = first.count, first.stop
    others = [result for result in results if result.count != count or result.stop is not stop]
    if not others:
        return [first]
    by_answer = {(result.count, result.stop): result for result in (first, *others)}
    return list(by_answer.values())


def _wrong(
    solver: Solver,
    request: Request,
    first: Board,
    results: Sequence[Result],
    different: Sequence[Result],
) -> Iterator[str]:
    """Yield what is wrong with the results of forms of one board, of which this is the first."""
    # The first result is recorded; a check of one result takes as long as a fast search.
    yield from wrong_answers(solver.spec.capabilities, first, request, results[0])
    if not different:
        nonsense = next(result for result in results if not isinstance(result, Result))
        yield f"expected a Result, got {nonsense!r}"
    yield from _contradictions(different)


def _contradictions(different: Sequence[Result]) -> Iterator[str]:
    """Yield the answers to the forms of a board, if they contradict each other."""
    answers = {(r.count, r.stop.value) for r in different if r.stop.answered}
    if len(answers) > 1:
        counts = "; ".join(f"{count} ({stop})" for count, stop in sorted(answers))
        yield f"{RENAMED}: {counts}"
