"""In how many solutions each candidate occurs, up to a few: what setters look at while they work.

The first solutions show most candidates. A search for each that is left finds one solution or
proves that there is none; each solution found counts for all its values at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from unidoku.api import COUNTED, solver_and_limits
from unidoku.backends.base import Limits, Stop
from unidoku.backends.solving.solver import BackendLike, Solver
from unidoku.core.bits import bit, values_of
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.layout import Grid, Layout
from unidoku.core.propagation.propagate import propagate
from unidoku.errors import InputError
from unidoku.support.arguments import named_arguments
from unidoku.support.cancel import Cancel, cancellable
from unidoku.support.deadline import Deadline

_FIRST = 100
"""Solutions that are looked for at the beginning: often these are all."""

_PAUSE = 0.15
"""Seconds between two reports at least."""


@dataclass(frozen=True, slots=True)
class CandidateCounts:
    """For each candidate, in how many solutions it occurs.

    Args:
        counts: for each cell and each of the values 1 to n the number of solutions found, at most
            ``most``.
        most: the number above which solutions are not counted.
        open: for each cell the set of values that are not decided: they may occur in a solution
            although none was found, or in more than were found.
    """

    counts: tuple[tuple[int, ...], ...]
    most: int
    open: tuple[int, ...]

    @property
    def is_final(self) -> bool:
        """Whether every candidate is decided."""
        return not any(self.open)


@named_arguments
@cancellable
def candidate_counts(
    board: BoardLike,
    /,
    *,
    most: int = 10,
    backend: BackendLike | None = None,
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    watch: Callable[[CandidateCounts], object] | None = None,
    **options: object,
) -> CandidateCounts:
    """Count the solutions in which each candidate occurs, up to a number.

    >>> import unidoku
    >>> from unidoku.analysis.candidate_counts import candidate_counts
    >>> candidate_counts("12.. .... .... 21..").counts[2]  # A3
    (0, 0, 4, 4)

    Args:
        board: a board or its text.
        most: the number up to which solutions are counted.
        backend: label of an exact backend, or a solver.
        variant: the variant of a text.
        time_limit: seconds for all searches together; what is not decided by then is ``open``.
        cancel: a token that ends the call, as in `unidoku.solve`.
        watch: function that is called with the counts so far, some times a second.
        options: options of the backend.

    Raises:
        InputError: the number is below 1.
        UnsupportedError, BackendError: as `unidoku.solve`.
    """
    if most < 1:
        raise InputError(f"most: expected 1 or more, got {most}")
    solver, limits = solver_and_limits(backend, options, fixed=(*COUNTED, "time_limit"))
    counter = _Counter(as_board(board, variant), most, solver, limits, Deadline(time_limit), watch)
    counter.count()
    return counter.result


class _Counter:
    """Searches for solutions, and counts the candidates in them."""

    def __init__(
        self,
        board: Board,
        most: int,
        solver: Solver,
        limits: Limits,
        deadline: Deadline,
        watch: Callable[[CandidateCounts], object] | None,
    ) -> None:
        self._board, self._most = board, most
        self._solver, self._limits, self._deadline, self._watch = solver, limits, deadline, watch
        n = board.layout.n
        self._counts = [[0] * n for _ in board.layout.cells]
        self._open = [*board.candidates]
        self._grids: set[Grid] = set()
        self._reported = time.perf_counter()

    @property
    def result(self) -> CandidateCounts:
        """The counts so far."""
        most = self._most
        counts = tuple(tuple(min(count, most) for count in row) for row in self._counts)
        return CandidateCounts(counts, most, tuple(self._open))

    def count(self) -> None:
        """Count until all candidates are decided, or the time is over."""
        left = propagate(self._board)
        self._open = [0] * len(self._open) if left is None else [*left.candidates]
        if left is None or self._search(left, max(_FIRST, self._most)):
            self._open = [0] * len(self._open)
            return
        for goal in (1, self._most):
            for cell, mask in enumerate(left.candidates):
                for value in values_of(mask):
                    if self._deadline.passed:
                        return
                    self._decide(left, cell, value, goal)

    def _decide(self, left: Board, cell: int, value: int, goal: int) -> None:
        """Find a number of solutions with a candidate, or all that there are."""
        if not self._open[cell] & bit(value):
            return
        seen = self._counts[cell][value - 1]
        is_final = seen >= self._most
        if seen < goal:
            is_final = self._search(left.assign(cell, value), goal) or goal == self._most
        if is_final and not self._deadline.passed:
            self._open[cell] &= ~bit(value)
        now = time.perf_counter()
        if self._watch is not None and now - self._reported >= _PAUSE:
            self._reported = now
            self._watch(self.result)

    def _search(self, board: Board, solutions: int) -> bool:
        """Count solutions of a board; return whether these are all."""
        limits = self._limits | Limits(
            solutions=solutions, keep=solutions, time_limit=self._deadline.limit
        )
        result = self._solver.solve(board, **limits)
        for grid in result.solutions:
            if grid not in self._grids:
                self._grids.add(grid)
                for counts, value in zip(self._counts, grid, strict=True):
                    counts[value - 1] += 1
        return result.stop is Stop.EXHAUSTED
