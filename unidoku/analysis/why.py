"""Why a cell must or cannot hold a value: a solver decides, the smallest reason shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from unidoku.analysis.naming import cell_named, value_named
from unidoku.analysis.showing import contradicting, shown
from unidoku.api import COUNTED, catalogue_only, solver_and_limits
from unidoku.backends.base import Limits, Result, Stop
from unidoku.backends.solving.policy import undecided
from unidoku.backends.solving.solver import BackendLike, Solver
from unidoku.backends.toolkit.models import Models
from unidoku.core.bits import bit
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.layout import Grid, Layout
from unidoku.errors import TimeLimitError
from unidoku.logic import State, Step
from unidoku.parallel.killable import confinable
from unidoku.support.arguments import named_arguments
from unidoku.support.cancel import Cancel
from unidoku.support.deadline import Deadline
from unidoku.support.language import message
from unidoku.support.text import Word

_PATIENCE = 1.0
"""The most seconds for all solutions of a board, which a question may not need."""

_SEVERAL = 2
"""The number of solutions that are looked for."""


class Verdict(Word):
    """What holds for a cell and a value in all solutions of a board."""

    MUST = "must be"
    CANNOT = "cannot be"
    EITHER = "can be, and need not be"
    NO_SOLUTIONS = "no solutions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Whether a cell holds a value, and why.

    Args:
        board: the puzzle.
        cell: the cell.
        value: the value, from 1.
        verdict: what holds in all solutions.
        step: the reason as a step that can be drawn; None without one.
        state: the board with the candidates that the givens and the steps before leave, on which
            the step is drawn.
        before: the steps of `unidoku.explain` that come first; none if the givens suffice.
        parts: what the reason consists of, each in words.
        reason: the reason in words; empty if the verdict is `Verdict.EITHER`.
        solutions: for `Verdict.EITHER`, a solution with the value in the cell and one without.
    """

    board: Board
    cell: int
    value: int
    verdict: Verdict
    step: Step | None = None
    state: State
    before: tuple[Step, ...] = ()
    parts: tuple[str, ...] = ()
    reason: str = ""
    solutions: tuple[Grid, ...] = ()

    def __str__(self) -> str:
        """Return the verdict and the reason in one sentence."""
        if self.verdict is Verdict.NO_SOLUTIONS:
            return message("no solutions: {reason}", reason=self.reason)
        layout = self.board.layout
        name, symbols = layout.names[self.cell], layout.shown
        if self.verdict is Verdict.EITHER:
            return message(
                "{cell} can be {value}, and need not be: in another solution it is {other}",
                cell=name,
                value=symbols[self.value],
                other=symbols[self.solutions[1][self.cell]],
            )
        is_must = self.verdict is Verdict.MUST
        text = "{cell} must be {value}" if is_must else "{cell} cannot be {value}"
        fact = message(text, cell=name, value=symbols[self.value])
        return message("{fact}: {reason}", fact=fact, reason=self.reason)

    def record(self, name: str = "") -> dict[str, Any]:
        """Return the answer as a table for JSON."""
        layout = self.board.layout
        return {
            **self.board.record(name),
            "cell": layout.names[self.cell],
            "value": layout.number(self.value),
            "verdict": self.verdict.value,
            "sentence": str(self),
            "reason": self.reason or None,
            "parts": list(self.parts),
            "before": [step.sentence for step in self.before],
            "solutions": [[*map(layout.number, grid)] for grid in self.solutions],
        }


