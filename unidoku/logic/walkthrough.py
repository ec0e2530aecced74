"""The path of a solution by logic: always the easiest step, until none is left."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.errors import TimeLimitError
from unidoku.logic.catalogue import check_layout, technique, usual
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.logic.technique import Technique

__all__ = ["Ending", "Walkthrough", "explain", "hint", "steps_from"]


class Ending(Enum):
    """How a path ends."""

    SOLVED = "solved"
    STALLED = "stalled"
    """No technique finds another step."""
    CONTRADICTION = "contradiction"
    """The board has no solutions."""
    UNFINISHED = "unfinished"
    """The time limit came first."""


@dataclass(frozen=True)
class Walkthrough:
    """Steps from a board to where they lead.

    Args:
        board: the puzzle.
        steps: in order.
        states: the state before each step, and the last one: one more than there are steps.
        in_time: whether it goes as far as the techniques lead; else the time limit ended it.
    """

    board: Board
    steps: tuple[Step, ...]
    states: tuple[State, ...]
    in_time: bool = True

    @property
    def final(self) -> State:
        """Where the path leads."""
        return self.states[-1]

    @property
    def outcome(self) -> Ending:
        """How it ends."""
        if self.final.contradiction:
            return Ending.CONTRADICTION
        if self.final.is_solved:
            return Ending.SOLVED
        return Ending.STALLED if self.in_time else Ending.UNFINISHED

    def finished(self) -> Walkthrough:
        """Return the path.

        Raises:
            TimeLimitError: the time limit ended it.
        """
        if self.outcome is Ending.UNFINISHED:
            raise TimeLimitError(f"logic: not at an end in time, after {len(self.steps)} steps")
        return self

    @property
    def grid(self) -> Grid | None:
        """The solution, None if the path does not reach it."""
        return self.final.grid if self.outcome is Ending.SOLVED else None

    @cached_property
    def hardest(self) -> Step | None:
        """The first of the steps with the highest rating; None if there are no steps."""
        return max(self.steps, key=lambda step: step.rating, default=None)

    @property
    def rating(self) -> float:
        """The highest rating of a step, as Sudoku Explainer rates a puzzle; 0 without steps."""
        return self.hardest.rating if self.hardest else 0.0

    @property
    def score(self) -> int:
        """The sum of the steps' scores, as HoDoKu rates a puzzle."""
        return sum(technique(step.technique).score for step in self.steps)

    @property
    def counts(self) -> Counter[str]:
        """How often each technique was used."""
        return Counter(step.technique for step in self.steps)

    def _repr_html_(self) -> str:
        """Return the steps as notebooks show them."""
        from unidoku.logic.show import fragment  # it draws paths, so it imports this module

        return fragment(self)

    def __repr__(self) -> str:
        """Say how it ends."""
        return f"<Walkthrough of {len(self.steps)} steps, {self.outcome.value}>"


def steps_from(state: State, techniques: Sequence[Technique]) -> Iterator[tuple[Step, State]]:
    """Yield the easiest step again and again, each with the state that it leaves.

    Args:
        state: where to begin.
        techniques: in the order in which they are tried, after each step from the first on.
    """
    while not state.contradiction and state.empty:
        step = next((step for row in techniques for step in row.steps(state)), None)
        if step is None:
            return
        state = state.after(step)
        yield step, state


def explain(
    board: Board,
    techniques: Sequence[Technique] | None = None,
    *,
    time_limit: float | None = None,
) -> Walkthrough:
    """Solve a board as a person does, step by step, as far as the techniques lead.

    >>> path = explain(Board.parse("1... ..2. .3.. ...4"))
    >>> path.outcome.value, path.steps[0].sentence
    ('solved', 'hidden single 2 in box 1: A2 is 2')

    Args:
        board: the puzzle.
        techniques: tried in this order; the usual ones if not given.
        time_limit: seconds; a path that they end is `Ending.UNFINISHED`.

    Raises:
        UnsupportedError: a technique does not hold on the board's layout.
    """
    techniques = usual() if techniques is None else techniques
    check_layout(techniques, board.layout)
    states = [State.start(board, _clock(time_limit))]
    steps = []
    try:
        for step, state in steps_from(states[0], techniques):
            steps.append(step)
            states.append(state)
            state.tick()
    except TimeLimitError:
        return Walkthrough(board, tuple(steps), tuple(states), in_time=False)
    return Walkthrough(board, tuple(steps), tuple(states))


def hint(
    board: Board,
    techniques: Sequence[Technique] | None = None,
    *,
    time_limit: float | None = None,
) -> Step | None:
    """Return the easiest next step; None if there is none.

    Args:
        board: the puzzle.
        techniques: as for `explain`.
        time_limit: seconds.

    Raises:
        UnsupportedError: a technique does not hold on the board's layout.
        TimeLimitError: the time limit came first.
    """
    techniques = usual() if techniques is None else techniques
    check_layout(techniques, board.layout)
    start = State.start(board, _clock(time_limit))
    return next((step for step, _ in steps_from(start, techniques)), None)


def _clock(time_limit: float | None) -> Callable[[], None]:
    """Return what raises once the time is over."""
    deadline = None if time_limit is None else time.perf_counter() + time_limit

    def tick() -> None:
        if deadline is not None and time.perf_counter() >= deadline:
            raise TimeLimitError(f"logic: not at an end within {time_limit} s")

    return tick
