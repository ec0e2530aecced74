"""What the questions of a page share: the form of an answer, the solver, and its limits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeAlias

from unidoku.backends.base import Limits, Result
from unidoku.backends.solving.solver import Solver, load
from unidoku.core.bits import is_single
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.variants import layout as named_layout
from unidoku.errors import TimeLimitError, UnsupportedError
from unidoku.serve.document import State
from unidoku.serve.edits import Message
from unidoku.support.deadline import Deadline

Answer: TypeAlias = dict[str, Any]
Report: TypeAlias = Callable[[Answer], None]
Question: TypeAlias = Callable[[State, Message, Report], Answer]

SECONDS = 10.0
"""Time limit of a question that states none."""

MOST_WITHOUT = 100
"""The number up to which solutions without a rule, or with another total, are counted."""


_TO_COMPILE = 300.0
"""The most seconds that a question waits until the solver is compiled, once on a machine."""


@lru_cache(maxsize=1)
def solver() -> Solver:
    """Return the solver of all questions: it decides what `native` alone would not."""
    return load("auto")


def wait_for_solver() -> None:
    """Wait until the solver can search: without a library of machine code it is compiled first.

    Cost: mostly microseconds.
    """
    limited_count(_SMALL, 1, Deadline(_TO_COMPILE))


def deadline_of(message: Message) -> Deadline:
    """Return the clock of a question: the time limit that its message states, or 10 seconds.

    It starts when the solver can search, as to compile it may take longer than a question.
    """
    wait_for_solver()
    return Deadline(message.get("time_limit", SECONDS))


_SMALL = Board.empty(named_layout("classic", 4))
"""A board that takes microseconds, unless something has to be loaded or compiled first."""


def limited_count(board: Board, most: int, deadline: Deadline, keep: int = 0) -> Result:
    """Return the result of a search for so many solutions, which keeps some of the grids."""
    limits = Limits(solutions=most, keep=keep, time_limit=deadline.limit)
    return solver().solve(board, **limits)


def known_count(result: Result) -> int | None:
    """Return the number of solutions up to the limit, None if time was over before the second."""
    return result.count if result.stop.answered or result.count >= 2 else None


def marked(state: State) -> Board:
    """Return the board with the values in the middle of cells as their candidates."""
    board = state.board
    masks = [
        mask & centre if centre and not is_single(mask) else mask
        for mask, centre in zip(board.candidates, state.marks.centre, strict=True)
    ]
    return Board(board.layout, tuple(masks))


def warm_up(layout: Layout) -> None:
    """Have the solver ready for a layout, so that the first answer is as quick as the next."""
    with suppress(TimeLimitError, UnsupportedError):
        limited_count(Board.empty(layout), 1, deadline_of({}))
