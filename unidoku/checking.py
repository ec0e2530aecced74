"""What a search found, in words, and whether a board is proper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from unidoku.api import solver_and_limit
from unidoku.backends.base import Request, Result, Status, Stop
from unidoku.backends.solver import Solver
from unidoku.core.board import Board

__all__ = ["Check", "check", "count_text", "describe"]

_STOPPED = MappingProxyType(
    {
        Stop.TIME: " (time limit)",
        Stop.NODES: " (node limit)",
        Stop.INCOMPLETE: " (the backend can do no more)",
    }
)
"""What ended a search short of an answer, as the tail of a phrase."""

_CELLS_SHOWN = 5


def count_text(count: int, stop: Stop) -> str:
    """Say how many solutions were counted; a number alone is exact.

    >>> count_text(3, Stop.EXHAUSTED), count_text(3, Stop.TIME)
    ('3', 'at least 3 (time limit)')
    """
    return f"{'' if stop is Stop.EXHAUSTED else 'at least '}{count}{_STOPPED.get(stop, '')}"


def describe(result: Result) -> str:
    """Say in words what is known after a search.

    >>> describe(Result(count=2, solutions=(), stop=Stop.SOLUTIONS))
    '2 solutions found'
    """
    solutions = f"{result.count} solution{'' if result.count == 1 else 's'}"
    limit = _STOPPED.get(result.stop, "")
    match result.status:
        case Status.UNSATISFIABLE:
            return "no solutions"
        case Status.ALL_SOLUTIONS:
            return f"exactly {solutions}"
        case Status.SATISFIED if result.stop is Stop.SOLUTIONS:
            return f"{solutions} found"
        case Status.SATISFIED:
            return f"at least {solutions}{limit}"
        case Status.UNKNOWN:
            return f"undecided{limit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Whether a board is proper, and why not.

    Args:
        result: what the search for two solutions found.
        reasons: why the board has no solution, or where two of its solutions differ.
    """

    result: Result
    reasons: tuple[str, ...]

    @property
    def proper(self) -> bool | None:
        """Whether the board has exactly one solution; None if that is undecided."""
        return self.result.unique

    def __str__(self) -> str:
        """Return the verdict, and below it the reasons."""
        verdict = {True: "proper", False: "not proper", None: "not decided"}[self.proper]
        reasons = "".join(f"\n  {reason}" for reason in self.reasons)
        return f"{verdict}: {describe(self.result)}{reasons}"


def check(
    board: Board,
    /,
    *,
    backend: str | Solver | None = None,
    time_limit: float | None = None,
    **options: Any,
) -> Check:
    """Check that a board is proper: that it has exactly one solution.

    >>> print(check(Board.parse("1... ..2. .3.. ...4")))
    proper: exactly 1 solution
    >>> print(check(Board.parse("11.. .... .... ....")))
    not proper: no solutions
      row A: A1 and A2 are both 1

    Args:
        board: the puzzle.
        backend: a label or a solver; the backend of the settings if not given.
        time_limit: seconds; the limit of the settings if not given.
        options: options of the backend, if it is no solver.

    Raises:
        UnsupportedError, WrongAnswerError, BackendError: as `unidoku.solve`.
    """
    solver, limit = solver_and_limit(backend, time_limit, options)
    result = solver.search(board, Request(solutions=2, time_limit=limit))
    return Check(result=result, reasons=tuple(_reasons(board, result)))


def _reasons(board: Board, result: Result) -> Iterator[str]:
    """Yield why a board that was searched is not proper."""
    problems = board.problems()
    yield from map(str, problems)
    if result.count == 0 and result.unique is False and not problems:
        from unidoku.logic.hidden_units import impossible  # all of logic, which few boards need

        no_board = impossible(board.layout)
        yield no_board or "no two givens clash; the search space holds no solution"
    if result.count > 1:
        one, other = result.solutions[:2]
        differ = [cell for cell in board.layout.cells if one[cell] != other[cell]]
        shown = [
            f"{board.layout.names[cell]} ({one[cell]} or {other[cell]})"
            for cell in differ[:_CELLS_SHOWN]
        ]
        more = f" and {len(differ) - len(shown)} more" if len(differ) > len(shown) else ""
        yield f"two solutions differ in {', '.join(shown)}{more}"
