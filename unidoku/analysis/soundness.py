"""Proofs of steps by logic: an exact backend shows whether a step removes a true candidate."""

from __future__ import annotations

import math

from unidoku.api import true_candidates
from unidoku.backends.solving.solver import Solver
from unidoku.logic import Walkthrough


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
