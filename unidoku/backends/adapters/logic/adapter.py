"""The search by techniques, and by guesses where they stall and the option says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.lower import narrowed
from unidoku.backends.options import Value, option_type_error
from unidoku.backends.toolkit.budget import Budget, LimitReached, Tally, collect
from unidoku.core.bits import values_of
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.errors import InputError, OptionError, UnsupportedError
from unidoku.logic import State, Step, Technique, check_layout, chosen, steps_from


def logic(techniques: str = "..grouped AIC", search: bool = False) -> Logic:
    """Make the techniques of people a backend; without search it may have to give up.

    A board that the techniques do not finish is left undecided with its candidates, unless
    ``search`` is on. Techniques that rest on uniqueness are refused where more than one solution
    is asked for, and what they lead to proves nothing beyond the grid itself.

    Statistics: ``nodes`` (states from which the techniques set out; 1 without a guess),
    ``failures`` (contradictions among them), ``steps`` (of all paths), ``rating`` (the highest
    of a step, on Sudoku Explainer's scale), ``solve_time`` (seconds).

    Args:
        techniques: names joined by commas; ``..name`` for those up to a name, ``usual`` for all
            that hold on every board, forcing among them, which is a search of its own; ``all``
            for those that rest on uniqueness too.
        search: whether to guess where no technique helps: depth first, in the cell with the
            fewest candidates.

    Raises:
        OptionError: a technique is unknown, or an option is of the wrong type.
    """
    if type(techniques) is not str:
        raise option_type_error("logic", "techniques", "text", techniques)
    if type(search) is not bool:
        raise option_type_error("logic", "search", "bool", search)
    try:
        return Logic(chosen(techniques), search)
    except InputError as error:
        raise OptionError(f"logic: option 'techniques': {error}") from error


@dataclass(frozen=True, slots=True)
class Logic:
    """The backend; see `logic`.

    Args:
        techniques: in the order in which they are tried.
        guesses: whether to search where they stall.
    """

    techniques: tuple[Technique, ...]
    guesses: bool

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the techniques by name, and whether it searches."""
        names = ", ".join(technique.name for technique in self.techniques)
        return {"techniques": names, "search": self.guesses}

    def search(self, board: Board, request: Request) -> Result:
        """Walk from step to step; where no technique helps, guess or give up."""
        check_layout(self.techniques, board.layout)
        resting = [row.name for row in self.techniques if row.needs_uniqueness]
        if resting and request.solutions != 1:
            raise UnsupportedError(
                "logic cannot look for further solutions with techniques that assume a unique "
                f"one ({', '.join(resting)}): ask for solutions=1, or leave these out"
            )
        run = _Run(self, narrowed(board), Budget(request))
        tally = Tally(request)
        stop = collect(run.solutions(), tally)
        if resting and stop is Stop.EXHAUSTED:
            stop = Stop.INCOMPLETE
        result = tally.result(stop, run.statistics())
        left = run.left
        return result if left is None else replace(result, candidates=left.candidates)


class _Run:
    """One search and its counters."""

    def __init__(self, logic: Logic, board: Board, budget: Budget) -> None:
        self.logic = logic
        self.board = board
        self.budget = budget
        self.failures = self.steps = 0
        self.rating = 0.0
        self.left: State | None = None  # where it gave up

    def solutions(self) -> Iterator[Grid]:
        """Yield the solutions; raise LimitReached where it stalls or the budget is spent."""
        stack = [State.start(self.board, self.budget.check_time)]
        while stack:
            self.budget.node()
            state = stack.pop()
            for step, after in steps_from(state, self.logic.techniques):
                self._count(step)
                state = after
            if state.contradiction:
                self.failures += 1
            elif state.is_solved:
                yield state.grid
            elif self.logic.guesses:
                stack.extend(_guesses(state))
            else:
                self.left = state
                raise LimitReached(Stop.INCOMPLETE)

    def _count(self, step: Step) -> None:
        self.steps += 1
        self.rating = max(self.rating, step.rating)
        self.budget.check_time()

    def statistics(self) -> dict[str, float]:
        return {
            "solve_time": self.budget.elapsed,
            "nodes": self.budget.nodes,
            "failures": self.failures,
            "steps": self.steps,
            "rating": self.rating,
        }


def _guesses(state: State) -> Iterator[State]:
    """Yield a state for each candidate of the cell with the fewest, the largest value first."""
    cell = min(
        (cell for cell in state.layout.cells if state.empty >> cell & 1),
        key=lambda cell: state.candidates[cell].bit_count(),
    )
    for value in reversed(values_of(state.candidates[cell])):
        yield state.placing(cell, value)
