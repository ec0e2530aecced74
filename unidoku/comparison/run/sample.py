"""Repeats a fast search until its time can be measured."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import TypeGuard

from unidoku.backends.base import Request, Result
from unidoku.backends.policy import Attempt, wrong_answers
from unidoku.backends.solver import Solver
from unidoku.comparison.record import RENAMED
from unidoku.core.board import Board

__all__ = ["figures", "sample"]

_MOST_LOOPS = 100_000
"""The most searches in a sample."""

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
    boards: Sequence[Board],
    least: int,
    beat: Callable[[], object],
) -> tuple[Attempt, int]:
    """Search the boards in turn until the time has passed, or a search ends at a limit.

    The boards are one board under several names of its values; ``least`` is in nanoseconds. The
    beat is called before searches that may take any time, and after many.

    Returns:
        The means as one attempt with the result of the first board, and the number of searches.
    """
    search = solver.searching(boards[0].layout)
    endless = cycle(boards)
    results: list[Result] = []
    append = results.append
    wall, cpu = 0, time.process_time_ns()
    failure: Exception | None = None
    while wall < least and len(results) < _MOST_LOOPS and failure is None:
        loops = 1
        if len(results) < len(boards):
            beat()  # a board may be far harder under other names
        else:
            loops = min((least - wall) * len(results) // wall + 1, _MOST_LOOPS - len(results))
        wall -= time.perf_counter_ns()
        try:
            for board in islice(endless, loops):
                append(search(board, request))
        except Exception as error:  # noqa: BLE001 - every exception is recorded
            failure = error
        wall += time.perf_counter_ns()
        if failure is None and not _is_answered(results[-1]):
            break
    cpu = time.process_time_ns() - cpu
    if len(results) > _FEW:
        beat()  # many results take time to examine
    loops = max(len(results), 1)
    wall, cpu = wall // loops, cpu // loops
    if failure is not None:
        return Attempt(error=failure, wall_ns=wall, cpu_ns=cpu), loops
    different = _different(results)
    wrong = tuple(_wrong(solver, request, boards, results, different))
    result = None if wrong else _summed(results, different)
    return Attempt(result=result, wrong=wrong, wall_ns=wall, cpu_ns=cpu), loops


def _summed(results: Sequence[Result], different: Sequence[Result]) -> Result:
    """Return the first result with the means of all statistics, or one that met a limit."""
    for result in different:
        if not result.stop.answered:
            return result
    first = results[0]
    if not first.statistics:
        return first
    chosen = results[:: max(1, len(results) // _FIGURES)]
    told = [figures(result.statistics) for result in chosen]
    statistics = {name: sum(said.get(name, 0) for said in told) / len(told) for name in told[0]}
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
    boards: Sequence[Board],
    results: Sequence[Result],
    different: Sequence[Result],
) -> Iterator[str]:
    """Yield what is wrong with the results of the boards, which differ only in names."""
    # The first result is recorded; a check of one result takes as long as a fast search.
    yield from wrong_answers(solver.spec.capabilities, boards[0], request, results[0])
    if not different:
        nonsense = next(result for result in results if not isinstance(result, Result))
        yield f"expected a Result, got {nonsense!r}"
    if len(different) < 2:
        return
    answers = {(r.count, r.stop.value) for r in different if r.stop.answered}
    if len(answers) > 1:
        said = "; ".join(f"{count} ({stop})" for count, stop in sorted(answers))
        yield f"{RENAMED}: {said}"
