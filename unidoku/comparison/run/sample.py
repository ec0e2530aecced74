"""The sample: a fast search, repeated until its time can be told."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import cycle, islice

from unidoku.backends.base import Request, Result
from unidoku.backends.policy import Attempt, wrong_answers
from unidoku.backends.solver import Solver
from unidoku.comparison.record import RENAMED
from unidoku.core.board import Board

__all__ = ["sample"]

_MOST_LOOPS = 100_000

_FIGURES = 64
"""Results of a sample of which the statistics are read; reading all would take as long again."""


def sample(
    solver: Solver,
    request: Request,
    boards: Sequence[Board],
    least: int,
    beat: Callable[[], object],
) -> tuple[Attempt, int]:
    """Search the boards in turn until the time is over, or a search ends at a limit.

    Args:
        solver: who searches.
        request: what it is asked.
        boards: one board under several namings.
        least: nanoseconds that all searches take together.
        beat: called before searches of which it is not known how long they take, and after all.

    Returns:
        The means as one attempt with the result of the first board, and the number of searches.
    """
    search = solver.backend.search
    endless = cycle(boards)
    results: list[Result] = []
    append = results.append
    wall = cpu = 0
    failure: Exception | None = None
    while wall < least and len(results) < _MOST_LOOPS and failure is None:
        loops = 1
        if len(results) < len(boards):
            beat()  # one naming may be far harder than another
        else:
            loops = min((least - wall) * len(results) // wall + 1, _MOST_LOOPS - len(results))
        cpu -= time.process_time_ns()
        wall -= time.perf_counter_ns()
        try:
            for board in islice(endless, loops):
                append(search(board, request))
        except Exception as error:  # noqa: BLE001 - whatever it raises is what there is to say
            failure = error
        wall += time.perf_counter_ns()
        cpu += time.process_time_ns()
        if failure is None and not _is_answered(results[-1]):
            break
    beat()
    loops = max(len(results), 1)
    attempt = Attempt(error=failure, wall_ns=wall // loops, cpu_ns=cpu // loops)
    return (attempt if failure else _told(attempt, solver, request, boards, results)), loops


def _told(
    attempt: Attempt,
    solver: Solver,
    request: Request,
    boards: Sequence[Board],
    results: Sequence[Result],
) -> Attempt:
    """Return the attempt with what its results say."""
    different = _different(results)
    if wrong := tuple(_wrong(solver, request, boards, results, different)):
        return replace(attempt, wrong=wrong)
    if undecided := [result for result in different if not result.stop.answered]:
        return replace(attempt, result=undecided[0])
    chosen = results[:: max(1, len(results) // _FIGURES)]
    statistics = {
        name: sum(result.statistics.get(name, 0) for result in chosen) / len(chosen)
        for name in results[0].statistics
    }
    return replace(attempt, result=replace(results[0], statistics=statistics))


def _is_answered(result: object) -> bool:
    return not isinstance(result, Result) or result.stop.answered


def _different(results: Sequence[Result]) -> list[Result]:
    """Return a result of each different answer; a sample has thousands, and nearly always one."""
    first = results[0]
    if not all(isinstance(result, Result) for result in results):
        return []
    count, stop = first.count, first.stop
    others = [result for result in results if result.count != count or result.stop is not stop]
    by_answer = {(result.count, result.stop): result for result in (first, *others)}
    return list(by_answer.values())


def _wrong(
    solver: Solver,
    request: Request,
    boards: Sequence[Board],
    results: Sequence[Result],
    different: Sequence[Result],
) -> Iterator[str]:
    """Yield what is wrong with the results of the boards, which are one under many names."""
    # The first is the one that is told of; the checker takes as long as a fast search.
    yield from wrong_answers(solver.spec.capabilities, boards[0], request, results[0])
    if not different:
        nonsense = next(result for result in results if not isinstance(result, Result))
        yield f"expected a Result, got {nonsense!r}"
    answers = {(r.count, r.stop.value) for r in different if r.stop.answered}
    if len(answers) > 1:
        said = "; ".join(f"{count} ({stop})" for count, stop in sorted(answers))
        yield f"{RENAMED}: {said}"
