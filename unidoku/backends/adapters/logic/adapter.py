"""The search by techniques, and by guesses when they stall if the option allows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import Value, option_type_error
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector, collect
from unidoku.backends.visit import Guess, NodeEnd, Visit
from unidoku.core.bits import values_of
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.core.transforms.lower import narrowed
from unidoku.errors import InputError, OptionError, UnsupportedError
from unidoku.logic import State, Step, Technique, check_layout, chosen, steps_from


def logic(techniques: str = "..grouped AIC", search: bool = False) -> Logic:
    """Make a backend of human solving techniques; without search it may have to give up.

    Without ``search``, a board that the techniques do not finish stays undecided and keeps its
    candidates. Techniques that assume uniqueness are refused if more than one solution is
    requested, and a grid found with them does not prove that it is the only one.

    Statistics: ``nodes`` (states that the techniques started from; 1 without a guess), ``failures``
        (contradictions among them), ``steps`` (steps of all paths), ``rating`` (the highest rating
        of a step, on Sudoku Explainer's scale), ``solve_time`` (seconds).

    Args:
        techniques: names joined by commas; ``..name`` for all techniques up to that name; ``usual``
            for all that hold on every board, including forcing, which is itself a search; ``all``
            for the usual ones and those that assume uniqueness.
        search: whether to guess when no technique helps: depth first, in the cell with the fewest
            candidates.

    Raises:
        OptionError: a technique is unknown, or an option has the wrong type.
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
    """The techniques of people as a backend, which may give up; `logic` makes it from options.

    Args:
        techniques: the techniques, in the order in which they are tried.
        guesses: whether it guesses and searches when no technique finds a step.
    """

    techniques: tuple[Technique, ...]
    guesses: bool

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the names of the techniques and whether the backend searches."""
        names = ", ".join(technique.name for technique in self.techniques)
        return {"techniques": names, "search": self.guesses}

    def search(self, board: Board, request: Request) -> Result:
        """Apply step after step; when no technique helps, guess or give up."""
        check_layout(self.techniques, board.layout)
        assuming = [row.name for row in self.techniques if row.needs_uniqueness]
        if assuming and request.solutions != 1:
            raise UnsupportedError(
                "logic cannot look for further solutions with techniques that assume a unique "
                f"one ({', '.join(assuming)}): use solutions=1, or leave these out"
            )
        run = _Run(self, narrowed(board), Budget(request))
        collector = SolutionCollector(request)
        stop = collect(run.solutions(), collector)
        if assuming and stop is Stop.EXHAUSTED:
            stop = Stop.INCOMPLETE
        result = collector.result(stop, run.statistics())
        left = run.left
        return result if left is None else replace(result, candidates=left.candidates)

    def trace(self, board: Board, request: Request) -> Iterator[Visit]:
        """Yield the states and steps of the same search, in its order."""
        check_layout(self.techniques, board.layout)
        for visit, _ in _Run(self, narrowed(board), Budget(request)).visits():
            yield visit


@dataclass(slots=True)
class _Run:
    """One search and its counters."""

    logic: Logic
    board: Board
    budget: Budget
    failures: int = 0
    steps: int = 0
    rating: float = 0.0
    left: State | None = None  # the state in which it gave up

    def solutions(self) -> Iterator[Grid]:
        """Yield the solutions; raise LimitReached when it stalls or the budget is used up."""
        for visit, state in self.visits():
            if visit.end is NodeEnd.SOLUTION:
                yield state.grid

    def visits(self) -> Iterator[tuple[Visit, State]]:
        """Yield each state and each step with the state after it; raise as `solutions` does."""
        start = State.start(self.board, self.budget.check_time)
        stack: list[tuple[int, Guess | None, State]] = [(0, None, start)]
        while stack:
            self.budget.node()
            depth, guess, state = stack.pop()
            yield _visit(depth, guess, "", state), state
            for step, after in steps_from(state, self.logic.techniques):
                self._count(step)
                state = after
                yield _visit(depth + 1, None, step.sentence, state), state
            if state.contradiction:
                self.failures += 1
            elif state.is_solved:
                continue
            elif self.logic.guesses:
                stack.extend((depth + 1, *guessed) for guessed in _guesses(state))
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


def _visit(depth: int, guess: Guess | None, step: str, state: State) -> Visit:
    """Return the visit of a state, or of the step that leads to it."""
    end = NodeEnd.SOLUTION if state.is_solved else None
    return Visit(
        depth=depth,
        guess=guess,
        step=step,
        candidates=state.candidates,
        end=NodeEnd.CONTRADICTION if state.contradiction else end,
        where=state.contradiction,
    )


def _guesses(state: State) -> Iterator[tuple[Guess, State]]:
    """Yield a guess for each candidate of the cell with the fewest, largest value first."""
    cell = min(
        (cell for cell in state.layout.cells if state.empty >> cell & 1),
        key=lambda cell: state.candidates[cell].bit_count(),
    )
    for value in reversed(values_of(state.candidates[cell])):
        yield Guess(cell=cell, value=value), state.placing(cell, value)
