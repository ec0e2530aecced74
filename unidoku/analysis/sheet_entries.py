"""Entries of a sheet with what logic and a solver add to them: rules, levels, solutions."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from unidoku.analysis.found_parts import found_regions, with_doublers
from unidoku.analysis.rate import rate
from unidoku.backends.base import Result
from unidoku.backends.solving.solver import Solver
from unidoku.draw import Entry
from unidoku.errors import TimeLimitError, UnsupportedError
from unidoku.formats.sentences import rules_text


def with_words(entry: Entry, *, rules: bool, level: bool, time_limit: float | None) -> Entry:
    """Return an entry with its rules in words and its level, if they are asked for.

    Args:
        entry: the entry.
        rules: whether the rules are asked for.
        level: whether the level is; it stays empty if logic does not find it in time.
        time_limit: seconds for the level; None for no limit.
    """
    if rules:
        text = entry.puzzle.rules_text if entry.puzzle else ""
        entry = replace(entry, rules=text or rules_text(entry.board))
    if level:
        with suppress(TimeLimitError, UnsupportedError):
            entry = replace(entry, level=rate(entry.board, time_limit=time_limit).level)
    return entry


def with_solution(
    entry: Entry, solver: Solver, *, time_limit: float | None
) -> tuple[Entry, Result]:
    """Return an entry with the solution that a solver finds, if it finds one, and its result.

    Args:
        entry: the entry.
        solver: the solver.
        time_limit: seconds for each search; None for no limit.
    """
    result = solver.solve(entry.board, time_limit=time_limit)
    if not result.solutions:
        return entry, result
    grid = result.solutions[0]
    regions = found_regions(entry.board, grid, solver, time_limit=time_limit)
    answer = with_doublers(entry.board, grid, solver, time_limit=time_limit)
    return replace(entry, solution=grid, answer=answer, regions=regions), result
