"""A run: makes boards for experiments until there are enough or the time limit is reached."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.errors import InputError
from unidoku.formats import Puzzle
from unidoku.generation.attempts import Attempt, AttemptRun
from unidoku.generation.instances.boards import (
    SolutionCounter,
    dug,
    filled,
    holes_of,
    random_grid,
    spoiled,
)
from unidoku.generation.instances.request import InstanceRequest
from unidoku.generation.oracle import Oracle
from unidoku.support.deadline import Deadline

_SEEDS = 1 << 63
"""The number of seeds: a seed is a number of the board, and TOML has whole numbers of 64 bits."""


@dataclass(frozen=True, kw_only=True)
class InstanceGeneration(AttemptRun[Puzzle]):
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

    The other arguments are those of `AttemptRun`.

    Attributes:
        progress: counts of boards and refusals so far.

    Raises:
        InputError: the request cannot be met.
    """

    request: InstanceRequest
    count: int = 1

    def __post_init__(self) -> None:
        """Raise for arguments that cannot be met, before anything is made."""
        if self.count < 1:
            raise InputError(f"count: expected one board or more, got {self.count}")
        if type(self.seed) is not int or not 0 <= self.seed < _SEEDS:
            raise InputError(f"seed: expected an int from 0 to {_SEEDS - 1}, got {self.seed!r}")
        self.request.check()
        self.progress.wanted = self.count * len(self.request.empty_counts())

    def _puzzles(self, deadline: Deadline) -> Iterator[Puzzle]:
        run = replace(self, executor=None)
        for empty in self.request.empty_counts():
            attempt = _BoardAttempt(run, deadline.limit, empty)
            yield from islice(self._accepted(attempt, deadline), self.count)


@dataclass(frozen=True)
class _BoardAttempt(Attempt):
    """Makes boards with one number of empty cells; None for any number."""

    run: InstanceGeneration
    empty: int | None

    def _puzzle(self, number: int, deadline: Deadline) -> Puzzle:
        request = self.run.request
        recipe = f"{request.name(self.empty)}, seed {self.run.seed}"
        values, grid = self._values(random.Random(f"{recipe}:{number}"), deadline)
        board = Board.from_values(self._layout, values)
        if request.solutions is not None:
            self._confirm(board, request.solutions, deadline)
        numbers = request.numbers(values.count(0))
        return Puzzle(
            board,
            f"{recipe}, attempt {number}",
            1,
            solution=grid,
            solutions=request.solutions,
            numbers=numbers | {"seed": self.run.seed, "attempt": number},
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
