"""Proofs of steps: does a path of logic keep every solution? An exact backend knows."""

from __future__ import annotations

import math

from unidoku.api import true_candidates
from unidoku.backends.solver import Solver
from unidoku.logic import Walkthrough

__all__ = ["unsound_steps"]


def unsound_steps(
    path: Walkthrough, solver: Solver, time_limit: float | None = None
) -> tuple[int, ...]:
    """Return the indices of the steps that remove a candidate which is true in some solution.

    What a placement takes from its peers counts too. On a board without solutions no step is
    wrong.

    Cost: at most one search a candidate of the board, two in all where its solution is unique.

    Args:
        path: the steps and their states.
        solver: an exact backend.
        time_limit: seconds for all searches together, None for none.

    Raises:
        TimeLimitError: the time limit came first.
        UnsupportedError: the backend is not complete, or cannot serve the board.
    """
    seconds = math.inf if time_limit is None else time_limit
    true = true_candidates(path.board, backend=solver, time_limit=seconds).candidates
    return tuple(
        index
        for index in range(len(path.steps))
        if any(
            before & ~after & kept
            for before, after, kept in zip(
                path.states[index].candidates, path.states[index + 1].candidates, true, strict=True
            )
        )
    )
