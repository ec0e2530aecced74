"""A run: makes boards for experiments until there are enough or the time limit is reached."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cached_property

from unidoku.backends.solving.solver import Solver, load
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.errors import InputError, TimeLimitError
from unidoku.formats import Puzzle
from unidoku.generation.instances.boards import (
    RefusedError,
    SolutionCounter,
    dug,
    filled,
    holes_of,
    random_grid,
    spoiled,
)
from unidoku.generation.instances.request import InstanceRequest
from unidoku.generation.oracle import Oracle, deciding
from unidoku.generation.request import Assignment, GenerationProgress, assignments
from unidoku.parallel.dispatch import on_nodes
from unidoku.support.deadline import Deadline

_SEEDS = 1 << 63
"""The number of seeds: a seed is a number of the board, and TOML has whole numbers of 64 bits."""


@dataclass(frozen=True, kw_only=True)
class InstanceGeneration:
    """A run that makes boards for experiments; iterate over it once.

    >>> request = InstanceRequest(family="quasigroup", n=5, holes=(0.4,), balanced=True)
    >>> [puzzle] = InstanceGeneration(request=request, seed=7)
    >>> puzzle.name, puzzle.numbers["holes"]
    ('quasigroup 5, 10 holes, balanced, seed 7, attempt 0', 10)

    Args:
        request: the properties of the boards.
        count: number of boards for each number of empty cells.
        seed: seed of the random numbers; a board depends on its request, the seed and the number
            of its attempt only.
        time_limit: seconds for all boards together; None for no limit.
        backend: label of the backend that counts solutions; None for ``native``.
        cross_check: label of a second backend that proves the number of solutions, if one is
            requested; None for none.
        executor: executor whose processes or machines make the boards, as in `Solver.stream`; None
            for this process.

    Attributes:
        progress: counts of boards and refusals so far.

    Raises:
        InputError: the request cannot be met.
    """

    request: InstanceRequest
    count: int = 1
    seed: int = 0
    time_limit: float | None = None
    backend: str | None = None
    cross_check: str | None = None
    executor: Executor | None = None
    progress: GenerationProgress = field(init=False, default_factory=GenerationProgress)

    def __post_init__(self) -> None:
        """Raise for arguments that cannot be met, before anything is made."""
        if self.count < 1:
            raise InputError(f"count: expected one board or more, got {self.count}")
        if type(self.seed) is not int or not 0 <= self.seed < _SEEDS:
            raise InputError(f"seed: expected an int from 0 to {_SEEDS - 1}, got {self.seed!r}")
        self.request.check()
        self.progress.wanted = self.count * len(self.request.empty_counts())

    def __iter__(self) -> Iterator[Puzzle]:
        """Yield boards, with their numbers, until there are enough or the time limit is reached.

        Raises:
            WrongAnswerError: two backends disagree.
        """
        deadline = Deadline(self.time_limit)
        try:
            for empty in self.request.empty_counts():
                for puzzle in self._of(empty, deadline):
                    self.progress.made += 1
                    self.progress.seconds = deadline.elapsed
                    yield puzzle
        except TimeLimitError:
            self.progress.in_time = False
        finally:
            self.progress.seconds = deadline.elapsed

    def _of(self, empty: int | None, deadline: Deadline) -> Iterator[Puzzle]:
        """Yield boards with this many empty cells, until there are enough."""
        work = _Attempting(replace(self, executor=None), empty, deadline.limit)
        attempts = assignments(1, deadline)
        outcomes: Iterator[Puzzle | str] = map(work, attempts)
        if self.executor is not None:
            outcomes = (outcome for _, outcome in on_nodes(self.executor, work, attempts))
        count = 0
        for outcome in outcomes:
            deadline.check("generate")
            self.progress.attempts += 1
            if isinstance(outcome, str):
                self.progress.refused[outcome] += 1
                continue
            yield outcome
            count += 1
            if count == self.count:
                return


@dataclass(frozen=True)
class _Attempting:
    """Makes boards with one number of empty cells, in this process or on a node.

    Args:
        run: the run.
        empty: number of empty cells; None for any number.
        time_limit: seconds that the compilation of the engine may take; None for no limit.
    """

    run: InstanceGeneration
    empty: int | None
    time_limit: float | None

    def __call__(self, assignment: Assignment) -> Puzzle | str:
        """Return the board of an attempt; the reason if it is refused."""
        deadline = Deadline(assignment.limit)  # first, as the solver may have to be compiled
        request, layout = self.run.request, self._layout
        recipe = f"{request.name(self.empty)}, seed {self.run.seed}"
        rng = random.Random(f"{recipe}:{assignment.number}")
        try:
            values, grid = self._values(rng, deadline)
        except RefusedError as refusal:
            return str(refusal)
        board = Board.from_values(layout, values)
        if self._second is not None and request.solutions is not None:
            counter = SolutionCounter(self._second, deadline, request.solutions)
            counter.confirm(board, self._solver)
        numbers = request.numbers(values.count(0))
        return Puzzle(
            board,
            f"{recipe}, attempt {assignment.number}",
            1,
            solution=grid,
            solutions=request.solutions,
            numbers=numbers | {"seed": self.run.seed, "attempt": assignment.number},
        )

    def _values(self, rng: random.Random, deadline: Deadline) -> tuple[list[int], Grid | None]:
        """Return the values of a board, and the grid from which it was made if that solves it.

        Raises:
            RefusedError: it does not meet the request.
            TimeLimitError: the deadline has passed.
        """
        request, layout = self.run.request, self._layout
        if request.filled:
            assert self.empty is not None
            values = filled(layout, len(layout) - self.empty, rng)
            if request.solutions is not None:
                SolutionCounter(self._solver, deadline, request.solutions).require(layout, values)
            return values, None

        def oracle_of(layout: Layout) -> Oracle:
            return Oracle(self._solver, layout, deadline)

        grid = random_grid(layout, rng, oracle_of)
        if request.solutions is None or request.balanced:
            assert self.empty is not None
            pattern = random_grid(layout, rng, oracle_of) if request.balanced else None
            values = list(grid)
            for cell in holes_of(layout, self.empty, rng, pattern):
                values[cell] = 0
            if request.solutions:
                SolutionCounter(self._solver, deadline, request.solutions).require(layout, values)
        else:
            counter = SolutionCounter(self._solver, deadline, request.solutions or 1)
            values = dug(layout, grid, self.empty, rng, counter)
        if request.solutions == 0:
            counter = SolutionCounter(self._solver, deadline, 0)
            return spoiled(layout, values, rng, counter), None
        return values, grid

    @cached_property
    def _layout(self) -> Layout:
        return self.run.request.layout

    @cached_property
    def _solver(self) -> Solver:
        named = self.run.backend
        return deciding(self.time_limit) if named is None else load(named)

    @cached_property
    def _second(self) -> Solver | None:
        return None if self.run.cross_check is None else load(self.run.cross_check)
