"""How it is shown that a cell must or cannot hold a value: directly, or after steps by logic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from unidoku.core.bits import bit
from unidoku.core.board import Board
from unidoku.errors import TimeLimitError
from unidoku.logic import State, Step, steps_from, usual
from unidoku.logic.reasons.contradiction import contradiction
from unidoku.logic.reasons.reasoning import why_not
from unidoku.support.text import plural

NO_REASON = "every way to fill the rest fails, but no chain of single steps shows it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What shows that a cell must or cannot hold a value.

    Args:
        state: the board on which the reason is drawn.
        reason: the reason in words.
        parts: what it consists of, each in words.
        step: the reason as a step; None if nothing shows it.
        before: the steps by logic that come first.
    """

    state: State
    reason: str = NO_REASON
    parts: tuple[str, ...] = ()
    step: Step | None = None
    before: tuple[Step, ...] = ()


def shown(state: State, cell: int, value: int, *, is_placed: bool) -> Shown:
    """Return the smallest reason that is found, after as few steps by logic as it needs.

    Cost: some milliseconds on boards of 81 cells if it needs no steps, else those of a walkthrough.

    Args:
        state: the state in which only the givens are placed; its clock ends the search.
        cell: the cell.
        value: a value that a solver proved.
        is_placed: whether to show that the cell must have the value, otherwise that it cannot.
    """
    try:
        return _at(state, cell, value, is_placed) or _after_steps(state, cell, value, is_placed)
    except TimeLimitError:
        return Shown(state=state)


def _at(state: State, cell: int, value: int, is_placed: bool) -> Shown | None:
    """Return the reason from the candidates of a state; None if no chain shows it."""
    step, parts = why_not(state, cell, value, is_placed=is_placed)
    return step and Shown(state=state, reason=step.reason, parts=parts, step=step)


def _after_steps(state: State, cell: int, value: int, is_placed: bool) -> Shown:
    """Return the reason after the fewest steps of a walkthrough with which it is found."""
    states, steps = [state], list[Step]()
    for step, after in steps_from(state, usual()):
        steps.append(step)
        if not after.candidates[cell] & ~bit(value) or not after.candidates[cell] & bit(value):
            break
        states.append(after)
    else:
        return Shown(state=state)
    last = len(states) - 1
    found = _at(states[last], cell, value, is_placed)
    known = found or Shown(state=states[last], reason=steps[last].sentence, step=steps[last])
    low, high = 1, last
    while found is not None and low < high:
        middle = (low + high) // 2
        if earlier := _at(states[middle], cell, value, is_placed):
            known, high = earlier, middle
        else:
            low = middle + 1
    reason = f"after {plural(high, 'step')} of unidoku explain, {known.reason}"
    return replace(known, reason=reason, before=tuple(steps[:high]))


def contradicting(board: Board, tick: Callable[[], None]) -> tuple[str, tuple[str, ...]]:
    """Return why a board has no solution, and the parts of the reason; both in words."""
    try:
        parts = contradiction(board, tick)
    except TimeLimitError:
        parts = ()
    return f"these cannot all be true: {'; '.join(parts)}" if parts else NO_REASON, parts
