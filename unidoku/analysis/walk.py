"""Steps by logic on a board that a solver is asked about first: no step leads on from a mistake."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from unidoku.analysis.core_reasons import CoreReasons, core_reasons, with_cores
from unidoku.analysis.mistakes import Entries, Mistake, find_mistake, has_solution, with_entries
from unidoku.backends.base import Limits
from unidoku.backends.solving.solver import load
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.layout import Layout
from unidoku.errors import InputError, TimeLimitError, UnsupportedError
from unidoku.logic import Ending, State, Step, Technique, Walkthrough, steps_from
from unidoku.logic.reasons.reasoning import MOST_PARTS, short_reason
from unidoku.logic.show.words import no_step
from unidoku.logic.walkthrough import beginning, walkthrough_from
from unidoku.parallel.killable import confinable
from unidoku.support.arguments import named_arguments
from unidoku.support.cancel import Cancel
from unidoku.support.deadline import Deadline
from unidoku.support.language import message, quantity
from unidoku.support.logs import logger

Tell = Callable[[str], object]

_PATIENCE = 2.0
"""The most seconds for finding out whether a board has a solution, and for what is wrong."""

_SHARE = 0.5
"""The largest share of a time limit for that."""

_SEVERAL = "and the board has several solutions"
"""What is known of a board where no technique finds a step."""

UNDECIDED = "whether the board has a solution was not decided in time"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoStep:
    """Why there is no next step; false, where a step is true.

    Args:
        ending: `Ending.SOLVED`; `Ending.CONTRADICTION`, if the board has no solutions; or
            `Ending.STALLED`, if it is beyond the techniques.
        words: the same in words.
        mistake: what is wrong on a board without solutions.
    """

    ending: Ending
    words: str
    mistake: Mistake | None = None

    def __bool__(self) -> Literal[False]:
        """Return False: there is no step."""
        return False

    def __str__(self) -> str:
        """Return why there is none."""
        return self.words


@named_arguments
@confinable()
def hint(
    board: BoardLike,
    *,
    entries: Entries | None = None,
    techniques: str | Sequence[Technique] = "usual",
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    tell: Tell | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
) -> Step | NoStep:
    r"""Return the easiest next step of a board that has a solution, or why there is none.

    >>> hint("1... ..2. .3.. ...4")
    <Step: hidden single 2 in box 1: A2 is 2>
    >>> found = hint("1... ..2. .3.. ...4", entries={"A2": 2, "A3": 3})
    >>> if not found: print(*found.mistake.stages, sep="\n")
    something is wrong
    look again at row A
    A3 cannot be 3: if A3 is 3, box 2 has no place for 4

    Args:
        board: the puzzle.
        entries: what was entered on it: the board as it is now, or values by the names of cells.
        techniques: as for `explain`.
        variant: layout of a text, as for `explain`.
        time_limit: time limit in seconds for everything. A search for solutions takes at most 2.
        tell: gets a sentence if that does not decide it; by default it is logged.
        cancel: a token that ends the call, as in `unidoku.solve`.
        untrusted: whether the call is made in a confined process, as in `unidoku.solve`.
        memory_limit: its memory limit.

    Raises:
        InputError, UnsupportedError: as for `explain`; or an entry is not possible.
        TimeLimitError: the time limit was reached.
    """
    deadline = Deadline(time_limit)
    start, rows, mistake = _begun(as_board(board, variant), entries, techniques, deadline, tell)
    rows = tuple(with_cores(rows, core_reasons()))
    if mistake is None and (first := next(steps_from(start, rows), None)) is not None:
        return first[0]
    final = start if mistake is None else replace(start, contradiction=mistake.words)
    words = no_step(final)
    if mistake is not None and mistake.cells:
        words = message("no step: something is wrong, {why}", why=mistake.words)
    elif _ending(final) is Ending.STALLED and _has_several(start.board, deadline):
        words = f"{words}, {message(_SEVERAL)}"
    return NoStep(ending=_ending(final), words=words, mistake=mistake)


@named_arguments
@confinable()
def explain(
    board: BoardLike,
    *,
    entries: Entries | None = None,
    techniques: str | Sequence[Technique] = "usual",
    most_parts: float = MOST_PARTS,
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    tell: Tell | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
) -> Walkthrough:
    """Solve a board as a person does, step by step, as far as the techniques lead.

    A board without solutions gets no step: its walkthrough says why it has none.

    >>> found = explain("1... ..2. .3.. ...4")
    >>> found
    <Walkthrough of 12 steps, solved>
    >>> print(found.steps[0])
    hidden single 2 in box 1: A2 is 2

    Hidden cells of its layout are shown below the grid.

    Args:
        board: the puzzle: a board, a text, or rows of values.
        entries: what was entered on it, as for `hint`.
        techniques: techniques in the order in which they are tried; or names, such as ``"all"`` or
            ``"..naked pair"``.
        most_parts: the largest number of parts of a short reason; ``math.inf`` for any. Of more
            than twelve the search takes longer; of more than twenty the size is told, and the units
            and rules.
        variant: layout of a text or of rows: the name of a variant, or a layout; by default
            ``classic``.
        time_limit: time limit in seconds for everything; once it has passed, the walkthrough is
            `Ending.UNFINISHED`. Searches for solutions take at most 2 of them each.
        tell: as for `hint`.
        cancel: a token that ends the call, as in `unidoku.solve`.
        untrusted: whether the call is made in a confined process, as in `unidoku.solve`.
        memory_limit: its memory limit.

    Raises:
        InputError: a name is not that of a technique, the time limit is not above 0, the number of
            parts is below 1, or an entry is not possible.
        UnsupportedError: a technique is not valid on the layout of the board.
        TimeLimitError: the time limit was reached before the first step was looked for.
    """
    if not most_parts >= 1:
        raise InputError(f"most_parts: expected at least 1, got {most_parts}")
    deadline = Deadline(time_limit)
    start, rows, mistake = _begun(as_board(board, variant), entries, techniques, deadline, tell)
    if mistake is not None:
        end = replace(start, contradiction=mistake.words)
        note = message("with these entries") if mistake.cells else ""
        return Walkthrough(start.board, (), (end,), note=note)
    source = core_reasons(most_parts)
    walk = walkthrough_from(start, tuple(with_cores(rows, source, most_parts)), deadline)
    if walk.outcome is not Ending.STALLED:
        return walk
    if _has_several(start.board, deadline):
        return replace(walk, note=message(_SEVERAL))
    is_asked = source is not None and any(row.find is short_reason for row in rows)
    return _noted(walk, source) if is_asked else walk


def _has_several(board: Board, deadline: Deadline) -> bool:
    """Return whether a board is found to have several solutions, so that no logic ends it."""
    clock = _clock(deadline)
    with suppress(TimeLimitError, UnsupportedError):
        return load("auto").solve(board, **Limits(solutions=2, time_limit=clock.limit)).count > 1
    return False


def _clock(deadline: Deadline) -> Deadline:
    """Return the deadline of a search for solutions."""
    left = deadline.limit
    return Deadline(_PATIENCE if left is None else min(_PATIENCE, _SHARE * left))


def _noted(walk: Walkthrough, source: CoreReasons | None) -> Walkthrough:
    """Return a stalled walkthrough with the size of the shortest reason for a next step."""
    with suppress(TimeLimitError):
        if source is not None and (reason := source(walk.final)) is not None:
            size = quantity(reason.parts.bit_count(), "part")
            note = message("and the shortest reason found has {parts}", parts=size)
            return replace(walk, note=note)
    return walk


def _begun(
    puzzle: Board,
    entries: Entries | None,
    techniques: str | Sequence[Technique],
    deadline: Deadline,
    tell: Tell | None,
) -> tuple[State, Sequence[Technique], Mistake | None]:
    """Return the state of a puzzle with what was entered, the techniques, and what is wrong.

    Nothing is known to be wrong if there is a solution, or if that was not decided in time.
    """
    board = puzzle if entries is None else with_entries(puzzle, entries)
    start, rows = beginning(board, techniques, None, deadline)
    clock, solver = _clock(deadline), load("auto")
    if (solvable := has_solution(board, solver, clock)) is None:
        (tell or logger(__name__).warning)(message(UNDECIDED))
    mistake = find_mistake(puzzle, board, solver, clock) if solvable is False else None
    return start, rows, mistake


def _ending(state: State) -> Ending:
    return Walkthrough(state.board, (), (state,)).outcome
