"""What logic and a solver add to a board on a sheet: solutions with all parts, rules, levels."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from unidoku.analysis.rate import rate
from unidoku.backends.base import Result
from unidoku.backends.solving.solver import Solver
from unidoku.core.board import Board
from unidoku.core.hidden import expanded
from unidoku.core.layout import Grid
from unidoku.core.rules import ChaosConstruction, Doubler
from unidoku.core.rules.doubler import MULTIPLIED
from unidoku.draw import Entry
from unidoku.errors import TimeLimitError, UnsupportedError
from unidoku.formats.sentences import rules_text


def found_regions(
    board: Board, grid: Grid, solver: Solver, *, time_limit: float | None = None
) -> Grid | None:
    """Return the number of the region of each cell of a solution.

    Numbers of regions are in hidden cells, which grids do not contain: a search for them, with the
    values of the solution given, takes some milliseconds. If several divisions belong to one grid,
    this is one of them.

    Args:
        board: the board.
        grid: a solution of it.
        solver: the solver that looks for the regions.
        time_limit: seconds for the search; None for no limit.

    Returns:
        None if no rule asks for regions that fill the grid, or none are found within the limit.
    """
    layout = board.layout
    rule = next((rule for rule in layout.rules if isinstance(rule, ChaosConstruction)), None)
    if rule is None or {*rule.held} != {*layout.cells}:
        return None
    values = _all_values(board, grid, solver, time_limit)
    if values is None:
        return None
    region_of = dict(zip(rule.held, rule.regions, strict=True))
    return tuple(values[region_of[cell]] for cell in layout.cells)


def with_doublers(
    board: Board, grid: Grid, solver: Solver, *, time_limit: float | None = None
) -> Board:
    """Return a board whose doublers are known, those of a solution; itself if it asks for none.

    If several sets of doublers belong to one grid, these are one of them.

    Args:
        board: the board.
        grid: a solution of it.
        solver: the solver that looks for the doublers.
        time_limit: seconds for the search; None for no limit.
    """
    rules = board.layout.rules
    rule = next((rule for rule in rules if isinstance(rule, Doubler)), None)
    if rule is None or (values := _all_values(board, grid, solver, time_limit)) is None:
        return board
    marked = zip(rule.held, rule.marks, strict=True)
    solved = replace(rule, at=tuple(cell for cell, mark in marked if values[mark] == MULTIPLIED))
    changed = [solved if other is rule else other for other in rules]
    return replace(board, layout=replace(board.layout, rules=tuple(changed)))


def _all_values(board: Board, grid: Grid, solver: Solver, time_limit: float | None) -> Grid | None:
    """Return the values of all cells of a solution, also of hidden ones."""
    given = Board.from_values(board.layout, grid)
    result = solver.solve(expanded(given), time_limit=time_limit)
    return result.solutions[0] if result.solutions else None


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
