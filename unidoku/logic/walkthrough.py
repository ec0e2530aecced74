"""A solution by logic, made of the easiest step that a technique finds, repeatedly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from unidoku.core import display
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.hidden import expanded_layout
from unidoku.core.layout import Grid, Layout
from unidoku.errors import TimeLimitError
from unidoku.logic.catalogue import Technique, check_layout, chosen, technique
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.support.deadline import Deadline, time_limit_scope
from unidoku.support.text import Word


class Ending(Word):
    """How a walkthrough ends."""

    SOLVED = "solved"
    STALLED = "stalled"
    """No technique finds another step."""
    CONTRADICTION = "contradiction"
    """The board has no solutions."""
    UNFINISHED = "unfinished"
    """The time limit was reached."""


def conclusion(outcome: Ending, hardest: str, unsolved: str) -> str:
    """Return the hardest technique, and, where the board is not solved, why, in words."""
    if outcome is Ending.SOLVED:
        return hardest or "none"
    reason = "no solutions" if outcome is Ending.CONTRADICTION else unsolved
    return f"{reason}; so far {hardest or 'none'}"


@dataclass(frozen=True)
class Walkthrough:
    """Steps by logic from a board to a solution, or as far as the techniques lead.

    Args:
        board: the puzzle.
        steps: the steps in order.
        states: the state before each step and the state after the last one.
        stopped_after: the time limit in seconds if it was reached, else None.
        note: what is known beside the outcome: of the next step where it stalls, or that entries
            are wrong; empty if nothing is.
    """

    board: Board
    steps: tuple[Step, ...]
    states: tuple[State, ...]
    stopped_after: float | None = None
    note: str = ""

    @property
    def final(self) -> State:
        """The state after the last step."""
        return self.states[-1]

    @property
    def outcome(self) -> Ending:
        """How the walkthrough ends."""
        if self.final.contradiction:
            return Ending.CONTRADICTION
        if self.final.is_solved:
            return Ending.SOLVED
        return Ending.STALLED if self.stopped_after is None else Ending.UNFINISHED

    def finished(self) -> Walkthrough:
        """Return the walkthrough; raise `TimeLimitError` if the time limit was reached."""
        if self.outcome is Ending.UNFINISHED:
            limit, steps = self.stopped_after, len(self.steps)
            raise TimeLimitError(f"logic: time limit of {limit:g} s reached after {steps} steps")
        return self

    @property
    def grid(self) -> Grid | None:
        """The solution; None if the walkthrough does not reach it."""
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
        """The number of steps of each technique."""
        return Counter(step.technique for step in self.steps)

    def _repr_html_(self) -> str | None:
        """Return the steps as HTML for notebooks."""
        return None if display.walkthrough_html is None else display.walkthrough_html(self)

    def __repr__(self) -> str:
        """Return in words how the walkthrough ends."""
        return f"<Walkthrough of {len(self.steps)} steps, {self.outcome.value}>"


def steps_from(state: State, techniques: Sequence[Technique]) -> Iterator[tuple[Step, State]]:
    """Yield the easiest step repeatedly, each with the state after it.

    Techniques are tried in their order; after each step the search begins again with the first.
    """
    while not state.contradiction and state.empty:
        step = next((step for row in techniques for step in row.steps(state)), None)
        if step is None:
            return
        state = state.after(step)
        yield step, state


def walk_through(
    board: BoardLike,
    *,
    techniques: str | Sequence[Technique] = "usual",
    variant: str | Layout | None = None,
    time_limit: float | None = None,
) -> Walkthrough:
    """Solve a board as a person does, step by step, as far as the techniques lead.

    No solver is asked; `unidoku.explain` asks one first whether the board has a solution.

    >>> walkthrough = walk_through("1... ..2. .3.. ...4")
    >>> walkthrough
    <Walkthrough of 12 steps, solved>
    >>> print(walkthrough.steps[0])
    hidden single 2 in box 1: A2 is 2

    Args:
        board: the puzzle: a board, a text, or rows of values.
        techniques: techniques in the order in which they are tried; or names for `chosen`, such as
            ``"all"`` or ``"..naked pair"``.
        variant: how to read a text or rows, as in `unidoku.solve`.
        time_limit: seconds; once they have passed, the walkthrough is `Ending.UNFINISHED`.

    Raises:
        InputError: a name is not that of a technique, or the time limit is not above 0.
        UnsupportedError: a technique is not valid on the layout of the board.
        TimeLimitError: the time limit was reached before the first step was looked for.
    """
    deadline = Deadline(time_limit)
    return walkthrough_from(*beginning(board, techniques, variant, deadline), deadline)


def walkthrough_from(
    start: State,
    techniques: Sequence[Technique],
    deadline: Deadline,
    watch: Callable[[Step], object] = lambda step: None,
) -> Walkthrough:
    """Return the walkthrough from a state, as far as the techniques lead before the deadline.

    Each step that is found is given to `watch`.
    """
    states = [start]
    steps = []
    stopped_after = None
    try:
        for step, state in steps_from(start, techniques):
            steps.append(step)
            states.append(state)
            watch(step)
            state.tick()
    except TimeLimitError:
        stopped_after = deadline.seconds
    return Walkthrough(start.board, tuple(steps), tuple(states), stopped_after)


def beginning(
    board: BoardLike,
    techniques: str | Sequence[Technique],
    variant: str | Layout | None,
    deadline: Deadline,
) -> tuple[State, Sequence[Technique]]:
    """Return the first state, and the techniques, which are all valid on the layout.

    Raises:
        InputError, UnsupportedError: as for `walk_through`.
    """
    tick = partial(deadline.check, "logic")
    with time_limit_scope(tick):
        board = as_board(board, variant)
        rows = chosen(techniques) if isinstance(techniques, str) else techniques
        check_layout(rows, expanded_layout(board.layout))
        return State.start(board, tick), rows
