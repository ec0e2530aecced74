"""Tools for adapters that count solutions and watch the limits of a request."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.toolkit.checked import begin_checks
from unidoku.core.layout import Grid
from unidoku.support.cancel import raise_if_cancelled
from unidoku.support.deadline import Deadline, EndOfWork
from unidoku.support.moved import former_names


class LimitReached(EndOfWork):
    """Raised inside a search to leave it; never leaves the adapter."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop)
        self.stop = stop


_FREEING = 0.1
"""Part of a time limit in which what is built until then can be freed: a million tuples take half a
second to make, and a twentieth to free."""


_SHORT = 0.035
"""Seconds that a search gets if it has that time, even if it then ends late."""

_LATE = 0.05
"""Seconds by which any search may end late: one that would end later is not begun."""


class Budget(Deadline):
    """The time and nodes that are left to a request, counted from the budget's creation.

    Args:
        request: request with the limits.

    Attributes:
        nodes: number of nodes counted so far.
    """

    __slots__ = ("_node_limit", "nodes")

    def __init__(self, request: Request) -> None:
        super().__init__(request.time_limit)
        self.nodes = 0
        self._node_limit = request.node_limit

    def times(self, init_time: float) -> dict[str, float]:
        """Return the statistics of a search that began after ``init_time`` and ends now."""
        return {"init_time": init_time, "solve_time": self.elapsed - init_time}

    def check_time(self) -> None:
        """Raise LimitReached if the time limit has passed, Cancelled if the call is cancelled."""
        if self._tokens:
            raise_if_cancelled(self._tokens)
        if self.seconds is not None and time.perf_counter() >= self._end:
            raise LimitReached(Stop.TIME)

    def check_building(self) -> None:
        """Raise as `check_time`, but early enough to free what was built in the meantime."""
        if self._tokens:
            raise_if_cancelled(self._tokens)
        if self.seconds is not None and time.perf_counter() >= self._end - self.seconds * _FREEING:
            raise LimitReached(Stop.TIME)

    def left_to_search(self, late: float) -> float | None:
        """Return the seconds to give to a library that ends late; None without a limit.

        Args:
            late: seconds that it may take to end once its time is up.

        Raises:
            LimitReached: it would end too late.
        """
        if (left := self.left) is None:
            return None
        if left <= max(0.0, late - _LATE):
            raise LimitReached(Stop.TIME)
        return max(left - late, min(left * 0.75, _SHORT))

    def take(self, most: int) -> int:
        """Count up to that many nodes at once; return how many the limit allows, at least one.

        Raises:
            LimitReached: no node is left, or the time limit has passed.
        """
        self.check_time()
        if self._node_limit is not None:
            most = min(most, self._node_limit - self.nodes)
            if most <= 0:
                raise LimitReached(Stop.NODES)
        self.nodes += most
        return most

    def node(self) -> None:
        """Count a node; raise LimitReached if it is one too many, or time is up."""
        if self._node_limit is not None and self.nodes >= self._node_limit:
            raise LimitReached(Stop.NODES)
        self.nodes += 1
        self.check_time()


class SolutionCollector:
    """Counts solutions and keeps as many as the request asks for."""

    def __init__(self, request: Request) -> None:
        self.count = 0
        self._grids: list[Grid] = []
        self._wanted = request.solutions
        self._keep = request.keep
        self._check = begin_checks() if self.keeps_next else None

    @property
    def keeps_next(self) -> bool:
        """Whether the next grid will be kept, so that it must be read."""
        return self._keep is None or len(self._grids) < self._keep

    @property
    def enough(self) -> bool:
        """Whether the requested number of solutions was found."""
        return self._wanted is not None and self.count >= self._wanted

    def add(self, grid: Grid | None) -> bool:
        """Count a solution and keep its grid if requested; return whether that is enough."""
        self.count += 1
        if grid is not None and self.keeps_next:
            self._grids.append(grid)
            if self._check is not None:
                self._check((grid,))
        return self.enough

    def result(self, stop: Stop, statistics: Mapping[str, float]) -> Result:
        """Return the result; if there are enough solutions, that is the reason of the stop."""
        return Result(
            count=self.count,
            solutions=tuple(self._grids),
            stop=Stop.SOLUTIONS if self.enough else stop,
            statistics=statistics,
        )


__getattr__ = former_names(__name__, Tally="SolutionCollector")


def collect(grids: Iterable[Grid], collector: SolutionCollector) -> Stop:
    """Take grids until there are enough, no more, or a limit is reached; return which."""
    try:
        for grid in grids:
            if collector.add(grid):
                return Stop.SOLUTIONS
    except LimitReached as limit:
        return limit.stop
    return Stop.EXHAUSTED
