"""The checks of the conformance suite about limits: time, nodes, threads and the seed."""

from __future__ import annotations

import time

from unidoku.backends.base import Request, Stop
from unidoku.backends.policy import refusals
from unidoku.backends.solver import Solver
from unidoku.core.board import Board
from unidoku.core.variants import layout
from unidoku.errors import UnsupportedError

GRACE = 0.2
"""Seconds by which a search may overrun its time limit."""

ATTEMPTS = 3
"""Searches until one ends in time: a busy machine may be late once, a wrong backend is always."""

_MANY = ".....6....59.....82....8....45........3........6..3.54...325..6.................."
PROPER = "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4."
"""A board with exactly one solution."""


class NotClaimed(Exception):  # noqa: N818 - no error: there is nothing to check
    """The backend does not claim what the check is about; the message says what that is."""


def honours_threads(solver: Solver) -> None:
    """Several threads lose no solutions."""
    _honoured(solver, "threads")
    try:
        result = solver.solve(Board.empty(layout("classic", 4)), solutions=None, threads=4)
    except UnsupportedError as error:
        if not solver.options:
            raise
        # An option may fix the number of threads: then another is refused, not ignored.
        raise NotClaimed(str(error)) from error
    assert result.count == 288, f"4 threads: got {result.count}"


def honours_the_seed(solver: Solver) -> None:
    """To one thread the same seed gives the same grid."""
    _honoured(solver, "seed")
    results = [solver.solve(Board.empty(layout("classic", 4)), seed=7) for _ in range(3)]
    workers = max(result.statistics.get("workers", 1) for result in results)
    if workers > 1 and solver.options:
        raise NotClaimed(f"{solver.label}: {workers:.0f} workers race each other for the grid")
    grids = {result.solutions for result in results}
    assert len(grids) == 1, "the same seed gave different grids"


def honours_the_time_limit(solver: Solver) -> None:
    """Endless questions end in time and not before, keep what was found, and claim nothing."""
    _honoured(solver, "time_limit")
    for board in _endless(solver):
        for limit in (0.05, 0.3):
            elapsed = _timed(solver, board, limit)
            for _ in range(ATTEMPTS - 1):
                if elapsed > limit + GRACE:
                    elapsed = min(elapsed, _timed(solver, board, limit))
            assert elapsed <= limit + GRACE, f"limit {limit} s: took {elapsed:.3f} s"
            assert elapsed >= limit / 2, f"limit {limit} s: stopped after {elapsed:.3f} s"
    result = solver.solve(Board.parse(PROPER), solutions=2, time_limit=100)
    assert result.unique is True, f"a limit that is not reached changes nothing, got {result}"
    result = solver.solve(Board.empty(layout("latin", 6)), solutions=None, keep=3, time_limit=0.5)
    assert result.stop is Stop.TIME
    assert len(result.solutions) == 3, f"what was found before the limit is lost: {result}"


def _endless(solver: Solver) -> list[Board]:
    """Return questions without an end in sight, of the sizes that the backend serves."""
    boards = [Board.empty(layout("classic", 25)), Board.parse(_MANY)]
    return [b for b in boards if not refusals(solver.spec.capabilities, b.layout, Request())]


def _timed(solver: Solver, board: Board, limit: float) -> float:
    """Return the seconds that an endless question takes under a time limit."""
    started = time.perf_counter()
    result = solver.solve(board, solutions=None, keep=0, time_limit=limit)
    elapsed = time.perf_counter() - started
    assert result.stop is Stop.TIME, f"limit {limit} s: got {result}"
    assert result.unique is not True
    return elapsed


def honours_the_node_limit(solver: Solver) -> None:
    """The search tree has no more nodes than allowed, and as many where it is endless."""
    _honoured(solver, "node_limit")
    for board in _endless(solver):
        for limit in (1, 10, 100):
            result = solver.solve(board, solutions=None, keep=0, node_limit=limit)
            assert result.stop is Stop.NODES, f"limit {limit}: got {result}"
            assert result.statistics["nodes"] == limit, f"limit {limit}: got {result}"
    result = solver.solve(Board.parse(PROPER), solutions=2, node_limit=10**9)
    assert result.unique is True, f"a limit that is not reached changes nothing, got {result}"


def _honoured(solver: Solver, limit: str) -> None:
    """Pass on what honours a limit."""
    if limit not in solver.spec.capabilities.honours:
        raise NotClaimed(f"{solver.label} does not claim to honour {limit}")
