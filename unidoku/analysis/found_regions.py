"""The regions that a solution of a chaos construction has, which are not part of its grid."""

from __future__ import annotations

from unidoku.backends.solving.solver import Solver
from unidoku.core.board import Board
from unidoku.core.hidden import expanded
from unidoku.core.layout import Grid
from unidoku.core.rules import ChaosConstruction


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
    given = Board.from_values(layout, grid)
    result = solver.solve(expanded(given), time_limit=time_limit)
    if not result.solutions:
        return None
    values = result.solutions[0]
    region_of = dict(zip(rule.held, rule.regions, strict=True))
    return tuple(values[region_of[cell]] for cell in layout.cells)
