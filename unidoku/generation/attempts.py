"""What all runs share: attempts on this machine or on others, their progress, and confirmations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

from unidoku.backends.base import Request, Stop
from unidoku.backends.solving.solver import Solver, load
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.errors import TimeLimitError, WrongAnswerError
from unidoku.formats import Puzzle
from unidoku.generation.oracle import deciding
from unidoku.generation.request import Assignment, GenerationProgress, assignments
from unidoku.parallel.dispatch import on_nodes
from unidoku.support.deadline import Deadline
from unidoku.support.text import plural

_T = TypeVar("_T")


class RefusedError(Exception):
    """An attempt does not meet the request; the message is the reason."""


@dataclass(frozen=True, kw_only=True)
class AttemptRun(ABC, Generic[_T]):
    """A run that makes puzzles by attempts, some of which are refused; iterate over it once.

    Args:
        seed: seed of the random numbers; the same arguments give the same puzzles.
        time_limit: seconds for all puzzles together; None for no limit.
        backend: label of the exact backend that counts solutions; None for ``native``.
        cross_check: label of a second backend that confirms what the first one proved; None for
            none.
        executor: executor whose processes or machines make the puzzles, as in `Solver.stream`; None
            for this process.

    Attributes:
        progress: counts of puzzles and refusals so far.
    """

    seed: int = 0
    time_limit: float | None = None
    backend: str | None = None
    cross_check: str | None = None
    executor: Executor | None = None
    progress: GenerationProgress = field(init=False, default_factory=GenerationProgress)

    def __iter__(self) -> Iterator[_T]:
        """Yield puzzles until there are enough or the time limit is reached; see `progress`.

        Raises:
            InputError: the layout cannot be filled.
            WrongAnswerError: two backends disagree.
        """
        deadline = Deadline(self.time_limit)
        try:
            for puzzles in self._puzzles(deadline):
                self.progress.seconds = deadline.elapsed
                yield puzzles
        except TimeLimitError:
            self.progress.in_time = False
        finally:
            self.progress.seconds = deadline.elapsed

    @abstractmethod
    def _puzzles(self, deadline: Deadline) -> Iterator[_T]:
        """Yield puzzles until there are enough; raise TimeLimitError when time is up."""

    def _accepted(
        self, attempt: Callable[[Assignment], Puzzle | str], deadline: Deadline
    ) -> Iterator[Puzzle]:
        """Yield the puzzles of attempts without end; an attempt that returns a text is refused."""
        attempts = assignments(1, deadline)
        outcomes: Iterator[Puzzle | str] = map(attempt, attempts)
        if self.executor is not None:
            outcomes = (outcome for _, outcome in on_nodes(self.executor, attempt, attempts))
        for outcome in outcomes:
            self.progress.attempts += 1
            if isinstance(outcome, str):
                self.progress.refused[outcome] += 1
            else:
                self.progress.made += 1
                yield outcome
            deadline.check("generate")


@dataclass(frozen=True)
class Attempt(ABC):
    """Makes single puzzles of a run, in this process or on a node.

    Args:
        run: the run.
        time_limit: seconds that the compilation of the engine may take; None for no limit.
    """

    run: AttemptRun[Any]
    time_limit: float | None

    def __call__(self, assignment: Assignment) -> Puzzle | str:
        """Return the puzzle of an attempt; the reason if it is refused."""
        deadline = Deadline(assignment.limit)  # first, as the solver may have to be compiled
        try:
            return self._puzzle(assignment.number, deadline)
        except RefusedError as refusal:
            return str(refusal)

    @abstractmethod
    def _puzzle(self, number: int, deadline: Deadline) -> Puzzle:
        """Return the puzzle of the attempt of a number; raise RefusedError if it is refused."""

    @cached_property
    def _solver(self) -> Solver:
        named = self.run.backend
        return deciding(self.time_limit) if named is None else load(named)

    @cached_property
    def _second(self) -> Solver | None:
        return None if self.run.cross_check is None else load(self.run.cross_check)


def confirm(
    board: Board,
    solutions: int,
    first: Solver,
    second: Solver | None,
    deadline: Deadline,
    grid: Grid | None = None,
) -> None:
    """Check that a second solver proves the same number of solutions as the first.

    Args:
        board: the board.
        solutions: the number of solutions that the first solver found.
        first: the first solver.
        second: the second one; None if there is none.
        deadline: the moment after which the second solver stops, if it can.
        grid: the only solution, which the second solver has to find; None if there are others.

    Raises:
        TimeLimitError: it did not decide in time.
        WrongAnswerError: it disagrees.
    """
    if second is None:
        return
    timed = "time_limit" in second.spec.capabilities.honours
    limit = deadline.limit if timed else None
    keep = 0 if grid is None else 2
    request = Request(solutions=solutions + 1, keep=keep, time_limit=limit)
    result = second.search(board, request)
    is_same = grid is None or result.solutions == (grid,)
    is_exact = result.stop is Stop.EXHAUSTED
    if is_exact and result.count == solutions and is_same:
        return
    undecided = not is_exact and result.count <= solutions
    answer = f"finds {result.count}" if is_same or result.count != 1 else "finds another"
    raise (TimeLimitError if undecided else WrongAnswerError)(
        f"{board.text('line')}, digest {board.digest}: {first.label} finds "
        f"{plural(solutions, 'solution')}, {second.label} "
        f"{'did not decide in time' if undecided else answer}"
    )
