"""Whether a board is proper, and if not, why; whether steps by logic are sound."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from unidoku.api import COUNTED, catalogue_only, solver_and_limits, true_candidates
from unidoku.backends.base import Limits, Result
from unidoku.backends.solving.solver import BackendLike, Solver
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.hidden import expanded_layout
from unidoku.core.layout import Layout
from unidoku.core.propagation.contradiction import conflict, explanation, hopeless_cell
from unidoku.core.transforms.leftovers import no_grid_fits
from unidoku.logic import Walkthrough
from unidoku.parallel.killable import confinable
from unidoku.support.arguments import named_arguments
from unidoku.support.cancel import Cancel
from unidoku.support.deadline import Deadline

_CELLS_SHOWN = 5

_UNEXPLAINED = "no two givens clash and no rule is broken; the search space holds no solution"

_NO_GRID = "whatever is given, no grid fits the units, as the law of leftovers shows"

_PATIENCE = 2.0
"""The most seconds for finding out why a board has no solution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Whether a board is proper, and why not.

    Args:
        result: result of the search for two solutions.
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
        return f"{verdict}: {self.result}{reasons}"


@named_arguments
@confinable(catalogue_only)
def check(
    board: BoardLike,
    /,
    *,
    backend: BackendLike | None = None,
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
    **options: object,
) -> Check:
    """Check that a board is proper: that it has exactly one solution.

    Arguments and errors are those of `unidoku.solve`.

    >>> import unidoku
    >>> print(unidoku.check("1... ..2. .3.. ...4"))
    proper: exactly 1 solution
    >>> print(unidoku.check("11.. .... .... ...."))
    not proper: no solutions
      row A: A1 and A2 are both 1
    """
    given = {"time_limit": time_limit, **options}
    solver, limits = solver_and_limits(backend, given, fixed=COUNTED)
    clock = Deadline(limits.get("time_limit"))
    puzzle = as_board(board, variant)
    result = solver.solve(puzzle, **(limits | Limits(solutions=2, time_limit=clock.limit)))
    return Check(result=result, reasons=tuple(_reasons(puzzle, result, clock.limit)))


def _reasons(board: Board, result: Result, left: float | None) -> Iterator[str]:
    """Yield the reasons why a board is not proper, after a search, in the seconds left."""
    problems = board.problems()
    yield from map(str, problems)
    if result.count == 0 and result.unique is False and not problems:
        deadline = Deadline(_PATIENCE if left is None else min(left, _PATIENCE))
        yield _contradiction(board, deadline) or _UNEXPLAINED
    if result.count > 1:
        first, second = sorted(result.solutions[:2])  # engines find them in orders of their own
        seen = board.layout.shown
        differ = [cell for cell in board.layout.cells if first[cell] != second[cell]]
        texts = [
            f"{board.layout.names[cell]} ({seen[first[cell]]} or {seen[second[cell]]})"
            for cell in differ[:_CELLS_SHOWN]
        ]
        rest = f" and {len(differ) - len(texts)} more" if len(differ) > len(texts) else ""
        yield f"two solutions differ in {', '.join(texts)}{rest}"


def _contradiction(board: Board, deadline: Deadline) -> str:
    """Return the reasons why a board has no solution, if plain reasoning finds any."""
    if parts := conflict(board, deadline):
        return explanation(board.layout, parts)
    from unidoku.logic.techniques.leftovers import impossible  # all of logic, rarely needed

    if reason := impossible(expanded_layout(board.layout)):
        return reason
    return _NO_GRID if no_grid_fits(board.layout) else hopeless_cell(board, deadline)


def unsound_steps(
    walkthrough: Walkthrough, solver: Solver, *, time_limit: float | None = None
) -> tuple[int, ...]:
    """Return the indices of the steps that remove a candidate that is true in some solution.

    Candidates that a placement removes from its peers count too. On a board without solutions no
    step is wrong.

    Cost: at most one search a candidate of the board, two in all if the solution is unique.

    Args:
        walkthrough: the steps and their states.
        solver: an exact backend.
        time_limit: seconds for all searches together, None for no limit.

    Raises:
        TimeLimitError: the time limit was reached.
        UnsupportedError: the backend is not complete, or does not support the board.
    """
    seconds = math.inf if time_limit is None else time_limit
    true = true_candidates(walkthrough.board, backend=solver, time_limit=seconds).candidates
    states = walkthrough.states
    return tuple(
        index
        for index in range(len(walkthrough.steps))
        if any(
            before & ~after & possible
            for before, after, possible in zip(
                states[index].candidates, states[index + 1].candidates, true, strict=True
            )
        )
    )
