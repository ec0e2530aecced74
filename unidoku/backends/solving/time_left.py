"""The time that a search has left once its rules are prepared: that counts towards its limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.toolkit.budget import Budget, LimitReached
from unidoku.core.board import Board
from unidoku.errors import TimeLimitError
from unidoku.support.deadline import Deadline, time_limit_scope


def after_board(
    make: Callable[[], Board],
    request: Request,
    search: Callable[[Board, Request], Result],
    board: Board | None = None,
) -> Result:
    """Make a board and search it in the time that is then left.

    Args:
        make: function that makes the board.
        request: request for both.
        search: function that searches it.
        board: the board that the result is about if time is up before; by default what was made.

    Raises:
        TimeLimitError: time was up before there was any board.
    """
    if request.time_limit is None:
        return search(make(), request)
    budget = Budget(request)
    try:
        with time_limit_scope(budget.check_building):
            prepared = make()
            board = board or prepared
            if budget.elapsed >= _SHORT:
                budget.check_time()
                request = replace(request, time_limit=budget.limit)
            return search(prepared, request)
    except LimitReached:
        if board is None:
            raise TimeLimitError(
                f"time limit of {request.time_limit:g} s reached while the board was made"
            ) from None
        return out_of_time(board, budget.elapsed)


_SHORT = 0.001
"""Seconds of preparation that a time limit does not count."""


def ordered(result: Result, clock: Deadline) -> Result:
    """Return the result with its grids in order, if they are all solutions.

    Where the time left is too short to order them, it is as if the search had not come to its end.
    """
    if result.count < 2:
        return result
    if len(result.solutions) < _FEW or result.stop is not Stop.EXHAUSTED:
        return result.ordered()
    left = clock.left
    if left is not None and left < len(result.solutions) * _ORDERING:
        return replace(result, stop=Stop.TIME)
    return result.ordered()


_FEW = 1000
"""Number of grids that are ordered in less time than matters."""

_ORDERING = 2e-6
"""Seconds that it takes to order a grid among hundreds of thousands, twice as long as measured."""


def out_of_time(board: Board, seconds: float, stop: Stop = Stop.TIME) -> Result:
    """Return the result of a search that reached a limit before it began."""
    figures = {"init_time": seconds, "nodes": 0}
    return Result(count=0, solutions=(), stop=stop, statistics=figures, puzzle=board)
