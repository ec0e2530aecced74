"""The number of solutions of a board, estimated if counting would take too long."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from statistics import fmean, stdev

from unidoku.api import COUNTED, catalogue_only, solver_and_limits
from unidoku.backends.base import Limits, Result, Stop
from unidoku.backends.solving.solver import BackendLike, Solver
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.layout import Layout
from unidoku.core.propagation.propagate import propagate
from unidoku.errors import InputError, TimeLimitError, UnsupportedError
from unidoku.parallel.killable import confinable
from unidoku.support.arguments import named_arguments
from unidoku.support.cancel import Cancel
from unidoku.support.deadline import Deadline
from unidoku.support.t_distribution import student_quantile

_CONFIDENCE = 0.95

_EXACT = 10_000
"""The most solutions that are counted one by one."""

_FEW = 1000
"""Solutions at the end of a probe that are counted instead of guessed through."""

_MANY, _NARROW = 100, 0.03
"""Numbers of probes, and the relative width of the interval that is then narrow enough."""

_TIME = 60.0
"""Default time limit, in seconds; without one, a hard board would take as long as it liked."""

_SHARE = 4
"""Counting all solutions may take one part in this many of the time."""


@dataclass(frozen=True, slots=True)
class CountEstimate:
    """A number of solutions, exact or estimated.

    Args:
        estimate: the number; for an estimate the mean of the probes; None if there was no time
            for two probes.
        low: the lower end of the 95 % interval; at least the number of solutions found.
        high: its upper end; infinity if nothing is known.
        probes: number of probes; 0 for an exact number.
    """

    estimate: float | None
    low: float
    high: float
    probes: int = 0

    @property
    def is_exact(self) -> bool:
        """Whether all solutions were counted."""
        return not self.probes and self.low == self.high

    def __str__(self) -> str:
        """Return the number, and its interval, in words.

        >>> print(CountEstimate(288, 288, 288), "|", CountEstimate(2e9, 1e9, 3e9, 40))
        288 | about 2e+09 (95 % interval 1e+09 to 3e+09, 40 probes)
        """
        if self.is_exact:
            return f"{self.low:,.0f}"
        if self.estimate is None:
            return f"at least {self.low:,.0f} (no time for an estimate)"
        interval = f"95 % interval {self.low:.3g} to {self.high:.3g}, {self.probes} probes"
        return f"about {self.estimate:.3g} ({interval})"


@named_arguments
@confinable(catalogue_only)
def estimate_count(
    board: BoardLike,
    /,
    *,
    backend: BackendLike | None = None,
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    probes: int | None = None,
    seed: int = 0,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
    **options: object,
) -> CountEstimate:
    """Count the solutions of a board, or estimate their number.

    Up to 10,000 solutions are counted. Beyond that, probes go down the search tree at random: at
    each step exact searches find the values of a cell that lead to a solution, and the probe takes
    one of them. The product of their numbers, times the count of the remaining board, has the
    number of solutions as its mean (Knuth, Estimating the Efficiency of Backtrack Programs,
    Mathematics of Computation 29, 1975). The interval is that of Student's t over the probes;
    the weights are skewed, so that few probes can give one that is too narrow.

    >>> import unidoku
    >>> print(unidoku.estimate_count(unidoku.Board.empty(unidoku.layout("classic", 4))))
    288

    Args:
        board: a board or its text.
        backend: label of an exact backend, or a solver.
        variant: the variant of a text.
        time_limit: seconds for all searches, by default 60; infinity for no limit.
        probes: number of probes; by default as many as make the interval narrower than 3 %.
        seed: seed of the probes.
        cancel: a token that ends the call, as in `unidoku.solve`.
        untrusted: whether the call is made in a confined process, as in `unidoku.solve`.
        memory_limit: its memory limit.
        options: limits and options of the backend.

    Raises:
        InputError: fewer than two probes.
    """
    if probes is not None and probes < 2:
        raise InputError(f"probes: expected two or more, got {probes}")
    given = {"time_limit": time_limit, **options}
    solver, limits = solver_and_limits(backend, given, fixed=COUNTED)
    limit = limits.pop("time_limit", None)
    deadline = Deadline(_TIME if limit is None else limit)
    puzzle = as_board(board, variant)
    prober = _Prober(solver, limits, deadline, random.Random(int(seed)))
    first = prober.count(puzzle, _EXACT, _SHARE)
    if first.stop is Stop.EXHAUSTED:
        return CountEstimate(first.count, first.count, first.count)
    weights: list[float] = []
    try:
        while len(weights) < probes if probes else not _precise(weights):
            weights.append(prober.probe(puzzle))
    except TimeLimitError:
        pass
    if len(weights) < 2:
        return CountEstimate(None, first.count, math.inf)
    mean, half = fmean(weights), _half_width(weights)
    return CountEstimate(mean, max(mean - half, first.count), mean + half, len(weights))


def sampled_counts(
    board: Board, *, backend: Solver, deadline: Deadline, seed: int = 0
) -> Iterator[float]:
    """Yield numbers whose mean is the number of solutions, until the time is over.

    Where all solutions can be counted, it is their number, once.
    """
    prober = _Prober(backend, {}, deadline, random.Random(seed))
    first = prober.count(board, _EXACT, _SHARE)
    if first.stop is Stop.EXHAUSTED:
        yield first.count
        return
    with suppress(TimeLimitError):
        while True:
            yield prober.probe(board)


def _precise(weights: Sequence[float]) -> bool:
    """Return whether probes are enough: many, in an interval of a few percent."""
    return len(weights) >= _MANY and _half_width(weights) <= _NARROW * fmean(weights)


def _half_width(weights: Sequence[float]) -> float:
    spread = stdev(weights) / math.sqrt(len(weights))
    return student_quantile(_CONFIDENCE, len(weights) - 1) * spread


@dataclass(slots=True)
class _Prober:
    """Makes probes: random paths down the search tree, each of which gives an estimate.

    Args:
        solver: solver of each search.
        limits: the caller's limits, except the time limit.
        deadline: deadline of all searches together.
        rng: source of random numbers.
        depth: the step of a probe before the one at which counting succeeded last; counting is
            not tried before it.
        most: the most solutions that the solver is asked to count.
    """

    solver: Solver
    limits: Limits
    deadline: Deadline
    rng: random.Random
    depth: int = 0
    most: int = _EXACT

    def count(self, board: Board, most: int, share: int = 1) -> Result:
        """Count up to that many solutions, in a share of the time that is left."""
        limit = self.deadline.limit
        limits = self.limits | Limits(time_limit=None if limit is None else limit / share)
        limits |= Limits(solutions=min(most, self.most) + 1, keep=0)
        try:
            return self.solver.solve(board, **limits)
        except UnsupportedError:
            # A backend that finds grids again, where cells are hidden, cannot tell many apart.
            if min(most, self.most) <= 1:
                raise
            self.most = 1
            return self.count(board, most, share)

    def probe(self, board: Board) -> float:
        """Return one unbiased estimate of the number of solutions of a board.

        A path is followed down the search tree: at each step an open cell gets one of the values
        that leave a solution, at random. The estimate is the product of the numbers of such
        values, times the number of solutions where they are few enough to be counted.

        Raises:
            TimeLimitError: the deadline has passed, or a search ended without a decision.
        """
        weight, step = 1.0, 0
        while True:
            self.deadline.check("estimate_count")
            left = propagate(board) or board
            if step >= self.depth or all(left.givens):
                counted = self.count(board, _FEW)
                if counted.stop is Stop.EXHAUSTED:
                    self.depth = max(step - 1, 0)
                    return weight * counted.count
            cell = self._cell(left)
            ways = [left.assign(cell, value) for value in left.values(cell)]
            ways = [way for way in ways if self._has_solution(way)]
            weight *= len(ways)
            board = self.rng.choice(ways)
            step += 1

    def _cell(self, board: Board) -> int:
        """Return an open cell with the fewest candidates."""
        sizes = {cell: len(board.values(cell)) for cell in board.layout.cells}
        fewest = min(size for size in sizes.values() if size > 1)
        return self.rng.choice([cell for cell, size in sizes.items() if size == fewest])

    def _has_solution(self, board: Board) -> bool:
        counted = self.count(board, 0)
        if not counted.count and counted.stop is not Stop.EXHAUSTED:
            raise TimeLimitError(
                "estimate_count: a search ended without a decision; raise its limits"
            )
        return counted.count > 0
