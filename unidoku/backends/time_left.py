"""The time that a search has left once its rules are prepared: that counts towards its limit."""

from __future__ import annotations

from dataclasses import replace

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.toolkit.budget import Budget, LimitReached
from unidoku.core.board import Board
from unidoku.core.hidden import expanded_layout
from unidoku.core.layout import Layout
from unidoku.core.simplify import simplified
from unidoku.deadline import looking
from unidoku.errors import LayoutError

__all__ = ["after_shapes", "out_of_time", "with_left"]


def after_shapes(layout: Layout, request: Request) -> Request | None:
    """Return the request with the time that is left when the rules' shapes are known, or None.

    Rules without shapes take no time: every backend refuses them.
    """
    budget = Budget(request)
    try:
        with looking(budget.check_time):
            simplified(expanded_layout(layout))
        return with_left(request, budget)
    except LimitReached:
        return None
    except LayoutError:
        return request


def with_left(request: Request, budget: Budget) -> Request:
    """Return the request with the time that is left, or itself if that is nearly all.

    Raises:
        LimitReached: no time is left.
    """
    if budget.elapsed < _SHORT:
        return request
    budget.check_time()
    return replace(request, time_limit=budget.limit)


_SHORT = 0.001
"""Seconds of preparation that a time limit does not count."""


def out_of_time(board: Board, seconds: float) -> Result:
    """Return the result of a search that did not begin in time."""
    figures = {"init_time": seconds, "nodes": 0}
    return Result(count=0, solutions=(), stop=Stop.TIME, statistics=figures, puzzle=board)