@named_arguments
@confinable(catalogue_only)
def why(
    board: BoardLike,
    cell: str | int,
    value: str | int,
    /,
    *,
    backend: BackendLike | None = None,
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
    **options: object,
) -> Why:
    """Return whether a cell must or cannot hold a value, and the smallest reason that is found.

    A backend decides. The reason is what a person has to look at, with the candidates that the
    givens leave: cells, values in full units, and rules, none of which can be left out. Where no
    chain of single steps shows it from there, it begins after as few steps of `unidoku.explain` as
    it needs; where the easy ones end, a SAT solver names parts that show it by cases. Where neither
    is found, the reason says why. Questions about one board share the steps. If both happen, there
    are two solutions to compare.

    >>> import unidoku
    >>> print(unidoku.why("1... ..2. .3.. ...4", "A2", 2))
    A2 must be 2: if A2 is not 2, box 1 has no place for 2
    >>> print(unidoku.why("12.. .... .... 21..", "A3", 3))
    A3 can be 3, and need not be: in another solution it is 4

    Args:
        board: the puzzle.
        cell: the name of a cell, such as ``A4``, or its number in reading order from 0.
        value: the value, as people see it: a number, or its symbol.
        backend: the backend that decides, as for `unidoku.solve`.
        variant: layout of a text, as for `unidoku.solve`.
        time_limit: seconds for everything; by default there is none.
        cancel: a token that ends the call, as in `unidoku.solve`.
        untrusted: whether the call is made in a confined process, as in `unidoku.solve`.
        memory_limit: its memory limit.
        options: options of the backend.

    Raises:
        InputError: there is no such cell or value.
        TimeLimitError: it was not decided in time.
        UnsupportedError: the backend is not complete.
    """
    given = {"time_limit": time_limit, **options}
    solver, limits = solver_and_limits(backend, given, fixed=COUNTED)
    clock = Deadline(limits.pop("time_limit", None))
    puzzle = as_board(board, variant)
    at, number = cell_named(puzzle.layout, cell), value_named(puzzle.layout, value)
    state = State.start(puzzle, lambda: clock.check("why"))
    mask = puzzle.candidates[at]

    with _KNOWN.lend(puzzle.layout, (puzzle.candidates, solver.label), _Known) as known:

        def grid_with(values: int) -> Grid | None:
            return known.solution(puzzle, at, mask & values, solver, limits, clock)

        true, false = grid_with(bit(number)), grid_with(~bit(number))
        nodes = known.nodes
    answer = partial(Why, board=puzzle, cell=at, value=number)
    if true is not None and false is not None:
        return answer(verdict=Verdict.EITHER, state=state, solutions=(true, false))
    if true is None and false is None:
        reason, parts = contradicting(puzzle, state.tick)
        return answer(verdict=Verdict.NO_SOLUTIONS, state=state, parts=parts, reason=reason)
    verdict = Verdict.CANNOT if true is None else Verdict.MUST
    evidence = shown(state, at, number, is_placed=verdict is Verdict.MUST, nodes=nodes)
    return answer(
        verdict=verdict,
        state=evidence.state,
        step=evidence.step,
        before=evidence.before,
        parts=evidence.parts,
        reason=evidence.reason,
    )


class _Known:
    """The solutions of a board that questions found, and whether there are no others.

    Attributes:
        nodes: the size of the last search that found no further solution.
    """

    def __init__(self) -> None:
        self.grids: list[Grid] = []
        self.is_begun = self.is_all = False
        self.nodes = 0

    def solution(
        self, board: Board, cell: int, values: int, solver: Solver, limits: Limits, clock: Deadline
    ) -> Grid | None:
        """Return a solution in which a cell has one of some values; None if there is none."""
        if not self.is_begun and board.candidates[cell]:
            self._begin(board, solver, limits, clock)
        known = next((grid for grid in self.grids if bit(grid[cell]) & values), None)
        if known is not None or self.is_all or not values:
            return known
        candidates = (*board.candidates[:cell], values, *board.candidates[cell + 1 :])
        result = _searched(Board(board.layout, candidates), solver, limits, clock)
        self.grids += result.solutions
        if not result.solutions:
            self.nodes = _nodes(result)
        return next(iter(result.solutions), None)

    def _begin(self, board: Board, solver: Solver, limits: Limits, clock: Deadline) -> None:
        """Look for two solutions, for a while: if there is only one, all questions are decided."""
        self.is_begun = True
        seconds = _PATIENCE if clock.limit is None else min(_PATIENCE, clock.limit)
        result = solver.solve(board, **limits | Limits(solutions=2, time_limit=seconds))
        self.grids += result.solutions
        self.is_all = result.stop.answered and len(self.grids) < _SEVERAL
        self.nodes = _nodes(result)


_KNOWN: Models[_Known] = Models()


def _searched(board: Board, solver: Solver, limits: Limits, clock: Deadline) -> Result:
    """Search for a solution of a board until it is decided whether there is one."""
    result = solver.solve(board, **limits | Limits(solutions=1, time_limit=clock.limit))
    if result.solutions or result.stop.answered:
        return result
    if result.stop is not Stop.INCOMPLETE:
        raise TimeLimitError(f"why: not decided{result.stop.limit}")
    raise undecided(solver.label)


def _nodes(result: Result) -> int:
    """Return the nodes of a search, 0 if the backend reports none."""
    return int(result.statistics.get("nodes", 0))
